"""Compares values of the standard library, and numbers of all kinds as Python does.

Two values are equal if they are of one type and one value: `Decimal("0.10")` is `Decimal("0.1")`, and ranges
are equal if their numbers are.  Points in time are equal if they read the same, with the same offset from
UTC.  As Python's `==` has it, they are equal if they are the same moment, and numbers if they are the same
number, whatever their types.
"""

import math
from datetime import date, datetime, time, timedelta
from decimal import Context, Decimal
from fractions import Fraction
from typing import Any, TypeAlias

from grader.model.values import Value
from grader.values.library_types import LIBRARY, LIBRARY_NUMBERS

Parts: TypeAlias = tuple[Any, ...]

_MOST_DIGITS = 5_000
"""Decimals with more digits, or zeros after their digits, equal Decimals alone."""
_PRECISE = Context(prec=100, traps=[])
_MICROSECOND = timedelta(microseconds=1)
_MOMENTS = (datetime, time)


def parts_of(value: Value) -> Parts:
    """Return the name of a value's type and what distinguishes the value; for values of `LIBRARY`.

    Parts of values of one type can be sorted.
    """
    return (type(value).__name__, *_parts(value))


def _parts(value: Value) -> Parts:
    match value:
        case range():
            return _numbers_in(value)
        case datetime():
            return (*value.timetuple()[:6], value.microsecond, *_offset(value))
        case time():
            return (value.hour, value.minute, value.second, value.microsecond, *_offset(value))
        case date():
            return value.year, value.month, value.day
        case timedelta():
            return value.days, value.seconds, value.microseconds
        case Fraction():
            return _size(value), value.numerator, value.denominator
        case Decimal():
            return _decimal_parts(value)
    return (str(value),)


def _numbers_in(value: range) -> Parts:
    """Return the count of numbers, the first and the step, as far as they matter; `len` has a limit."""
    count = max(0, -((value.start - value.stop) // value.step))
    return count, value.start if count else 0, value.step if count > 1 else 0


def _offset(value: datetime | time) -> Parts:
    offset = value.utcoffset()
    return (False, 0) if offset is None else (True, offset // _MICROSECOND)


def _decimal_parts(value: Decimal) -> Parts:
    sign, digits, exponent = value.as_tuple()
    if not isinstance(exponent, int):
        return (str(value) if value.is_infinite() else "NaN",)
    text = "".join(map(str, digits)).lstrip("0")
    short = text.rstrip("0")
    if not short:
        return ("", 0.0, 0, 0, "")
    return ("", _size(value), sign, exponent + len(text) - len(short), short)


def pythonic_parts(value: Value) -> Parts | None:
    """Return parts that are equal where Python's `==` says so; None for a value that no rule is about."""
    kind = type(value)
    if kind in (bool, int, float, complex) or kind in LIBRARY_NUMBERS:
        return _number_parts(value)
    if kind not in LIBRARY:
        return None
    if isinstance(value, _MOMENTS) and value.utcoffset() is not None:
        return (f"{kind.__name__} in UTC", _since_start_us(value))
    return parts_of(value)


def _since_start_us(value: datetime | time) -> int:
    days = value.toordinal() if isinstance(value, datetime) else 0
    clock = timedelta(days, value.second, value.microsecond, 0, value.minute, value.hour)
    offset = value.utcoffset()
    assert offset is not None
    return (clock - offset) // _MICROSECOND


def _number_parts(value: Any) -> Parts:
    if type(value) is complex:
        if value.imag:
            return ("complex", _number_parts(value.real), _number_parts(value.imag))
        value = value.real
    if type(value) is Decimal:
        if not value.is_finite() or abs(value.adjusted()) > _MOST_DIGITS or len(str(value)) > _MOST_DIGITS:
            parts = _decimal_parts(value)
            return ("number", 1, parts[0]) if len(parts) == 1 else ("number", 2, parts)
    elif type(value) is float and not math.isfinite(value):
        return ("number", 1, {"inf": "Infinity", "-inf": "-Infinity", "nan": "NaN"}[str(value)])
    number = Fraction(value)
    return ("number", 0, _size(number), number.numerator, number.denominator)


def _size(number: Fraction | Decimal) -> float:
    """Return a float by which numbers are in order: near ones stand side by side when they are sorted."""
    try:
        return float(number)
    except OverflowError:
        return math.inf if number > 0 else -math.inf


def is_near(expected: Value, actual: Value, rel: float, absolute: float) -> bool:
    """Tell whether two values are as near as a tolerance allows: Fractions, Decimals, points in time.

    Both are of one type.  Times in seconds: `absolute` is how many may lie between two points in time.
    """
    if isinstance(expected, Fraction) and isinstance(actual, Fraction):
        return abs(expected - actual) <= max(as_written(rel) * abs(expected), as_written(absolute))
    if isinstance(expected, Decimal) and isinstance(actual, Decimal):
        return _decimals_near(expected, actual, rel, absolute)
    if isinstance(expected, datetime) and isinstance(actual, datetime):
        if expected.utcoffset() != actual.utcoffset():
            return False
        expected, actual = (each.replace(tzinfo=None) - datetime.min for each in (expected, actual))
    if isinstance(expected, timedelta) and isinstance(actual, timedelta):
        between_us = abs(expected // _MICROSECOND - actual // _MICROSECOND)
        return Fraction(between_us, 10**6) <= as_written(absolute)
    return False


def _decimals_near(expected: Decimal, actual: Decimal, rel: float, absolute: float) -> bool:
    if any(not each.is_finite() or abs(each.adjusted()) > _MOST_DIGITS for each in (expected, actual)):
        return False
    between = _PRECISE.abs(_PRECISE.subtract(expected, actual))
    relative = _PRECISE.multiply(Decimal(repr(rel)), _PRECISE.abs(expected))
    return between <= relative or between <= Decimal(repr(absolute))


TOLERANT = frozenset({*LIBRARY_NUMBERS, datetime, timedelta})
"""Types of values for which a tolerance has a meaning."""


def numbers_near(expected: Any, actual: Any, rel: float, absolute: float) -> bool:
    """Tell whether two numbers of any types are near; infinities and nans are near to nothing.

    A float is the decimal number that Python writes for it, as people read it: 1.1 is within 0.1 of 1.0.
    """
    one, other = _plane(expected), _plane(actual)
    if one is None or other is None:
        return False
    relative, most = as_written(rel), as_written(absolute)
    if not one[1] and not other[1]:
        return abs(one[0] - other[0]) <= max(relative * abs(one[0]), most)
    between = (one[0] - other[0]) ** 2 + (one[1] - other[1]) ** 2
    return between <= max(relative**2 * (one[0] ** 2 + one[1] ** 2), most**2)


def as_written(number: float) -> Fraction:
    """Return a finite float as the decimal number that Python writes for it."""
    return Fraction(repr(number))


def _plane(number: Any) -> tuple[Fraction, Fraction] | None:
    """Return the real and the imaginary part of a number, None if it is not finite or far too long."""
    match number:
        case complex():
            finite = math.isfinite(number.real) and math.isfinite(number.imag)
            return (as_written(number.real), as_written(number.imag)) if finite else None
        case float():
            return (as_written(number), Fraction(0)) if math.isfinite(number) else None
        case Decimal() if _number_parts(number)[1]:
            return None
    return Fraction(number), Fraction(0)
