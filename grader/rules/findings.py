"""What a rule found, and the modules it looked at."""

import ast
from collections.abc import Iterator
from dataclasses import dataclass

from grader.rules.scopes import Scope


@dataclass(frozen=True, slots=True)
class Module:
    """A module of the submission that could be parsed.

    file: its name for people.
    siblings: names of all modules of the submission.
    """

    name: str
    file: str
    text: str
    tree: ast.Module
    scope: Scope
    siblings: frozenset[str]


@dataclass(frozen=True, slots=True, order=True)
class Found:
    """One place where a rule is broken.  line: 0 for the module as a whole."""

    module: str
    line: int
    message: str


def every_node(module: Module) -> Iterator[tuple[ast.AST, Scope]]:
    """Yield all nodes of a module, each with its scope."""
    for scope in module.scope.walk():
        for node in scope.nodes:
            yield node, scope


def line_of(node: ast.AST) -> int:
    """Return the line of a node; 0 for one that has none."""
    line = getattr(node, "lineno", 0)
    return line if isinstance(line, int) else 0
