"""Standard streams are those of a Python whose output is read by another program: they can be set anew."""

from pathlib import Path

import pytest
from support.marking import mark, question

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
