"""Turns an expected value of Python's `==`, of `approx` and the like into the keys of a case.

A spec's `returns` asks for the very types.  Where Python's `==` does not, the case says so.
"""

import ast
import math
from fractions import Fraction

from grader.authoring.written import Raw
from grader.model.values import Value
from grader.plugins.convert.draft import Unconvertible
from grader.plugins.convert.values import has_nan
from grader.values.python_text import literal
from grader.values.walk import parts

WORDS = {None: Raw("null"), True: Raw("true"), False: Raw("false")}
"""How YAML writes the values that have a word of their own."""

_OF_SEVERAL_TYPES = (bool, int, float, complex, set, frozenset)
"""Their values can be equal to values of another type."""


def equal_to(value: Value) -> dict[str, str | Raw]:
    """Return the keys for an answer that is `==` to a value."""
    if has_nan(value):
        raise Unconvertible("nan equals nothing, so this assertion never holds")
    keys = exactly(value)
    if any(type(part) in _OF_SEVERAL_TYPES for part in parts(value)):
        keys["equality"] = Raw("python")
    return keys


def exactly(value: Value) -> dict[str, str | Raw]:
    """Return the keys for an answer of this type and value, at every level."""
    if value is None or type(value) is bool:
        return {"returns": WORDS[value]}
    if type(value) is int:
        return {"returns": Raw(str(value))}
    return {"returns": literal(value)}


def within(value: Value, tolerance: Fraction | float) -> dict[str, str | Raw]:
    """Return the keys for a number at most `tolerance` from a real number.

    A whole number is written as a float, because two whole numbers are compared exactly.
    """
    if type(value) not in (int, float):
        raise Unconvertible("a tolerance goes with a number alone")
    number = float(value)  # type: ignore[arg-type]
    if not math.isfinite(number) or number != value:
        raise Unconvertible("a tolerance goes with a number that a float can hold")
    if tolerance < 0 or not math.isfinite(tolerance):
        raise Unconvertible("the tolerance is no number from 0")
    return {"returns": repr(number), "abs": Raw(repr(float(tolerance) or 1e-300))}


def places(number: int) -> Fraction:
    """Return the greatest distance that rounds to nothing at so many places."""
    return Fraction(1, 2) / Fraction(10) ** number


def shown_as(text: str) -> Value:
    """Return the value of which a doctest shows this text, if only it shows so.  Raises `Unconvertible`."""
    try:
        value: Value = ast.literal_eval(text)
    except (ValueError, SyntaxError, MemoryError, RecursionError):
        raise Unconvertible("the expected text is no literal, so it may be printed text") from None
    if repr(value) != text:
        raise Unconvertible("the expected text is not how Python shows a value")
    return value
