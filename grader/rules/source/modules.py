"""A module of a submission as the rules see it, and a place that they find in it."""

import ast
import importlib.util
import sys
import warnings
from collections.abc import Iterator
from dataclasses import dataclass
from typing import NoReturn

from grader.rules.source.scopes import Scope
from grader.wire import notebook
from grader.wire.source_text import source_of

_USUAL_LEVELS = 1000
_DEEP_LEVELS = 20_000
"""Recursion limit for our own walks over a tree, which use the interpreter's frames, not the C stack."""


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
class RuleHit:
    """One place where a rule is broken.

    line: 0 for the module as a whole.
    decided: False if the source does not tell whether the rule is broken there.
    """

    module: str
    line: int
    message: str
    decided: bool = True


class NotPython(Exception):
    """The text is not Python, so it cannot run either.  line: 0 if that is not known."""

    def __init__(self, line: int, message: str) -> None:
        super().__init__(message)
        self.line = line


class TooComplex(Exception):
    """The text may be valid Python, but it is too complex to be examined."""


def words(text: str) -> frozenset[str]:
    return frozenset(text.split())


def every_node(module: Module) -> Iterator[tuple[ast.AST, Scope]]:
    """Yield all nodes of a module, each with its scope."""
    for scope in module.scope.walk():
        for node in scope.nodes:
            yield node, scope


def line_of(node: ast.AST) -> int:
    """Return the line of a node, 0 if it has none."""
    line = getattr(node, "lineno", 0)
    return line if isinstance(line, int) else 0


def lines_of_program(tree: ast.Module) -> set[int]:
    """Return the lines that run only where the module is the program."""
    lines: set[int] = set()
    for node in tree.body:
        if isinstance(node, ast.If) and _asks_for_program(node.test):
            first, last = node.body[0], node.body[-1]
            lines.update(range(first.lineno, (last.end_lineno or last.lineno) + 1))
    return lines


def _asks_for_program(test: ast.expr) -> bool:
    """Tell whether a condition is met only where the module is the program."""
    match test:
        case ast.BoolOp(op=ast.And(), values=values):
            return any(map(_asks_for_program, values))
        case ast.Compare(left=left, ops=[ast.Eq()], comparators=[right]):
            sides = {ast.unparse(side) for side in (left, right)}
            return sides == {"__name__", "'__main__'"}
    return False


def decoded(text: str, file: str) -> str:
    """Return a text that Python must decode as what it says to Python; any other text as it is.

    Whoever runs the module runs this text too: a program can exchange the codecs before it imports the bytes.
    Raises `NotPython`.
    """
    source = source_of(text)
    if isinstance(source, str):
        return text
    parse(text, file)
    try:
        read = importlib.util.decode_source(source)
        read.encode()
    except (SyntaxError, ValueError, LookupError) as error:
        raise NotPython(0, str(error)) from error
    return read


def parse(text: str, file: str) -> ast.Module:
    """Return the tree of a module.  Raises `NotPython` and `TooComplex`."""
    source = source_of(text)
    with warnings.catch_warnings(action="ignore"):
        try:
            return ast.parse(source, file)
        except (SyntaxError, ValueError) as error:
            _raise(source, file, error)
        except (RecursionError, MemoryError) as error:
            raise TooComplex from error


def pieces(text: str) -> list[str]:
    """Return the texts that Python compiles, each with the lines above it empty: a notebook has several."""
    return ["\n" * (cell.first - 1) + cell.text for cell in notebook.cells_of(text)] or [text]


def parse_module(text: str, file: str) -> tuple[ast.Module, list[int]]:
    """Return the tree of a module; of a notebook, that of its cells, and the cells that are no Python.

    Cells that are not Python are skipped, since they cannot run.  A notebook with no other cell counts as
    empty.  Raises as `parse` does.
    """
    cells = notebook.cells_of(text)
    if not cells:
        return parse(text, file), []
    bad: list[int] = []
    trees: list[ast.Module] = []
    refused: NotPython | None = None
    for cell, piece in zip(cells, pieces(text), strict=True):
        try:
            trees.append(parse(piece, file))
        except NotPython as error:
            refused = refused or error
            bad.append(cell.number)
    if refused is not None and not trees:
        raise refused
    return ast.Module([statement for tree in trees for statement in tree.body], []), bad


def _raise(text: str | bytes, file: str, error: SyntaxError | ValueError) -> NoReturn:
    """Raise `NotPython` for a syntax error, `TooComplex` if the compiler accepts the text."""
    try:
        compile(text, file, "exec", dont_inherit=True)
    except (SyntaxError, ValueError):
        line = (error.lineno or 0) if isinstance(error, SyntaxError) else 0
        message = error.msg if isinstance(error, SyntaxError) else str(error)
        raise NotPython(line, message) from error
    except (RecursionError, MemoryError):
        pass
    raise TooComplex from error


def forbid_deep_walks() -> None:
    """Set the recursion limit at which the parser is safe: the parser's own limit follows it."""
    sys.setrecursionlimit(_USUAL_LEVELS)


def allow_deep_walks() -> None:
    """Let our own functions recurse as deep as any tree that `parse` returns."""
    sys.setrecursionlimit(_DEEP_LEVELS)
