"""Values of a test while it is read, and what Python's own functions and operators make of them."""

import ast
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from fractions import Fraction
from typing import Any

from grader.plugins.convert.draft import Unconvertible
from grader.plugins.convert.prairielearn.conditions import Answer
from grader.plugins.convert.prairielearn.drawing import Array
from grader.plugins.convert.prairielearn.shares import Share, number
from grader.plugins.convert.python.scope import ConvertedScope
from grader.plugins.convert.values import read_value

_OF_DATA: dict[str, Callable[..., Any]] = {
    "abs": abs,
    "enumerate": lambda values: list(enumerate(values)),
    "float": float,
    "int": int,
    "len": len,
    "list": list,
    "max": max,
    "min": min,
    "range": range,
    "round": round,
    "sorted": sorted,
    "str": str,
    "sum": sum,
    "tuple": tuple,
    "zip": lambda *values: list(zip(*values, strict=False)),
}
_MOST_ITEMS = 10_000


@dataclass(frozen=True, slots=True)
class Words:
    """A text that is put together for people; it is no argument."""


@dataclass(frozen=True, slots=True)
class Assumed:
    """A truth that any answer which earns points has: it is no None, or can be called."""

    value: bool


def as_share(value: Any) -> Share:
    """Return a score, or whether something holds, as a share.  Raises `Unconvertible`."""
    if isinstance(value, Share):
        return value
    if type(value) in (bool, int, float):
        return number(value)
    raise Unconvertible("points depend on what is known only when it runs")


def is_open(value: Any) -> bool:
    """Tell whether a value is known only when the test runs, or has a part that is."""
    return any(isinstance(each, Answer | Share | Words | Assumed | Array) for each in _inside(value))


def _is_long(value: Any) -> bool:
    return isinstance(value, list | tuple | dict | range | str) and len(value) > _MOST_ITEMS


def _inside(value: Any) -> Iterator[Any]:
    yield value
    if isinstance(value, list | tuple):
        for each in value:
            yield from _inside(each)
    elif isinstance(value, dict):
        for pair in value.items():
            yield from _inside(pair)


def made_of_data(name: str, values: list[Any]) -> Any:
    """Return what one of Python's functions makes of data.  Raises `Unconvertible`."""
    values = [each.items if isinstance(each, Array) else each for each in values]
    if name in _OF_DATA and not any(is_open(each) or _is_long(each) for each in values):
        try:
            return _OF_DATA[name](*values)
        except (TypeError, ValueError, ArithmeticError) as error:
            raise Unconvertible(f"`{name}` has arguments that are not known here") from error
    raise Unconvertible(f"`{name}` is not known here")


def method_of_data(value: Any, name: str) -> Any:
    if isinstance(value, Array) and name == "copy":
        return Array(list(value.items))
    if isinstance(value, list) and name == "copy":
        return list(value)
    if isinstance(value, dict):
        found = getattr(value, name)()
        return dict(found) if name == "copy" else [*found]
    raise Unconvertible(f"`.{name}()` is not known here")


def computed(left: Any, operator: ast.operator, right: Any, node: ast.expr) -> Any:
    if isinstance(left, Words) or isinstance(right, Words):
        return Words()
    if not isinstance(left, Share) and not isinstance(right, Share):
        scope = ConvertedScope(values={"left": left, "right": right})
        lists = isinstance(left, list) and isinstance(right, list) and isinstance(operator, ast.Add)
        if lists and len(left) + len(right) <= _MOST_ITEMS:
            return left + right
        names = ast.Name("left", ast.Load()), ast.Name("right", ast.Load())
        try:
            return read_value(ast.BinOp(names[0], operator, names[1]), scope)
        except Unconvertible as error:
            raise Unconvertible(f"`{ast.unparse(node)[:60]}` is not known here") from error
    match operator:
        case ast.Add():
            return as_share(left) + as_share(right)
        case ast.Sub():
            return as_share(left) - as_share(right)
        case ast.Mult():
            return as_share(left) * as_share(right)
        case ast.Div() if not isinstance(right, Share) and as_share(right).constant:
            return as_share(left) * number(Fraction(1) / as_share(right).constant)
    raise Unconvertible(f"`{ast.unparse(node)[:60]}` is no sum of points")


def compared(left: Any, operator: ast.cmpop, right: Any, node: ast.expr) -> bool:
    try:
        match operator:
            case ast.Eq():
                return bool(left == right)
            case ast.NotEq():
                return bool(left != right)
            case ast.Lt():
                return bool(left < right)
            case ast.LtE():
                return bool(left <= right)
            case ast.Gt():
                return bool(left > right)
            case ast.GtE():
                return bool(left >= right)
            case ast.In():
                return left in right
            case ast.Is():
                return left is right
            case ast.IsNot():
                return left is not right
    except TypeError:
        pass
    raise Unconvertible(f"`{ast.unparse(node)[:60]}` is not known here")
