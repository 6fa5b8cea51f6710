"""Reads literal values and calls of the student's functions from a foreign test's syntax tree."""

import ast
import math
import operator
from collections.abc import Callable, Mapping
from typing import Any, TypeAlias

from grader.model.values import Value
from grader.plugins.convert.draft import Unconvertible
from grader.plugins.convert.python.scope import Call, ConvertedScope, is_mutable, names_in
from grader.values.python_text import literal
from grader.values.walk import parts

_MOST_ITEMS = 10_000
_AROUND = {"abs", "all", "any", "bool", "dict", "float", "frozenset", "int", "len", "list", "max", "min"}
_AROUND |= {"repr", "round", "set", "sorted", "str", "sum", "tuple"}
_SPECIAL_FLOATS = ("inf", "-inf", "+inf", "infinity", "-infinity")
_MOST_IN_ARITHMETIC = 10**12
_MOST_EXPONENT = 100
_OPERATORS: dict[type[ast.operator], Callable[[Any, Any], Any]] = {
    ast.Add: operator.add,
    ast.Sub: operator.sub,
    ast.Mult: operator.mul,
    ast.Div: operator.truediv,
    ast.FloorDiv: operator.floordiv,
    ast.Mod: operator.mod,
    ast.Pow: operator.pow,
}
_EMPTY: dict[str, Callable[[], Value]] = {
    "list": list,
    "tuple": tuple,
    "dict": dict,
    "set": set,
    "frozenset": frozenset,
}


Node: TypeAlias = ast.expr


def read_call(node: Node, scope: ConvertedScope) -> Call:
    """Return the call of a student's function that a node is, or that its name was given.

    One of Python's functions can stand around it: `len(f(1))`.  Raises `Unconvertible`.
    """
    if isinstance(node, ast.Name) and node.id in scope.calls:
        if node.id in scope.spent:
            raise Unconvertible(f"something before it may have changed `{node.id}`")
        return scope.calls[node.id]
    if isinstance(node, ast.Name):
        raise Unconvertible(f"`{node.id}` is a name and no call; a scenario can `read` it")
    if not isinstance(node, ast.Call):
        raise Unconvertible("this is no call of a student's function with literal arguments")
    match node:
        case ast.Call(func=ast.Name(id=name), args=[inner], keywords=[]) if is_around(node.func, scope):
            call = read_call(inner, scope)
            return Call(f"{name}({call.text})", call.module, call.function)
    module, function = _function(node.func, scope)
    arguments = [_argument(argument, scope) for argument in node.args]
    for keyword in node.keywords:
        if keyword.arg is None:
            raise Unconvertible("it hands over `**`, which is no literal")
        arguments.append(f"{keyword.arg}={_argument(keyword.value, scope)}")
    return Call(f"{function}({', '.join(arguments)})", module, function)


def is_around(node: Node, scope: ConvertedScope) -> bool:
    """Tell whether a node is a function of Python's that can stand around a call."""
    return isinstance(node, ast.Name) and node.id in _AROUND and scope.is_pythons(node.id)


def _function(node: Node, scope: ConvertedScope) -> tuple[str, str]:
    match node:
        case ast.Name(id=name) if theirs := scope.theirs(name):
            return theirs
        case ast.Name(id=name) if name in scope.foreign:
            raise Unconvertible(f"`{name}` is no student's function")
        case ast.Attribute(value=ast.Name(id=name), attr=function) if name in scope.modules:
            return scope.modules[name], function
        case ast.Attribute():
            raise Unconvertible("it calls a method or an attribute; write a scenario for it")
    raise Unconvertible(f"`{ast.unparse(node)}` is no function of a module under test")


def _argument(node: Node, scope: ConvertedScope) -> str:
    if isinstance(node, ast.Starred):
        raise Unconvertible("it hands over `*`, which is no literal")
    text = literal(read_value(node, scope))
    scope.spend(node)
    return text


def shares(node: Node, values: Mapping[str, Value]) -> bool:
    """Tell whether an expression names a list or the like, and so may be one with it."""
    return any(is_mutable(values.get(name)) for name in names_in(node))


def read_value(node: Node, scope: ConvertedScope) -> Value:
    """Return the value of a literal, in which names of literals may stand.  Raises `Unconvertible`."""
    value = _value(node, scope)
    if _items(value) > _MOST_ITEMS:
        raise Unconvertible(f"a value has more than {_MOST_ITEMS:,} items")
    return value


def _value(node: Node, scope: ConvertedScope) -> Value:
    match node:
        case ast.Constant(value=value) if value is not Ellipsis:
            return value
        case ast.Name(id=name) if name in scope.spent:
            raise Unconvertible(f"something before it may have changed `{name}`")
        case ast.Name(id=name) if name in scope.values:
            return scope.values[name]
        case ast.List(elts=parts):
            return [_value(part, scope) for part in parts]
        case ast.Tuple(elts=parts):
            return tuple(_value(part, scope) for part in parts)
        case ast.Set(elts=parts):
            return {_hashable(part, scope) for part in parts}
        case ast.Dict(keys=keys, values=values):
            return {
                _hashable(key, scope): _value(value, scope) for key, value in zip(keys, values, strict=True)
            }
        case ast.UnaryOp(op=ast.USub() | ast.UAdd() as sign, operand=operand):
            number = _value(operand, scope)
            if type(number) in (int, float, complex):
                return -number if isinstance(sign, ast.USub) else number  # type: ignore[operator]
        case ast.BinOp(
            left=left, op=ast.Add() | ast.Sub() as sign, right=ast.Constant(value=complex() as part)
        ):
            real = _value(left, scope)
            if type(real) in (int, float):
                return real + part if isinstance(sign, ast.Add) else real - part  # type: ignore[operator]
        case ast.BinOp(left, sign, right):
            return _arithmetic(_value(left, scope), sign, _value(right, scope), node)
        case ast.Call(func=ast.Name(id=kind)) if not scope.is_pythons(kind):
            pass
        case ast.Call(func=ast.Name(id=kind), args=[], keywords=[]) if kind in _EMPTY:
            return _EMPTY[kind]()
        case ast.Call(func=ast.Name(id="set" | "frozenset" as kind), args=[part], keywords=[]):
            items = _value(part, scope)
            if isinstance(items, list | tuple | set):
                return set(items) if kind == "set" else frozenset(items)
        case ast.Call(func=ast.Name(id="float"), args=[ast.Constant(value=str() as text)], keywords=[]):
            if text.lower() in _SPECIAL_FLOATS:
                return float(text)
    raise Unconvertible(f"`{_short(node)}` is no literal")


def _arithmetic(left: Value, sign: ast.operator, right: Value, node: Node) -> Value:
    """Return the result of arithmetic on small numbers, or of `+` and `*` on short texts."""
    apply = _OPERATORS.get(type(sign))
    numbers = type(left) in (int, float) and type(right) in (int, float)
    texts = type(left) is str and (
        (type(right) is str and isinstance(sign, ast.Add))
        or (type(right) is int and isinstance(sign, ast.Mult) and right * len(left) <= _MOST_ITEMS)
    )
    large = any(type(part) is int and abs(part) > _MOST_IN_ARITHMETIC for part in (left, right))
    if isinstance(sign, ast.Pow) and type(right) in (int, float):
        large = large or abs(right) > _MOST_EXPONENT  # type: ignore[arg-type]
    if apply is not None and (numbers or texts) and not large:
        try:
            result: Value = apply(left, right)
        except (ArithmeticError, ValueError):
            result = None
        if type(result) in (int, float, str):
            return result
    raise Unconvertible(f"`{_short(node)}` is no literal")


def _hashable(node: Node | None, scope: ConvertedScope) -> Value:
    if node is None:
        raise Unconvertible("a dict with `**` is no literal")
    value = _value(node, scope)
    try:
        hash(value)
    except TypeError:
        raise Unconvertible("a list, a dict or a set can't be a key") from None
    return value


def _short(node: Node) -> str:
    text = ast.unparse(node)
    return text if len(text) <= 60 else text[:57] + "..."


def _items(value: Value) -> int:
    return sum(1 for _ in parts(value))


def has_nan(value: Value) -> bool:
    return any(isinstance(part, float) and math.isnan(part) for part in parts(value))
