"""Judging an answer by a value that it has to equal; of several calls, saying which one is wrong."""

from dataclasses import dataclass, replace
from fractions import Fraction

from grader.judge.answers import ReturnedCalls
from grader.judge.finding import Finding, OwnFault
from grader.judge.messages import call_text, difference_message
from grader.judge.values.compare import PART_LIMIT, first_difference, tolerated, within
from grader.judge.values.show import show
from grader.model.case import Call, Case, Combine, Comparison
from grader.model.results import Difference
from grader.model.values import Value
from grader.model.verdict import Verdict


@dataclass(frozen=True, slots=True)
class Sides:
    """An answer beside what is expected: combined, and call by call where that is known."""

    case: Case
    comparison: Comparison
    returned: ReturnedCalls
    value: Value
    wanted: Value
    wanted_values: tuple[Value, ...] | None = None


def judge_equal(sides: Sides) -> Finding:
    """Compare an answer with what is expected.  Raises `OwnFault` where nothing could be right."""
    combine = sides.case.combine
    unlike = None
    if combine is Combine.EACH and not sides.comparison.unordered:
        unlike = _first_unlike_call(replace(sides, wanted_values=_wanted_items(sides)))
        found = within(call_text(unlike[0]), unlike[1]) if unlike else None
    else:
        found = first_difference(sides.wanted, sides.value, sides.comparison)
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
    """Return what is expected of each call."""
    if not isinstance(sides.wanted, (list, tuple)) or len(sides.wanted) != len(sides.returned.values):
        raise OwnFault(f"the spec expects no list of {len(sides.returned.values)} answers")
    return tuple(sides.wanted)


def _first_unlike_call(sides: Sides) -> tuple[Call, Difference] | None:
    """Return the first call with another answer than expected, where that is known and tells."""
    combine, returned = sides.case.combine, sides.returned
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
    """Explain a wrong count by an answer that is true or false in Python's sense only."""
    if sides.case.combine is not Combine.COUNT:
        return ""
    for call, value in zip(sides.returned.calls, sides.returned.values, strict=True):
        if type(value) is not bool:
            return f"; {call_text(call)} returned {show(value, PART_LIMIT)}, which is neither True nor False"
    return ""
