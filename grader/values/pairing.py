"""Pairs items of one shape that may differ a little in their numbers.

Being close is not transitive, so pairs cannot always be read off two sorted lists.  If that fails, a true
matching is searched for.  The work is bounded, since the answer is hostile: candidates are found by one
number with many values, and the search ends at the first item that provably has no partner.
"""

import math
from bisect import bisect_left, bisect_right
from collections.abc import Mapping, Sequence
from decimal import Decimal
from fractions import Fraction
from itertools import groupby, pairwise
from operator import itemgetter
from typing import TypeAlias

from grader.model.case import Comparison
from grader.model.values import Value
from grader.values.canonical import InnerSet, Key, number_key, weight
from grader.values.tolerance import numbers_equal

Row: TypeAlias = Sequence[Value | InnerSet]
"""The numbers of an item; see `Numbers`."""


class Undecided(Exception):
    """Two collections have too many items that are nearly equal, so it is not known whether they pair up."""

    def __init__(self) -> None:
        super().__init__("too many items are nearly equal to one another, so that they could not be paired")


class Effort:
    """The steps that a search may still take, each about as long as comparing two items."""

    most = 3_000_000

    def __init__(self) -> None:
        self._left = self.most

    def spend(self, steps: int) -> None:
        """Take steps.  Raises `Undecided` if there are no more."""
        self._left -= steps
        if self._left < 0:
            raise Undecided


def pair_up(
    expected: Mapping[int, Row],
    actual: Mapping[int, Row],
    comparison: Comparison,
    effort: Effort | None = None,
) -> dict[int, int]:
    """Return pairs of an expected and an actual position with equal numbers, as many as needed.

    Both arguments have the numbers of items by position, equally many for each item; neither is empty.
    The pairs cover all expected items if that is possible; else they leave out one without a partner.
    Raises `Undecided` if that is not found out, and if there are as many actual items as expected ones.
    """
    close = _Closeness(comparison, effort or Effort())
    if effort is not None:
        # Inside an item, also what is read once is read for many pairs.
        effort.spend(sum(map(weight, (*expected.values(), *actual.values()))))
    pairs: dict[int, int] = {}
    try:
        if len(expected) == len(actual):
            # Most programs give their items in one order, and ties of numbers spoil no other one.
            pairs = close.pairs_as_given(expected, actual)
            if len(pairs) == len(expected):
                return pairs
        column = _telling_column([*expected.values()], comparison)
        left, right = _Side(expected, column), _Side(actual, column)
        in_order = close.pairs_in_order(left, right)
        pairs = max(pairs, in_order, key=len)
        if len(pairs) < len(expected):
            _Matching(left, right, close, pairs).improve()
    except Undecided:
        if len(expected) == len(actual):
            raise
        # One is left over whatever the pairs are.
    return pairs


class _Side:
    """Items in the order of one of their numbers, then of all of them."""

    def __init__(self, rows: Mapping[int, Row], column: int | None) -> None:
        self.rows = rows
        self.column = column
        self.keys = {position: tuple(map(_key, row)) for position, row in rows.items()}
        if column is None:
            self.sizes = dict.fromkeys(rows, 0.0)
        else:
            self.sizes = {position: _size(row[column]) for position, row in rows.items()}
        self.order = sorted(rows, key=lambda position: (self.sizes[position], self.keys[position]))
        self.sorted_sizes = [self.sizes[position] for position in self.order]

    def between(self, low: float, high: float) -> list[int]:
        """Return the items whose size is from `low` to `high`."""
        return self.order[bisect_left(self.sorted_sizes, low) : bisect_right(self.sorted_sizes, high)]


def _telling_column(rows: list[Row], comparison: Comparison) -> int | None:
    """Return the place in the rows whose numbers are the furthest apart; None without numbers."""

    def tells(column: int) -> tuple[int, float]:
        sizes = sorted(_size(row[column]) for row in rows)
        clusters = sum(not numbers_equal(one, other, comparison) for one, other in pairwise(sizes))
        finite = [size for size in sizes if math.isfinite(size)]
        # Where all are close to their neighbours, those that spread more have fewer that are close.
        return clusters, len({*finite}) and (finite[-1] - finite[0]) / (_reach(finite[-1], comparison) or 1)

    return max(range(len(rows[0])), key=tells, default=None)


def _key(number: Value | InnerSet) -> Key:
    if isinstance(number, InnerSet):
        return tuple((shape, tuple(map(_key, row))) for shape, row in number.rows)
    return number_key(number)


def _size(number: Value | InnerSet) -> float:
    """Return a float to sort numbers by; close numbers have close sizes.

    That of a set is its smallest one's: the smallest numbers of two close sets are close.
    """
    if isinstance(number, InnerSet):
        return min((_size(each) for _, row in number.rows for each in row), default=math.inf)
    assert isinstance(number, (int, float, complex, Fraction, Decimal))
    try:
        size = float(number.real)
    except OverflowError:
        return math.inf if number.real > 0 else -math.inf
    return math.inf if math.isnan(size) else size


def _reach(number: Value | InnerSet, comparison: Comparison) -> float:
    """Return a generous bound on the difference in size between an expected number and a close one."""
    if isinstance(number, InnerSet):
        return max((_reach(each, comparison) for _, row in number.rows for each in row), default=math.inf)
    assert isinstance(number, (int, float, complex, Fraction, Decimal))
    size = abs(_size(number)) if not isinstance(number, complex) else math.hypot(number.real, number.imag)
    if not math.isfinite(size):
        return 0.0 if math.isinf(_size(number)) else math.inf
    return 2 * max(comparison.abs, comparison.rel * size)


class _Closeness:
    """Tells which rows are close, and pays for comparing sets in them."""

    def __init__(self, comparison: Comparison, effort: Effort) -> None:
        self.comparison = comparison
        self.effort = effort

    def are_equal(self, one: Row, other: Row) -> bool:
        """Tell whether two rows are close in all of their numbers.  Raises `Undecided`."""
        return all(self._is_equal(*pair) for pair in zip(one, other, strict=True))

    def _is_equal(self, one: Value | InnerSet, other: Value | InnerSet) -> bool:
        if not isinstance(one, InnerSet) or not isinstance(other, InnerSet):
            return (
                not isinstance(one, InnerSet) and not isinstance(other, InnerSet) and self._near(one, other)
            )
        # The shapes are equal, since the two items have one shape.
        left, right = (
            [[row for _, row in rows] for _, rows in groupby(each.rows, itemgetter(0))]
            for each in (one, other)
        )
        return all(
            len(pair_up(dict(enumerate(ours)), dict(enumerate(theirs)), self.comparison, self.effort))
            == len(ours)
            for ours, theirs in zip(left, right, strict=True)
        )

    def _near(self, one: Value, other: Value) -> bool:
        return numbers_equal(one, other, self.comparison)

    def pairs_as_given(self, expected: Mapping[int, Row], actual: Mapping[int, Row]) -> dict[int, int]:
        """Pair the close ones of those in the same place."""
        places = zip(sorted(expected), sorted(actual), strict=True)
        return {one: other for one, other in places if self.are_equal(expected[one], actual[other])}

    def pairs_in_order(self, left: _Side, right: _Side) -> dict[int, int]:
        """Pair close items while walking both sides in order."""
        pairs: dict[int, int] = {}
        at_left = at_right = 0
        while at_left < len(left.order) and at_right < len(right.order):
            one, other = left.order[at_left], right.order[at_right]
            if self.are_equal(left.rows[one], right.rows[other]):
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

    def __init__(self, left: _Side, right: _Side, close: _Closeness, pairs: dict[int, int]) -> None:
        self.left = left
        self.right = right
        self.close = close
        self.pairs = pairs
        self.owner = {other: one for one, other in pairs.items()}
        self.partners: dict[Key, list[int]] = {}

    def improve(self) -> None:
        """Place all expected items, up to one that has no partner.  Raises `Undecided`."""
        for one in self.left.order:
            if one not in self.pairs and not self._place(one):
                return

    def _place(self, start: int) -> bool:
        """Find a partner for `start`, and move others to other partners where needed (Kuhn's algorithm)."""
        came_from: dict[int, int] = {}
        waiting = [start]
        while waiting:
            one = waiting.pop()
            partners = self._partners(one)
            self.close.effort.spend(len(partners))
            for other in partners:
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
            self.close.effort.spend(len(candidates) * weight(row) or len(candidates))
            self.partners[key] = [
                other for other in candidates if self.close.are_equal(row, self.right.rows[other])
            ]
        return self.partners[key]

    def _candidates(self, one: int) -> list[int]:
        if self.left.column is None:
            return self.right.order
        size = self.left.sizes[one]
        reach = _reach(self.left.rows[one][self.left.column], self.close.comparison)
        return self.right.between(size - reach, size + reach)

    def _shift(self, free: int | None, came_from: dict[int, int]) -> None:
        """Give each item on the path that led to the free partner the next partner along it."""
        while free is not None:
            one = came_from[free]
            freed = self.pairs.get(one)
            self.pairs[one] = free
            self.owner[free] = one
            free = freed
