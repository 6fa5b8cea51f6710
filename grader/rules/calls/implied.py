"""Methods that operators, statements and built-in functions call without their names."""

import ast
from collections.abc import Iterator

_BUILTINS = {
    "str repr": "str print",
    "repr": "repr ascii",
    "format str repr": "format",
    "iter": "iter bytes bytearray list tuple set frozenset dict sum min max any all sorted enumerate zip map "
    "filter",
    "keys": "dict",
    "len": "len list tuple",
    "bool len": "bool",
    "int index trunc": "int",
    "float index": "float complex",
    "index": "range chr bin oct hex bytes bytearray",
    "pow rpow": "pow",
    "divmod rdivmod": "divmod",
} | {name: name for name in ("next", "reversed", "hash", "dir", "abs", "round", "complex")}
"""Names of methods, and the built-in functions that call the first of them that an object has."""
_BINARY = {
    ast.Add: "add", ast.Sub: "sub", ast.Mult: "mul", ast.MatMult: "matmul", ast.Div: "truediv",
    ast.FloorDiv: "floordiv", ast.Mod: "mod", ast.Pow: "pow", ast.LShift: "lshift", ast.RShift: "rshift",
    ast.BitAnd: "and", ast.BitOr: "or", ast.BitXor: "xor",
}  # fmt: skip
_UNARY = {ast.USub: "neg", ast.UAdd: "pos", ast.Invert: "invert", ast.Not: "bool len"}
_COMPARED = {
    ast.Eq: ("eq", "eq"), ast.NotEq: ("ne", "ne"), ast.Lt: ("lt", "gt"), ast.LtE: ("le", "ge"),
    ast.Gt: ("gt", "lt"), ast.GtE: ("ge", "le"),
    ast.In: ("_", "contains iter getitem"), ast.NotIn: ("_", "contains iter getitem"),
}  # fmt: skip
_ITEMS = {ast.Load: "getitem", ast.Store: "setitem", ast.Del: "delitem"}


def of_builtin(name: str) -> list[str]:
    """Return the methods of its arguments that a built-in function calls, in the form of `implied_calls`."""
    return [_dunders(methods) for methods, names in _BUILTINS.items() if name in names.split()]


def _dunders(names: str) -> str:
    return " ".join(f"__{name}__" for name in names.split())


def implied_calls(node: ast.AST) -> Iterator[tuple[ast.expr, str]]:
    """Yield the expressions whose methods a node calls, each with names of which the first is called."""
    match node:
        case ast.BinOp(left=left, op=op, right=right):
            yield left, _dunders(_BINARY[type(op)])
            yield right, _dunders(f"r{_BINARY[type(op)]}")
        case ast.AugAssign(target=target, op=op, value=value):
            yield target, _dunders(f"i{_BINARY[type(op)]} {_BINARY[type(op)]}")
            yield value, _dunders(f"r{_BINARY[type(op)]}")
        case ast.UnaryOp(op=op, operand=operand):
            yield operand, _dunders(_UNARY[type(op)])
        case ast.Compare(left=left, ops=ops, comparators=others):
            for one, compared, other in zip([left, *others], ops, others, strict=False):
                if type(compared) in _COMPARED:
                    forward, backward = _COMPARED[type(compared)]
                    yield one, _dunders(forward)
                    yield other, _dunders(backward)
        case ast.Subscript(value=value, ctx=ctx):
            yield value, _dunders(_ITEMS[type(ctx)])
        case ast.For(iter=iterated) | ast.YieldFrom(value=iterated) | ast.comprehension(iter=iterated):
            yield iterated, _dunders("iter getitem")
            yield iterated, _dunders("next")
        case ast.FormattedValue(value=value, conversion=conversion):
            yield value, _dunders("repr" if chr(conversion % 128) in "ra" else "format str repr")
        case ast.With(items=items):
            for item in items:
                yield item.context_expr, _dunders("enter")
                yield item.context_expr, _dunders("exit")
        case ast.If(test=test) | ast.While(test=test) | ast.IfExp(test=test) | ast.Assert(test=test):
            yield test, _dunders("bool len")
