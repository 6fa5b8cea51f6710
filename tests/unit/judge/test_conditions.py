"""Arguments that must stay as they are, and callbacks that must be called as told."""

from dataclasses import replace
from fractions import Fraction

import pytest
from support.judge_sample import (
    answered,
    call_of,
    case_of,
    checked,
    judged,
    raising,
    returned,
    watched_calls,
    watching,
    with_what,
)

from grader.judge.judge import CheckResult
from grader.model.case import Call, Check, Combine, Comparison, Raises, Returns, Shipped, Watched
from grader.model.outcome import Returned
from grader.model.results import CaseResult
from grader.model.values import Value
from grader.model.verdict import Verdict


def _with_arguments(after: tuple[Value, ...] | None, *calls: Call) -> CaseResult:
    combine = Combine.EACH if len(calls) > 1 else None
    case = with_what(
        case_of(Returns([1] * len(calls) if combine else 1), *calls, combine=combine), unchanged=True
    )
    return judged(case, answered(*[Returned(1, after)] * len(calls)))


def test_untouched_arguments_are_fine() -> None:
    assert _with_arguments((5, [(0, 0)]), call_of(5, [(0, 0)])).verdict is Verdict.ACCEPTED


def test_a_changed_argument_is_named() -> None:
    result = _with_arguments((5, [(1, 2), (0, 0)]), call_of(5, [(0, 0)]))
    assert (result.verdict, result.score) == (Verdict.WRONG_ANSWER, Fraction(0))
    assert result.message == "argument 2 was changed: length: was 1 item, is now 2"
    result = _with_arguments((5, [(1, 2)]), call_of(5, [(0, 2)]))
    assert result.message == "argument 2 was changed: item 1, item 1: was 0, is now 1"
    assert (result.expected, result.actual) == ("1", "1")


def test_a_changed_keyword_argument_is_named() -> None:
    result = _with_arguments((5, {}), call_of(5, seen={1: 2}))
    assert result.message == "argument seen was changed: keys: was 1 among them, is now nothing equal to it"


def test_of_several_calls_the_one_that_changed_is_named() -> None:
    result = _with_arguments(([1],), call_of([1]), call_of([2]))
    assert result.message == "f([2]): argument 1 was changed: item 1: was 2, is now 1"


def test_functions_among_the_arguments_are_left_out() -> None:
    call = call_of([1], Shipped("lambda x: x"), Watched("g", "lambda x: x"), [2])
    assert _with_arguments(([1], [2]), call).verdict is Verdict.ACCEPTED
    result = _with_arguments(([1], [3]), call)
    assert result.message == "argument 4 was changed: item 1: was 2, is now 3"


@pytest.mark.parametrize("after", [None, (), ([1], [2])])
def test_arguments_that_were_not_recorded_are_not_taken_for_unchanged(
    after: tuple[Value, ...] | None,
) -> None:
    assert _with_arguments(after, call_of([1])).verdict is Verdict.CRASHED


def test_arguments_are_looked_at_after_an_exception_too() -> None:
    case = with_what(case_of(Raises("ValueError"), call_of([1])), unchanged=True)
    error = raising("ValueError")
    assert judged(case, answered(replace(error, args_after=([1],)))).verdict is Verdict.ACCEPTED
    changed = judged(case, answered(replace(error, args_after=([],))))
    assert (changed.verdict, changed.score) == (Verdict.WRONG_ANSWER, Fraction(0))
    assert changed.message.startswith("argument 1 was changed: length")
    assert judged(case, answered(error)).verdict is Verdict.CRASHED


def test_a_wrong_answer_comes_before_a_changed_argument() -> None:
    case = with_what(case_of(Returns(1), call_of([1])), unchanged=True)
    assert judged(case, answered(Returned(2, ([],)))).message == "expected 1, got 2"


def test_a_part_is_lost_with_a_changed_argument() -> None:
    case = with_what(case_of(Check("c", (), "c()"), call_of([1])), unchanged=True)
    result = checked(case, answered(Returned(2, ([],))), CheckResult(Fraction(1, 2), "half"))
    assert (result.verdict, result.score) == (Verdict.WRONG_ANSWER, Fraction(0))


# -- callbacks -------------------------------------------------------------------------------------


def _called(expected: list[Value], actual: list[Value]) -> CaseResult:
    case = watching(case_of(Returns(20)), "f", *((value,) for value in expected))
    outcome = replace(returned(20), watched=watched_calls("f", *((value,) for value in actual)))
    return judged(case, outcome)


def test_the_calls_of_a_callback_are_as_told() -> None:
    result = _called([1, 2], [1, 2])
    assert (result.verdict, result.score) == (Verdict.ACCEPTED, Fraction(1))


@pytest.mark.parametrize(
    ("expected", "actual", "message"),
    [
        (
            [1, 2],
            [1, 2, 3],
            "f was called 3 times, expected twice: it was called again, on 3, when it should have stopped",
        ),
        ([1, 2], [1], "f was called once, expected twice: it was not called on 2"),
        ([1, 2], [], "f was called not at all, expected twice: it was not called on 1"),
        ([], [1], "f was called once, on 1, but should not be called"),
        ([1, 2], [1, 1, 2], "f was called twice on 1"),
        ([1, 2], [1, 2, 2, 2], "f was called 3 times on 2"),
        ([1, 2], [2, 1], "call 1 of f: expected f(1), got f(2)"),
        ([1, 1], [1, 2], "call 2 of f: expected f(1), got f(2)"),
        ([1, 2], [1, True], "call 2 of f: expected f(2), got f(True)"),
    ],
)
def test_other_calls_than_told(expected: list[Value], actual: list[Value], message: str) -> None:
    result = _called(expected, actual)
    assert (result.verdict, result.message, result.score) == (Verdict.WRONG_ANSWER, message, Fraction(0))
    assert result.difference is not None
    assert result.difference.where == "calls of f"


@pytest.mark.parametrize(
    ("rules", "verdict"),
    [
        (Comparison(), Verdict.WRONG_ANSWER),
        (Comparison(python=True, abs=1e-6), Verdict.ACCEPTED),
        (Comparison(python=True), Verdict.WRONG_ANSWER),
        (Comparison(abs=1e-6, unordered=True), Verdict.ACCEPTED),
    ],
)
def test_arguments_are_compared_as_the_answer_is(rules: Comparison, verdict: Verdict) -> None:
    case = watching(case_of(Returns(20, rules)), "f", (3.0,), (0.3,))
    outcome = replace(returned(20), watched=watched_calls("f", (3,), (0.1 + 0.2,)))
    assert judged(case, outcome).verdict is verdict


def test_the_calls_are_listed_as_far_as_there_is_room() -> None:
    difference = _called([1, 2], [1, *["x" * 50] * 1000]).difference
    assert difference is not None
    assert difference.expected == "f(1), f(2)"
    assert difference.actual.startswith("f(1), f('xxx")
    assert difference.actual.endswith(" more")
    assert len(difference.actual) < 500


def test_several_arguments_are_shown_as_a_call() -> None:
    case = watching(case_of(Returns(20)), "g", (1, 2))
    assert judged(case, returned(20)).message.endswith("it was not called on (1, 2)")


def test_calls_of_other_callbacks_are_not_mixed_in() -> None:
    case = watching(case_of(Returns(20)), "f", (1,))
    calls = watched_calls("g", (7,)) + watched_calls("f", (1,)) + watched_calls("g", (8,))
    assert judged(case, replace(returned(20), watched=calls)).verdict is Verdict.ACCEPTED
