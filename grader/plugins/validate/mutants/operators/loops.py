"""Loops that end too early, and recursions that pass the wrong thing on."""

import ast
import copy
from collections.abc import Iterator

from grader.plugins.validate.mutants.code import CodeFault, Unit

_LEAVES = (ast.Return, ast.Raise, ast.Continue, ast.Break)


def early_end(unit: Unit) -> Iterator[CodeFault]:
    """Yield loops that end after their first turn, and loops that go on where they end."""
    for node in unit.nodes:
        match node:
            case ast.For(body=[*_, last]) | ast.While(body=[*_, last]) if not isinstance(last, _LEAVES):
                head = unit.text(node).partition("\n")[0]
                yield CodeFault("early-end", (unit.after(last, "break"),), f"only one turn of: {head}")
            case ast.Continue():
                yield CodeFault("loop-control", (unit.put_statement(node, "break"),))
            case ast.Break():
                yield CodeFault("loop-control", (unit.put_statement(node, "continue"),))
            case ast.YieldFrom(value=value):
                yield CodeFault("early-end", (unit.put(node, f"(yield next(iter({unit.text(value)})))"),))


def recursion(unit: Unit) -> Iterator[CodeFault]:
    """Yield recursions that pass on what they were given, and that are given what another call is."""
    calls = own_calls(unit)
    for node in calls:
        for argument, parameter in zip(node.args, unit.parameters, strict=False):
            if not isinstance(argument, ast.Starred):
                yield CodeFault("argument-kept", (unit.put(argument, parameter.arg),))
    for node in calls:
        for other in calls:
            if other is node or len(other.args) != len(node.args):
                continue
            for place, argument in enumerate(other.args):
                if ast.dump(argument) != ast.dump(node.args[place]):
                    yield CodeFault("argument-of-other-call", (unit.put(node.args[place], argument),))


def more_turns(unit: Unit) -> Iterator[CodeFault]:
    """Yield recursions that may choose again at each step, where the choice was made once.

    A function that calls itself in two ways, to go on and to choose something else, chooses as often as it
    likes if the second call is the first one with the other choice, such as
    `f(step[a](x), n - 1) | f(step[b](x), n - 1)`.
    """
    siblings = _siblings(unit)
    calls = own_calls(unit)
    for node in calls:
        for other in calls:
            if other is node:
                continue
            for name in dict.fromkeys(_names(other)):
                for sibling in siblings.get(name, ()):
                    new = _Renamed({name: sibling}).visit(copy.deepcopy(other))
                    yield CodeFault("more-turns", (unit.put(node, new),))


def own_calls(unit: Unit) -> list[ast.Call]:
    """Return the calls of the function in itself."""
    own = unit.name.rpartition(".")[2]
    return [
        node
        for node in unit.nodes
        if isinstance(node, ast.Call)
        and (
            (isinstance(node.func, ast.Name) and node.func.id == own and unit.owner is None)
            or (isinstance(node.func, ast.Attribute) and node.func.attr == own and unit.owner is not None)
        )
    ]


def _names(node: ast.AST) -> list[str]:
    return [each.id for each in ast.walk(node) if isinstance(each, ast.Name)]


def _siblings(unit: Unit) -> dict[str, list[str]]:
    """Return for each name those that are assigned together with it: `a, b = …`."""
    found: dict[str, list[str]] = {}
    for node in unit.nodes:
        if isinstance(node, ast.Tuple) and isinstance(node.ctx, ast.Store):
            names = [each.id for each in node.elts if isinstance(each, ast.Name)]
            for name in names:
                found[name] = [other for other in names if other != name]
    return found


class _Renamed(ast.NodeTransformer):
    """Puts other names for some."""

    def __init__(self, names: dict[str, str]) -> None:
        self._names = names

    def visit_Name(self, node: ast.Name) -> ast.Name:
        return ast.Name(self._names.get(node.id, node.id), node.ctx)
