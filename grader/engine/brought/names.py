"""The names in a work: what it defines itself, and what comes from elsewhere.

A name that a work does not have at all can be called too: it raises `NameError`.
"""

import ast
import builtins
from collections.abc import Iterator
from dataclasses import dataclass

from grader.model.submission import Submission
from grader.wire import notebook
from grader.wire.source_text import source_of

_MAKERS = frozenset(
    {
        *("namedtuple", "NamedTuple", "Enum", "IntEnum", "StrEnum", "Flag", "IntFlag", "make_dataclass"),
        *("partial", "cache", "lru_cache"),
    }
)
"""Functions that make a class or function of the work's own, of data and of what is its own."""
_PURE = frozenset({"math", "cmath", "statistics", "fractions", "decimal", "string", "bisect", "heapq"})
"""Modules whose functions compute, and reach nothing."""


@dataclass(frozen=True, slots=True)
class WorkNames:
    """The names in a work.

    defined: of functions and classes at the top, those of pure modules too.  methods: of any in it.
    imported: from elsewhere.  bound: every name that it gives to anything.
    is_open: it may have any other name too.
    """

    defined: frozenset[str]
    methods: frozenset[str]
    imported: frozenset[str]
    bound: frozenset[str]
    is_open: bool

    def is_harmless(self, name: str) -> bool:
        """Tell whether a name is the work's own, or stands for nothing at all."""
        if name in self.bound:
            return name in self.defined and name not in self.imported
        return not (self.is_open or hasattr(builtins, name) or name.startswith("__"))


def names_in(submission: Submission, *, is_sure: bool) -> WorkNames:
    """Return the names in a work.  is_sure: a text that cannot be read here does not run."""
    found = _Found(frozenset(submission.files))
    for file in submission.files.values():
        for text in [cell.text for cell in notebook.cells_of(file.text)] or [file.text]:
            try:
                tree = ast.parse(source_of(text))
            except (SyntaxError, ValueError):
                found.is_open |= not is_sure
            except (RecursionError, MemoryError):
                found.is_open = True
            else:
                found.look_at(tree)
    return found.names()


class _Found:
    """Collects the names of a work's texts.  modules: its own."""

    def __init__(self, modules: frozenset[str]) -> None:
        self.is_open = False
        self._modules = modules
        self._defined: set[str] = set()
        self._methods: set[str] = set()
        self._strange: set[str] = set()
        self._imported: set[str] = set()
        self._bound: set[str] = set()
        self._given: list[tuple[str, ast.expr | None]] = []
        """What names get at the top of a text, each in turn."""
        self._members: list[tuple[str, ast.expr | None]] = []
        """The same of the classes."""

    def look_at(self, tree: ast.Module) -> None:
        for node in ast.walk(tree):
            self._look_at(node)
        hidden = _last_star(tree)
        for node in _at_the_top(tree.body):
            # What stands above `import *` may be another's afterwards.
            if isinstance(node, _DEFINITIONS):
                (self._strange if node.lineno < hidden else self._defined).add(node.name)
            self._given += _given_by(node)

    def names(self) -> WorkNames:
        defined = set(self._defined)
        while more := {name for name, value in self._given if self._is_own(value, defined)} - defined:
            defined |= more
        strange = {name for name, value in self._given if not self._is_own(value, defined)}
        return WorkNames(
            frozenset(defined - strange - self._strange),
            frozenset(self._methods - self._odd_members(defined)),
            frozenset(self._imported),
            frozenset(self._bound),
            self.is_open,
        )

    def _odd_members(self, defined: set[str]) -> set[str]:
        """Return names that a class gives to what may not be its own, such as `run = staticmethod(popen)`."""
        members = (pair for pair in self._members if pair[1] is None or not _is_data(pair[1]))
        return {name for name, value in members if not self._is_own(value, defined)}

    def _look_at(self, node: ast.AST) -> None:
        match node:
            case ast.FunctionDef(name=name) | ast.AsyncFunctionDef(name=name) | ast.ClassDef(name=name):
                self._methods.add(name)
                self._bound.add(name)
                if isinstance(node, ast.ClassDef):
                    self._members += [pair for each in node.body for pair in _given_by(each)]
            case ast.Name(id=name, ctx=ast.Store() | ast.Del()) | ast.arg(arg=name):
                self._bound.add(name)
            case (
                ast.ExceptHandler(name=str(name))
                | ast.MatchAs(name=str(name))
                | ast.MatchStar(name=str(name))
            ):
                self._bound.add(name)
            case ast.Global(names=names) | ast.Nonlocal(names=names):
                self._bound.update(names)
            case ast.ImportFrom(module=base, level=level, names=names):
                self._import_from((base or "").partition(".")[0], bool(level), names)
            case ast.Import(names=names):
                for each in names:
                    root = each.name.partition(".")[0]
                    name = each.asname or root
                    self._bound.add(name)
                    if root not in self._modules:
                        self._imported.add(name)

    def _import_from(self, base: str, is_relative: bool, names: list[ast.alias]) -> None:
        found = {each.asname or each.name for each in names}
        if is_relative or base in self._modules:
            return  # what is its own is defined there
        if "*" in found:
            self.is_open |= base not in _PURE
            return
        self._bound |= found
        if base in _PURE:
            self._defined |= found
        else:
            self._imported |= found

    def _is_own(self, value: ast.expr | None, defined: set[str]) -> bool:
        """Tell whether a value is a function, class or object of the work's own."""
        match value:
            case ast.Lambda():
                return True
            case ast.Name(id=name):
                return name in defined and name not in self._imported
            case ast.Attribute(value=ast.Name(id=module), attr=name):
                return module in self._modules and name in defined
            case ast.Call(func=ast.Name(id=name) | ast.Attribute(attr=name), args=given, keywords=named):
                is_known = name in _MAKERS or self._is_own(value.func, defined)
                parts = [*given, *(each.value for each in named)]
                return is_known and all(_is_data(each) or self._is_own(each, defined) for each in parts)
        return False


def _is_data(value: ast.expr) -> bool:
    return all(isinstance(node, _DATA) for node in ast.walk(value))


def _last_star(tree: ast.Module) -> int:
    """Return the line of the last `import *`, 0 if there is none."""
    stars = (
        node for node in ast.walk(tree) if isinstance(node, ast.ImportFrom) and node.names[0].name == "*"
    )
    return max((node.lineno for node in stars), default=0)


_DEFINITIONS = (ast.FunctionDef, ast.AsyncFunctionDef, ast.ClassDef)
_DATA = (ast.Constant, ast.List, ast.Tuple, ast.Dict, ast.Set, ast.UnaryOp, ast.unaryop, ast.expr_context)


def _at_the_top(body: list[ast.stmt]) -> Iterator[ast.stmt]:
    """Yield the statements that run as a module's own, those in `if`, `try` and `with` too."""
    for node in body:
        yield node
        if not isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef | ast.ClassDef):
            inner = [each for each in ast.iter_child_nodes(node) if isinstance(each, ast.stmt)]
            handlers = [each for each in ast.iter_child_nodes(node) if isinstance(each, ast.ExceptHandler)]
            yield from _at_the_top([*inner, *(each for handler in handlers for each in handler.body)])


def _given_by(node: ast.stmt) -> Iterator[tuple[str, ast.expr | None]]:
    """Yield the names that a statement binds at once, each with its value; None where that is a part."""
    match node:
        case ast.Assign(targets=targets, value=value):
            for target in targets:
                is_whole = isinstance(target, ast.Name)
                for each in ast.walk(target):
                    if isinstance(each, ast.Name) and isinstance(each.ctx, ast.Store):
                        yield each.id, value if is_whole else None
        case ast.AnnAssign(target=ast.Name(id=name), value=value) if value is not None:
            yield name, value
        case ast.AugAssign(target=ast.Name(id=name)):
            yield name, None
