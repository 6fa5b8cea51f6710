"""What the names of a file stand for while its tests run: those that its top binds once, and nothing else."""

import ast
from collections import Counter
from collections.abc import Iterator

from grader.plugins.convert.draft import Unconvertible
from grader.plugins.convert.python.imports import imported_by
from grader.plugins.convert.python.names import bound_by, declared
from grader.plugins.convert.python.scope import ConvertedScope
from grader.plugins.convert.values import read_value, shares


def scope_of(tree: ast.Module, notebook: str = "") -> ConvertedScope:
    """Return the names of a file: what it imports, and the literals that it names."""
    times = Counter(_bindings(tree))
    scope = ConvertedScope(notebook=notebook, bound=set(times))
    for statement in tree.body:
        for each in imported_by(statement):
            if each.attribute == "*":
                for name in {*scope.values, *scope.functions, *scope.modules, *scope.foreign}:
                    scope.bind(name)
            if times[each.name] == 1:
                scope.learn(each)
        match statement:
            case (
                ast.Assign(targets=[ast.Name(id=name)], value=value)
                | ast.AnnAssign(target=ast.Name(id=name), value=ast.expr() as value)
            ) if times[name] == 1 and not shares(value, scope.values):
                try:
                    scope.values[name] = read_value(value, scope)
                except Unconvertible:
                    continue
    return scope


def _bindings(tree: ast.Module) -> Iterator[str]:
    """Yield the names that are bound, once for each time; imports that say the same are one time."""
    known = {each for statement in tree.body for each in imported_by(statement)}
    yield from (each.name for each in known)
    yield from bound_by(each for each in tree.body if not isinstance(each, ast.Import | ast.ImportFrom))
    # Two more: a name that a function makes global is never bound once.
    yield from [*declared([tree])] * 2
