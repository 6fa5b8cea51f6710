"""How values of the standard library are compared and shown, exactly, with a tolerance and as Python does."""

from datetime import UTC, date, datetime, time, timedelta, timezone
from decimal import Decimal
from fractions import Fraction
from pathlib import PurePosixPath
from time import process_time

import pytest

from grader.model.case import Comparison
from grader.model.values import Record, Value
from grader.values.compare import first_difference
from grader.values.show import show

PYTHON = Comparison(python=True)
NEAR = Comparison(abs=0.1)
BERLIN = timezone(timedelta(hours=1))
NOON = datetime(2024, 1, 1, 12)


def differ(expected: Value, actual: Value, comparison: Comparison = Comparison()) -> bool:
    assert first_difference(expected, expected, comparison) is None
    assert first_difference(actual, actual, comparison) is None
    there = first_difference(expected, actual, comparison) is not None
    assert (first_difference(actual, expected, comparison) is not None) == there
    in_a_set = first_difference({expected}, {actual}, comparison) is not None
    if comparison in (Comparison(), PYTHON):
        assert in_a_set == there
        assert (first_difference({expected: 1}, {actual: 1}, comparison) is not None) == there
    return there


@pytest.mark.parametrize(
    ("expected", "actual"),
    [
        (Decimal("0.1"), Decimal("0.10")),
        (Decimal("1E+2"), Decimal("100")),
        (Decimal("0"), Decimal("-0.00")),
        (Decimal("NaN"), Decimal("-NaN123")),
        (range(0), range(5, 2)),
        (range(0, 10, 4), range(0, 9, 4)),
        (range(5, 6, 3), range(5, 6)),
        (range(10**30), range(10**30)),
        (PurePosixPath("a//b/."), PurePosixPath("a/b")),
    ],
)
def test_equal_values(expected: Value, actual: Value) -> None:
    assert not differ(expected, actual)
    assert not differ(expected, actual, PYTHON)


@pytest.mark.parametrize(
    ("expected", "actual", "as_python"),
    [
        (Fraction(1, 2), 0.5, False),
        (Fraction(2), 2, False),
        (Decimal("0.5"), 0.5, False),
        (Decimal("0.5"), Fraction(1, 2), False),
        (Decimal("0.1"), 0.1, True),
        (Decimal("1E+999999999"), 10**50, True),
        (Decimal("Infinity"), float("inf"), False),
        (1, True, False),
        (1, 1.0, False),
        (1 + 0j, 1, False),
        (2**53 + 1, float(2**53), True),
        (1, "1", True),
        ((1,), (True,), False),
        ((1, 2), frozenset({1, 2}), True),
        (NOON, date(2024, 1, 1), True),
        (NOON.replace(tzinfo=UTC), NOON.replace(hour=13, tzinfo=BERLIN), False),
        (NOON.replace(tzinfo=UTC), NOON, True),
        (time(12, tzinfo=UTC), time(13, tzinfo=BERLIN), False),
        (timedelta(1), timedelta(2), True),
        (PurePosixPath("a"), "a", True),
        (range(3), (0, 1, 2), True),
    ],
)
def test_different_values_and_what_python_says(expected: Value, actual: Value, as_python: bool) -> None:
    assert differ(expected, actual)
    assert differ(expected, actual, PYTHON) == as_python
    assert (expected != actual) == as_python


def test_python_equality_goes_through_containers() -> None:
    assert first_difference([1, {2: True}], [1.0, {2.0: 1}], PYTHON) is None
    assert first_difference({1, 2}, frozenset({1.0, 2}), PYTHON) is None
    assert first_difference([1], (1,), PYTHON) is not None
    point = Record("Point", (("x", 1),))
    assert first_difference(point, Record("Point", (("x", 1.0),)), PYTHON) is None
    assert first_difference(point, Record("Pair", (("x", 1),)), PYTHON) is not None
    unordered = Comparison(python=True, unordered=True)
    assert first_difference([1, Fraction(1, 2)], [0.5, True], unordered) is None


@pytest.mark.parametrize(
    ("expected", "actual", "near"),
    [
        (Fraction(1, 2), Fraction(11, 20), True),
        (Fraction(1, 2), Fraction(6, 10), True),
        (Fraction(1, 2), Fraction(7, 10), False),
        (Decimal("0.2"), Decimal("0.3"), True),
        (Decimal("0.2"), Decimal("0.31"), False),
        (Decimal("NaN"), Decimal("1"), False),
        (Decimal("1E+999999999"), Decimal("1"), False),
        (Decimal("1E+999999999999999999"), Decimal("2E+999999999999999999"), False),
        (Decimal("1"), 1.0, False),
        (NOON, NOON.replace(microsecond=100_000), True),
        (NOON, NOON.replace(microsecond=100_001), False),
        (NOON, NOON.replace(tzinfo=UTC), False),
        (timedelta.max, timedelta.min, False),
        (timedelta(0), timedelta(milliseconds=-100), True),
        (1 + 1j, 1.05 + 1j, True),
        (date(2024, 1, 1), date(2024, 1, 2), False),
    ],
)
def test_tolerance(expected: Value, actual: Value, near: bool) -> None:
    assert (first_difference(expected, actual, NEAR) is None) == near
    assert (first_difference([0, expected], [0, actual], NEAR) is None) == near


def test_tolerance_in_any_order() -> None:
    unordered = Comparison(abs=0.1, unordered=True)
    expected: Value = [Fraction(1, 2), Decimal("3"), 7.0]
    assert first_difference(expected, [7.01, Decimal("3.05"), Fraction(51, 100)], unordered) is None
    assert first_difference(expected, [7.01, Decimal("3.5"), Fraction(51, 100)], unordered) is not None
    as_python = Comparison(abs=0.1, unordered=True, python=True)
    assert first_difference(expected, [0.51, 3, Fraction(70, 10)], as_python) is None


def test_a_difference_says_where() -> None:
    found = first_difference({"due": [date(2024, 2, 29)]}, {"due": [date(2024, 3, 1)]})
    assert found is not None
    assert (found.where, found.expected, found.actual) == (
        "key 'due', item 1",
        "date(2024, 2, 29)",
        "date(2024, 3, 1)",
    )
    found = first_difference(Fraction(1, 2), 0.5)
    assert found is not None
    assert (found.expected, found.actual) == ("Fraction(1, 2)", "0.5 (float)")


@pytest.mark.parametrize(
    ("value", "text"),
    [
        (datetime(2024, 1, 1, 12, tzinfo=UTC), "datetime(2024, 1, 1, 12, 0, tzinfo=timezone.utc)"),
        (timedelta(days=1), "timedelta(days=1)"),
        (PurePosixPath("a\u3164'b"), 'Path("a\\u3164\'b")'),
        (range(10**18), "range(0, 1000000000000000000)"),
    ],
)
def test_values_are_shown_as_one_types_them(value: Value, text: str) -> None:
    assert show(value) == text


def test_large_values_are_shown_in_part_and_compared_quickly() -> None:
    started = process_time()
    large = Decimal("1." + "7" * 9_000)
    assert len(show(large, 200)) <= 200
    assert differ(large, Fraction(1 << 9_000, 3))
    assert differ(Decimal("1E+999999999999999999"), 5, PYTHON)
    assert differ(range(10**18), range(10**18 + 1))
    assert process_time() - started < 2
