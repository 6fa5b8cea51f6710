"""The names that a Python file of the instructor's defines, read from its source alone."""

import ast
import warnings
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field

from grader.yamlfile.reporter import Reporter
from grader.yamlfile.source import Source, Span, shown
from grader.yamlfile.unusable import Unusable


@dataclass(frozen=True, slots=True)
class Definitions:
    """The names that a module has once it is imported.

    names: all that are visible in the source, imported ones included.
    own: those that it defines itself.
    functions: the parameters of those that are plain functions without decorators.
    classes: the attributes of instances, for classes whose source shows all of them.
    makers: the names of its classes, and of what it has under a capital letter without `def`.
    members: all that the bodies of its classes define.
    star_imports: modules whose names all come in by `from x import *`.
    complete: whether the names of all of these are among `names`.
    """

    names: frozenset[str] = frozenset()
    own: frozenset[str] = frozenset()
    functions: Mapping[str, ast.arguments] = field(default_factory=dict)
    classes: Mapping[str, frozenset[str]] = field(default_factory=dict)
    star_imports: tuple[str, ...] = ()
    complete: bool = True
    makers: frozenset[str] = frozenset()
    members: frozenset[str] = frozenset()


def read_definitions(name: str, content: bytes, reporter: Reporter) -> Definitions:
    """Return the definitions of a file.  Raises Unusable for a file that Python can't read."""
    try:
        with warnings.catch_warnings(action="ignore"):
            return _collect(ast.parse(content))
    except SyntaxError as error:
        source = Source(name, content.decode("utf-8", "replace"))
        start = source.offset(error.lineno or 1, error.offset or 1)
        reporter.report(Span(start, start + 1), f"not valid Python: {shown(error.msg)}", source=source)
        raise Unusable from None
    except (ValueError, RecursionError, MemoryError):
        reporter.report(Span(0, 0), "Python can't read this file", source=Source(name, ""))
        raise Unusable from None


def _collect(tree: ast.Module) -> Definitions:
    names: set[str] = set()
    imported: set[str] = set()
    functions: dict[str, ast.arguments] = {}
    classes: dict[str, frozenset[str]] = {}
    star_imports: list[str] = []
    makers: set[str] = set()
    inside: set[str] = set()
    for statement in _top_level(tree.body):
        bound = set(_bound_by(statement))
        names |= bound
        imported |= bound if isinstance(statement, ast.Import | ast.ImportFrom) else set()
        makers = makers - bound | _makers(statement, bound)
        if isinstance(statement, ast.ClassDef):
            inside |= _inside(statement)
        for name in bound:
            functions.pop(name, None)
            classes.pop(name, None)
        if isinstance(statement, ast.ClassDef) and (known := members(statement)) is not None:
            classes[statement.name] = known
        if isinstance(statement, ast.FunctionDef) and not statement.decorator_list:
            functions[statement.name] = statement.args
        if isinstance(statement, ast.ImportFrom) and any(alias.name == "*" for alias in statement.names):
            star_imports.append(statement.module or "")
    own = frozenset(names - imported)
    return Definitions(
        frozenset(names),
        own,
        functions,
        classes,
        tuple(star_imports),
        not star_imports,
        frozenset(makers),
        frozenset(inside),
    )


def _makers(statement: ast.stmt, bound: set[str]) -> set[str]:
    """Return the names of a statement that are classes, by what can be seen."""
    if isinstance(statement, ast.FunctionDef | ast.AsyncFunctionDef):
        return set()
    return bound if isinstance(statement, ast.ClassDef) else set(filter(is_like_a_class, bound))


def is_like_a_class(name: str) -> bool:
    """Tell whether a name has a class's capital letter, and is no constant such as `N`."""
    return name.lstrip("_")[:1].isupper() and not name.isupper()


def _top_level(statements: list[ast.stmt]) -> Iterator[ast.stmt]:
    """Yield the statements that run at import, those inside `if`, `try` and the like too."""
    for statement in statements:
        yield statement
        if isinstance(statement, ast.FunctionDef | ast.AsyncFunctionDef | ast.ClassDef):
            continue
        for block in ("body", "orelse", "finalbody"):
            yield from _top_level(getattr(statement, block, []))
        for part in (*getattr(statement, "handlers", []), *getattr(statement, "cases", [])):
            yield from _top_level(part.body)


def _bound_by(statement: ast.stmt) -> Iterator[str]:
    """Yield the names that one statement binds."""
    if isinstance(statement, ast.FunctionDef | ast.AsyncFunctionDef | ast.ClassDef):
        yield statement.name
        return
    if isinstance(statement, ast.Import | ast.ImportFrom):
        for alias in statement.names:
            yield alias.asname or alias.name.partition(".")[0]
        return
    if isinstance(statement, ast.Assign):
        targets: list[ast.expr] = statement.targets
    elif isinstance(statement, ast.For | ast.AsyncFor) or (
        isinstance(statement, ast.AnnAssign) and statement.value is not None
    ):
        targets = [statement.target]
    elif isinstance(statement, ast.With | ast.AsyncWith):
        targets = [item.optional_vars for item in statement.items if item.optional_vars is not None]
    else:
        return
    for target in targets:
        yield from (node.id for node in ast.walk(target) if isinstance(node, ast.Name))


_ORDER = frozenset({"__lt__", "__le__", "__gt__", "__ge__"})
_GIVEN = {"dataclass": _ORDER | {"__eq__"}, "total_ordering": _ORDER}
"""What decorators of Python's add to a class."""
_ANSWERING = {"__getattr__", "__getattribute__"}


def members(tree: ast.ClassDef) -> frozenset[str] | None:
    """Return the names of a class's methods and attributes, or None if its source does not show them all.

    A class with bases, decorators, a metaclass or `__getattr__` can have more.
    """
    if tree.decorator_list or tree.keywords or any(not _is_object(base) for base in tree.bases):
        return None
    found = _inside(tree)
    return None if found & _ANSWERING else frozenset(found | set(dir(object)))


def _inside(tree: ast.ClassDef) -> set[str]:
    """Return what the body of a class defines, with attributes of `self`."""
    found: set[str] = set()
    for decorator in tree.decorator_list:
        named = decorator.func if isinstance(decorator, ast.Call) else decorator
        found |= _GIVEN.get(ast.unparse(named).rpartition(".")[2], frozenset())
    for statement in tree.body:
        found.update(_bound(statement))
        if isinstance(statement, ast.FunctionDef | ast.AsyncFunctionDef):
            found.update(_set_on_self(statement))
    return found


def _is_object(base: ast.expr) -> bool:
    return isinstance(base, ast.Name) and base.id == "object"


def _bound(statement: ast.stmt) -> Iterator[str]:
    match statement:
        case ast.FunctionDef(name=name) | ast.AsyncFunctionDef(name=name) | ast.ClassDef(name=name):
            yield name
        case ast.Assign(targets=targets):
            for target in targets:
                yield from (node.id for node in ast.walk(target) if isinstance(node, ast.Name))
        case ast.AnnAssign(target=ast.Name(id=name)):
            yield name


def _set_on_self(method: ast.FunctionDef | ast.AsyncFunctionDef) -> Iterator[str]:
    first = (*method.args.posonlyargs, *method.args.args)[:1]
    for node in ast.walk(method):
        match node:
            case ast.Attribute(value=ast.Name(id=name), attr=attribute, ctx=ast.Store()):
                if first and name == first[0].arg:
                    yield attribute
