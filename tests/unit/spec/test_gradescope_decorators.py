"""The decorators of gradescope-utils in test files: read, or refused with their line."""

from fractions import Fraction
from pathlib import Path

import pytest
from support.marking import HEAD, mark, question

from grader.model.errors import SpecError
from grader.model.task import Task
from grader.spec import load_task

IMPORTS = """
import unittest
from gradescope_utils.autograder_utils.decorators import weight, number, visibility, tags
from gradescope_utils.autograder_utils.decorators import hide_errors, leaderboard, partial_credit as part
import gradescope_utils.autograder_utils.decorators as decorators
import work
"""
# As Gradescope's own samples are written.
TESTS = (
    IMPORTS
    + """
class TestWork(unittest.TestCase):
    def setUp(self):
        self.double = work.double

    @weight(2)
    @number("1.1")
    def test_double(self):
        '''Doubles
        of numbers'''
        self.assertEqual(self.double(3), 6)

    @weight(0.5)
    @visibility("hidden")
    @number(2)
    def test_zero(self):
        self.assertEqual(self.double(0), 0)

    @decorators.weight(0)
    @decorators.visibility("after_due_date")
    def test_late(self):
        self.assertEqual(self.double(1), 3)

    @weight(1)
    @visibility("after_published")
    def test_published(self):
        pass

    @visibility("visible")
    @weight(val=3)
    def test_visible(self):
        self.assertEqual(self.double(2), 5)
"""
)


def load(folder: Path, tests: str, more: str = "") -> Task:
    (folder / "tests").mkdir(exist_ok=True)
    (folder / "tests" / "test_work.py").write_text(tests)
    (folder / "spec.yaml").write_text(HEAD + question(f"pytest: tests/test_work.py{more}"))
    return load_task(folder / "spec.yaml")


def test_weights_visibility_and_numbers_are_read(tmp_path: Path) -> None:
    found = {case.text.rpartition("test_")[2]: case for case in load(tmp_path, TESTS).cases}
    assert {name: (case.weight, str(case.visibility), case.title) for name, case in found.items()} == {
        "double": (2, "public", "1.1 Doubles"),
        "zero": (Fraction(1, 2), "hidden", "2"),
        "late": (0, "after-due", ""),
        "published": (1, "after-due", ""),
        "visible": (3, "public", ""),
    }
    hidden = load(tmp_path, TESTS, "\n  visibility: hidden\n  weight: 2")
    assert {(str(case.visibility), case.weight) for case in hidden.cases} == {
        ("hidden", weight) for weight in (4, 1, 0, 2, 6)
    }


def test_they_mark_without_the_package(tmp_path: Path) -> None:
    (tmp_path / "tests").mkdir()
    (tmp_path / "tests" / "test_work.py").write_text(TESTS)
    result = mark(tmp_path, question("pytest: tests/test_work.py"), "def double(x):\n    return 2 * x\n")
    assert [str(case.verdict) for case in result.cases] == [
        "accepted", "accepted", "wrong-answer", "accepted", "wrong-answer"
    ]  # fmt: skip
    assert result.mark == Fraction("0.54")


@pytest.mark.parametrize(
    ("decorator", "words"),
    {
        '@tags("a")': "`@tags` of gradescope-utils has no counterpart",
        '@hide_errors("no")': "`@hide_errors` of gradescope-utils has no counterpart",
        '@leaderboard("speed")': "`@leaderboard` of gradescope-utils has no counterpart",
        "@part(3)": "`@partial_credit` of gradescope-utils has no counterpart",
        "@decorators.glitter(3)": "`@glitter` of gradescope-utils is not known",
        "@weight(POINTS)": "`@weight` takes a number",
        "@weight(-1)": "`@weight` takes a number",
        '@visibility("later")': "`@visibility` is not known",
        "@number(N)": "`@number` takes a literal",
    }.items(),
)
def test_what_has_no_counterpart_is_refused_with_its_line(tmp_path: Path, decorator: str, words: str) -> None:
    with pytest.raises(SpecError) as caught:
        load(tmp_path, f"{IMPORTS}\n{decorator}\ndef test_it(**_): pass\n")
    assert f"test_work.py:{IMPORTS.count(chr(10)) + 2}: " in str(caught.value)
    assert words in str(caught.value)


def test_a_weight_that_is_missing_or_on_a_class_is_told(tmp_path: Path) -> None:
    with pytest.raises(SpecError, match="test_b has no `@weight`"):
        load(tmp_path, f"{IMPORTS}\n@weight(1)\ndef test_a(): pass\n@number('2')\ndef test_b(): pass\n")
    with pytest.raises(SpecError, match="`@weight` of gradescope-utils stands on a class"):
        load(tmp_path, f"{IMPORTS}\n@weight(1)\nclass TestA:\n    def test_a(self): pass\n")


def test_other_decorators_of_these_names_are_left_alone(tmp_path: Path) -> None:
    text = "def weight(_): return lambda f: f\nunknown = weight\n@weight('x')\ndef test_a(): pass\n"
    assert [case.weight for case in load(tmp_path, text).cases] == [1]
