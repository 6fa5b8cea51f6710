"""What the calls of a task reach in a student's process.

Where no wall holds that process, a task that nobody named may call what the work itself defines, with plain
data, and nothing else.  A work that imports `os` would let it call `os.system`; a path that the task gives
would come back as an object that writes files.  So what is not known to be harmless is refused: to name the
task is all that it takes to run it.
"""

import re
from collections import deque
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import PurePath

from grader.engine.brought.code import parts_of
from grader.engine.brought.names import WorkNames, names_in
from grader.model.case import Call, ProgramRun
from grader.model.formula import Formula
from grader.model.submission import Submission
from grader.model.task import Task
from grader.rules.source.gateways import GATEWAYS
from grader.rules.source.modules import words

_OF_CONTAINERS = frozenset(
    name for kind in (list, dict, set, tuple, deque) for name in dir(kind) if not name.startswith("_")
)
"""Methods that a class of the work's can have from a class of Python's."""
_OUT = re.compile(r"^(?:[/\\][^\s/\\]|~[/\\\w]|[A-Za-z]:[/\\])|(?:^|[/\\])\.\.[/\\]")
"""An absolute path, one of a home folder, one with a drive, or one that goes up."""
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
    calls = [*parts_of(task, (Call,))]
    # Another Python may read what this one cannot.
    names = names_in(submission, is_sure=not task.python)
    reach = _Reach(names, frozenset(call.bind for call in calls if call.bind))
    for declared in task.types:
        if not names.is_harmless(declared.name):
            return f"`types` name `{declared.name}`, which the work does not define"
    runs = [run.arguments for run in parts_of(task, (ProgramRun,))]
    for given in parts_of([[call.arguments for call in calls], runs], (PurePath, str)):
        if isinstance(given, PurePath) or _leads_out(given):
            return f"a case gives the path `{given}`"
    return next((f"a case uses `{text}`" for call in calls for text in reach.beyond(call)), "")


@dataclass(frozen=True, slots=True)
class _Reach:
    """Finds what a call uses beside what is harmless.  kept: names of what earlier steps made."""

    names: WorkNames
    kept: frozenset[str]

    def beyond(self, call: Call) -> Iterator[str]:
        """Yield what a call uses that is not known to be harmless."""
        if call.formula is not None:
            # What is bound can be called, or given to a function, by a later step.
            yield from self._beyond(call.formula, is_seen=not call.bind)
            return
        root, *attributes = call.function.split(".")
        if call.reads:
            is_fine = root not in self.names.imported and all(map(_is_readable, attributes)) and not call.bind
        elif attributes:
            is_fine = self._is_holder(root) and len(attributes) == 1 and self._is_method(attributes[0])
        else:
            is_fine = self._is_holder(root)
        if not is_fine:
            yield call.function

    def _is_holder(self, name: str) -> bool:
        is_kept = name in self.kept and name not in self.names.imported
        return is_kept or self.names.is_harmless(name)

    def _is_method(self, name: str) -> bool:
        return name in self.names.methods or name in _OF_CONTAINERS or name in _OPERATORS

    def _beyond(self, node: Formula, *, is_seen: bool) -> Iterator[str]:
        """Yield what a formula uses.  is_seen: its value is only compared or shown, and nothing calls it.

        What an attribute holds may be a module or a function of one, so it is given to nothing.
        """
        match node:
            case Formula("module", name):
                if not (self.names.is_harmless(name) or (is_seen and name not in self.names.imported)):
                    yield name
            case Formula("kept", name) if name in self.names.imported:
                yield name
            case Formula("python", "Path") | Formula("package"):
                yield node.text
            case Formula("attribute", name, (holder,)):
                if not is_seen or not _is_readable(name):
                    yield name
                yield from self._beyond(holder, is_seen=True)
            case Formula("call", _, (function, *given)):
                yield from self._beyond_function(function)
                yield from self._beyond_each(*given, is_seen=False)
            case Formula("set", _, (holder, value)):
                yield from self._beyond(holder, is_seen=True)
                yield from self._beyond(value, is_seen=False)
            case Formula("operator", symbol) if symbol != "[]":
                yield from self._beyond_each(*node.parts, is_seen=True)
            case _:
                yield from self._beyond_each(*node.parts, is_seen=is_seen)

    def _beyond_function(self, function: Formula) -> Iterator[str]:
        match function:
            case Formula("module" | "kept", name):
                if not self._is_holder(name):
                    yield name
            case Formula("python", name):
                if name == "Path":
                    yield name
            case Formula("attribute", name, (holder,)):
                # `os.remove` is called like a list's method.
                is_taken = any(node.kind == "attribute" for node in holder.walk())
                if not (name in self.names.methods if is_taken else self._is_method(name)):
                    yield name
                yield from self._beyond(holder, is_seen=is_taken)
            case _:
                yield function.text or function.kind

    def _beyond_each(self, *nodes: Formula, is_seen: bool) -> Iterator[str]:
        for node in nodes:
            yield from self._beyond(node, is_seen=is_seen)


def _leads_out(text: object) -> bool:
    """Tell whether a text is a path out of the folder of a case, which a work may open and write."""
    return isinstance(text, str) and _OUT.search(text) is not None


def _is_readable(name: str) -> bool:
    return (not name.startswith("_") or name in _READABLE) and name not in GATEWAYS
