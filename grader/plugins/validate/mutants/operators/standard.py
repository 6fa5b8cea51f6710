"""The standard faults of mutation testing: another operator, keyword, number or method.

The swaps are those of mutmut (BSD-3-Clause).  They are made here, so that a spec is tried by the same mutants
wherever it is validated.  Left out are mutmut's operators on texts, because they change messages that nobody
compares, and those that put None for arguments and values, because most such programs raise at once.
"""

import ast
import re
from cmath import isinf
from collections.abc import Iterator
from itertools import pairwise

from grader.plugins.validate.mutants.code import CodeFault, Edit, Unit

_SWAPS: dict[type[ast.AST], tuple[str, str]] = {
    ast.Add: ("operator", "-"),
    ast.Sub: ("operator", "+"),
    ast.Mult: ("operator", "/"),
    ast.Div: ("operator", "*"),
    ast.FloorDiv: ("operator", "/"),
    ast.Mod: ("operator", "/"),
    ast.LShift: ("operator", ">>"),
    ast.RShift: ("operator", "<<"),
    ast.BitAnd: ("operator", "|"),
    ast.BitOr: ("operator", "&"),
    ast.BitXor: ("operator", "&"),
    ast.Pow: ("operator", "*"),
    ast.Lt: ("operator", "<="),
    ast.LtE: ("operator", "<"),
    ast.Gt: ("operator", ">="),
    ast.GtE: ("operator", ">"),
    ast.Eq: ("operator", "!="),
    ast.NotEq: ("operator", "=="),
    ast.And: ("operator", "or"),
    ast.Or: ("operator", "and"),
    ast.Is: ("keyword", "is not"),
    ast.IsNot: ("keyword", "is"),
    ast.In: ("keyword", "not in"),
    ast.NotIn: ("keyword", "in"),
}
"""The kind of fault and the new operator, by the old one."""
_PAIRS = (
    ("lower", "upper"),
    ("lstrip", "rstrip"),
    ("find", "rfind"),
    ("ljust", "rjust"),
    ("index", "rindex"),
    ("removeprefix", "removesuffix"),
    ("partition", "rpartition"),
    ("split", "rsplit"),
)
_OTHER_METHOD = {one: other for pair in _PAIRS for one, other in (pair, pair[::-1])}
_COMMENT = re.compile(r"#[^\n]*")
_OPERATOR = re.compile(r"[ \t]*(is\s+not|not\s+in|[^\s()\\]+)[ \t]*")


def standard(unit: Unit) -> Iterator[CodeFault]:
    """Yield the standard faults, in the order of the source."""
    for node in unit.nodes:
        match node:
            case ast.BinOp(left=left, op=operator, right=right):
                yield from _swapped(unit, left, operator, right)
            case ast.AugAssign(target=target, op=operator, value=value):
                yield from _swapped(unit, target, operator, value, "=")
                yield CodeFault("assignment", (_exchanged(unit, target, value, "="),))
            case ast.BoolOp(op=operator, values=values):
                for left, right in pairwise(values):
                    yield from _swapped(unit, left, operator, right)
            case ast.Compare(left=first, ops=operators, comparators=others):
                for compared, (left, right) in zip(operators, pairwise([first, *others]), strict=True):
                    yield from _swapped(unit, left, compared, right)
            case ast.UnaryOp(op=ast.USub() | ast.UAdd() as sign_before):
                start, _ = unit.module.span(node)
                sign = "+" if isinstance(sign_before, ast.USub) else "-"
                yield CodeFault("operator", (Edit(start, start + 1, sign),))
            case ast.UnaryOp(op=ast.Not() | ast.Invert(), operand=operand):
                yield CodeFault("operator", (unit.put(node, operand),))
            case ast.Constant(value=bool(value)):
                yield CodeFault("constant", (unit.put(node, str(not value)),))
            case ast.Constant(value=int() | float() | complex() as number):
                more = number + 1j if isinstance(number, complex) else number + 1
                if not isinf(more):
                    yield CodeFault("number", (unit.put(node, ast.Constant(more)),))
            case ast.Break():
                yield CodeFault("keyword", (unit.put_statement(node, "return"),))
            case ast.Continue():
                yield CodeFault("keyword", (unit.put_statement(node, "break"),))
            case ast.Name(id="deepcopy") | ast.Attribute(attr="deepcopy"):
                yield CodeFault("constant", (_renamed(unit, node, "deepcopy", "copy"),))
            case ast.Call(func=ast.Attribute(attr=name) as method) if name in _OTHER_METHOD:
                # Without a limit, both ways to split give the same.
                if "split" not in name or _is_limited(node):
                    yield CodeFault("text-method", (_renamed(unit, method, name, _OTHER_METHOD[name]),))


def _swapped(
    unit: Unit, left: ast.expr, operator: ast.AST, right: ast.expr, end: str = ""
) -> Iterator[CodeFault]:
    """Yield the fault that puts the other operator between two operands."""
    if type(operator) in _SWAPS:
        kind, new = _SWAPS[type(operator)]
        yield CodeFault(kind, (_exchanged(unit, left, right, new + end),))


def _exchanged(unit: Unit, left: ast.expr, right: ast.expr, new: str) -> Edit:
    """Return the edit that puts another operator between two operands, with a blank on either side."""
    (_, start), (end, _) = unit.module.span(left), unit.module.span(right)
    between = _COMMENT.sub(lambda found: "(" * len(found[0]), unit.module.text[start:end])
    # Brackets stand there too, and line ends.
    found = _OPERATOR.search(between)
    assert found is not None
    return Edit(start + found.start(), start + found.end(), f" {new} ")


def _renamed(unit: Unit, node: ast.Name | ast.Attribute, old: str, new: str) -> Edit:
    _, end = unit.module.span(node)
    return Edit(end - len(old), end, new)


def _is_limited(call: ast.Call) -> bool:
    """Tell whether a text is split at most so many times."""
    names = {keyword.arg for keyword in call.keywords}
    return len(call.args) + len(call.keywords) == 2 or "maxsplit" in names
