"""Programs behave in a box as they do when Python runs them, and cases of programs are marked so."""

import re
import subprocess
import sys
import textwrap
from collections.abc import Iterator
from pathlib import Path

import pytest
from support.marking import cases, mark, verdicts
from support.snippets import snippets

from grader.model.case import ProgramRun
from grader.model.limits import Limits
from grader.model.outcome import Ending, Outcome, Returned
from grader.sandbox.box import Box, Job, Program
from grader.sandbox.budget import UNBILLED
from grader.sandbox.driver import Driver
from grader.sandbox.interpreter import find_interpreter
from grader.sandbox.request import encode_program
from grader.sandbox.zygote import Zygote

LIMITS = Limits(time_s=5.0, wall_s=20.0)
STDIN = "first line\nsecond, ünïcode\n" + "x" * 200_000 + "\nlast without an end"
ARGUMENTS = ("--fast", "a b", "ü")
PROGRAMS = snippets("programs.txt")
_PATH = re.compile(r'File "[^"\n]*/')


@pytest.fixture(scope="module")
def zygote() -> Iterator[Zygote]:
    with Zygote(Driver.NAMESPACES, find_interpreter("")) as started:
        yield started


def run_in_box(
    zygote: Zygote, text: str, keeps: tuple[str, ...] = (), stdin: str = STDIN, **modules: str
) -> Outcome:
    program = Program("main", {"main": text, **modules}, runs=True)
    run = ProgramRun(module="main", arguments=ARGUMENTS, stdin=stdin, keeps=keeps)
    with Box(zygote, program, 256 << 20, LIMITS, LIMITS.time_s, purse=UNBILLED) as box:
        assert box.load()[0].ending is Ending.ANSWERED
        return box.run([Job(encode_program(run, LIMITS), LIMITS)])[0]


def exit_code(outcome: Outcome) -> object:
    if outcome.ending is Ending.EXITED:
        return int(outcome.detail.removeprefix("exit status "))
    answer = outcome.answers[0]
    assert isinstance(answer, Returned)
    assert isinstance(answer.value, dict)
    return answer.value["exit_code"]


@pytest.mark.parametrize("name", PROGRAMS)
def test_a_program_does_what_it_does_elsewhere(zygote: Zygote, tmp_path: Path, name: str) -> None:
    helper = "def fail(x):\n    raise KeyError(x)\n"
    (tmp_path / "main.py").write_text(PROGRAMS[name], encoding="utf-8")
    (tmp_path / "helper.py").write_text(helper, encoding="utf-8")
    done = subprocess.run(
        [sys.executable, "-X", "utf8", "main.py", *ARGUMENTS],
        input=STDIN.encode(),
        capture_output=True,
        cwd=tmp_path,
        check=False,
    )
    left = (tmp_path / "out.txt").read_bytes() if (tmp_path / "out.txt").exists() else None
    outcome = run_in_box(zygote, PROGRAMS[name], ("out.txt",), helper=helper)
    assert outcome.stdout == done.stdout.decode("utf-8", "surrogateescape")
    stderr = done.stderr.decode("utf-8", "surrogateescape")
    assert _PATH.sub('File "', outcome.stderr) == _PATH.sub('File "', stderr)
    assert exit_code(outcome) == done.returncode
    if outcome.ending is Ending.ANSWERED:
        answer = outcome.answers[0]
        assert isinstance(answer, Returned)
        assert isinstance(answer.value, dict)
        assert answer.value["files"] == ({} if left is None else {"out.txt": left})


def test_no_path_of_ours_is_in_a_traceback(zygote: Zygote) -> None:
    outcome = run_in_box(zygote, "import helper\n", helper="def f(:\n")
    assert outcome.stderr.endswith("SyntaxError: invalid syntax\n")
    assert "grader" not in outcome.stderr
    assert "importlib" not in outcome.stderr


def test_each_run_finds_an_empty_folder_and_fresh_modules(zygote: Zygote) -> None:
    text = textwrap.dedent(
        """
        import os, helper
        print(sorted(os.listdir(".")), helper.count)
        helper.count += 1
        os.makedirs("a/b/c")
        open("a/b/c/d.txt", "w").write("x")
        os.symlink("/", "a/root")
        os.symlink("nowhere", "broken")
        os.mkfifo("pipe") if os.environ.get("NEVER") else None
        """
    )
    program = Program("main", {"main": text, "helper": "count = 0\n"}, runs=True)
    job = Job(encode_program(ProgramRun(module="main"), LIMITS), LIMITS)
    with Box(zygote, program, 256 << 20, LIMITS, LIMITS.time_s, purse=UNBILLED) as box:
        box.load()
        assert [box.run([job])[0].stdout for _ in range(3)] == ["[] 0\n"] * 3


SPEC = """
    questions:
      - id: "1"
        title: One
        marks: 1
        award: each
        cases:
          - {program: work, stdin: "2\\n3\\n", stdout: "5\\n"}
          - {program: work, stdin: "2\\n3\\n", stdout: same as reference, stderr: same as reference}
          - {program: work, stdin: "2\\nx\\n", exit: 1}
          - {program: work, stdin: "2\\n", arguments: [--save], leaves: {sum.txt: same as reference}}
          - {program: work, files: {in.txt: "4\\n5\\n"}, arguments: [in.txt], check: "sum_is(total=9)"}
          - {program: work, dialogue: [{says: "", answer: 2}, {says: "", answer: 3}], stdout: "5\\n"}
          - {program: work, player: "numbers(values=[7, 8])", check: "sum_is(total=15)"}
"""
REFERENCE = """
    import sys
    names = [name for name in sys.argv[1:] if not name.startswith("-")]
    source = open(names[0]) if names else sys.stdin
    total = 0
    for _ in range(2):
        total += int(source.readline() or 0)
    if "--save" in sys.argv:
        open("sum.txt", "w").write(str(total))
    print(total)
"""
ENDS_BADLY = """
    questions:
      - id: "1"
        title: One
        marks: 1
        award: each
        cases:
          - {program: work, stdin: "x\\n", stdout: same as reference, stderr: same as reference, exit: 1}
          - program: work
            stdin: "y\\n"
            exit: 1
            stderr: "Traceback (most recent call last):\\nKeyError: 'y'\\n"
          - {program: work, stdin: "x\\n", exit: 1, stderr: {contains: "line 3, in <module>"}}
"""


def test_an_exception_is_compared_without_the_places_of_the_reference(tmp_path: Path) -> None:
    reference = """
        import sys
        raise KeyError(sys.stdin.readline().strip())
    """
    right = """
        import sys

        def told(word):
            raise KeyError(word)

        for line in sys.stdin:
            told(line.rstrip())
    """
    for name in ("right", "wrong", "printed"):
        (tmp_path / name).mkdir()
    found = verdicts(mark(tmp_path / "right", ENDS_BADLY, right, reference=reference))
    assert found == {"1.1": "accepted", "1.2": "accepted", "1.3": "wrong-answer"}
    wrong = "import sys\nraise KeyError(sys.stdin.readline())"
    found = verdicts(mark(tmp_path / "wrong", ENDS_BADLY, wrong, reference=reference))
    assert found == {"1.1": "wrong-answer", "1.2": "wrong-answer", "1.3": "wrong-answer"}
    # Who prints what looks like a traceback did not raise it.
    printed = """
        import sys
        print("Traceback (most recent call last):", "  junk", "KeyError: 'x'", sep="\\n", file=sys.stderr)
        sys.exit(1)
    """
    assert (
        verdicts(mark(tmp_path / "printed", ENDS_BADLY, printed, reference=reference))["1.1"]
        == "wrong-answer"
    )


CHECKERS = """
    def sum_is(did, total):
        return None if did["stdout"].split() == [str(total)] else f"expected {total}, got {did['stdout']!r}"

    def numbers(turns, values):
        return str(values[len(turns) - 1]) if len(turns) <= len(values) else None
"""


@pytest.mark.parametrize("driver", [Driver.NAMESPACES, Driver.LANDLOCK])
def test_the_reference_is_right(tmp_path: Path, driver: Driver) -> None:
    result = mark(tmp_path, SPEC, REFERENCE, reference=REFERENCE, checkers=CHECKERS, driver=driver)
    found = verdicts(result)
    if driver is Driver.LANDLOCK:
        # No folder can be bounded there: our own fault, and said so; never the student's.
        assert {found.pop("1.4"), found.pop("1.5")} == {"internal-error"}
        assert result.status == "pending"
        message = cases(result)["1.4"].message
        assert "the sandbox driver landlock cannot bound" in message
    assert set(found.values()) == {"accepted"}


def test_a_wrong_program_is_told_where(tmp_path: Path) -> None:
    work = 'a = int(input("a? "))\nb = int(input())\nprint(a + b)\n'
    result = mark(tmp_path, SPEC, work, reference=REFERENCE, checkers=CHECKERS)
    found = {name: (str(case.verdict), case.message) for name, case in cases(result).items()}
    assert found == {
        "1.1": ("wrong-answer", "stdout, line 1, column 1: expected 5↵, got a?·5↵"),
        "1.2": ("wrong-answer", "stdout, line 1, column 1: expected 5↵, got a?·5↵"),
        "1.3": ("accepted", ""),
        "1.4": ("exception", "asked for input once more than there is (line 2 of work.py)"),
        "1.5": ("exception", "asked for input once more than there is (line 1 of work.py)"),
        "1.6": ("wrong-answer", "turn 1, line 1, column 1: expected the end of the text, got a?·"),
        "1.7": ("wrong-answer", "expected 15, got 'a? 15\\n'"),
    }


def test_a_player_that_fails_is_our_own_fault(tmp_path: Path) -> None:
    spec = """
    questions:
      - id: "1"
        title: One
        marks: 1
        award: each
        cases:
          - {program: work, player: raises(), stdout: ""}
          - {program: work, player: two_lines(), stdout: ""}
          - {program: work, player: a_number(), stdout: ""}
    """
    checkers = """
    def raises(turns):
        raise ValueError("no")

    def two_lines(turns):
        return "1\\n2"

    def a_number(turns):
        return 3
    """
    result = mark(tmp_path, spec, "print(input())\n", checkers=checkers)
    assert set(verdicts(result).values()) == {"internal-error"}
    assert "player raises raised ValueError: no" in cases(result)["1.1"].message
    assert "neither None nor a single line of text" in cases(result)["1.2"].message


def test_a_module_of_the_reference_stands_beside(tmp_path: Path) -> None:
    (tmp_path / "reference").mkdir()
    (tmp_path / "reference" / "shapes.py").write_text("NAME = 'right'\n")
    (tmp_path / "reference" / "work.py").write_text("import shapes\n\ndef f():\n    return shapes.NAME\n")
    spec = """
    questions:
      - id: "1"
        title: One
        marks: 1
        module: work
        award: each
        beside: shapes
        cases:
          - {call: f(), returns: "'right'"}
          - {program: work, stdout: "right\\n"}
      - id: "2"
        title: Two
        marks: 1
        module: work
        award: each
        cases:
          - {call: f(), returns: "'wrong'"}
          - {program: work, stdout: "wrong\\n"}
    """
    from grader.engine.run_config import prepare_run
    from grader.engine.worker import Marker
    from grader.model.submission import SourceFile, Submission
    from grader.spec import load_task

    path = tmp_path / "sample.yaml"
    head = "task: sample\ntitle: Sample\nmarks: 2\nreference: reference\n"
    path.write_text(head + "modules: {work: work.py, shapes: shapes.py}\n" + textwrap.dedent(spec))
    text = "import shapes\n\ndef f():\n    return shapes.NAME\n\nif __name__ == '__main__':\n    print(f())\n"
    files = {
        "work": SourceFile("work.py", text),
        "shapes": SourceFile("shapes.py", "NAME = 'wrong'\n"),
    }
    with Marker(prepare_run(load_task(path), Driver.NAMESPACES, "")) as marker:
        both = marker.mark(Submission("student-01", "student-01", files)).result
        del files["shapes"]
        alone = marker.mark(Submission("student-02", "student-02", files)).result
    assert set(verdicts(both).values()) == {"accepted"}
    assert list(verdicts(alone).values()) == ["accepted", "accepted", "load-error", "exception"]


def test_a_program_that_is_not_there(tmp_path: Path) -> None:
    result = mark(tmp_path, SPEC, {}, reference=REFERENCE, checkers=CHECKERS)
    assert set(verdicts(result).values()) == {"load-error"}
    assert (
        cases(result)["1.1"].message
        == "the module could not be loaded: there is no work.py in the submission"
    )


MAIN = "def main():\n    print(1)\n"


@pytest.mark.parametrize(
    ("source", "is_told"),
    [
        (MAIN, True),
        ("async " + MAIN, True),
        (MAIN + "main()\n", False),
        (MAIN + 'if __name__ == "__main__":\n    main()\n', False),
        (MAIN.replace("main", "other"), False),
        (MAIN + "start = main\n", False),
    ],
)
def test_a_main_that_is_never_called_is_told(tmp_path: Path, source: str, is_told: bool) -> None:
    spec = 'questions: [{id: "1", title: Main, marks: 1, cases: [{program: work, stdout: "2\\n"}]}]'
    (case,) = cases(mark(tmp_path, spec, source)).values()
    assert ("`main` is defined and never called" in case.message) is is_told


SILENT = """
    questions:
      - id: "1"
        title: Sum
        marks: 1
        cases:
          - {program: work, stdin: "3\\n4\\n", stdout: "7\\n", prompts: ignored}
"""


@pytest.mark.parametrize(
    ("source", "verdict"),
    [
        ("print(int(input('A? ')) + int(input('B? ')))", "accepted"),
        ("print(int(input()) + int(input(prompt := 3)))", "accepted"),
        ("import sys\nprint(sum(map(int, sys.stdin)))", "accepted"),
        ("import builtins\nprint(int(builtins.input('A')) + int(input('B')))", "accepted"),
        ("print('A?', end='')\nprint(int(input()) + int(input()))", "wrong-answer"),
        ("print(int(input('A', 'B')) + int(input()))", "exception"),
        ("class Odd:\n    __str__ = None\nprint(int(input(Odd())) + int(input()))", "exception"),
        ("print(int(input('A')) + int(input('B')) + int(input('C')))", "exception"),
    ],
)
def test_prompts_can_be_ignored(tmp_path: Path, source: str, verdict: str) -> None:
    assert verdicts(mark(tmp_path, SILENT, source)) == {"1.1": verdict}
    if verdict == "accepted" and "input(" in source and "'" in source:
        judged = verdicts(mark(tmp_path, SILENT.replace(", prompts: ignored", ""), source))
        assert judged == {"1.1": "wrong-answer"}
