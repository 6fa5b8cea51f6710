"""Turns an expected value of Python's `==`, of `approx` and the like into the keys of a case.

Python's `==` and a spec's `returns` differ.  Where the spec can be relaxed to the same meaning, it is; else
a remark says how the case is stricter.
"""

import ast
import math
from collections.abc import Callable
from fractions import Fraction

from grader.authoring.convert.draft import Unconvertible
from grader.authoring.convert.values import has_nan
from grader.authoring.written import Raw
from grader.model.values import Value
from grader.values.python_text import literal
from grader.values.walk import parts

EQUAL_NUMBERS = Raw("1e-300")
"""As `abs`, it lets 2.0 count for 2, as `==` does, and keeps every digit."""

_WORDS = {None: Raw("null"), True: Raw("true"), False: Raw("false")}

Stricter = Callable[[str], None]


def equal_to(value: Value, stricter: Stricter) -> dict[str, str | Raw]:
    """Return the keys for an answer that is `==` to a value; call `stricter` where they ask for more."""
    if has_nan(value):
        raise Unconvertible("nan equals nothing, so this assertion never holds")
    keys = exactly(value)
    inner = [*parts(value)]
    kinds = {type(part) for part in inner}
    if any(type(part) is int or (type(part) is float and part.is_integer()) for part in inner):
        keys["abs"] = EQUAL_NUMBERS
    if kinds & {set, frozenset}:
        if kinds & {list, tuple}:
            stricter("a set is not accepted for a frozenset, nor the reverse, which `==` does")
        else:
            keys["sequence"] = Raw("any")
    if complex in kinds:
        stricter("a real number is not accepted for a complex one, which `==` does")
    if any(type(key) in (int, float, bool) for part in inner if isinstance(part, dict) for key in part):
        stricter("keys of a dict must have the very type, which `==` does not ask for")
    if any(part is True or part is False for part in inner):
        stricter("1 and 0 are not accepted for True and False, which `==` does")
    elif any(type(part) in (int, float) and part in (0, 1) for part in inner):
        stricter("True and False are not accepted for 1 and 0, which `==` does")
    return keys


def exactly(value: Value) -> dict[str, str | Raw]:
    """Return the keys for an answer of this type and value, at every level."""
    if value is None or type(value) is bool:
        return {"returns": _WORDS[value]}
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
