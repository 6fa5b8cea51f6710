"""Tests that become the steps of a scenario, and their checkers."""

import ast
from pathlib import Path
from typing import Any

import pytest
import yaml

from grader.authoring.written import Raw
from grader.plugins.convert import read_tests, written
from grader.plugins.convert.checkers import checkers_source
from grader.plugins.convert.draft import Draft
from grader.spec import load_task


def read(tmp_path: Path, code: str) -> Draft:
    path = tmp_path / "q1.py"
    path.write_text(f'test = {{"name": "q1", "points": 1, "suites": [{{"cases": [{{"code": {code!r}}}]}}]}}')
    return read_tests(path, "otter", "work")


def steps(draft: Draft) -> list[dict[str, str]]:
    [question] = draft.questions
    [case] = question.cases
    found = case.keys["scenario"]
    assert not isinstance(found, str | Raw)
    return [{k: v.text if isinstance(v, Raw) else str(v) for k, v in step.items()} for step in found]


@pytest.mark.parametrize(
    ("code", "expected"),
    [
        (">>> x\n9\n", [{"read": "x", "returns": "9"}]),
        (">>> x\nTrue\n", [{"read": "x", "returns": "true"}]),
        (">>> assert 0 < x <= 9\n", [{"read": "x", "check": "lies(most=9, above=0)"}]),
        (
            ">>> len(x) == 3 and f(2)[0] == 'a'\nTrue\n",
            [
                {"call": "len(x)", "returns": "3", "equality": "python"},
                {"call": "f(2)[0]", "returns": "'a'"},
            ],
        ),
        (">>> isinstance(x, int)\nTrue\n", [{"call": "isinstance(x, int)", "returns": "true"}]),
        (">>> np.isclose(x, 2.5)\nnp.True_\n", [{"read": "x", "check": "near(expected=2.5)"}]),
        (
            ">>> np.allclose(x, [1, 2], atol=1)\nFalse\n",
            [
                {"read": "x", "check": "near(expected=[1, 2], atol=1, close=False)"},
            ],
        ),
        (
            ">>> g = f()\n>>> for _ in range(2):\n...     print(next(g))\n0\n1\n",
            [
                {"call": "f()", "as": "g"},
                {"call": "str(next(g))", "returns": "'0'"},
                {"call": "str(next(g))", "returns": "'1'"},
            ],
        ),
        (
            ">>> if x:\n...     print('a')\n... else:\n...     print('b')\nb\n",
            [
                {"read": "x", "check": "falsy()"},
            ],
        ),
        (
            ">>> n = 3\n>>> print(x)\nhi\n>>> f(n) == 2\nTrue\n",
            [
                {"call": "str(x)", "returns": "'hi'"},
                {"call": "f(3)", "returns": "2", "equality": "python"},
            ],
        ),
    ],
)
def test_a_case_of_several_steps(tmp_path: Path, code: str, expected: list[dict[str, str]]) -> None:
    draft = read(tmp_path, code)
    assert steps(draft) == expected
    assert draft.converted == draft.assertions
    written(draft, tmp_path / "spec.yaml", "q1", "otter")
    assert load_task(tmp_path / "spec.yaml").marks == 1


@pytest.mark.parametrize(
    ("code", "shown"),
    [
        (">>> 1 == 1\nTrue\n", ["True\n"]),
        (">>> None\n", [""]),
        (">>> import os\n>>> os.getcwd()\n'a'\n", ["", "'a'\n"]),
        (">>> print(f(1), end='')\n1\n", ["1\n"]),
        (">>> for _ in range(10**9):\n...     print(f())\n1\n", ["1\n"]),
        (">>> x.__class__\n1\n", ["1\n"]),
        (">>> open('x') == 1\nTrue\n", ["True\n"]),
        (">>> def g(x): return x\n>>> g(x)\n2\n", ["", "2\n"]),
        (">>> x == y\nTrue\n", ["True\n"]),
    ],
)
def test_what_no_steps_say_a_harness_runs(tmp_path: Path, code: str, shown: list[str]) -> None:
    draft = read(tmp_path, code)
    [case] = draft.questions[0].cases
    assert case.keys["call"] == "case_of_q1_case_1()"
    returns = case.keys["returns"]
    assert isinstance(returns, Raw)
    assert ast.literal_eval(yaml.safe_load(returns.text)) == shown
    assert draft.points_left_out() == ""
    written(draft, tmp_path / "spec.yaml", "q1", "otter")
    assert load_task(tmp_path / "spec.yaml").marks == 1


@pytest.mark.parametrize(
    ("code", "reason"),
    [
        (">>> 1 == 1\nFalse\n", "no notebook passes it: `1 == 1`"),
        (">>> f(1)\n<BLANKLINE>\n", "shows an empty line"),
        (">>> x.y(z)  # doctest: +SKIP\n2\n", "an example has options"),
    ],
)
def test_what_no_harness_runs(tmp_path: Path, code: str, reason: str) -> None:
    draft = read(tmp_path, code)
    assert draft.questions == []
    assert reason in str(draft.remarks[0])
    assert draft.points_left_out() == "1 test worth 1 of 1 points left out: q1 (1)"


@pytest.mark.parametrize(
    ("call", "right"),
    [
        ("lies(3, above=0, most=3)", True),
        ("lies(3, below=3)", False),
        ("lies('a', above=0)", False),
        ("near(2.500001, 2.5)", True),
        ("near([1, 2.1], [1, 2], atol=0.2)", True),
        ("near([1, 2], 1, atol=1)", True),
        ("near([1, 2], [1, 2, 3])", False),
        ("near([1, 2], [1, 2, 3], close=False)", False),
        ("near([1, 5], [1, 2], close=False)", True),
        ("near(['a'], [1])", False),
    ],
)
def test_the_checkers(call: str, right: bool) -> None:
    names: dict[str, Any] = {}
    exec(checkers_source(frozenset({"lies", "near"})), names)
    assert (eval(call, names) is None) is right


@pytest.mark.parametrize(
    "code",
    [
        ">>> data = [3, 1]\n>>> f(data)\n3\n>>> g(data)[0]\n1\n",
        ">>> data = [3, 1]\n>>> other = data\n>>> f(data)[0]\n3\n>>> g(other)[0]\n1\n",
        ">>> data = [3, 1]\n>>> f(data)[0]\n3\n>>> x == data\nTrue\n",
        ">>> data = [3, 1]\n>>> f(data)[:1] == data\nTrue\n",
        ">>> data = [3, 1]\n>>> f(data, data)[0]\n3\n",
        ">>> rows = [[3], [1]]\n>>> for row in rows:\n...     print(f(row)[0])\n3\n1\n>>> g(rows)[0]\n1\n",
    ],
)
def test_a_list_that_a_call_had_is_no_literal_any_more(tmp_path: Path, code: str) -> None:
    draft = read(tmp_path, code)
    assert not any("scenario" in case.keys for each in draft.questions for case in each.cases)


def test_a_name_that_gets_something_else_is_no_literal_any_more(tmp_path: Path) -> None:
    code = ">>> x = [0]\n>>> y = f(x)[0]\n>>> x = f(len([1]))[0]\n>>> g(x)[0]\n5\n"
    assert steps(read(tmp_path, code))[-1] == {"call": "g(x)[0]", "returns": "5"}
