"""What a case can expect, and what can't be expected of it."""

from typing import TYPE_CHECKING

import pytest

from grader.model.case import Check, Comparison, Raises, Returns, SameAsReference
from grader.model.kinds import calls_of

if TYPE_CHECKING:
    from unit.spec.conftest import SmallSpec

CALL = "call: 'is_legal(8, [], (3, 4))'"


@pytest.mark.parametrize(
    ("returns", "value"),
    [
        ("true", True),
        ("304", 304),
        ("'304'", 304),
        ("\"'abc'\"", "abc"),
        ("'(1, 2)'", (1, 2)),
        ("null", None),
        ("None", None),
        ("[[1, 2], '(3, 4)']", [[1, 2], (3, 4)]),
    ],
)
def test_returns_takes_a_value(spec: "SmallSpec", returns: str, value: object) -> None:
    assert calls_of(spec.case(f"- {{{CALL}, returns: {returns}}}")).decides == Returns(value)


@pytest.mark.parametrize("returns", ["same as reference", "'same as reference'", '"same  as reference"'])
def test_the_reference_answers(spec: "SmallSpec", returns: str) -> None:
    assert calls_of(spec.case(f"- {{{CALL}, returns: {returns}}}")).decides == SameAsReference()


def test_how_answers_are_compared(spec: "SmallSpec") -> None:
    options = "sequence: any, unordered: true, rel: 1e-9, abs: 0.5"
    comparison = Comparison(any_sequence=True, unordered=True, rel=1e-9, abs=0.5)
    assert calls_of(spec.case(f"- {{{CALL}, returns: [1], {options}}}")).decides == Returns([1], comparison)
    same = spec.case(f"- {{{CALL}, returns: same as reference, {options}}}")
    assert calls_of(same).decides == SameAsReference(comparison)


def test_a_checker_gets_its_arguments_by_keyword(spec: "SmallSpec") -> None:
    case = spec.case(f"- {{{CALL}, check: 'tour(n,  (1, 2), closed=True)', sequence: any}}", "let: {n: 5}")
    assert calls_of(case).decides == Check(
        "tour",
        (("dim", 5), ("start", (1, 2)), ("closed", True)),
        "tour(n, (1, 2), closed=True)",
        any_sequence=True,
        proven=True,
    )


def test_a_checker_with_free_keywords_takes_any(spec: "SmallSpec") -> None:
    case = spec.case(f"- {{{CALL}, check: 'anything(a=1, b=[2])'}}")
    assert calls_of(case).decides == Check(
        "anything", (("a", 1), ("b", [2])), "anything(a=1, b=[2])", proven=True
    )


@pytest.mark.parametrize(
    ("raises", "expected"),
    [
        ("ValueError", Raises("ValueError")),
        ("{type: IndexError}", Raises("IndexError")),
        (r"{type: KeyError, message: ' a\d+$'}", Raises("KeyError", r" a\d+$")),
        ("OffBoardError", Raises("OffBoardError")),
    ],
)
def test_an_exception_is_expected(spec: "SmallSpec", raises: str, expected: Raises) -> None:
    assert calls_of(spec.case(f"- {{{CALL}, raises: {raises}}}")).decides == expected


def test_an_exception_of_the_reference_may_be_called_as_one_of_pythons(spec: "SmallSpec") -> None:
    with (spec.folder / "reference" / "knight1.py").open("a") as file:
        file.write("\n\nclass TimeoutError(Exception):\n    pass\n")
    for name, by_name in (("TimeoutError", True), ("ValueError", False)):
        case = spec.case(f"- {{{CALL}, raises: {name}}}")
        assert calls_of(case).decides == Raises(name, by_name=by_name)


def test_without_a_reference_an_exception_can_be_the_submission_s_own(spec: "SmallSpec") -> None:
    text = spec.write(f"- {{{CALL}, raises: NoTourError}}").read_text(encoding="utf-8")
    task = spec.load(text=text.replace("reference: reference\n", ""))
    assert calls_of(task.cases[0]).decides == Raises("NoTourError")


@pytest.mark.parametrize(
    ("expectation", "message"),
    [
        ("returns: Same As Reference", "`Same As Reference` is not a Python expression"),
        ("returns: same as refrence", "`same as refrence` is not a Python expression"),
        ("returns: 'lambda: 1'", "a lambda can only be an argument of a call, on its own"),
        ("returns: 1, rel: -1", "`rel` must be a number such as 1e-9, not `-1`"),
        ("returns: 1, rel: .inf", "`rel` must be a number such as 1e-9, not `.inf`"),
        ("returns: 1, unordered: maybe", "`unordered` must be true or false, not `maybe`"),
        ("check: tour", "`check` must be a call such as f(1, 2)"),
        ("check: 'tour()'", "checker `tour` needs `dim` too"),
        ("check: 'tour(answer=1, dim=1)'", "checker `tour` has no parameter `answer` for the spec to set"),
        ("check: 'anything(1)'", "too many arguments for checker `anything`"),
        ("check: 'anything(answer=1)'", "checker `anything` has no parameter `answer` for the spec to set"),
        ("check: 'tour(5, dim=5)'", "`dim` is given twice to checker `tour`"),
        ("check: 'tour(5, lambda x: x)'", "a lambda can't be handed to a checker"),
        ("check: 'tour(nobody)'", "`nobody` is not a known name"),
        ("raises: 'no name'", "`no name` is not the name of an exception"),
        ("raises: print", "neither Python nor the reference has an exception `print`"),
        ("raises: [ValueError]", "`raises` must be a text or a mapping, not a list"),
        ("raises: {message: x}", "`type` is missing in raises"),
        ("raises: {type: ValueError, message: '['}", None),
        (f"raises: {{type: ValueError, message: '{'a' * 1001}'}}", "`message` has more than 1000 characters"),
    ],
)
def test_mistakes(spec: "SmallSpec", expectation: str, message: str | None) -> None:
    (found,) = spec.messages(f"- {{{CALL}, {expectation}}}")
    if message is not None:
        assert found == message


def test_an_answer_that_no_calls_can_give_is_a_mistake(spec: "SmallSpec") -> None:
    loop = "'is_legal(x, [], (0, 0))', over: {x: range(3)}"
    assert spec.messages(f"- {{count: {loop}, returns: true}}") == [
        "`count` gives a whole number from 0 to 3 here, never this"
    ]
    assert spec.messages(f"- {{each: {loop}, returns: '(1, 2, 3)'}}") == [
        "`each` gives a list of 3 answers here, never this"
    ]
    assert spec.messages(f"- {{sum: {loop}, raises: ValueError}}") == ["`raises` does not go with `sum`"]


def test_a_checker_that_is_no_plain_function_needs_names_for_its_arguments(spec: "SmallSpec") -> None:
    checkers = "from functools import partial\nchecker = partial(print, 1)\n"
    (spec.folder / "checkers.py").write_text(checkers, encoding="utf-8")
    assert calls_of(spec.case(f"- {{{CALL}, check: 'checker(a=1)'}}")).decides == Check(
        "checker", (("a", 1),), "checker(a=1)", proven=True
    )
    (message,) = spec.messages(f"- {{{CALL}, check: 'checker(1)'}}")
    assert message == "the parameters of checker `checker` are not known; name each argument"


def test_a_checker_must_have_a_place_for_the_answer(spec: "SmallSpec") -> None:
    (spec.folder / "checkers.py").write_text("def checker(*, a): pass\n", encoding="utf-8")
    (message,) = spec.messages(f"- {{{CALL}, check: 'checker(a=1)'}}")
    assert message == "checker `checker` takes no answer: it has no positional parameter"
