"""Pairs the items of two collections in which order doesn't matter.

Items are sorted by a key, and both sides are walked side by side.  If numbers may differ a little, the key is
the shape of an item without its numbers, and `grader.values.pairing` pairs the items of one shape.
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from itertools import groupby
from typing import TypeAlias

from grader.model.case import Comparison
from grader.model.values import Value
from grader.values.canonical import Key, Numbers, canonical, without_numbers
from grader.values.pairing import pair_up
from grader.values.tolerance import has_tolerance


@dataclass(frozen=True, slots=True)
class Unmatched:
    """Positions, in order: `missing` of expected items, `extra` of actual ones."""

    missing: tuple[int, ...]
    extra: tuple[int, ...]


Positions: TypeAlias = list[int]
LeftOver: TypeAlias = Callable[[Positions, Positions], tuple[Positions, Positions]]
"""Pairs items with equal keys, and returns the positions of those that are left over."""


def unmatched(expected: Sequence[Value], actual: Sequence[Value], comparison: Comparison) -> Unmatched:
    """Pair equal items one to one and return the positions of those that are left over.

    Raises `Undecided` where a tolerance leaves too many ways to pair them.
    """
    if not has_tolerance(comparison):
        expected_keys = [_key(item, comparison) for item in expected]
        actual_keys = [_key(item, comparison) for item in actual]
        return _merge(expected_keys, actual_keys, _pair_all)
    expected_shapes, expected_numbers = _shapes(expected, comparison)
    actual_shapes, actual_numbers = _shapes(actual, comparison)

    def pair_by_numbers(left: Positions, right: Positions) -> tuple[Positions, Positions]:
        pairs = pair_up(
            {position: expected_numbers[position] for position in left},
            {position: actual_numbers[position] for position in right},
            comparison,
        )
        taken = set(pairs.values())
        return [one for one in left if one not in pairs], [other for other in right if other not in taken]

    return _merge(expected_shapes, actual_shapes, pair_by_numbers)


def _key(item: Value, rules: Comparison) -> Key:
    return canonical(item, rules.any_sequence, rules.python, rules.any_columns, rules.any_index)


def _shapes(items: Sequence[Value], comparison: Comparison) -> tuple[list[Key], list[Numbers]]:
    numbers: list[Numbers] = [[] for _ in items]
    shapes = [
        without_numbers(_key(item, comparison), found) for item, found in zip(items, numbers, strict=True)
    ]
    return shapes, numbers


def _pair_all(left: Positions, right: Positions) -> tuple[Positions, Positions]:
    return left[len(right) :], right[len(left) :]


def _merge(expected: list[Key], actual: list[Key], left_over: LeftOver) -> Unmatched:
    """Walk both in the order of their keys; `left_over` handles items with equal keys."""
    missing: Positions = []
    extra: Positions = []
    left, right = _grouped(expected), _grouped(actual)
    at_left = at_right = 0
    while at_left < len(left) and at_right < len(right):
        left_key, left_positions = left[at_left]
        right_key, right_positions = right[at_right]
        if left_key == right_key:
            missing_here, extra_here = left_over(left_positions, right_positions)
            missing += missing_here
            extra += extra_here
        elif left_key < right_key:
            missing += left_positions
        else:
            extra += right_positions
        at_left += left_key <= right_key
        at_right += right_key <= left_key
    missing += [position for _, positions in left[at_left:] for position in positions]
    extra += [position for _, positions in right[at_right:] for position in positions]
    return Unmatched(tuple(sorted(missing)), tuple(sorted(extra)))


def _grouped(keys: list[Key]) -> list[tuple[Key, Positions]]:
    order = sorted(range(len(keys)), key=keys.__getitem__)
    return [(key, list(positions)) for key, positions in groupby(order, keys.__getitem__)]
