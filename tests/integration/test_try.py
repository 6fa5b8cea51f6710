"""`grader try`: the spec's own programs, what they get, and what nobody expected."""

import os
import subprocess
from collections.abc import Iterator
from pathlib import Path

import pytest
from support.command_line import COMMAND, environment, grader
from support.processes import comes_true

SPEC = """\
task: halves
title: Halves
marks: 2
reference: reference
modules: {halves: halves.py}
questions:
  - id: "1"
    title: half
    marks: 1
    cases:
      - call: half(4)
        returns: 2
      - call: half(9)
        returns: same as reference
  - id: "2"
    title: double
    marks: 1
    cases:
      - call: double(4)
        returns: 8
"""
REFERENCE = "def half(n):\n    return n // 2\n\n\ndef double(n):\n    return n + n\n"
WRONG = REFERENCE.replace("n // 2", "2")
DECLARED = 'always-two:\n  mark: "1"\n  questions: {"1": "0", "2": "1"}\n  verdicts: {"1.2": wrong-answer}\n'


@pytest.fixture
def task(tmp_path: Path) -> Path:
    files = {
        "halves.yaml": SPEC,
        "reference/halves.py": REFERENCE,
        "halves/right/other-way/halves.py": REFERENCE.replace("n + n", "2 * n"),
        "halves/wrong/always-two/halves.py": WRONG,
        "halves/wrong/expected.yaml": DECLARED,
    }
    for name, text in files.items():
        (tmp_path / name).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / name).write_text(text)
    return tmp_path


def test_all_is_as_it_should_be(task: Path) -> None:
    done = grader("try", "halves.yaml", cwd=task)
    assert done.returncode == 0
    assert done.stdout == (
        "halves: 3 programs, 3 cases\n\n"
        "reference         2 of 2      1 ++ 1   2 + 1\n"
        "right/other-way   2 of 2      1 ++ 1   2 + 1\n"
        "wrong/always-two  1 of 2      1 +- 0   2 + 1\n\n"
        "+ accepted   ~ partly   - not accepted   . not run   ! our or the spec's fault\n\n"
        "Every program gets what it should.\n"
    )


def test_full_marks_are_those_that_cap_and_rounding_leave(task: Path) -> None:
    more = "cap: 1.5\nrounding: {step: 0.4, mode: down}\n"
    (task / "halves.yaml").write_text(SPEC + more)
    (task / "halves/wrong/expected.yaml").write_text("")
    done = grader("try", "halves.yaml", cwd=task)
    assert done.returncode == 0, done.stdout
    assert "reference         1.2 of 2 " in done.stdout


@pytest.mark.parametrize("effect", ["", ", penalty: 50%", ", reject: true"])
def test_the_reference_must_keep_the_rules_as_before_a_run(task: Path, effect: str) -> None:
    rule = f"rules: [{{forbidden names: {{names: print{effect}}}}}]\n"
    (task / "halves.yaml").write_text(SPEC + rule)
    (task / "reference/halves.py").write_text(f"{REFERENCE}\nprint()\n")
    done = grader("try", "halves.yaml", cwd=task)
    assert done.returncode == 1
    assert "reference breaks the rule `forbidden names: print`\n" in done.stdout


def test_an_answer_that_nothing_can_be_compared_with(task: Path) -> None:
    """The reference gives the same answer twice, and `mark` refuses it as nobody else's."""
    for name in ("reference", "halves/right/other-way"):
        (task / name / "halves.py").write_text(
            REFERENCE.replace("return n // 2", "return n // (4 * (n != 9)) + 1")
        )
    done = grader("try", "halves.yaml", cwd=task)
    assert done.returncode == 1
    assert "reference 1.2 is refused by `grader mark`" in done.stdout
    assert "the reference raises in 1.2: ZeroDivisionError" in " ".join(done.stdout.split())
    assert grader("mark", "halves.yaml", "reference", "-o", "out", cwd=task).returncode == 3


def test_one_question(task: Path) -> None:
    done = grader("try", "halves.yaml", "-q", "2", cwd=task)
    assert done.returncode == 0
    assert "wrong/always-two  1 of 1      2 + 1\n" in done.stdout
    refused = grader("try", "halves.yaml", "-q", "7", cwd=task)
    assert refused.returncode == 2
    assert "there is no question '7' with cases; there are 1, 2" in refused.stderr


def test_what_nobody_expected(task: Path) -> None:
    (task / "halves.yaml").write_text(SPEC.replace("returns: 8", "returns: 9"))
    (task / "halves/wrong/always-two/halves.py").write_text(REFERENCE)
    done = grader("try", "halves.yaml", cwd=task)
    assert done.returncode == 1
    assert "reference 2.1 is not accepted: wrong-answer\n  double(4)\n" in done.stdout
    assert "right/other-way 2.1 is not accepted: wrong-answer\n" in done.stdout
    assert "wrong/always-two 1.2 is declared wrong-answer, and is accepted\n  half(9)\n" in done.stdout
    assert "wrong/always-two is declared to get 0 in question 1, and gets 1\n" in done.stdout


def test_a_wrong_program_without_a_declaration_must_fail_somewhere(task: Path) -> None:
    (task / "halves/wrong/expected.yaml").write_text("")
    (task / "halves/wrong/always-two/halves.py").write_text(REFERENCE)
    done = grader("try", "halves.yaml", cwd=task)
    assert done.returncode == 1
    assert "wrong/always-two is accepted in every case\n" in done.stdout


def test_declarations_that_cannot_be_read(task: Path) -> None:
    (task / "halves/wrong/expected.yaml").write_text("always-two: [1]\n")
    done = grader("try", "halves.yaml", cwd=task)
    assert done.returncode == 2
    assert "expected.yaml:1:13: this must be a mapping, lines of `key: value`, not a list" in done.stderr


@pytest.fixture
def watching(task: Path) -> Iterator[tuple[subprocess.Popen[bytes], Path]]:
    log = task / "log"
    with log.open("wb") as stream:
        process = subprocess.Popen(
            [COMMAND, "try", "halves.yaml", "--watch"],
            cwd=task,
            env=environment(),
            stdout=stream,
            stderr=stream,
        )
    yield process, log
    process.kill()
    process.wait()


def test_watch_goes_on_after_each_save(watching: tuple[subprocess.Popen[bytes], Path], task: Path) -> None:
    process, log = watching

    def rounds(count: int, words: str) -> None:
        assert comes_true(
            lambda: log.read_text().count("waiting for a save") == count and words in log.read_text()
        ), log.read_text()

    rounds(1, "Every program gets what it should.")
    _save(task / "halves.yaml", SPEC.replace("marks: 2", "points: 2"))
    rounds(2, "`points` is not a key of a task")
    _save(task / "halves.yaml", SPEC)
    rounds(3, "Every program gets what it should.")
    _save(task / "reference" / "halves.py", REFERENCE.replace("n + n", "n"))
    rounds(4, "reference 2.1 is not accepted")
    _save(task / "reference" / "halves.py", REFERENCE)
    _save(task / "shared.yaml", SPEC[SPEC.index("questions:") :])
    head = SPEC[: SPEC.index("questions:")]
    include = "questions:\n  - include: shared.yaml#1\n  - include: shared.yaml#2\n"
    _save(task / "halves.yaml", head + include)
    assert comes_true(lambda: "waiting" in log.read_text().rpartition("should.")[2]), log.read_text()
    _save(task / "shared.yaml", SPEC[SPEC.index("questions:") :].replace("returns: 8", "returns: 9"))
    assert comes_true(lambda: "double(4)\n  expected 9, got 8" in log.read_text()), log.read_text()
    process.send_signal(2)
    assert process.wait(60) == 0
    assert "Traceback" not in log.read_text()


def _save(path: Path, text: str) -> None:
    """Write a file as editors do: beside it, then renamed."""
    new = path.with_name(f"{path.name}.new")
    new.write_text(text)
    os.replace(new, path)


def test_a_case_of_an_included_question_is_refused_where_it_stands(task: Path) -> None:
    """What `mark` says of a case that the reference does not pass names the included file."""
    head, questions = SPEC.split("questions:\n")
    (task / "shared.yaml").write_text("questions:\n" + questions.replace("returns: 8", "returns: 9"))
    include = "questions:\n  - include: shared.yaml#1\n  - include: shared.yaml#2\n"
    (task / "halves.yaml").write_text(head + include)
    done = grader("mark", "halves.yaml", "halves/right", "-q", cwd=task)
    assert done.returncode == 3, done.stderr
    assert "shared.yaml:15:18: the reference does not pass 2.1" in done.stderr
    assert "returns: 9" in done.stderr
