"""Decides when two numbers count as equal."""

import math

from grader.model.case import Comparison
from grader.model.values import Value
from grader.values.canonical import canonical, number_key
from grader.values.library import is_near, numbers_near, parts_of
from grader.values.library_types import LIBRARY_NUMBERS

NUMBERS = (int, float, complex)
_REAL = (int, float)
_ROUNDING = 2.0**-49
"""More than what floats lose in the few steps below, as a share; what is nearer to the limit is computed
exactly."""
_TINY = 1e-300
"""Below it, floats lose more."""
_ALL_NUMBERS = frozenset({bool, *NUMBERS, *LIBRARY_NUMBERS})


def has_tolerance(comparison: Comparison) -> bool:
    return comparison.rel > 0 or comparison.abs > 0


def are_numbers(expected: Value, actual: Value, comparison: Comparison) -> bool:
    """Tell whether `numbers_equal` compares these two."""
    kinds = _ALL_NUMBERS if comparison.python else NUMBERS
    return type(expected) in kinds and type(actual) in kinds


def library_equal(expected: Value, actual: Value, comparison: Comparison) -> bool:
    """Tell whether two values of one type of the standard library are equal, or near enough."""
    if comparison.python and canonical(expected, python=True) == canonical(actual, python=True):
        return True
    if parts_of(expected) == parts_of(actual):
        return True
    return has_tolerance(comparison) and is_near(expected, actual, comparison.rel, comparison.abs)


def numbers_equal(expected: Value, actual: Value, comparison: Comparison) -> bool:
    """Tell whether two numbers are equal: ints, floats, complex numbers, two Fractions or two Decimals.

    Exact: they have one type and one value; nan equals nan, -0.0 equals 0.0.
    With a tolerance: two floats, or a float and an int, are equal if they differ by at most `rel` times the
    size of the expected one, or by at most `abs`; two complex numbers likewise.
    Two ints stay exact, and so does an infinity.  A complex never equals a float.
    As Python's `==` has it, types do not matter.
    """
    if type(expected) in LIBRARY_NUMBERS and type(expected) is type(actual):
        return library_equal(expected, actual, comparison)
    if comparison.python:
        if canonical(expected, python=True) == canonical(actual, python=True):
            return True
        if not has_tolerance(comparison) or type(expected) is type(actual) is int:
            return False
        return numbers_near(expected, actual, comparison.rel, comparison.abs)
    if type(expected) is complex and type(actual) is complex:
        if expected == actual or number_key(expected) == number_key(actual):
            return True
        return has_tolerance(comparison) and numbers_near(expected, actual, comparison.rel, comparison.abs)
    if type(expected) is int and type(actual) is int:
        return expected == actual
    if type(expected) is not type(actual) and not has_tolerance(comparison):
        return False
    if type(expected) not in _REAL or type(actual) not in _REAL:
        return False
    return _reals_close(expected, actual, comparison)  # type: ignore[arg-type]


def _reals_close(expected: float, actual: float, comparison: Comparison) -> bool:
    if expected == actual or (expected != expected and actual != actual):
        return True
    if not has_tolerance(comparison):
        return False
    try:
        size, between = abs(float(expected)), abs(float(expected) - float(actual))
    except OverflowError:  # an int beyond every float
        return numbers_near(expected, actual, comparison.rel, comparison.abs)
    allowed = max(comparison.rel * size, comparison.abs)
    doubt = _ROUNDING * (size + between + allowed) + _TINY
    if math.isfinite(between) and abs(between - allowed) > doubt:
        return between < allowed
    return numbers_near(expected, actual, comparison.rel, comparison.abs)
