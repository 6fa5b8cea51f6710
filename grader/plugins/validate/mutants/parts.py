"""The parts of a module that can be reached by a name, and what each of them runs."""

import ast
import copy
from collections.abc import Iterable, Iterator
from dataclasses import dataclass

from grader.plugins.validate.mutants.code import FunctionNode, ModuleText


@dataclass(frozen=True, eq=False)
class SourcePart:
    """A part of the program that can be reached by its name."""

    module: ModuleText
    name: str
    node: ast.stmt
    body: tuple[ast.stmt, ...]
    owner: ast.ClassDef | None = None


def parts_of(module: ModuleText, node: ast.stmt) -> Iterator[SourcePart]:
    if isinstance(node, FunctionNode):
        yield SourcePart(module, node.name, node, tuple(node.body))
    elif isinstance(node, ast.ClassDef):
        own = tuple(each for each in node.body if not isinstance(each, FunctionNode))
        yield SourcePart(module, node.name, node, own, None)
        for each in node.body:
            if isinstance(each, FunctionNode):
                yield SourcePart(module, f"{node.name}.{each.name}", each, tuple(each.body), node)
    elif isinstance(node, ast.Assign | ast.AnnAssign | ast.AugAssign):
        targets = node.targets if isinstance(node, ast.Assign) else [node.target]
        names = [each.id for target in targets for each in ast.walk(target) if isinstance(each, ast.Name)]
        for name in names:
            yield SourcePart(module, name, node, (node,))
    elif not isinstance(node, ast.Import | ast.ImportFrom) and not is_main_guard(node):
        yield SourcePart(module, "", node, (node,))


def walk_code(part: SourcePart) -> Iterator[ast.AST]:
    """Yield the nodes of a part that run; not annotations, nor the methods of a class."""
    roots: list[ast.AST | None] = list(part.body)
    if isinstance(part.node, FunctionNode):
        roots += [*part.node.decorator_list, *part.node.args.defaults, *part.node.args.kw_defaults]
    elif isinstance(part.node, ast.ClassDef):
        roots += [*part.node.decorator_list, *part.node.bases]
    for root in roots:
        root = root.value if isinstance(root, ast.AnnAssign) else root
        yield from ast.walk(root) if root is not None else ()


def is_main_guard(node: ast.stmt) -> bool:
    return isinstance(node, ast.If) and any(
        isinstance(each, ast.Name) and each.id == "__name__" for each in ast.walk(node.test)
    )


def is_special(name: str) -> bool:
    method = name.rpartition(".")[2]
    return method.startswith("__") and method.endswith("__")


def fingerprint(node: ast.stmt) -> str:
    """Return a text that is equal for equal code, whatever its comments and docstrings are."""
    return ast.dump(ast.Module(list(_without_docstrings([node])), []))


def _without_docstrings(statements: Iterable[ast.stmt]) -> Iterator[ast.stmt]:
    for statement in statements:
        if isinstance(statement, FunctionNode | ast.ClassDef):
            plain = copy.copy(statement)
            plain.body = list(_without_docstrings(statement.body))
            yield plain
        elif not (isinstance(statement, ast.Expr) and isinstance(statement.value, ast.Constant)):
            yield statement
