"""Reads values, statements and expressions of a suite of TESTed as Python, which they are like.

The names of classes have capital letters in Python.
"""

import ast
from dataclasses import dataclass
from typing import Any

from grader.authoring.written import Raw
from grader.plugins.convert.comparisons import exactly
from grader.plugins.convert.draft import Unconvertible
from grader.values.walk import parts

_TYPES = frozenset(
    {
        *("int8", "uint8", "int16", "uint16", "int32", "uint32", "int64", "uint64", "bigint"),
        *("single_precision", "double_precision", "double_extended", "fixed_precision"),
        *("array", "list", "tuple", "set", "dictionary", "map", "object", "sequence"),
        *("char", "string", "text", "boolean", "integer", "real", "null", "undefined", "none"),
    }
)
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
    """Names classes as Python does, and leaves the module's own name out."""

    def __init__(self, module: str) -> None:
        self._module = module

    def visit_Attribute(self, node: ast.Attribute) -> ast.expr:
        if isinstance(node.value, ast.Name) and node.value.id in (self._module, "submission"):
            return ast.Name(node.attr, node.ctx)
        self.generic_visit(node)
        return node

    def visit_Call(self, node: ast.Call) -> ast.Call:
        self.generic_visit(node)
        if isinstance(node.func, ast.Name) and node.func.id[:1].isupper():
            parts = node.func.id.split("_")
            node.func = ast.Name("".join(part[:1].upper() + part[1:] for part in parts), ast.Load())
        return node


def step_of(text: str, module: str) -> tuple[dict[str, str | Raw], bool]:
    """Return the keys of a statement or an expression, and whether it has an answer.

    Raises `Unconvertible`.
    """
    try:
        (statement,) = ast.parse(text.strip()).body
    except (SyntaxError, ValueError, RecursionError, MemoryError):
        raise Unconvertible("it is no single statement of Python's") from None
    statement = _Names(module).visit(statement)
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
        case ast.Expr(value=ast.Call(func=ast.Name(id=name))) if name in _TYPES:
            raise Unconvertible(f"`{name}` is a type of TESTed's")
        case ast.Expr(value=ast.Call() as value):
            return {"call": ast.unparse(value)}, True
        case ast.Expr(value=ast.Attribute() | ast.Name() as value):
            return {"read": ast.unparse(value)}, True
    raise Unconvertible("it is neither a call nor a name")
