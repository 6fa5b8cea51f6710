"""From the answers of several calls to the one value that a case is judged by."""

from collections.abc import Sequence
from dataclasses import dataclass

from grader.judge.messages import call_text
from grader.judge.values.show import show
from grader.judge.values.tolerance import NUMBERS
from grader.model.case import Call, Case, Combine
from grader.model.outcome import Answer, Returned
from grader.model.values import Record, Value


class NotCombinable(Exception):
    """The answers can't be summed; the text says which call is to blame."""


@dataclass(frozen=True, slots=True)
class ReturnedCalls:
    """The calls of a case that returned, and what each returned."""

    calls: tuple[Call, ...]
    values: tuple[Value, ...]


def returned_calls(case: Case, answers: Sequence[Answer]) -> ReturnedCalls:
    """Leave out the calls that raised; `answers` has an answer to each call."""
    pairs = [
        (call, answer.value)
        for call, answer in zip(case.calls, answers, strict=True)
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
    """Return `value` with a list for its outermost sequence and tuples for all within."""
    inner = _with_tuples(value)
    return list(inner) if isinstance(inner, tuple) else inner


def _with_tuples(value: Value) -> Value:
    if isinstance(value, (list, tuple)):
        return tuple([_with_tuples(item) for item in value])
    if isinstance(value, dict):
        return {key: _with_tuples(item) for key, item in value.items()}
    if isinstance(value, Record):
        return Record(value.type_name, tuple((name, _with_tuples(item)) for name, item in value.fields))
    return value
