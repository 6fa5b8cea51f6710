"""Methods that operators, statements and built-in functions call without their names."""

import ast
import re
from collections.abc import Iterator
from dataclasses import dataclass

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
    "floor float": "math.floor",
    "ceil float": "math.ceil",
    "trunc": "math.trunc",
    "copy": "copy.copy",
    "deepcopy": "copy.deepcopy",
    "gt lt": "max",
    "lt gt": "min",
} | {name: name for name in ("next", "reversed", "hash", "dir", "abs", "round", "complex")}
"""Names of methods, and the built-in functions that call the first of them that an object has."""
_BINARY = {
    ast.Add: "add", ast.Sub: "sub", ast.Mult: "mul", ast.MatMult: "matmul", ast.Div: "truediv",
    ast.FloorDiv: "floordiv", ast.Mod: "mod", ast.Pow: "pow", ast.LShift: "lshift", ast.RShift: "rshift",
    ast.BitAnd: "and", ast.BitOr: "or", ast.BitXor: "xor",
}  # fmt: skip
_UNARY = {ast.USub: "neg", ast.UAdd: "pos", ast.Invert: "invert", ast.Not: "bool len"}
_COMPARED = {
    ast.Eq: ("eq", "eq"), ast.NotEq: ("ne eq", "ne eq"), ast.Lt: ("lt", "gt"), ast.LtE: ("le", "ge"),
    ast.Gt: ("gt", "lt"), ast.GtE: ("ge", "le"),
    ast.In: ("_", "contains iter getitem"), ast.NotIn: ("_", "contains iter getitem"),
}  # fmt: skip
_CONVERSION = re.compile(r"%[#0 +\-\d.]*([a-zA-Z])")
_SHOWN = {"s": "str repr", "r": "repr", "a": "repr"}
"""The letters by which `%` shows an object, with the methods that it calls."""
_ITEMS = {ast.Load: "getitem", ast.Store: "setitem", ast.Del: "delitem"}


def of_builtin(name: str) -> list[str]:
    """Return the methods of its arguments that a built-in function calls, in the form of `implied_calls`."""
    return [_dunders(methods) for methods, names in _BUILTINS.items() if name in names.split()]


def _dunders(names: str) -> str:
    return " ".join(f"__{name}__" for name in names.split())


@dataclass(frozen=True, slots=True)
class Operation:
    """An operator between two operands.

    forward: names of methods of the left one, the first of which is called.
    reflected: those of the right one, which is asked where the left one has no answer.
    is_comparison: the right one is asked then even if both are of one class.
    """

    left: ast.expr
    right: ast.expr
    forward: str
    reflected: str
    is_comparison: bool


def operations(node: ast.AST) -> Iterator[Operation]:
    """Yield the operators of a node that ask both of their operands."""
    match node:
        case ast.BinOp(left=left, op=op, right=right):
            name = _BINARY[type(op)]
            yield Operation(left, right, _dunders(name), _dunders(f"r{name}"), False)
        case ast.AugAssign(target=target, op=op, value=value):
            name = _BINARY[type(op)]
            yield Operation(target, value, _dunders(f"i{name} {name}"), _dunders(f"r{name}"), False)
        case ast.Compare(left=left, ops=ops, comparators=others):
            for one, compared, other in zip([left, *others], ops, others, strict=False):
                if type(compared) in _COMPARED:
                    forward, reflected = map(_dunders, _COMPARED[type(compared)])
                    yield Operation(one, other, forward, reflected, True)


def implied_calls(node: ast.AST) -> Iterator[tuple[ast.expr, str]]:
    """Yield the expressions whose methods a node calls, each with names of which the first is called.

    What operators between two operands call is in `operations`.
    """
    match node:
        case ast.Compare(ops=ops, comparators=others):
            for compared, other in zip(ops, others, strict=True):
                if isinstance(compared, ast.In | ast.NotIn):
                    yield other, _dunders("contains iter getitem")
        case ast.BinOp(left=ast.Constant(value=str(text)), op=ast.Mod(), right=right):
            shown = right.elts if isinstance(right, ast.Tuple) else [right]
            letters = _CONVERSION.findall(text)
            # One object for several places is a tuple.
            if len(letters) == len(shown):
                pairs = zip(shown, letters, strict=True)
                yield from ((each, _dunders(_SHOWN[letter])) for each, letter in pairs if letter in _SHOWN)
        case ast.Call(func=ast.Attribute(value=ast.Constant(value=str()), attr="format"), args=shown):
            yield from ((each, _dunders("format str repr")) for each in shown)
        case ast.Call(func=ast.Attribute(value=value, attr="start")):
            # A thread's `start` calls its `run`.
            yield value, "start run"
        case ast.UnaryOp(op=op, operand=operand):
            yield operand, _dunders(_UNARY[type(op)])
        case ast.Subscript(value=value, slice=index, ctx=ctx):
            yield value, _dunders(_ITEMS[type(ctx)])
            yield from ((index, _dunders(name)) for name in ("index", "hash"))
        case ast.Slice(lower=lower, upper=upper, step=step):
            yield from ((each, _dunders("index")) for each in (lower, upper, step) if each is not None)
        case ast.For(iter=iterated) | ast.YieldFrom(value=iterated) | ast.Starred(value=iterated):
            yield from _iteration(iterated)
        case ast.Assign(targets=targets, value=value):
            if any(isinstance(target, ast.Tuple | ast.List) for target in targets):
                yield from _iteration(value)
        case ast.AsyncFor(iter=iterated):
            yield from _iteration(iterated, is_async=True)
        case ast.ListComp() | ast.SetComp() | ast.DictComp() | ast.GeneratorExp():
            yield from _comprehension(node)
        case ast.Set(elts=hashed):
            yield from ((each, _dunders("hash")) for each in hashed)
        case ast.Dict(keys=keys, values=values):
            for key, value in zip(keys, values, strict=True):
                yield from [(key, _dunders("hash"))] if key is not None else _mapping(value)
        case ast.keyword(arg=None, value=value):
            yield from _mapping(value)
        case ast.Await(value=value):
            yield value, _dunders("await")
        case ast.FormattedValue(value=value, conversion=conversion, format_spec=spec):
            # No default takes a format such as `:.1f`, so a number of a class of its own is no text first.
            default = "format" if spec is not None and conversion == -1 else "format str repr"
            yield value, _dunders("repr" if chr(conversion % 128) in "ra" else default)
        case ast.With(items=items) | ast.AsyncWith(items=items):
            names = ("aenter", "aexit") if isinstance(node, ast.AsyncWith) else ("enter", "exit")
            yield from ((item.context_expr, _dunders(name)) for item in items for name in names)
        case ast.BoolOp(values=values):
            yield from ((value, _dunders("bool len")) for value in values[:-1])
        case ast.If(test=test) | ast.While(test=test) | ast.IfExp(test=test) | ast.Assert(test=test):
            yield test, _dunders("bool len")
        case ast.match_case(guard=ast.expr() as test):
            yield test, _dunders("bool len")
        case ast.Match(subject=subject, cases=cases):
            if any(isinstance(part, ast.MatchValue) for case in cases for part in ast.walk(case.pattern)):
                yield subject, _dunders("eq")


def _iteration(iterated: ast.expr, is_async: bool = False) -> Iterator[tuple[ast.expr, str]]:
    for names in ("aiter", "anext") if is_async else ("iter getitem", "next"):
        yield iterated, _dunders(names)


def _mapping(value: ast.expr) -> Iterator[tuple[ast.expr, str]]:
    yield from ((value, _dunders(names)) for names in ("keys", "getitem"))


def _comprehension(
    node: ast.ListComp | ast.SetComp | ast.DictComp | ast.GeneratorExp,
) -> Iterator[tuple[ast.expr, str]]:
    for generator in node.generators:
        yield from _iteration(generator.iter, bool(generator.is_async))
        yield from ((test, _dunders("bool len")) for test in generator.ifs)
    if isinstance(node, ast.SetComp | ast.DictComp):
        yield node.elt if isinstance(node, ast.SetComp) else node.key, _dunders("hash")
