"""The contents of a reference module, read from its source; the module is never imported here."""

import ast
import sys
import warnings
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from pathlib import Path

from grader.model.errors import Fault, UsageError
from grader.yamlfile.source import Source, Span

_INPUT = frozenset({"input", "stdin", "argv"})
_ENUMS = frozenset({"Enum", "IntEnum", "StrEnum", "Flag", "IntFlag"})


@dataclass(frozen=True, slots=True)
class Parameter:
    """A parameter that a call gives a value; `name` is needed where only the keyword can."""

    name: str
    annotation: ast.expr | None = None
    default: ast.expr | None = None
    by_keyword: bool = False


@dataclass(frozen=True, slots=True)
class Function:
    """A public function or method."""

    name: str
    line: int
    parameters: tuple[Parameter, ...]
    docstring: str = ""
    docstring_line: int = 0
    is_property: bool = False


@dataclass(frozen=True, slots=True)
class Class:
    """A public class; `fields` or `members` where its instances are data."""

    name: str
    line: int
    init: tuple[Parameter, ...]
    methods: tuple[Function, ...] = ()
    docstring: str = ""
    docstring_line: int = 0
    fields: tuple[str, ...] = ()
    members: tuple[str, ...] = ()

    @property
    def is_data(self) -> bool:
        """Whether its instances are data, as those of a dataclass and an enum are."""
        return bool(self.fields or self.members)


@dataclass(frozen=True, slots=True)
class Module:
    """A module.

    runs: it reads input or prints when it is run.  reads: it reads input then.
    imports: the modules that it imports.
    """

    name: str
    text: str
    tree: ast.Module
    functions: tuple[Function, ...] = ()
    classes: tuple[Class, ...] = ()
    docstring: str = ""
    runs: bool = False
    reads: bool = False
    imports: frozenset[str] = field(default_factory=frozenset)

    @property
    def is_program(self) -> bool:
        """Whether it is there to be run: it has no functions to call but its `main`."""
        return self.runs and not self.classes and {each.name for each in self.functions} <= {"main"}

    @property
    def packages(self) -> frozenset[str]:
        """The modules that it imports and that Python itself does not have."""
        return self.imports - sys.stdlib_module_names


def read_module(path: Path, name: str, text: str) -> Module:
    """Return what a module holds.  Raises `UsageError` for a file that Python can't read."""
    try:
        with warnings.catch_warnings(action="ignore"):
            tree = ast.parse(text)
    except SyntaxError as error:
        source = Source(str(path), text)
        start = source.offset(error.lineno or 1, error.offset or 1)
        raise UsageError(source.fault(Span(start, start + 1), f"not valid Python: {error.msg}")) from error
    except (ValueError, RecursionError, MemoryError) as error:
        raise UsageError(Fault("Python can't read this file", str(path))) from error
    functions = tuple(_function(node) for node in _public(tree.body, ast.FunctionDef))
    classes = tuple(_class(node) for node in _public(tree.body, ast.ClassDef))
    return Module(
        name=name,
        text=text,
        tree=tree,
        functions=functions,
        classes=classes,
        docstring=ast.get_docstring(tree) or "",
        runs=_runs(tree, _INPUT | {"print"}),
        reads=_runs(tree, _INPUT),
        imports=frozenset(_imports(tree)),
    )


def _public(body: Sequence[ast.stmt], kind: type) -> Iterator[ast.stmt]:
    """Yield the public definitions of a kind, the last one of each name."""
    last = {node.name: node for node in body if isinstance(node, kind) and not node.name.startswith("_")}  # type: ignore[attr-defined]
    yield from last.values()


def _function(node: ast.stmt, taken: int = 0) -> Function:
    """taken: how many of the first parameters a call does not give, such as `self`."""
    assert isinstance(node, ast.FunctionDef)
    decorators = {ast.unparse(each) for each in node.decorator_list}
    text, line = _docstring(node)
    return Function(
        node.name,
        node.lineno,
        _parameters(node.args, taken),
        text,
        line,
        bool(decorators & {"property", "cached_property"}),
    )


def _parameters(arguments: ast.arguments, taken: int) -> tuple[Parameter, ...]:
    plain = [*arguments.posonlyargs, *arguments.args]
    defaults = [None] * (len(plain) - len(arguments.defaults)) + list(arguments.defaults)
    found = [
        Parameter(each.arg, each.annotation, default) for each, default in zip(plain, defaults, strict=True)
    ]
    by_keyword = zip(arguments.kwonlyargs, arguments.kw_defaults, strict=True)
    return (
        *found[taken:],
        *(Parameter(each.arg, each.annotation, default, True) for each, default in by_keyword),
    )


def _class(node: ast.stmt) -> Class:
    assert isinstance(node, ast.ClassDef)
    bases = {ast.unparse(base).rpartition(".")[2] for base in node.bases}
    decorators = {ast.unparse(each).partition("(")[0].rpartition(".")[2] for each in node.decorator_list}
    methods = tuple(_method(each) for each in _public(node.body, ast.FunctionDef))
    inits = [each for each in node.body if isinstance(each, ast.FunctionDef) and each.name == "__init__"]
    annotated = [
        Parameter(each.target.id, each.annotation, each.value)
        for each in node.body
        if isinstance(each, ast.AnnAssign) and isinstance(each.target, ast.Name)
    ]
    is_record = "dataclass" in decorators or "NamedTuple" in bases
    members = [
        target.id
        for each in node.body
        if isinstance(each, ast.Assign)
        for target in each.targets
        if isinstance(target, ast.Name) and not target.id.startswith("_")
    ]
    text, line = _docstring(node)
    return Class(
        node.name,
        node.lineno,
        _parameters(inits[-1].args, 1) if inits else tuple(annotated) if is_record else (),
        methods,
        text,
        line,
        fields=tuple(parameter.name for parameter in annotated) if is_record else (),
        members=tuple(members) if bases & _ENUMS else (),
    )


def _method(node: ast.stmt) -> Function:
    assert isinstance(node, ast.FunctionDef)
    is_static = any(ast.unparse(each) == "staticmethod" for each in node.decorator_list)
    return _function(node, 0 if is_static else 1)


def _docstring(node: ast.FunctionDef | ast.ClassDef) -> tuple[str, int]:
    text = ast.get_docstring(node, clean=False)
    return (text, node.body[0].lineno) if text is not None else ("", 0)


def last_name(node: ast.AST) -> str:
    """Return `b` for `b` and for `a.b`; empty for any other expression."""
    return node.attr if isinstance(node, ast.Attribute) else node.id if isinstance(node, ast.Name) else ""


def _runs(tree: ast.Module, names: frozenset[str]) -> bool:
    """Tell whether a module uses one of the names when it is run, maybe in a function that it calls."""
    functions = {node.name: node for node in tree.body if isinstance(node, ast.FunctionDef)}
    waiting: list[ast.AST] = [
        node
        for node in tree.body
        if not isinstance(
            node, ast.FunctionDef | ast.AsyncFunctionDef | ast.ClassDef | ast.Import | ast.ImportFrom
        )
    ]
    seen: set[str] = set()
    while waiting:
        for node in ast.walk(waiting.pop()):
            name = last_name(node)
            if name in names:
                return True
            if name in functions and name not in seen:
                seen.add(name)
                waiting.append(functions[name])
    return False


def _imports(tree: ast.Module) -> Iterator[str]:
    for node in ast.walk(tree):
        if isinstance(node, ast.Import):
            yield from (alias.name.partition(".")[0] for alias in node.names)
        elif isinstance(node, ast.ImportFrom) and not node.level and node.module:
            yield node.module.partition(".")[0]
