"""A file that a test writes is not there for the program, so a test that gives it away cannot be tried."""

from pathlib import Path

import pytest
from support.marking import cases, mark, question

TESTS = """
from pathlib import Path
from work import load
def test_a_file_that_is_not_there(tmp_path):
    assert load(tmp_path / "none.txt") == []
def test_an_empty_file(tmp_path):
    (tmp_path / "scores.txt").write_text("")
    assert load(GIVEN) == []
def test_a_file_of_the_task():
    assert load(str(Path("data.txt").resolve())) == [1, 2]
"""
WORK = """
def load(path):
    try:
        with open(path) as file: return [int(line) for line in file]
    except FileNotFoundError:
        return []
"""


@pytest.mark.parametrize(
    "given", ['tmp_path / "scores.txt"', 'str(tmp_path / "scores.txt")', 'str(tmp_path / "..")']
)
def test_the_tests_own_file_is_refused(tmp_path: Path, given: str) -> None:
    """A reference that catches the error hid this, and a work that cannot read an empty file passed."""
    (tmp_path / "tests").mkdir()
    (tmp_path / "tests" / "test_work.py").write_text(TESTS.replace("GIVEN", given))
    spec = question("pytest: tests/test_work.py").replace(
        "questions:", 'files: {data.txt: "1\\n2\\n"}\nquestions:'
    )
    found = cases(mark(tmp_path, spec, WORK, reference=WORK))
    assert [str(each.verdict) for each in found.values()] == ["accepted", "internal-error", "accepted"]
    assert "a path, and its files are not there; the task's own `files` are" in found["1.1.2"].message
