"""What the calls of a task reach in a student's process.

Where no wall holds that process, a task that nobody named may call what the work itself defines, with plain
data, and nothing else.  A work that imports `os` would let it call `os.system`; a path that the task gives
would come back as an object that writes files.  So what is not known to be harmless is refused: to name the
task is all that it takes to run it.
"""

import ast
from collections.abc import Iterator
from contextlib import suppress
from dataclasses import dataclass
from pathlib import PurePath

from grader.engine.brought.code import parts_of
from grader.model.case import Call
from grader.model.formula import Formula
from grader.model.submission import Submission
from grader.model.task import Task
from grader.model.values import EnumType, RecordType
from grader.rules.source.modules import words
from grader.wire import notebook
from grader.wire.source_text import source_of

_MAKERS = frozenset({"namedtuple", "Enum", "IntEnum", "StrEnum", "Flag", "IntFlag", "make_dataclass"})
"""Functions whose result is a class of the work's own."""
_OF_CONTAINERS = frozenset(
    name for kind in (list, dict, set, tuple) for name in dir(kind) if not name.startswith("_")
)
"""Methods that a class of the work's can have from a class of Python's."""
_READABLE = ("__name__", "__doc__")
_OPERATORS = words(
    "__eq__ __ne__ __lt__ __le__ __gt__ __ge__ __add__ __radd__ __sub__ __rsub__ __mul__ __rmul__ "
    "__truediv__ __floordiv__ __mod__ __pow__ __neg__ __pos__ __abs__ __invert__ __and__ __or__ __xor__ "
    "__len__ __contains__ __getitem__ __setitem__ __delitem__ __iter__ __next__ __bool__ __int__ "
    "__float__ __str__ __repr__ __hash__"
)
"""Methods that Python's operators and plainest functions ask for."""


def first_reached(task: Task, submission: Submission) -> str:
    """Return words for what a task reaches beside what the work defines; empty if there is nothing."""
    calls = [call for call in parts_of(task, (Call,)) if isinstance(call, Call)]
    reach = _Reach(_names_in(submission), frozenset(call.bind for call in calls if call.bind))
    for declared in parts_of(task, (RecordType, EnumType)):
        if isinstance(declared, RecordType | EnumType) and not reach.is_own(declared.name):
            return f"`types` name `{declared.name}`, which the work does not define"
    for path in parts_of([call.arguments for call in calls], (PurePath,)):
        return f"a case gives the path `{path}`"
    return next((f"a case uses `{text}`" for call in calls for text in reach.beyond(call)), "")


@dataclass(frozen=True, slots=True)
class _Names:
    """The names in a work: those that it defines, and those that come from elsewhere."""

    defined: frozenset[str]
    imported: frozenset[str]


@dataclass(frozen=True, slots=True)
class _Reach:
    """Finds what a call uses beside what is harmless.  kept: names of what earlier steps made."""

    names: _Names
    kept: frozenset[str]

    def is_own(self, name: str) -> bool:
        """Tell whether the work defines a function or class, and nothing else has its name."""
        return name in self.names.defined and name not in self.names.imported

    def beyond(self, call: Call) -> Iterator[str]:
        """Yield what a call uses that is not known to be harmless."""
        if call.formula is not None:
            yield from self._beyond(call.formula)
            if call.bind and call.formula.kind == "attribute":
                yield call.text
            return
        root, *attributes = call.function.split(".")
        if call.reads:
            is_fine = self._is_holder(root) and all(map(_is_readable, attributes)) and not call.bind
        elif attributes:
            is_fine = self._is_holder(root) and len(attributes) == 1 and self._is_method(attributes[0])
        else:
            is_fine = self.is_own(root)
        if not is_fine:
            yield call.function

    def _is_holder(self, name: str) -> bool:
        return self.is_own(name) or (name in self.kept and name not in self.names.imported)

    def _is_method(self, name: str) -> bool:
        return self.is_own(name) or name in _OF_CONTAINERS or name in _OPERATORS

    def _beyond(self, node: Formula) -> Iterator[str]:
        match node:
            case Formula("module", name) if not self.is_own(name):
                yield name
            case Formula("kept", name) if name in self.names.imported:
                yield name
            case Formula("python", "Path") | Formula("package"):
                yield node.text
            case Formula("attribute", name) if not _is_readable(name):
                yield name
            case Formula("call", _, (Formula("attribute", name, (holder,)), *given)):
                # What an attribute holds may be a module, and `os.remove` is called like a list's method.
                is_method = self.is_own(name) if _reads(holder) else self._is_method(name)
                if not is_method:
                    yield name
                yield from self._beyond_each(holder, *given)
                yield from (part.text for part in given if part.kind == "attribute")
                return
            case Formula("call", _, (function, *given)):
                if function.kind not in ("module", "python"):
                    yield function.text or function.kind
                yield from (part.text for part in given if part.kind == "attribute")
        yield from self._beyond_each(*node.parts)

    def _beyond_each(self, *nodes: Formula) -> Iterator[str]:
        for node in nodes:
            yield from self._beyond(node)


def _reads(holder: Formula) -> bool:
    return any(node.kind == "attribute" for node in holder.walk())


def _is_readable(name: str) -> bool:
    return not name.startswith("_") or name in _READABLE


def _names_in(submission: Submission) -> _Names:
    defined: set[str] = set()
    imported: set[str] = set()
    own = frozenset(PurePath(file.name).stem for file in submission.files.values())
    for file in submission.files.values():
        for tree in _trees_of(file.text):
            for node in ast.walk(tree):
                defined.update(_defined_by(node))
                imported.update(_imported_by(node, own))
    return _Names(frozenset(defined), frozenset(imported))


def _trees_of(text: str) -> Iterator[ast.Module]:
    """Yield the syntax trees of a text: of a notebook, of each cell without what is IPython's."""
    cells = [cell.text for cell in notebook.cells_of(text)]
    for each in [_without_magics(cell) for cell in cells] or [text]:
        # What Python cannot read does not run, so it defines nothing.
        with suppress(SyntaxError, ValueError, RecursionError, MemoryError):
            yield ast.parse(source_of(each))


def _without_magics(cell: str) -> str:
    return "\n".join("" if line.lstrip().startswith(("%", "!", "?")) else line for line in cell.split("\n"))


def _defined_by(node: ast.AST) -> Iterator[str]:
    match node:
        case ast.FunctionDef(name=name) | ast.AsyncFunctionDef(name=name) | ast.ClassDef(name=name):
            yield name
        case ast.Assign(targets=[ast.Name(id=name)], value=ast.Lambda()):
            yield name
        case ast.Assign(
            targets=[ast.Name(id=name)],
            value=ast.Call(func=ast.Name(id=maker) | ast.Attribute(attr=maker)),
        ) if maker in _MAKERS:
            yield name


def _imported_by(node: ast.AST, own: frozenset[str]) -> Iterator[str]:
    """Yield the names that a node brings from elsewhere.  own: the modules of the work."""
    match node:
        case ast.ImportFrom(module=base, level=level) if level or (base or "").partition(".")[0] in own:
            return
        case ast.Import(names=names) | ast.ImportFrom(names=names):
            found = ((each.asname or each.name, each.name.partition(".")[0]) for each in names)
            plain = isinstance(node, ast.Import)
            yield from (name.partition(".")[0] for name, root in found if not (plain and root in own))
