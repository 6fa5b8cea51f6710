"""The names that statements of a test use, each with the line that gives it the same value in a checker."""

import ast
import builtins
from collections.abc import Iterable, Iterator, Mapping, Sequence

from grader.model.values import Value
from grader.plugins.convert.draft import Unconvertible
from grader.plugins.convert.python.names import bound_in
from grader.plugins.convert.started.start import MODULES
from grader.values.python_text import literal

_PURE = {"re", "math", "json", "string", "textwrap", "itertools", "collections", "statistics", "difflib"}
_PURE |= {"unicodedata", "functools", "operator", "fractions", "decimal"}
_REFUSED = {"exec", "eval", "compile", "__import__", "input", "globals", "locals", "vars", "breakpoint"}
_REFUSED |= {"open", "print", "exit", "quit", "setattr", "delattr", "getattr"}
_ODD: tuple[type[ast.AST], ...] = (ast.ClassDef, ast.FunctionDef, ast.AsyncFunctionDef, ast.Import)
_ODD += (ast.ImportFrom, ast.Global, ast.Nonlocal)
_ODD += (ast.Yield, ast.YieldFrom, ast.Await, ast.Return, ast.Delete)
_OF_A_TEST = {"fail", "subTest", "maxDiff"}


def lines_before(
    statements: Sequence[ast.stmt], imports: Mapping[str, str], values: Mapping[str, Value], known: set[str]
) -> Iterator[str]:
    """Yield the lines that statements need before them.  Raises `Unconvertible` for what is not known.

    imports: by name, the line that imports it.  values: what other names stand for.
    known: those that the checker has.
    """
    nodes = [node for each in statements for node in ast.walk(each)]
    for node in nodes:
        _refuse(node)
    made = {*made_by(nodes)}
    names = {each.id for each in nodes if isinstance(each, ast.Name)}
    for name in sorted(names):
        if name == "self":
            yield "self = _Asserts()"
        elif name in made or name in known:
            continue
        elif name in imports:
            yield imports[name]
        elif name in values:
            try:
                yield f"{name} = {literal(values[name])}"
            except (TypeError, ValueError):
                raise Unconvertible(f"`{name}` is not known here") from None
        elif not hasattr(builtins, name) or name in _REFUSED:
            raise Unconvertible(f"`{name}` is not known beside a program that it starts")


def pure_imports(nodes: Iterable[ast.AST]) -> dict[str, str]:
    """Return the imports of modules that only compute, by the names that they bind."""
    found = {}
    for node in nodes:
        match node:
            case ast.Import(names=aliases):
                for each in aliases:
                    if each.name in _PURE:
                        found[each.asname or each.name] = ast.unparse(ast.Import([each]))
            case ast.ImportFrom(module=str() as module, names=aliases, level=0) if module in _PURE:
                for each in aliases:
                    found[each.asname or each.name] = ast.unparse(ast.ImportFrom(module, [each], 0))
    return found


def is_import_here(node: ast.stmt) -> bool:
    """Tell whether a statement imports what is known here alone."""
    known = _PURE | set(MODULES)
    match node:
        case ast.Import(names=aliases):
            return all(each.name in known for each in aliases)
        case ast.ImportFrom(module=module, names=aliases, level=0):
            return module in known and all(each.name != "*" for each in aliases)
    return False


def made_by(nodes: Iterable[ast.AST]) -> Iterator[str]:
    """Yield the names that statements give to something, once for each time."""
    for node in nodes:
        yield from bound_in(node)
        match node:
            case ast.FunctionDef(name=name) | ast.AsyncFunctionDef(name=name) | ast.ClassDef(name=name):
                yield name


def _refuse(node: ast.AST) -> None:
    match node:
        case ast.Attribute(attr=name) if name.startswith("_"):
            raise Unconvertible(f"`.{name}` stands in the test")
        case ast.Attribute(value=ast.Name(id="self"), attr=name):
            if not (name.startswith("assert") or name in _OF_A_TEST) or name == "assertSequenceEqual":
                raise Unconvertible(f"`self.{name}` is not known beside a program that it starts")
        case _ if isinstance(node, _ODD):
            raise Unconvertible(f"`{ast.unparse(node).splitlines()[0][:50]}` stands in the test")
