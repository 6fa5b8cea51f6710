"""Looks in a plugin's source for imports of the grader's inside, which any version may change."""

import ast
from collections.abc import Iterator
from dataclasses import dataclass

from grader.registry.identity import files_of
from grader.registry.installed import Plugin


@dataclass(frozen=True, slots=True)
class InsideImport:
    """An import of what is not `grader.api`.  file: below the folder of the package."""

    file: str
    line: int
    module: str


def inside_imports(plugin: Plugin) -> list[InsideImport]:
    """Return the imports of a plugin that no version of `grader.api` promises, in the order of its files."""
    found = []
    for folder, path in files_of(plugin):
        if path.suffix != ".py":
            continue
        try:
            tree = ast.parse(path.read_bytes())
        except (OSError, SyntaxError, ValueError, RecursionError):
            continue  # its import tells
        name = path.relative_to(folder.parent).as_posix()
        inside = ((line, module) for line, module in _imports(tree) if _is_inside(module))
        found += [InsideImport(name, line, module) for line, module in inside]
    return found


def _imports(tree: ast.AST) -> Iterator[tuple[int, str]]:
    """Yield line and module of each import, at any level."""
    for node in ast.walk(tree):
        if isinstance(node, ast.Import):
            yield from ((node.lineno, alias.name) for alias in node.names)
        elif isinstance(node, ast.ImportFrom) and not node.level:
            module = node.module or ""
            # `from grader import api` names the module as a part.
            names = [f"{module}.{alias.name}" for alias in node.names] if module == "grader" else [module]
            yield from ((node.lineno, name) for name in names)


def _is_inside(module: str) -> bool:
    top, _, inside = module.partition(".")
    return top == "grader" and inside.partition(".")[0] != "api"
