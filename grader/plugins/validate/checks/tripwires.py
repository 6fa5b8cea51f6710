"""Finds out which questions reach a function of the reference.

The function is replaced by one that ends the process at once; the cases that then fail reach it.
"""

import ast
from collections.abc import Iterable, Mapping

from grader.model.validation import Mutant

_END = "__import__('os')._exit(81)"

_DEFINITIONS = (ast.FunctionDef, ast.AsyncFunctionDef, ast.ClassDef)

Place = tuple[str, str]
"""A module, and the qualified name of a function or constant in it."""


def place_of(mutant: Mutant) -> Place:
    return mutant.module, mutant.function


def places_of(mutants: Iterable[Mutant]) -> list[Place]:
    """Return the places of mutants, each once, in their order."""
    return list(dict.fromkeys(map(place_of, mutants)))


def with_tripwire(sources: Mapping[str, str], place: Place) -> dict[str, str] | None:
    """Return a program that ends where it reaches a place; None where that cannot be told.

    A place that is no function is a name that the module's own code defines, such as a constant: a function
    that uses the name reaches it.
    """
    module, name = place
    if module not in sources or not name:
        return None
    tree = ast.parse(sources[module])
    functions = _functions_named(tree, name)
    if functions:
        return {**sources, module: _with_ends(tree, functions)}
    trees = {each: ast.parse(text) for each, text in sources.items()}
    using = {each: _functions_using(trees[each], name) for each in trees}
    if any(_is_used_outside(trees[each], name) for each in trees) or not any(using.values()):
        return None
    return {each: _with_ends(trees[each], using[each]) if using[each] else sources[each] for each in sources}


def _functions_named(tree: ast.Module, name: str) -> list[ast.AST]:
    """Return the function of a qualified name, in a list; empty where there is none."""
    found: ast.AST = tree
    for part in (part for part in name.split(".") if part != "<locals>"):
        inside = [node for node in ast.walk(found) if isinstance(node, _DEFINITIONS) and node.name == part]
        if not inside:
            return []
        found = inside[0]
    return [found]


def _functions_using(tree: ast.Module, name: str) -> list[ast.AST]:
    return [
        node
        for node in ast.walk(tree)
        if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef) and _uses(node, name)
    ]


def _uses(node: ast.AST, name: str) -> bool:
    return any(
        (isinstance(each, ast.Name) and each.id == name and isinstance(each.ctx, ast.Load))
        or (isinstance(each, ast.Attribute) and each.attr == name)
        for each in ast.walk(node)
    )


def _is_used_outside(tree: ast.Module, name: str) -> bool:
    """Tell whether the module's own code, or a class's, uses a name: then an import does."""
    waiting: list[ast.AST] = [tree]
    while waiting:
        for child in ast.iter_child_nodes(waiting.pop()):
            if isinstance(child, ast.FunctionDef | ast.AsyncFunctionDef):
                waiting += [*child.decorator_list, child.args]
            elif isinstance(child, ast.Name | ast.Attribute) and _uses(child, name):
                return True
            else:
                waiting.append(child)
    return False


def _with_ends(tree: ast.Module, functions: Iterable[ast.AST]) -> str:
    """Return a module in which the functions end the process."""
    for node in functions:
        assert isinstance(node, _DEFINITIONS)
        first = node.body[0]
        has_docstring = isinstance(first, ast.Expr) and isinstance(first.value, ast.Constant)
        place = int(has_docstring)
        node.body[place:place] = ast.parse(_END).body
    return ast.unparse(ast.fix_missing_locations(tree))
