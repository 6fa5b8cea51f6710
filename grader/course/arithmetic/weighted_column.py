"""Evaluates a weighted column for one student, from the results of the columns before it."""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from fractions import Fraction
from math import floor

from grader.course.arithmetic.results import ColumnResult, Reading, empty_line, interval_lines
from grader.course.arithmetic.wording import TermLine, percent, signed_percent
from grader.course.course import WeightedColumn
from grader.reports.words import say

_HALF = Fraction(1, 2)
_ZERO = Fraction(0)


def weighted_column(column: WeightedColumn, before: Mapping[str, ColumnResult]) -> ColumnResult:
    """Return the result of a weighted column.  before: the columns that it uses, by id.

    The steps in their order: the weighted sum, scaled up where parts have no value; the bonus; the bound; one
    rounding.  Worst and best are scaled only for parts in which everything is excused, which never get one.
    """
    parts = {name: before[name] for name in (*column.weights, *column.bonus)}
    is_open = any(part.open for part in parts.values())
    titles = [column.title, column.title]
    if is_open:
        titles = [
            say("{title} so far", title=column.title),
            say("{title} if nothing more comes", title=column.title),
        ]
    so_far = _reading(column, parts, {name: part.so_far.value for name, part in parts.items()}, titles[0])
    if_nothing_more = _reading(column, parts, {name: part.worst for name, part in parts.items()}, titles[1])
    best = _reading(column, parts, {name: part.best for name, part in parts.items()}).value
    interval = interval_lines(if_nothing_more.value, best) if is_open else ()
    return ColumnResult(
        id=column.id,
        title=column.title,
        so_far=Reading(so_far.value, (*so_far.lines, *interval)),
        if_nothing_more=if_nothing_more,
        best=best,
        open=tuple(dict.fromkeys(task for part in parts.values() for task in part.open)),
    )


@dataclass(frozen=True, slots=True)
class _Addend:
    """What one part adds.  weight: 0 for a part without a value."""

    weight: Fraction
    amount: Fraction
    line: TermLine


def _reading(
    column: WeightedColumn,
    parts: Mapping[str, ColumnResult],
    values: Mapping[str, Fraction | None],
    title: str = "",
) -> Reading:
    """Return the reading with these values of the parts.  title: of its last line."""
    addends = [_addend(parts[name], values[name], weight) for name, weight in column.weights.items()]
    extra = [
        _addend(parts[name], values[name], weight, is_bonus=True) for name, weight in column.bonus.items()
    ]
    weight = sum((addend.weight for addend in addends), _ZERO)
    amount = sum((addend.amount for addend in addends), _ZERO)
    bonus = sum((addend.amount for addend in extra), _ZERO)
    lines = [addend.line for addend in addends]
    bonus_lines = [addend.line for addend in extra]
    if not weight:
        is_yet_to_come = any(parts[name].worst is not None for name in column.weights)
        return Reading(None, (*lines, *bonus_lines, empty_line(column.title, is_yet_to_come)))
    if weight != 1:
        lines.append(_scaled_line(amount, weight))
    total = amount / weight + bonus
    value = _bounded(_rounded(_bounded(total, column.at_most), column.step), column.at_most)
    lines += [*bonus_lines, *_bound_and_rounding(total, column.at_most, value)]
    return Reading(value, (*lines, TermLine(title or column.title, percent(value))))


def _addend(
    part: ColumnResult, value: Fraction | None, weight: Fraction, *, is_bonus: bool = False
) -> _Addend:
    """Return what a part adds with a value."""
    title = say("{title}, bonus", title=part.title) if is_bonus else part.title
    if value is not None:
        amount = weight * value
        reason = say("{weight} of {value}", weight=percent(weight), value=percent(value))
        return _Addend(weight, amount, TermLine(title, percent(amount), reason))
    # Only a part that holds nothing but excused tasks has no value if nothing more comes.
    is_yet_to_come = part.worst is not None
    what = say("not yet" if is_yet_to_come else "left out, as nothing in it counts for this student")
    return _Addend(_ZERO, _ZERO, TermLine(title, what, say("weight {share}", share=percent(weight))))


def _scaled_line(amount: Fraction, weight: Fraction) -> TermLine:
    reason = say("{amount} of the {weight} that have a value", amount=percent(amount), weight=percent(weight))
    return TermLine(say("Scaled to the parts that are there"), percent(amount / weight), reason)


def _bound_and_rounding(total: Fraction, at_most: Fraction | None, value: Fraction) -> Iterator[TermLine]:
    """Yield the lines of the steps after the sum that change it."""
    bounded = _bounded(total, at_most)
    if bounded != total:
        yield TermLine(say("Capped at {share}", share=percent(bounded)), signed_percent(bounded - total))
    if value != bounded:
        reason = say("from {before} to {after}", before=percent(bounded), after=percent(value))
        yield TermLine(say("Rounding"), signed_percent(value - bounded), reason)


def _bounded(share: Fraction, at_most: Fraction | None) -> Fraction:
    return share if at_most is None else min(share, at_most)


def _rounded(share: Fraction, step: Fraction) -> Fraction:
    """Return the nearest multiple of a step, and of two equally near ones the greater."""
    return floor(share / step + _HALF) * step if step else share
