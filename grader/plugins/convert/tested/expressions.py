"""Reads values, statements and expressions of a suite of TESTed as Python, which they are like.

In TESTed's own language types are written as calls, and the names of classes have capital letters in Python.
A text in Python is taken as it stands.
"""

import ast
from dataclasses import dataclass
from typing import Any

from grader.authoring.written import Raw
from grader.plugins.convert.comparisons import exactly
from grader.plugins.convert.draft import Unconvertible
from grader.values.walk import parts

_SEQUENCES = frozenset({"array", "list", "sequence", "tuple", "set"})
_MAPS = frozenset({"dictionary", "map", "object"})
_PLAIN = frozenset(
    {
        *("int8", "uint8", "int16", "uint16", "int32", "uint32", "int64", "uint64", "bigint", "integer"),
        *("single_precision", "double_precision", "real", "char", "string", "text", "boolean"),
    }
)
"""Types that a literal has in Python without saying so."""
_OTHERS = frozenset({"double_extended", "fixed_precision", "nothing", "null", "undefined", "none"})
_TYPES = _SEQUENCES | _MAPS | _PLAIN | _OTHERS
"""Functions of a suite that only give a value a type."""
_DICTS = frozenset({"object", "map", "dictionary"})
"""Tags of a mapping that is a dict in Python."""
FLOAT = "1e-9"
"""TESTed compares floats by `math.isclose`."""


@dataclass(frozen=True, slots=True)
class Tagged:
    """A value with a tag of TESTed's own, such as `!oracle`."""

    tag: str
    value: Any


def returned(value: object) -> dict[str, str | Raw]:
    """Return the keys for an expected value.  Raises `Unconvertible`."""
    value = plain(value)
    keys = exactly(value)
    if isinstance(value, list | tuple | dict):
        keys["sequence"] = Raw("any")
    if any(type(part) is float for part in parts(value)):
        keys["rel"] = Raw(FLOAT)
    return keys


def plain(value: Any) -> Any:
    """Return an expected value without tags.  Raises `Unconvertible`."""
    match value:
        case Tagged(tag="expression", value=str(text)):
            try:
                return ast.literal_eval(text)
            except (ValueError, SyntaxError, MemoryError, RecursionError, TypeError):
                raise Unconvertible("the expected expression is no literal of Python's") from None
        case Tagged(tag=tag, value=dict(pairs)) if tag in _DICTS:
            return plain(pairs)
        case Tagged(tag=tag):
            raise Unconvertible(f"`!{tag}` has no counterpart")
        case dict(pairs):
            return {plain(key): plain(part) for key, part in pairs.items()}
        case list(parts):
            return [plain(part) for part in parts]
    return value


class _Names(ast.NodeTransformer):
    """Leaves the module's own name out; in TESTed's own language, also writes types and classes as Python.

    Raises `Unconvertible`.
    """

    def __init__(self, module: str, *, is_python: bool) -> None:
        self._module = module
        self._is_python = is_python

    def visit_Attribute(self, node: ast.Attribute) -> ast.expr:
        if isinstance(node.value, ast.Name) and node.value.id in (self._module, "submission"):
            return ast.Name(node.attr, node.ctx)
        self.generic_visit(node)
        return node

    def visit_Name(self, node: ast.Name) -> ast.expr:
        is_nothing = node.id in ("Null", "Undefined") and not self._is_python
        return ast.Constant(None) if is_nothing else node

    def visit_Call(self, node: ast.Call) -> ast.expr:
        name = node.func.id if isinstance(node.func, ast.Name) and not self._is_python else ""
        self.generic_visit(node)
        if name in _TYPES:
            return _typed(name, node)
        if name[:1].isupper():
            parts = name.split("_")
            node.func = ast.Name("".join(part[:1].upper() + part[1:] for part in parts), ast.Load())
        return node


def _typed(name: str, call: ast.Call) -> ast.expr:
    """Return the value that a type is given to, as Python has it.  Raises `Unconvertible`."""
    match call.args:
        case [ast.Constant() | ast.UnaryOp() as value] if name in _PLAIN:
            return value
        case [ast.Dict() as value] if name in _MAPS:
            return value
        case [] if name in _MAPS:
            return ast.Dict([], [])
        case [] if name in _SEQUENCES:
            return _display(name, [])
        case [ast.List(elts=parts) | ast.Tuple(elts=parts) | ast.Set(elts=parts)] if name in _SEQUENCES:
            return _display(name, parts)
    raise Unconvertible(f"`{name}` is a type of TESTed's")


def _display(name: str, parts: list[ast.expr]) -> ast.expr:
    match name:
        case "tuple":
            return ast.Tuple(parts, ast.Load())
        case "set":
            # Python has no display of an empty set.
            return ast.Set(parts) if parts else ast.Call(ast.Name("set", ast.Load()), [], [])
    return ast.List(parts, ast.Load())


def step_of(text: str, module: str, *, is_python: bool = False) -> tuple[dict[str, str | Raw], bool]:
    """Return the keys of a statement or an expression, and whether it has an answer.

    is_python: its language is Python, not TESTed's own.  Raises `Unconvertible`.
    """
    try:
        (statement,) = ast.parse(text.strip()).body
    except (SyntaxError, ValueError, RecursionError, MemoryError):
        raise Unconvertible("it is no single statement of Python's") from None
    match statement:
        case ast.Expr(value=ast.Call(func=ast.Name(id=name))) if name in _TYPES and not is_python:
            raise Unconvertible(f"`{name}` is a type of TESTed's")
    statement = _Names(module, is_python=is_python).visit(statement)
    match statement:
        case (
            ast.Assign(targets=[ast.Name(id=name)], value=value)
            | ast.AnnAssign(target=ast.Name(id=name), value=ast.expr() as value)
        ):
            if not isinstance(value, ast.Call):
                raise Unconvertible("it gives data a name")
            is_made = isinstance(value.func, ast.Name) and value.func.id[:1].isupper()
            return {"new" if is_made else "call": ast.unparse(value), "as": Raw(name)}, not is_made
        case ast.Assign(targets=[ast.Attribute()]):
            return {"call": ast.unparse(statement)}, False
        case ast.Expr(value=ast.Call() as value):
            return {"call": ast.unparse(value)}, True
        case ast.Expr(value=ast.Attribute() | ast.Name() as value):
            return {"read": ast.unparse(value)}, True
    raise Unconvertible("it is neither a call nor a name")
