"""The code that can run: without the statements after a `return`, and what `if False` keeps out.

A test counts as decided if it is made of constants, or of names that are bound once, to a constant.  All
other code counts as code that can run.
"""

import ast
import operator
from collections.abc import Callable, Iterator
from typing import Any

from grader.rules.source.scopes import Bound, FunctionNode, Scope

_COMPARE: dict[type[ast.cmpop], Callable[[Any, Any], Any]] = {
    ast.Eq: operator.eq, ast.NotEq: operator.ne, ast.Lt: operator.lt, ast.LtE: operator.le,
    ast.Gt: operator.gt, ast.GtE: operator.ge, ast.Is: operator.is_, ast.IsNot: operator.is_not,
}  # fmt: skip
_LAZY = frozenset({"TypeAlias", "TypeVar", "ParamSpec", "TypeVarTuple"})
"""Nodes since Python 3.12 whose parts run only where somebody asks for them."""
_EMPTY_BY_CALL = frozenset({"list", "tuple", "set", "dict", "str"})


def live_nodes(root: FunctionNode | ast.ClassDef | ast.Module, scope: Scope) -> Iterator[ast.AST]:
    """Yield the nodes that can run when a function or module runs, but not those of functions within it."""
    body = [root.body] if isinstance(root, ast.Lambda) else _live(root.body, scope)
    waiting: list[ast.AST] = list(body)
    while waiting:
        node = waiting.pop()
        if _never_runs(node, scope):
            waiting += _live(getattr(node, "orelse", []), scope)
            continue
        yield node
        waiting += _parts(node, scope)


def _parts(node: ast.AST, scope: Scope) -> Iterator[ast.AST]:
    if type(node).__name__ in _LAZY:
        return
    match node:
        case ast.FunctionDef() | ast.AsyncFunctionDef() | ast.Lambda():
            yield from (*node.args.defaults, *filter(None, node.args.kw_defaults))
            yield from getattr(node, "decorator_list", ())
        case ast.AnnAssign(target=target, value=value) if isinstance(scope.node, FunctionNode):
            # Python evaluates no annotation of a local variable.
            yield target
            if value is not None:
                yield value
        case ast.If(test=test) | ast.IfExp(test=test) if (taken := truth(test, scope)) is not None:
            yield test
            branch = node.body if taken else node.orelse
            yield from _live(branch, scope) if isinstance(branch, list) else [branch]
        case ast.BoolOp(op=op, values=values):
            for value in values:
                yield value
                if truth(value, scope) is isinstance(op, ast.Or):
                    break
        case _:
            for _, value in ast.iter_fields(node):
                if isinstance(value, ast.AST):
                    yield value
                elif isinstance(value, list):
                    parts = [part for part in value if isinstance(part, ast.AST)]
                    yield from _live(parts, scope)


def _live(body: list[Any], scope: Scope) -> Iterator[ast.AST]:
    """Yield the parts of a list up to the statement after which no other one runs."""
    for node in body:
        yield node
        if isinstance(node, ast.stmt) and _ends(node, scope):
            return


def _ends(node: ast.stmt, scope: Scope) -> bool:
    """Tell whether the statements after this one never run."""
    match node:
        case ast.Return() | ast.Raise() | ast.Break() | ast.Continue():
            return True
        case ast.Assert(test=test):
            return truth(test, scope) is False
        case ast.If(test=test, body=body, orelse=orelse):
            taken = truth(test, scope)
            return (taken is False or _any_ends(body, scope)) and (taken is True or _any_ends(orelse, scope))
        case ast.While(test=test):
            return truth(test, scope) is True and not any(isinstance(n, ast.Break) for n in ast.walk(node))
        case ast.Try(body=body, handlers=handlers, orelse=orelse, finalbody=final):
            whole = _any_ends([*body, *orelse], scope) and all(_any_ends(h.body, scope) for h in handlers)
            return whole or _any_ends(final, scope)
    return False


def _any_ends(body: list[ast.stmt], scope: Scope) -> bool:
    return any(_ends(node, scope) for node in body)


def _never_runs(node: ast.AST, scope: Scope) -> bool:
    """Tell whether a loop or comprehension has nothing to go through."""
    match node:
        case ast.While(test=test):
            return truth(test, scope) is False
        case ast.For(iter=iterated) | ast.AsyncFor(iter=iterated):
            return _is_empty(iterated)
        case ast.ListComp() | ast.SetComp() | ast.DictComp() | ast.GeneratorExp():
            return _is_empty(node.generators[0].iter)
    return False


def _is_empty(node: ast.expr) -> bool:
    match node:
        case ast.List(elts=items) | ast.Tuple(elts=items) | ast.Dict(keys=items):
            return not items
        case ast.Constant(value=value):
            return value in ("", b"")
        case ast.Call(func=ast.Name(id="range"), args=[ast.Constant(value=int(stop))]):
            return stop <= 0
        case ast.Call(func=ast.Name(id=name), args=[], keywords=[]):
            return name in _EMPTY_BY_CALL
    return False


def truth(node: ast.expr, scope: Scope) -> bool | None:
    """Return the value of a test, None if it is not known."""
    match node:
        case ast.Constant(value=value):
            return bool(value)
        case ast.List(elts=[]) | ast.Tuple(elts=[]) | ast.Dict(keys=[]):
            return False
        case ast.UnaryOp(op=ast.Not(), operand=operand):
            taken = truth(operand, scope)
            return None if taken is None else not taken
        case ast.BoolOp(op=op, values=values):
            found = [truth(value, scope) for value in values]
            decides = isinstance(op, ast.Or)
            return decides if decides in found else None if None in found else not decides
        case ast.Compare(left=ast.Constant(value=one), ops=[op], comparators=[ast.Constant(value=other)]):
            return _compared(one, op, other)
        case ast.Name(id=name):
            bindings = scope.find(name)
            if len(bindings) == 1 and bindings[0].kind is Bound.VALUE:
                bound = bindings[0].node
                return bool(bound.value) if isinstance(bound, ast.Constant) else None
    return None


def _compared(one: object, op: ast.cmpop, other: object) -> bool | None:
    compare = _COMPARE.get(type(op))
    try:
        return bool(compare(one, other)) if compare is not None else None
    except TypeError:
        return None
