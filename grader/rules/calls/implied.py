"""Methods that operators, statements and built-in functions call without their names."""

import ast
from collections.abc import Iterator

_BUILTINS_BY_METHOD = {
    "str": "str print format",
    "repr": "str repr print format ascii",
    "format": "format",
    "iter": "iter bytes bytearray list tuple set frozenset dict sum min max any all sorted enumerate zip map "
    "filter",
    "next": "next",
    "keys": "dict",
    "reversed": "reversed",
    "len": "len bool list tuple",
    "bool": "bool",
    "hash": "hash",
    "dir": "dir",
    "abs": "abs",
    "round": "round",
    "divmod": "divmod",
    "rdivmod": "divmod",
    "pow": "pow",
    "rpow": "pow",
    "int": "int",
    "trunc": "int",
    "float": "float complex",
    "complex": "complex",
    "index": "int float complex range chr bin oct hex bytes bytearray",
}

BY_BUILTIN: dict[str, list[str]] = {}
"""The methods of their arguments that built-in functions call."""

for _method, _names in _BUILTINS_BY_METHOD.items():
    for _name in _names.split():
        BY_BUILTIN.setdefault(f"builtins.{_name}", []).append(f"__{_method}__")

_BINARY = {
    ast.Add: "add", ast.Sub: "sub", ast.Mult: "mul", ast.MatMult: "matmul", ast.Div: "truediv",
    ast.FloorDiv: "floordiv", ast.Mod: "mod", ast.Pow: "pow", ast.LShift: "lshift", ast.RShift: "rshift",
    ast.BitAnd: "and", ast.BitOr: "or", ast.BitXor: "xor",
}  # fmt: skip
_UNARY = {ast.USub: "__neg__", ast.UAdd: "__pos__", ast.Invert: "__invert__", ast.Not: "__bool__"}
_COMPARED = {
    ast.Eq: ("__eq__", "__eq__"), ast.NotEq: ("__ne__", "__ne__"), ast.Lt: ("__lt__", "__gt__"),
    ast.LtE: ("__le__", "__ge__"), ast.Gt: ("__gt__", "__lt__"), ast.GtE: ("__ge__", "__le__"),
    ast.In: ("", "__contains__"), ast.NotIn: ("", "__contains__"),
}  # fmt: skip


def implied_calls(node: ast.AST) -> Iterator[tuple[ast.expr, str]]:
    """Yield the expressions whose methods a node calls, each with the name of the method."""
    match node:
        case ast.BinOp(left=left, op=op, right=right):
            yield left, f"__{_BINARY[type(op)]}__"
            yield right, f"__r{_BINARY[type(op)]}__"
        case ast.AugAssign(target=target, op=op, value=value):
            yield target, f"__i{_BINARY[type(op)]}__"
            yield target, f"__{_BINARY[type(op)]}__"
            yield value, f"__r{_BINARY[type(op)]}__"
        case ast.UnaryOp(op=op, operand=operand):
            yield operand, _UNARY[type(op)]
        case ast.Compare(left=left, ops=ops, comparators=others):
            for one, compared, other in zip([left, *others], ops, others, strict=False):
                forward, backward = _COMPARED.get(type(compared), ("", ""))
                yield one, forward
                yield other, backward
        case ast.Subscript(value=value, ctx=ast.Load()):
            yield value, "__getitem__"
        case ast.Subscript(value=value, ctx=ast.Store()):
            yield value, "__setitem__"
        case ast.Subscript(value=value):
            yield value, "__delitem__"
        case ast.For(iter=iterated) | ast.YieldFrom(value=iterated) | ast.comprehension(iter=iterated):
            yield iterated, "__iter__"
            yield iterated, "__next__"
        case ast.FormattedValue(value=value):
            yield from ((value, name) for name in ("__format__", "__str__", "__repr__"))
        case ast.With(items=items):
            for item in items:
                yield item.context_expr, "__enter__"
                yield item.context_expr, "__exit__"
        case ast.If(test=test) | ast.While(test=test) | ast.IfExp(test=test) | ast.Assert(test=test):
            yield test, "__bool__"
