"""Decides when two numbers count as equal."""

import cmath
import math

from grader.judge.values.canonical import number_key
from grader.model.case import Comparison
from grader.model.values import Value

NUMBERS = (int, float, complex)
_REAL = (int, float)


def has_tolerance(comparison: Comparison) -> bool:
    return comparison.rel > 0 or comparison.abs > 0


def numbers_equal(expected: Value, actual: Value, comparison: Comparison) -> bool:
    """Tell whether two numbers of exact types int, float or complex are equal.

    Exact: they have one type and one value; nan equals nan, -0.0 equals 0.0.
    With a tolerance: two floats, or a float and an int, are equal if they differ by at most `rel` times the
    greater of their sizes, or by at most `abs`; two complex numbers likewise.
    Two ints stay exact, and so does an infinity.  A complex never equals a float.
    """
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
