"""Rules on what a module says about itself: docstrings and type hints."""

import ast
from collections.abc import Iterator

from grader.rules.source.modules import Module, RuleHit
from grader.rules.source.scopes import all_parameters

_Defined = ast.FunctionDef | ast.AsyncFunctionDef | ast.ClassDef
_UNTYPED = ("", "...")
"""Annotations that say nothing."""


def docstrings(modules: list[Module], wanted: list[str], functions: list[str]) -> list[RuleHit]:
    """Find what has no docstring.  wanted: some of `module`, `classes` and `functions`."""
    found = []
    for module in modules:
        if "module" in wanted and not functions and not _says(module.tree):
            found.append(RuleHit(module.name, 1, "the module has no docstring"))
        for name, node in _asked(module, functions):
            is_class = isinstance(node, ast.ClassDef)
            if _is_told_elsewhere(node):
                continue
            if ("classes" if is_class else "functions") in wanted and not _says(node):
                what = "the class " if is_class else ""
                found.append(RuleHit(module.name, node.lineno, f"{what}`{name}` has no docstring"))
        found += _absent(module, functions)
    return found


def type_hints(modules: list[Module], functions: list[str]) -> list[RuleHit]:
    """Find functions with parameters without a type, or that do not say what they return."""
    found = []
    for module in modules:
        for name, node in _asked(module, functions, with_init=True):
            if not isinstance(node, ast.ClassDef):
                lacks = list(_without_type(node, is_method="." in name))
                if lacks:
                    message = f"`{name}` has no type hint for {', '.join(lacks)}"
                    found.append(RuleHit(module.name, node.lineno, message))
        found += _absent(module, functions)
    return found


def _is_told_elsewhere(node: _Defined) -> bool:
    """Tell whether another function has the docstring: of an overload, or of the setter of a property."""
    for each in node.decorator_list:
        if isinstance(each, ast.Attribute) and isinstance(each.value, ast.Name):
            if each.attr in ("setter", "deleter") and each.value.id == node.name:
                return True
            if each.attr == "overload":
                return True
        elif isinstance(each, ast.Name) and each.id == "overload":
            return True
    return False


def _says(node: ast.Module | _Defined) -> bool:
    return bool((ast.get_docstring(node) or "").strip())


def _asked(
    module: Module, functions: list[str], *, with_init: bool = False
) -> Iterator[tuple[str, _Defined]]:
    """Yield the functions of these names; without names all public functions, methods and classes."""
    for name, node in _defined(module.tree, ""):
        last = name.rpartition(".")[2]
        if functions:
            if name in functions or (last in functions and not isinstance(node, ast.ClassDef)):
                yield name, node
        elif not any(part.startswith("_") for part in name.split(".")) or (
            with_init and last == "__init__" and not name.startswith("_")
        ):
            yield name, node


def _defined(node: ast.AST, prefix: str) -> Iterator[tuple[str, _Defined]]:
    """Yield functions and classes with their qualified names, but not those within functions."""
    for child in ast.iter_child_nodes(node):
        if isinstance(child, _Defined):
            yield prefix + child.name, child
            if isinstance(child, ast.ClassDef):
                yield from _defined(child, f"{prefix}{child.name}.")
        elif isinstance(child, ast.stmt | ast.ExceptHandler | ast.match_case):
            yield from _defined(child, prefix)


def _without_type(node: ast.FunctionDef | ast.AsyncFunctionDef, *, is_method: bool) -> Iterator[str]:
    decorators = {getattr(each, "id", "") for each in node.decorator_list}
    own = 1 if is_method and "staticmethod" not in decorators else 0
    positional = {id(each) for each in [*node.args.posonlyargs, *node.args.args][:own]}
    for parameter in all_parameters(node.args):
        if id(parameter) not in positional and not _is_type(parameter.annotation):
            yield f"`{parameter.arg}`"
    if node.name != "__init__" and not _is_type(node.returns):
        yield "what it returns"


def _is_type(annotation: ast.expr | None) -> bool:
    match annotation:
        case None:
            return False
        case ast.Constant(value=None):
            return True
        case ast.Constant(value=str(text)):
            return text.strip() not in _UNTYPED
        case ast.Constant() | ast.List() | ast.Dict() | ast.Lambda():
            return False
    return True


def _absent(module: Module, functions: list[str]) -> Iterator[RuleHit]:
    names = {name for name, _ in _defined(module.tree, "")}
    names |= {name.rpartition(".")[2] for name in names}
    yield from (
        RuleHit(module.name, 0, f"there is no function `{name}`") for name in functions if name not in names
    )
