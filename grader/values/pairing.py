"""Pairs items of one shape that may differ a little in their numbers.

Being close is not transitive, so pairs cannot always be read off two sorted lists.  If that fails, a true
matching is searched for.  The work is bounded, since the answer is hostile: candidates are found by one
number with many values, and the search ends at the first item that provably has no partner.
"""

import math
from bisect import bisect_left, bisect_right
from collections.abc import Mapping
from decimal import Decimal
from fractions import Fraction
from itertools import pairwise
from typing import TypeAlias

from grader.model.case import Comparison
from grader.model.values import Value
from grader.values.canonical import Key, number_key
from grader.values.tolerance import numbers_equal

Numbers: TypeAlias = list[Value]

_MOST_PAIRS = 4_000_000
"""The most pairs of items (2,000 x 2,000) for which a matching is searched.  Larger sets of items are paired
in
sorted order only, which is exact for plain numbers."""
_MOST_STEPS = 3_000_000
"""The most steps of the search for a matching; after them it finds none."""


def pair_up(
    expected: Mapping[int, Numbers], actual: Mapping[int, Numbers], comparison: Comparison
) -> dict[int, int]:
    """Return pairs of an expected and an actual position with equal numbers, as many as needed.

    Both arguments have the numbers of items by position, equally many for each item; neither is empty.
    The pairs cover all expected items if that is possible; else they leave out one without a partner.
    """
    column = _telling_column([*expected.values()], comparison)
    left, right = _Side(expected, column), _Side(actual, column)
    pairs = _pairs_in_order(left, right, comparison)
    if len(pairs) < len(expected) and len(expected) * len(actual) <= _MOST_PAIRS:
        _Matching(left, right, comparison, pairs).improve()
    return pairs


class _Side:
    """Items in the order of one of their numbers, then of all of them."""

    def __init__(self, rows: Mapping[int, Numbers], column: int | None) -> None:
        self.rows = rows
        self.column = column
        self.keys = {position: tuple(map(number_key, row)) for position, row in rows.items()}
        if column is None:
            self.sizes = dict.fromkeys(rows, 0.0)
        else:
            self.sizes = {position: _size(row[column]) for position, row in rows.items()}
        self.order = sorted(rows, key=lambda position: (self.sizes[position], self.keys[position]))
        self.sorted_sizes = [self.sizes[position] for position in self.order]

    def between(self, low: float, high: float) -> list[int]:
        """Return the items whose size is from `low` to `high`."""
        return self.order[bisect_left(self.sorted_sizes, low) : bisect_right(self.sorted_sizes, high)]


def _telling_column(rows: list[Numbers], comparison: Comparison) -> int | None:
    """Return the place in the rows whose numbers are the furthest apart; None without numbers."""

    def clusters(column: int) -> int:
        sizes = sorted(_size(row[column]) for row in rows)
        return sum(not numbers_equal(one, other, comparison) for one, other in pairwise(sizes))

    return max(range(len(rows[0])), key=clusters, default=None)


def _size(number: Value) -> float:
    """Return a float to sort numbers by; close numbers have close sizes."""
    assert isinstance(number, (int, float, complex, Fraction, Decimal))
    try:
        size = float(number.real)
    except OverflowError:
        return math.inf if number.real > 0 else -math.inf
    return math.inf if math.isnan(size) else size


def _reach(number: Value, comparison: Comparison) -> float:
    """Return a generous bound on the difference in size between an expected number and a close one."""
    assert isinstance(number, (int, float, complex, Fraction, Decimal))
    size = abs(_size(number)) if not isinstance(number, complex) else math.hypot(number.real, number.imag)
    if not math.isfinite(size):
        return 0.0 if math.isinf(_size(number)) else math.inf
    return 2 * max(comparison.abs, comparison.rel * size)


def _equal(one: Numbers, other: Numbers, comparison: Comparison) -> bool:
    return all(numbers_equal(*pair, comparison) for pair in zip(one, other, strict=True))


def _pairs_in_order(left: _Side, right: _Side, comparison: Comparison) -> dict[int, int]:
    """Pair close items while walking both sides in order."""
    pairs: dict[int, int] = {}
    at_left = at_right = 0
    while at_left < len(left.order) and at_right < len(right.order):
        one, other = left.order[at_left], right.order[at_right]
        if _equal(left.rows[one], right.rows[other], comparison):
            pairs[one] = other
            at_left += 1
            at_right += 1
        elif (left.sizes[one], left.keys[one]) < (right.sizes[other], right.keys[other]):
            at_left += 1
        else:
            at_right += 1
    return pairs


class _Matching:
    """Improves a pairing in place until no expected item is left over, or one provably has no partner."""

    def __init__(self, left: _Side, right: _Side, comparison: Comparison, pairs: dict[int, int]) -> None:
        self.left = left
        self.right = right
        self.comparison = comparison
        self.pairs = pairs
        self.owner = {other: one for one, other in pairs.items()}
        self.partners: dict[Key, list[int]] = {}
        self.steps = 0

    def improve(self) -> None:
        for one in self.left.order:
            if one not in self.pairs and not self._place(one):
                return

    def _place(self, start: int) -> bool:
        """Find a partner for `start`, and move others to other partners where needed (Kuhn's algorithm)."""
        came_from: dict[int, int] = {}
        waiting = [start]
        while waiting and self.steps < _MOST_STEPS:
            one = waiting.pop()
            for other in self._partners(one):
                self.steps += 1
                if other in came_from:
                    continue
                came_from[other] = one
                if other not in self.owner:
                    self._shift(other, came_from)
                    return True
                waiting.append(self.owner[other])
        return False

    def _partners(self, one: int) -> list[int]:
        """Return the actual items that are close to an expected one; equal items share the list."""
        key = self.left.keys[one]
        if key not in self.partners:
            row, candidates = self.left.rows[one], self._candidates(one)
            self.steps += len(candidates)
            self.partners[key] = [
                other for other in candidates if _equal(row, self.right.rows[other], self.comparison)
            ]
        return self.partners[key]

    def _candidates(self, one: int) -> list[int]:
        if self.left.column is None:
            return self.right.order
        size = self.left.sizes[one]
        reach = _reach(self.left.rows[one][self.left.column], self.comparison)
        return self.right.between(size - reach, size + reach)

    def _shift(self, free: int | None, came_from: dict[int, int]) -> None:
        """Give each item on the path that led to the free partner the next partner along it."""
        while free is not None:
            one = came_from[free]
            freed = self.pairs.get(one)
            self.pairs[one] = free
            self.owner[free] = one
            free = freed
