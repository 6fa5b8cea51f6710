"""Swapped: the two of a pair, two arguments, two loops, two fields."""

import ast
import copy
from collections.abc import Iterator
from itertools import pairwise

from grader.plugins.validate.mutants.code import CodeFault, Unit


def swapped(unit: Unit) -> Iterator[CodeFault]:
    """Yield faults that take one of two for the other: x for y, a row for a column."""
    for node in unit.nodes:
        match node:
            case ast.Tuple(elts=[first, second]) if ast.dump(first) != ast.dump(second):
                starred = isinstance(first, ast.Starred) or isinstance(second, ast.Starred)
                if not starred and not _is_searched(unit, node):
                    yield CodeFault("swapped-pair", (unit.put(first, second), unit.put(second, first)))
            case ast.Call(func=function, args=[_, _, *_] as arguments):
                if _name_of(function) in unit.functions:
                    for one, other in pairwise(arguments):
                        if ast.dump(one) != ast.dump(other):
                            edits = (unit.put(one, other), unit.put(other, one))
                            yield CodeFault("swapped-arguments", edits)
            case ast.ListComp(generators=[_, _, *_]) | ast.GeneratorExp(generators=[_, _, *_]):
                new = copy.deepcopy(node)
                new.generators.reverse()
                yield CodeFault("swapped-loops", (unit.put(node, new),))


def _is_searched(unit: Unit, node: ast.AST) -> bool:
    """Tell whether a tuple is what `in` looks through, so that its order does not matter."""
    above = unit.parents.get(node)
    return (
        isinstance(above, ast.Compare)
        and isinstance(above.ops[-1], ast.In | ast.NotIn)
        and above.left is not node
    )


def fields(unit: Unit) -> Iterator[CodeFault]:
    """Yield faults that look at another field of the same object."""
    found = _fields(unit)
    for node in unit.nodes:
        if isinstance(node, ast.Attribute) and isinstance(node.ctx, ast.Load):
            for other in found.get(node.attr, ()):
                yield CodeFault(
                    "other-field", (unit.put(node, ast.Attribute(node.value, other, ast.Load())),)
                )


def _fields(unit: Unit) -> dict[str, list[str]]:
    """Return for each field the next one of its class, or of its pair."""
    found = {"real": ["imag"], "imag": ["real"]}
    for node in ast.walk(unit.module.tree):
        if isinstance(node, ast.ClassDef):
            names = list(dict.fromkeys(_fields_of(node)))
            for name, following in zip(names, names[1:] + names[:1], strict=True):
                if name != following:
                    found[name] = [following]
    return found


def _fields_of(node: ast.ClassDef) -> Iterator[str]:
    for each in ast.walk(node):
        match each:
            case ast.AnnAssign(target=ast.Name(id=name)):
                yield name
            case ast.Attribute(value=ast.Name(id="self"), attr=name, ctx=ast.Store()):
                yield name


def _name_of(function: ast.expr) -> str:
    match function:
        case ast.Name(id=name) | ast.Attribute(attr=name):
            return name
    return ""
