"""Standard streams are those of a Python whose output is read by another program: they can be set anew."""

from pathlib import Path

import pytest
from support.marking import mark, question, verdicts

from grader.sandbox.driver import Driver

SET_ANEW = {
    "encoding": "sys.stdout.reconfigure(encoding='utf-8')",
    "errors": "sys.stderr.reconfigure(errors='replace')",
    "stdin": "sys.stdin.reconfigure(encoding='utf-8')",
    "wrapped": "sys.stdout = io.TextIOWrapper(sys.stdout.buffer, encoding='utf-8')",
    "detached": "sys.stdout = io.TextIOWrapper(sys.stdout.detach(), encoding='utf-8')",
}
CALLS = question('{call: "f(1)", returns: 1}')
PROGRAMS = question(
    r'{program: work, stdin: "3\n", stdout: "3\n"}',
    r'{program: work, dialogue: [{says: "", answer: 3}], stdout: "3\n"}',
)


@pytest.mark.parametrize("spec", [CALLS, PROGRAMS], ids=["calls", "programs"])
@pytest.mark.parametrize("way", SET_ANEW)
def test_a_program_can_set_its_streams_anew(tmp_path: Path, way: str, spec: str) -> None:
    work = f"""\
import io, sys
{SET_ANEW[way]}
def f(n):
    return n
if __name__ == "__main__":
    print(input())
"""
    result = mark(tmp_path, spec, work)
    assert result.mark == 1, [case.message for question in result.questions for case in question.cases]


READERS = [
    "print(int(input()) + int(input()))",
    "import sys\nprint(sum(map(int, sys.stdin.read().split())))",
    "import sys\nprint(sum(int(line) for line in sys.stdin))",
    "import sys\nprint(sum(map(int, sys.stdin.buffer.read().split())))",
    "print(sum(int(line) for line in open(0)))",
    "print(sum(map(int, open('/dev/stdin'))))",
    "import fileinput\nprint(sum(int(line) for line in fileinput.input()))",
    "import os\nprint(sum(map(int, os.read(0, 100).split())))",
]


@pytest.mark.parametrize("driver", [Driver.NAMESPACES, Driver.LANDLOCK])
@pytest.mark.parametrize("program", READERS)
def test_one_case_serves_every_way_to_read_the_input(program: str, driver: Driver, tmp_path: Path) -> None:
    spec = '\nquestions:\n  - id: "1"\n    title: Sum\n    marks: 1\n    cases:\n'
    spec += '      - {program: work, stdin: "3\\n4\\n", stdout: "7\\n"}\n'
    result = mark(tmp_path, spec, f"{program}\n", driver=driver)
    assert verdicts(result) == {"1.1": "accepted"}
