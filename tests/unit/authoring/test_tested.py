"""What a suite of TESTed says in its own language, and in Python, and how its programs run."""

import json
import textwrap
from pathlib import Path

import pytest

from grader.plugins.convert import read_tests, written
from grader.plugins.convert.draft import Draft


def suite(tmp_path: Path, text: str) -> Draft:
    (tmp_path / "suite.yaml").write_text(textwrap.dedent(text))
    return read_tests(tmp_path / "suite.yaml", "tested", "main")


def calls(draft: Draft) -> list[str]:
    return [str(case.keys["call"]) for one in draft.questions for case in one.cases]


def of_expressions(tmp_path: Path, *texts: str, language: str = "tested") -> Draft:
    lines = ", ".join(f"{{expression: {json.dumps(text)}, return: 3}}" for text in texts)
    return suite(tmp_path, f"language: {language}\ntabs: [{{tab: A, testcases: [{lines}]}}]")


@pytest.mark.parametrize(
    ("text", "call"),
    [
        ("f(int8(3))", "f(3)"),
        ("f(integer(-3), x=text('a'))", "f(-3, x='a')"),
        ("f(real(3))", "f(3)"),
        ("f(boolean(True))", "f(True)"),
        ("f(map({'a': char('c')}))", "f({'a': 'c'})"),
        ("f(object())", "f({})"),
        ("f(sequence([int8(3)]), array())", "f([3], [])"),
        ("f(tuple([1, 2]), tuple())", "f((1, 2), ())"),
        ("f(set([1, 2]), set())", "f({1, 2}, set())"),
        ("f(Null, [Undefined])", "f(None, [None])"),
        ("Word_counter(1).text(2)", "WordCounter(1).text(2)"),
        ("main.Word_counter(main.text(2))", "Word_counter(text(2))"),
    ],
)
def test_a_type_in_an_expression_of_tested_is_the_value_itself(tmp_path: Path, text: str, call: str) -> None:
    """It was a call of a function that the work had to have."""
    assert calls(of_expressions(tmp_path, text)) == [call]


@pytest.mark.parametrize(
    ("text", "name"),
    [
        ("f(fixed_precision(0.1))", "fixed_precision"),
        ("f(int8(g()))", "int8"),
        ("f(int8())", "int8"),
        ("f(map([1]))", "map"),
        ("f(list({1: 2}))", "list"),
        ("list([1])", "list"),
    ],
)
def test_another_type_is_left_out(tmp_path: Path, text: str, name: str) -> None:
    draft = of_expressions(tmp_path, text)
    assert [remark.reason for remark in draft.remarks] == [f"A, context 1: `{name}` is a type of TESTed's"]


def test_an_expression_in_python_stands_as_it_is(tmp_path: Path) -> None:
    """Its classes were renamed, and its functions taken for types."""
    texts = ["main.Word_counter(Null).integer(3)", "list(main.f(int8(3)))"]
    assert calls(of_expressions(tmp_path, *texts, language="python")) == [
        "Word_counter(Null).integer(3)",
        "list(f(int8(3)))",
    ]
    line = "{expression: {python: Word_counter(2), java: new Counter(2)}, return: 3}"
    assert calls(suite(tmp_path, f"[{{tab: A, testcases: [{line}]}}]")) == ["Word_counter(2)"]


def test_an_expression_in_another_language_is_left_out(tmp_path: Path) -> None:
    draft = of_expressions(tmp_path, "f(3)", language="java")
    assert [each.reason for each in draft.remarks] == ["A, context 1: it has no expression for Python"]


def test_a_class_of_exceptions_has_others_below_it(tmp_path: Path) -> None:
    line = "{expression: f(1), exception: {message: x, types: {python: ValueError}}}"
    draft = suite(tmp_path, f"[{{tab: A, testcases: [{line}]}}]")
    assert "kinder: an exception of a class that is derived from" in str([*map(str, draft.remarks)])


def test_a_context_that_does_not_load_costs_no_other(tmp_path: Path) -> None:
    """The whole tab was left out, and the list named no context."""
    texts = ["main.f(1)", "main.f([x for x in range(3)])", "main.f(3)", "math.sqrt(4)", "main.f(5)"]
    draft = of_expressions(tmp_path, *texts, language="python")
    spec = written(draft, tmp_path / "spec.yaml", "suite.yaml", "tested").spec
    assert calls(draft) == ["f(1)", "f(3)", "f(5)"]
    assert [(one.marks, one.title) for one in draft.questions] == [(3, "A")]
    assert "# 3 of 5 contexts were converted." in spec
    assert "# 1 tab worth 2 of 5 points left out: A (2)" in spec
    reasons = [each.reason for each in draft.remarks if "would not load" in each.reason]
    assert [each.partition(": the spec")[0] for each in reasons] == ["A, context-2", "A, context-4"]
