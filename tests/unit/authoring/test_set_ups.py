"""Tests of classes with a `setUp`: the scenarios that they become, and what is left out."""

from pathlib import Path

import pytest

from grader.authoring.written import Raw
from grader.plugins.convert import read_tests, written
from grader.plugins.convert.draft import Draft
from grader.spec import load_task

HEAD = """\
import unittest
from gradescope_utils.autograder_utils.decorators import partial_credit, tags, weight
from bank import Account, Overdrawn, total

class TestAccount(unittest.TestCase):
    def setUp(self):
        self.account = Account("Ada", 10)
        self.rate = 2

"""


def read(tmp_path: Path, body: str, head: str = HEAD, decorator: str = "@weight(2)") -> Draft:
    lines = "".join(f"        {line}\n" for line in body.splitlines())
    path = tmp_path / "test_bank.py"
    path.write_text(f"{head}    {decorator}\n    def test_it(self):\n{lines}", encoding="utf-8")
    return read_tests(path, "gradescope-utils", "work")


@pytest.mark.parametrize(
    ("body", "steps"),
    [
        (
            "self.account.deposit(3)\nself.assertEqual(self.account.balance, 13)",
            [
                {"call": "account.deposit(3)"},
                {"read": "account.balance", "returns": "13", "equality": "python"},
            ],
        ),
        (
            "got = self.account.worth(self.rate)\nself.assertTrue(got == 20)",
            [{"call": "account.worth(2)", "as": "got", "returns": "20", "equality": "python"}],
        ),
        (
            "with self.assertRaises(Overdrawn):\n    self.account.withdraw(11)",
            [{"call": "account.withdraw(11)", "raises": "Overdrawn"}],
        ),
        (
            "self.assertGreater(total([1, 2]), 2)\nself.assertFalse(self.account.empty())",
            [
                {"call": "total([1, 2])", "check": "lies(above=2)"},
                {"call": "account.empty()", "check": "falsy()"},
            ],
        ),
    ],
)
def test_a_set_up_becomes_the_first_steps(tmp_path: Path, body: str, steps: list[dict[str, str]]) -> None:
    draft = read(tmp_path, body)
    [question] = draft.questions
    assert question.marks == 2
    found = question.cases[0].keys["scenario"]
    assert not isinstance(found, str | Raw)
    plain = [{k: v.text if isinstance(v, Raw) else str(v) for k, v in step.items()} for step in found]
    assert plain == [{"new": "Account('Ada', 10)", "as": "account"}, *steps]
    written(draft, tmp_path / "spec.yaml", "bank", "gradescope-utils")
    assert load_task(tmp_path / "spec.yaml").marks == 2


def test_each_test_of_a_class_begins_with_the_set_up(tmp_path: Path) -> None:
    first = (
        "    @weight(1)\n    def test_first(self):\n        self.assertEqual(self.account.owner, 'Ada')\n\n"
    )
    draft = read(tmp_path, "self.assertEqual(self.account.balance, 10)", HEAD + first)
    assert [len(one.cases[0].keys["scenario"]) for one in draft.questions] == [2, 2]  # type: ignore[arg-type]


@pytest.mark.parametrize(
    ("body", "head", "reason"),
    [
        ("pass", HEAD, "it asserts nothing that was found"),
        (
            "self.account._secret()\nself.assertTrue(self.account.x())",
            HEAD,
            "is no expression that is known here",
        ),
        ("for n in [1]:\n    self.assertEqual(total([n]), n)", HEAD, "stands in the test"),
        (
            "account = 3\nself.assertEqual(self.account.balance, account)",
            HEAD,
            "is a name of its own and of `setUp`",
        ),
        (
            "self.assertEqual(self.account.worth(self.rates), 2)\nself.account.put(self.rates)",
            HEAD.replace("self.rate = 2", "self.rates = [2]"),
            "something before it may have changed `rates`",
        ),
        (
            "a = self.account.worth(1)\nself.account.deposit(1)\nself.assertEqual(a, 10)",
            HEAD,
            "is looked at after other things happened",
        ),
        (
            "self.assertEqual(self.account.balance, 10)",
            HEAD.replace("import unittest", "import unittest, subprocess").replace(
                "self.rate = 2", "self.rate = subprocess.run(['ls'])"
            ),
            "is no expression that is known here",
        ),
        (
            "self.assertEqual(self.account.balance, 10)",
            HEAD.replace("    def setUp", "    def tearDown(self):\n        pass\n\n    def setUp"),
            "its class has `tearDown`",
        ),
    ],
)
def test_what_no_scenario_says(tmp_path: Path, body: str, head: str, reason: str) -> None:
    draft = read(tmp_path, body, head)
    assert draft.questions == []
    assert reason in str(draft.remarks[0])
    assert draft.points_left_out() == "1 test worth 2 of 2 points left out: test_it (2)"


def test_partial_credit_stays_left_out(tmp_path: Path) -> None:
    draft = read(tmp_path, "self.assertEqual(self.account.balance, 10)", decorator="@partial_credit(5)")
    assert "`@partial_credit` has no counterpart" in str(draft.remarks[0])
