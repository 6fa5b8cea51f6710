"""Makes the value that decides a case from its calls' answers, and compares it with the expected one."""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from fractions import Fraction

from grader.judge.finding import Finding, OwnFault
from grader.judge.messages import call_text, difference_message
from grader.model.case import Call, Combine, Comparison
from grader.model.outcome import Answer, Returned
from grader.model.results import Difference
from grader.model.values import Value
from grader.model.verdict import Verdict
from grader.values.compare import PART_LIMIT, first_difference, named, tolerated, within
from grader.values.show import show
from grader.values.tolerance import NUMBERS
from grader.values.walk import rebuilt


class NotCombinable(Exception):
    """The answers can't be summed; the text says which call is to blame."""


@dataclass(frozen=True, slots=True)
class ReturnedCalls:
    """The calls of a case that returned, each with its value."""

    calls: tuple[Call, ...]
    values: tuple[Value, ...]


def returned_calls(calls: Sequence[Call], answers: Sequence[Answer]) -> ReturnedCalls:
    """Leave out the calls that raised; `answers` has an answer to each call."""
    pairs = [
        (call, answer.value)
        for call, answer in zip(calls, answers, strict=True)
        if isinstance(answer, Returned)
    ]
    return ReturnedCalls(tuple(call for call, _ in pairs), tuple(value for _, value in pairs))


def combined(combine: Combine | None, returned: ReturnedCalls) -> Value:
    """Reduce the values that calls returned, at least one, to one value.  Raises `NotCombinable`.

    A sum takes ints, floats and complex numbers by exact type: True is no number here.
    """
    match combine:
        case Combine.EACH:
            return list(returned.values)
        case Combine.COUNT:
            return sum(value is True for value in returned.values)
        case Combine.SUM:
            return _sum(returned)
    return returned.values[0]


def _sum(returned: ReturnedCalls) -> Value:
    total: complex = 0
    for call, value in zip(returned.calls, returned.values, strict=True):
        if type(value) not in NUMBERS:
            raise NotCombinable(f"{call_text(call)}: expected a number, got {show(value, 200)}")
        assert isinstance(value, (int, float, complex))
        try:
            total = total + value
        except OverflowError:  # an int beyond every float, added to a float
            raise NotCombinable(f"{call_text(call)}: the answer is too large to be added up") from None
    return total


def for_checker(value: Value) -> Value:
    """Return `value` with a list as its outermost sequence and tuples inside."""
    inner = _with_tuples(value)
    return list(inner) if isinstance(inner, tuple) else inner


def _with_tuples(value: Value) -> Value:
    return rebuilt(tuple(value) if isinstance(value, list) else value, _with_tuples)


# -- comparison with the expected value ------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class Sides:
    """An answer and the expected one: combined, and call by call if that is known."""

    combine: Combine | None
    comparison: Comparison
    returned: ReturnedCalls
    value: Value
    wanted: Value
    wanted_values: tuple[Value, ...] | None = None


def judge_equal(sides: Sides) -> Finding:
    """Compare an answer with the expected one.  Raises `OwnFault` if no answer could be right."""
    combine = sides.combine
    unlike = None
    if combine is Combine.EACH and not sides.comparison.unordered:
        unlike = _first_unlike_call(replace(sides, wanted_values=_wanted_items(sides)))
        found = within(call_text(unlike[0]), unlike[1], call_text(unlike[0])) if unlike else None
    else:
        found = first_difference(sides.wanted, sides.value, sides.comparison)
        found = named(found, "answer") if found is not None else None
        if found is not None and combine is not Combine.EACH:
            unlike = _first_unlike_call(sides)
    expected, actual = show(sides.wanted), show(sides.value)
    if found is None:
        remark = tolerated(sides.wanted, sides.value, sides.comparison) if combine is None else ""
        return Finding(
            verdict=Verdict.ACCEPTED, score=Fraction(1), message=remark, expected=expected, actual=actual
        )
    if first_difference(sides.wanted, sides.wanted) is not None:
        raise OwnFault(f"nothing can equal the expected answer, {show(sides.wanted, PART_LIMIT)}")
    return Finding(
        verdict=Verdict.WRONG_ANSWER,
        message=_unlike_message(found, unlike) + ("" if unlike else _not_boolean(sides)),
        expected=expected,
        actual=actual,
        difference=found,
    )


def _wanted_items(sides: Sides) -> tuple[Value, ...]:
    if not isinstance(sides.wanted, (list, tuple)) or len(sides.wanted) != len(sides.returned.values):
        raise OwnFault(f"the spec expects no list of {len(sides.returned.values)} answers")
    return tuple(sides.wanted)


def _first_unlike_call(sides: Sides) -> tuple[Call, Difference] | None:
    """Return the first call with an unexpected answer; None if it is not known or shows no difference."""
    combine, returned = sides.combine, sides.returned
    if sides.wanted_values is None or combine is None:
        return None
    for call, wanted, value in zip(returned.calls, sides.wanted_values, returned.values, strict=True):
        if combine is Combine.COUNT:
            alike = (wanted is True) == (value is True)
            found = None if alike else Difference("", show(wanted, PART_LIMIT), show(value, PART_LIMIT))
        else:
            found = first_difference(wanted, value, sides.comparison)
        if found is not None:
            return call, found
    return None


def _unlike_message(found: Difference, unlike: tuple[Call, Difference] | None) -> str:
    message = difference_message(found)
    if unlike is not None:
        call, difference = unlike
        message = f"{call_text(call)}: {difference_message(difference)}"
        if not found.where:
            message = f"{difference_message(found)}; {message}"
        found = difference
    if found.actual == "None" and not found.where:
        message += " (is a return missing?)"
    return message


def _not_boolean(sides: Sides) -> str:
    """Explain a wrong count by an answer that is only truthy or falsy, not a bool."""
    if sides.combine is not Combine.COUNT:
        return ""
    for call, value in zip(sides.returned.calls, sides.returned.values, strict=True):
        if type(value) is not bool:
            return f"; {call_text(call)} returned {show(value, PART_LIMIT)}, which is neither True nor False"
    return ""
