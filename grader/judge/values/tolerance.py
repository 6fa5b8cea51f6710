"""Decides when two numbers count as equal."""

import cmath
import math

from grader.judge.values.canonical import canonical, number_key
from grader.judge.values.library import is_near, nearness_as_python, parts_of
from grader.model.case import Comparison
from grader.model.library import LIBRARY_NUMBERS
from grader.model.values import Value

NUMBERS = (int, float, complex)
_REAL = (int, float)
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
    greater of their sizes, or by at most `abs`; two complex numbers likewise.
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
        return nearness_as_python(expected, actual, comparison.rel, comparison.abs)
    if type(expected) is complex and type(actual) is complex:
        if has_tolerance(comparison):
            close = cmath.isclose(expected, actual, rel_tol=comparison.rel, abs_tol=comparison.abs)
        else:
            close = expected == actual
        return close or number_key(expected) == number_key(actual)
    if type(expected) is int and type(actual) is int:
        return expected == actual
    if type(expected) is not type(actual) and not has_tolerance(comparison):
        return False
    if type(expected) not in _REAL or type(actual) not in _REAL:
        return False
    return _reals_close(expected, actual, comparison)  # type: ignore[arg-type]


def _reals_close(expected: float, actual: float, comparison: Comparison) -> bool:
    try:
        if math.isclose(expected, actual, rel_tol=comparison.rel, abs_tol=comparison.abs):
            return True
    except OverflowError:  # an int beyond every float
        return False
    return math.isnan(expected) and math.isnan(actual)
