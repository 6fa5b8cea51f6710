"""The operators of expressions on plain values, with a bound on every result."""

import ast
import operator
from collections.abc import Callable
from datetime import timedelta
from decimal import Decimal
from fractions import Fraction

from grader.model.values import EnumMember, Record, Value
from grader.spec.expressions.bounds import MAX_INTEGER_BITS, ValueSize, size_of

_SYMBOLS: dict[type[ast.operator], str] = {
    ast.Add: "+",
    ast.Sub: "-",
    ast.Mult: "*",
    ast.Div: "/",
    ast.FloorDiv: "//",
    ast.Mod: "%",
    ast.Pow: "**",
}
_COMPUTE: dict[str, Callable[[object, object], object]] = {
    "+": operator.add,
    "-": operator.sub,
    "*": operator.mul,
    "/": operator.truediv,
    "//": operator.floordiv,
    "%": operator.mod,
    "**": operator.pow,
}
_NUMBERS = (int, float, complex)
_TOO_MANY_BITS = f"this number has more than {MAX_INTEGER_BITS:,} bits"
_SEQUENCES = (list, tuple, str, bytes)


class ArithmeticRefused(Exception):
    """The operation has no value here.  Its arguments are the message and, if there is one, a hint."""


class TooBig(ArithmeticRefused):
    """The value would be out of bounds."""


def negative(value: Value) -> Value:
    """Return the negative of a number."""
    if type(value) not in (*_NUMBERS, Fraction, Decimal, timedelta):
        raise ArithmeticRefused(f"`-` does not go with {_kind(value)}")
    return -value  # type: ignore[operator]  # its type is checked above


def binary(operation: ast.operator, left: Value, right: Value) -> tuple[Value, ValueSize]:
    """Return the value of `left operation right` and its size."""
    symbol = _SYMBOLS.get(type(operation))
    if symbol is None:
        raise ArithmeticRefused("this operator can't be computed in a spec", "there are + - * / // % **")
    if type(left) in _NUMBERS and type(right) in _NUMBERS:
        return _arithmetic(symbol, left, right), ValueSize(0, 0, 0)
    if symbol == "+" and type(left) is type(right) and type(left) in _SEQUENCES:
        return _concatenation(left, right)
    if symbol == "*" and type(left) in _SEQUENCES and type(right) is int:
        return _repetition(left, right)
    if symbol == "*" and type(left) is int and type(right) in _SEQUENCES:
        return _repetition(right, left)
    raise ArithmeticRefused(f"`{symbol}` does not go with {_kind(left)} and {_kind(right)}")


def _arithmetic(symbol: str, left: Value, right: Value) -> Value:
    if _fewest_bits(symbol, left, right) > MAX_INTEGER_BITS:
        raise TooBig(_TOO_MANY_BITS)
    try:
        result = _COMPUTE[symbol](left, right)
    except ZeroDivisionError:
        raise ArithmeticRefused("this divides by zero") from None
    except OverflowError:
        raise ArithmeticRefused("the result is too large for a float") from None
    except TypeError:
        raise ArithmeticRefused(f"`{symbol}` does not go with complex numbers") from None
    if type(result) is int and result.bit_length() > MAX_INTEGER_BITS:
        raise TooBig(_TOO_MANY_BITS)
    return result


def _fewest_bits(symbol: str, left: Value, right: Value) -> int:
    """Return the fewest bits of a power of whole numbers, which could be huge; 0 for other operations."""
    if symbol != "**" or type(left) is not int or type(right) is not int or right <= 0:
        return 0
    return (left.bit_length() - 1) * right


def _within_bounds(size: ValueSize) -> ValueSize:
    excess = size.excess()
    if excess:
        raise TooBig(excess)
    return size


def _concatenation(left: Value, right: Value) -> tuple[Value, ValueSize]:
    size = _within_bounds(size_of(left).plus(size_of(right)))
    return _COMPUTE["+"](left, right), size


def _repetition(sequence: Value, count: int) -> tuple[Value, ValueSize]:
    size = _within_bounds(size_of(sequence).times(max(count, 0)))
    return _COMPUTE["*"](sequence, count), size


def _kind(value: Value) -> str:
    name = value.type_name if isinstance(value, Record | EnumMember) else type(value).__name__
    return f"an {name}" if name[0] in "aeiou" else f"a {name}"
