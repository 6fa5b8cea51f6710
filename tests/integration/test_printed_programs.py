"""What programs print is judged in part, by lines and by patterns; a dialogue can stop at a prompt."""

import textwrap
from pathlib import Path

import pytest
from support.command_line import grader, results
from support.marking import HEAD, cases, mark, question, verdicts

from grader.cli.own_work import own_work
from grader.engine.self_check import SelfCheck
from grader.sandbox.driver import CHOICE, Driver
from grader.spec import load_task

DRIVERS = [Driver.NAMESPACES, Driver.LANDLOCK]

SPEC = """
questions:
  - id: "1"
    title: One
    marks: 1
    award: each
    cases:
      - program: work
        stdin: "2\\n"
        stdout: {contains: [Hello, twice 2 is 4], ignores: case}
      - program: work
        stdin: "2\\n"
        stdout: {pattern: "^twice 2 is [0-9]+$"}
      - program: work
        stdin: "2\\n"
        stdout: {lines: {1: same as reference, -1: {text: root 1.41, abs: 0.01}}}
      - program: work
        stdin: "2\\n"
        stdout: {lines: [{contains: hello}, {contains: "4"}, {pattern: "^root"}], ignores: case}
      - program: work
        dialogue:
          - {says: {text: "NUMBER?", ignores: [case, punctuation], whitespace: any}, answer: x}
          - {says: {contains: number}, stop: here}
      - {program: work, dialogue: [{says: same as reference, answer: x}, {stop: here}]}
"""
REFERENCE = """
    while True:
        try:
            number = int(input("number: "))
            break
        except ValueError:
            pass
    print("hello", f"twice {number} is {2 * number}", f"root {number ** 0.5:.3f}", sep="\\n")
"""
WRONG = """
    print("number:", end="")
    number = int(input())
    print("Hi", f"twice {number} is about {2 * number}", "root 1.5", sep="\\n")
    print("bye")
"""
LOOPS = """
    while True:
        try:
            int(input("number: "))
            raise SystemExit(3)
        except:
            print(end="", flush=True)
"""


@pytest.mark.parametrize("driver", DRIVERS)
def test_the_reference_is_right(tmp_path: Path, driver: Driver) -> None:
    result = mark(tmp_path, SPEC, REFERENCE, reference=REFERENCE, driver=driver)
    assert set(verdicts(result).values()) == {"accepted"}, [case.message for case in cases(result).values()]
    last = cases(result)["1.5"].dialogue[-1]
    assert (last.said, last.stopped, last.answered) == ("number: ", True, None)


def test_it_is_the_same_on_a_students_own_machine(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv(CHOICE, Driver.PORTABLE)
    for folder in ("reference", "own"):
        (tmp_path / folder).mkdir()
        (tmp_path / folder / "work.py").write_text(textwrap.dedent(REFERENCE))
    path = tmp_path / "sample.yaml"
    path.write_text(f"{HEAD}reference: reference\n{SPEC}")
    task = load_task(path)
    with SelfCheck(task) as session:
        result = session.check(own_work(tmp_path / "own", dict(task.modules)))
    assert set(verdicts(result).values()) == {"accepted"}


@pytest.mark.parametrize("driver", DRIVERS)
def test_after_the_stop_nothing_counts(tmp_path: Path, driver: Driver) -> None:
    """A bare `except` makes a loop of the end of the input; the case is over before."""
    spec = question(
        '{program: work, dialogue: [{says: "number: ", answer: x}, {says: "number: ", stop: here}]}'
    )
    result = mark(tmp_path, spec, LOOPS, reference=REFERENCE, driver=driver)
    (case,) = cases(result).values()
    assert (case.verdict, case.stderr) == ("accepted", "")
    assert case.cpu_s < case.time_limit_s / 2


def test_each_difference_is_told(tmp_path: Path) -> None:
    result = mark(tmp_path, SPEC, WRONG, reference=REFERENCE)
    assert {name: case.message.split(" (")[0] for name, case in cases(result).items()} == {
        "1.1": "stdout: expected Hello in it",
        "1.2": r"stdout: expected a match of '^twice 2 is [0-9]+$', got number:Hi…",
        "1.3": "stdout, line 1, column 8: expected number:·hello, got number:Hi",
        "1.4": "stdout, line 1: expected hello in it",
        "1.5": "raised ValueError: invalid literal for int() with base 10: 'x'",
        "1.6": "turn 1, line 1, column 8: expected number:·, got number:",
    }


def test_a_crash_shows_what_was_expected(tmp_path: Path) -> None:
    spec = question(
        '{program: work, stdout: "done\\n"}',
        "{program: work, stdout: {contains: [a, b]}}",
        "{program: work, stdout: same as reference, limits: {time: 100ms}}",
        '{program: work, leaves: {out.txt: "left\\n"}}',
        '{program: work, dialogue: [{says: "name? ", answer: x}]}',
        '{program: work, stdout: "secret\\n", visibility: hidden}',
    )
    result = mark(tmp_path, spec, "import os\nos.abort()\n", reference="print('same')\n")
    found = {name: case.expected_print for name, case in cases(result).items()}
    assert found == {
        "1.1": "done\n",
        "1.2": "…a…\n…b…\n",
        "1.3": "same\n",
        "1.4": "",
        "1.5": "name? ",
        "1.6": "secret\n",
    }
    # A file is not printed, so it has its own words.
    assert cases(result)["1.4"].expected == "file out.txt: left\n"
    assert {case.verdict for case in cases(result).values()} == {"crashed"}


def test_a_prompt_that_is_split_or_never_flushed(tmp_path: Path) -> None:
    spec = question('{program: work, dialogue: [{says: "Size? ", answer: 5}], stdout: "5\\n"}')
    split = (
        'import sys\nfor c in "Size? ":\n    sys.stdout.write(c)\n    sys.stdout.flush()\nprint(input())\n'
    )
    assert cases(mark(tmp_path, spec, split))["1.1"].verdict == "accepted"
    buffered = "import sys\nsys.stdout.reconfigure(line_buffering=False)\nsys.stdout.write('Size? ')\n"
    buffered += "print(sys.stdin.readline(), end='')\n"
    assert cases(mark(tmp_path, spec, buffered))["1.1"].verdict == "accepted", "it is flushed when it asks"
    raw = "import os, sys\nsys.stdout.write('Size? ')\nos.read(0, 1)\n"
    assert cases(mark(tmp_path, spec, raw))["1.1"].verdict == "wrong-answer"


@pytest.mark.acceptance
def test_it_is_judged_again_from_what_is_known(tmp_path: Path) -> None:
    """The second run has the evidence of the first, a case that was stopped among it."""
    (tmp_path / "reference").mkdir()
    (tmp_path / "reference" / "work.py").write_text(textwrap.dedent(REFERENCE))
    path, out = tmp_path / "sample.yaml", tmp_path / "out"
    text = f"{HEAD}reference: reference\n{SPEC}"
    for marks in ("1", "2"):
        path.write_text(text.replace("marks: 1\n", f"marks: {marks}\n"))
        done = grader("mark", path, tmp_path / "reference" / "work.py", "-o", out)
        assert done.returncode == 0, done.stderr
        (submission,) = results(out)["submissions"]
        assert (submission["mark"], submission["max_mark"]) == (marks, marks)


def test_a_reference_that_does_not_ask_is_noticed(tmp_path: Path) -> None:
    (tmp_path / "reference").mkdir()
    (tmp_path / "reference" / "work.py").write_text("input('a? ')\n")
    path = tmp_path / "sample.yaml"
    stops = question("{program: work, dialogue: [{says: 'a? ', answer: x}, {says: 'b? ', stop: here}]}")
    path.write_text(f"{HEAD}reference: reference\n{stops}")
    done = grader("mark", path, tmp_path / "reference" / "work.py", "-o", tmp_path / "out")
    assert done.returncode == 3
    assert "the reference does not pass 1.1" in done.stderr
