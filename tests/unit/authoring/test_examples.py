"""Examples of calls, as docstrings, files and tests write them."""

import pytest

from grader.authoring.new.doctests import docstring_cases
from grader.authoring.new.drafts import AnswerForm, LeftOut


def _cases(text: str, classes: frozenset[str] = frozenset()) -> tuple[list[list[str]], list[str]]:
    notes: list[str] = []
    cases = docstring_cases(text, 10, "a.py", classes, LeftOut(notes.append))
    return [[step.text for step in case.steps] for case in cases], notes


def test_each_example_is_a_case() -> None:
    assert _cases(">>> f(1)\n2\n>>> f(-1)\n3\n") == ([["f(1)"], ["f(-1)"]], [])


def test_examples_that_share_an_object_are_a_scenario() -> None:
    (steps,), notes = _cases(">>> a = A(1)\n>>> a.b()\n2\n>>> a.c\n3\n", frozenset({"A"}))
    assert steps == ["A(1)", "a.b()", "a.c"]
    assert notes == []


def test_values_with_a_name_are_put_in() -> None:
    assert _cases(">>> xs = [1, 2]\n>>> f(xs, 3)\n4\n") == ([["f([1, 2], 3)"]], [])


def test_a_comparison_is_a_call_with_its_answer() -> None:
    (case,) = docstring_cases(">>> f(1) == {2, 1}\nTrue\n", 1, "a.py", frozenset(), LeftOut(print))
    (step,) = case.steps
    assert step.said is not None
    assert (step.text, step.said.kind, step.said.text) == ("f(1)", AnswerForm.VALUE, "{2, 1}")


def test_skipped_examples_and_imports_are_nothing() -> None:
    assert _cases(">>> from a import f\n>>> f(1)  # doctest: +SKIP\n2\n") == ([], [])


@pytest.mark.parametrize(
    ("example", "reason"),
    [
        (">>> for i in range(2):\n...     f(i)\n1\n2\n", "only calls become cases"),
        (">>> a, b = f(1)\n", "only a plain name can keep an answer"),
        (">>> 1 + 2\n3\n", "only calls become cases"),
        (">>> f(1) < 2\nTrue\n", "only a comparison with == becomes a case"),
        (">>> f(\n", "not valid Python: '(' was never closed"),
    ],
)
def test_other_examples_are_told(example: str, reason: str) -> None:
    assert _cases(example) == ([], [f"a.py:10: this example is left out: {reason}"])


def test_what_stands_below_an_example_that_is_left_out_is_left_out_too() -> None:
    """Else the reference's answer is another one, and the docstring seems to be wrong."""
    text = """
    >>> s = Stack()
    >>> s.push(1)
    >>> for x in (2, 3): s.push(x)
    >>> s.pop()
    3
    >>> len(s.items)
    2
    """
    (steps,), notes = _cases(text, frozenset({"Stack"}))
    assert steps == ["Stack()", "s.push(1)"]
    assert notes == [
        "a.py:13: this example is left out: only calls become cases",
        "a.py:13: the 2 examples below it are left out too, since they may depend on it",
    ]
