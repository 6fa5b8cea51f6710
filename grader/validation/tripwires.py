"""Finds out which questions reach a function of the reference.

The function is replaced by one that ends the process at once; the cases that then fail reach it.
"""

import ast
from collections.abc import Iterable, Mapping

from grader.model.validation import Mutant

_END = "__import__('os')._exit(81)"

Place = tuple[str, str]
"""A module and the qualified name of a function in it; empty for the module's own code."""


def place_of(mutant: Mutant) -> Place:
    return mutant.module, mutant.function


def places_of(mutants: Iterable[Mutant]) -> list[Place]:
    """Return the places of mutants, each once, in their order."""
    return list(dict.fromkeys(map(place_of, mutants)))


def with_tripwire(sources: Mapping[str, str], place: Place) -> dict[str, str] | None:
    """Return a program that ends where it reaches a place; None where there is no such place."""
    module, function = place
    if module not in sources:
        return None
    tree = ast.parse(sources[module])
    body = tree.body if not function else _body_of(tree, function)
    if body is None:
        return None
    after = sum(isinstance(each, ast.ImportFrom) and each.module == "__future__" for each in body)
    has_docstring = isinstance(body[0], ast.Expr) and isinstance(body[0].value, ast.Constant)
    body[after + has_docstring : after + has_docstring] = ast.parse(_END).body
    return {**sources, module: ast.unparse(ast.fix_missing_locations(tree))}


def _body_of(tree: ast.Module, function: str) -> list[ast.stmt] | None:
    """Return the statements of a function or class, by its qualified name."""
    node: ast.AST = tree
    for name in (name for name in function.split(".") if name != "<locals>"):
        inside = [
            child
            for child in ast.walk(node)
            if isinstance(child, ast.FunctionDef | ast.AsyncFunctionDef | ast.ClassDef) and child.name == name
        ]
        if not inside:
            return None
        node = inside[0]
    return getattr(node, "body", None)
