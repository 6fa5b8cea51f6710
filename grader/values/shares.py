"""Compares images and other nested sequences of which a share of the items may differ.

The shape has to be the same to the last item: as many rows, as many items in each.  Every value that is
neither a list nor a tuple is an item.  Two items are compared as everywhere else, with the comparison's
tolerance.
"""

from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace
from fractions import Fraction

from grader.model.case import Comparison
from grader.model.results import Difference
from grader.model.values import Value
from grader.values.canonical import MAX_LEVELS
from grader.values.show import type_name

_SEQUENCES = (list, tuple)

Unlike = Callable[[Value, Value, Comparison, int], Difference | None]
"""Compares two items."""


class _OtherShape(Exception):
    """The two are not of one shape; the argument is the difference."""

    def __init__(self, difference: Difference) -> None:
        super().__init__()
        self.difference = difference


@dataclass(frozen=True, slots=True)
class _Count:
    items: int
    differing: int
    first: Difference | None


def share_difference(
    expected: Value, actual: Value, comparison: Comparison, unlike: Unlike
) -> Difference | None:
    """Return the difference of `actual` beyond the allowed share of `expected`, None if there is none.

    The place names the share and the first item that differs: "23 of 1,800 items differ (1.28 %, at
    most 1 % may), first item 3, item 7".  For another shape it is "shape", or the place of the sequence.
    """
    if type(expected) not in _SEQUENCES or type(actual) not in _SEQUENCES:
        return unlike(expected, actual, comparison, 0)
    try:
        count = _count(expected, actual, comparison, unlike)
    except _OtherShape as other:
        return other.difference
    if count.first is None or count.differing <= comparison.differing * count.items:
        return None
    may = f"at most {_percent(comparison.differing)} may"
    where = f"{_share(count)}, {may}), first {count.first.where}"
    return replace(count.first, where=where)


def share_remark(expected: Value, actual: Value, comparison: Comparison, unlike: Unlike) -> str:
    """Return a remark on the share of an accepted answer that differs; empty if none does."""
    if type(expected) not in _SEQUENCES:
        return ""
    count = _count(expected, actual, comparison, unlike)
    return f"{_share(count)}; up to {_percent(comparison.differing)} may)" if count.differing else ""


def _share(count: _Count) -> str:
    share = _percent(Fraction(count.differing, count.items))
    return f"{count.differing:,} of {count.items:,} items differ ({share}"


def _percent(share: Fraction) -> str:
    return f"{float(100 * share):.2f}".rstrip("0").rstrip(".") + " %"


def _count(expected: Value, actual: Value, comparison: Comparison, unlike: Unlike) -> _Count:
    """Compare item by item.  Raises `_OtherShape`."""
    shapes = _shape(expected), _shape(actual)
    if None not in shapes and shapes[0] != shapes[1]:
        swapped = ", rows and columns swapped" if shapes[0] == (shapes[1] or ())[::-1] else ""
        raise _OtherShape(Difference("shape", _shape_text(shapes[0]), _shape_text(shapes[1]) + swapped))
    items = differing = 0
    first = None
    for place, one, other in _pairs(expected, actual, comparison, ()):
        items += 1
        if type(one) is type(other) is int and one == other:
            continue
        found = unlike(one, other, comparison, len(place))
        if found is not None:
            differing += 1
            if first is None:
                where = _place(place) + (f", {found.where}" if found.where else "")
                code = "".join(f"[{number - 1}]" for number in place) + found.code
                first = Difference(where, found.expected, found.actual, code=code)
    return _Count(items, differing, first)


def _pairs(
    expected: Value, actual: Value, comparison: Comparison, place: tuple[int, ...]
) -> Iterator[tuple[tuple[int, ...], Value, Value]]:
    """Yield the items of both with their place, counted from 1.  Raises `_OtherShape`."""
    if type(expected) not in _SEQUENCES and type(actual) not in _SEQUENCES:
        yield place, expected, actual
        return
    alike = comparison.any_sequence and {type(expected), type(actual)} <= {*_SEQUENCES}
    if len(place) >= MAX_LEVELS or not (alike or type(expected) is type(actual)):
        raise _OtherShape(Difference(_place(place) or "the answer", _kind(expected), _kind(actual)))
    assert isinstance(expected, (list, tuple))
    assert isinstance(actual, (list, tuple))
    if len(expected) != len(actual):
        where = f"{_place(place)}, length" if place else "length"
        count = "1 item" if len(expected) == 1 else f"{len(expected)} items"
        raise _OtherShape(Difference(where, count, str(len(actual))))
    for number, (one, other) in enumerate(zip(expected, actual, strict=True), 1):
        yield from _pairs(one, other, comparison, (*place, number))


def _kind(value: Value) -> str:
    name = type_name(value)
    return f"an {name}" if name[:1] in "aeiou" else f"a {name}"


def _place(place: tuple[int, ...]) -> str:
    return ", ".join(f"item {number}" for number in place)


def _shape(value: Value) -> tuple[int, ...] | None:
    """Return the sizes of a nested sequence from the outside in; None if its rows are unequal."""
    level, sizes = [value], list[int]()
    while any(type(part) in _SEQUENCES for part in level):
        lengths = {len(part) if isinstance(part, (list, tuple)) else -1 for part in level}
        if len(lengths) > 1 or len(sizes) >= MAX_LEVELS:
            return None
        sizes.append(lengths.pop())
        level = [item for part in level if isinstance(part, (list, tuple)) for item in part]
    return tuple(sizes)


def _shape_text(shape: tuple[int, ...] | None) -> str:
    if shape is None or len(shape) != 1:
        return " x ".join(map(str, shape or ()))
    return "1 item" if shape[0] == 1 else f"{shape[0]} items"
