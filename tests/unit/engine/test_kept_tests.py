"""The evidence of test functions is kept, and holds while the tests and the program stay the same."""

from dataclasses import replace
from fractions import Fraction
from pathlib import Path

from support.marking import HEAD, question

from grader.engine.run_config import prepare_run
from grader.engine.worker import MarkedSubmission, Marker
from grader.model.submission import SourceFile, Submission
from grader.sandbox.driver import Driver
from grader.spec import load_task

WORK = """
import os
import time

def stamp():
    return time.time_ns()

def fail():
    raise ValueError(time.time_ns())

def end():
    os._exit(time.time_ns() % 100 + 1)
"""
TESTS = """
import pytest
import work

@pytest.mark.parametrize("wanted", [0, 1])
def test_stamp(wanted):
    assert work.stamp() == wanted

def test_fail():
    work.fail()

def test_end():
    work.end()

def test_absent():
    work.absent()

def test_passes():
    assert work.stamp() > 0
"""


def marked(folder: Path, tests: str, known: bytes = b"", marks: int = 1) -> MarkedSubmission:
    (folder / "tests").mkdir(exist_ok=True)
    (folder / "tests" / "test_work.py").write_text(tests)
    spec = (HEAD + question("pytest: tests/test_work.py")).replace("marks: 1", f"marks: {marks}")
    (folder / "spec.yaml").write_text(spec)
    config = replace(prepare_run(load_task(folder / "spec.yaml"), Driver.NAMESPACES, ""), conditions="here")
    files = {"work": SourceFile("work.py", WORK)}
    with Marker(config) as marker:
        return marker.mark(Submission("ada", "ada", files), known)


def test_tests_run_again_only_if_they_or_the_program_changed(tmp_path: Path) -> None:
    first = marked(tmp_path, TESTS)
    verdicts = [str(case.verdict) for case in first.result.cases]
    assert verdicts == ["wrong-answer", "exception", "crashed", "missing", "accepted"]
    second = marked(tmp_path, TESTS, first.evidence, marks=5)
    assert second.result.mark == 5 * first.result.mark == 1
    assert list(second.result.cases) == list(first.result.cases)
    again = marked(tmp_path, TESTS.replace("== wanted", "== wanted + 0") + "# more\n", first.evidence)
    stamped, *others = zip(again.result.cases, first.result.cases, strict=True)
    assert stamped[0].message != stamped[1].message
    # Each test has its own text, and only the first one changed.
    assert all(new.message == old.message for new, old in others)


def test_a_change_of_visibility_and_weight_holds_at_once(tmp_path: Path) -> None:
    decorated = """
from gradescope_utils.autograder_utils.decorators import visibility, weight
import work

@weight({weight})
@visibility("{visibility}")
def test_passes():
    assert work.stamp() > 0

@weight(1)
def test_fail():
    work.fail()
"""
    first = marked(tmp_path, decorated.format(weight=1, visibility="visible"))
    second = marked(tmp_path, decorated.format(weight=3, visibility="hidden"), first.evidence)
    assert (first.result.mark, second.result.mark) == (Fraction("0.5"), Fraction("0.75"))
    assert [case.visibility for case in second.result.cases] == ["hidden", "public"]
    # What did not change was not run again.
    assert [*second.result.cases][1].message == [*first.result.cases][1].message
