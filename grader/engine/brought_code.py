"""The code that a task brings along: all of it, wherever a key put it, and what its calls reach."""

import ast
import sys
from collections.abc import Collection, Iterator
from contextlib import suppress
from dataclasses import fields, is_dataclass
from importlib import import_module

from grader.languages.toolchain import Toolchain, language_of
from grader.model.case import Call, FileOfTests, Shipped, StudentTests, Watched
from grader.model.own_code import Harness, OwnFile, Validator
from grader.model.submission import Submission
from grader.model.task import OwnCode, Task
from grader.rules.source.gateways import GATEWAYS

_CODE = (FileOfTests, Harness, OwnCode, OwnFile, Shipped, StudentTests, Toolchain, Validator, Watched)
"""The classes of the model that hold code, or commands, of a task's author."""


def first_code(task: Task) -> str:
    """Return words for some code that the task brings along; empty if it has none."""
    return next(map(_in_words, _parts_of(task, _CODE)), "")


def first_reached(task: Task, submission: Submission) -> str:
    """Return words for a call of the task that reaches what the work imports; empty if there is none.

    A work that imports `os` would let a task call `os.system`.  What a work defines itself can be called.
    """
    imported = {name: file.name for file in submission.files.values() for name in _imported(file.text)}
    for call in _parts_of(task, (Call,)):
        assert isinstance(call, Call)
        for name in call.functions:
            root, *attributes = name.split(".")
            if root in imported:
                return f"a case uses `{name}`, and {imported[root]} imports `{root}`"
            if root.startswith("__") or GATEWAYS.intersection(attributes):
                return f"a case uses `{name}`"
        nodes = call.formula.walk() if call.formula is not None else ()
        found = [node.text for node in nodes if node.kind == "attribute" and node.text in GATEWAYS]
        if found:
            return f"a case uses `{found[0]}`"
    return ""


def _imported(text: str) -> Collection[str]:
    """Return the names that a text gets by imports, those of `import *` too."""
    try:
        tree = ast.parse(text)
    except (SyntaxError, ValueError, RecursionError, MemoryError):
        return ()  # it does not load
    found: set[str] = set()
    for node in ast.walk(tree):
        match node:
            case ast.ImportFrom(module=str(base), names=[ast.alias(name="*")]):
                with suppress(Exception):
                    found.update(dir(import_module(base)) if base in sys.stdlib_module_names else ())
            case ast.Import(names=names) | ast.ImportFrom(names=names):
                found.update((each.asname or each.name).partition(".")[0] for each in names)
    return found


def _parts_of(part: object, classes: tuple[type, ...]) -> Iterator[object]:
    """Yield the parts of a task that are of some classes, wherever a key put them."""
    if isinstance(part, classes):
        yield part
    elif is_dataclass(part):
        for field in fields(part):
            yield from _parts_of(getattr(part, field.name), classes)
    elif isinstance(part, dict):
        for value in part.values():
            yield from _parts_of(value, classes)
    elif isinstance(part, tuple | list | frozenset):
        for value in part:
            yield from _parts_of(value, classes)


def _in_words(code: object) -> str:
    match code:
        case OwnCode():
            return code.path.name
        case Harness() | OwnFile():
            return f"{code.module}.py"
        case Validator():
            return code.file
        case Shipped() | Watched():
            return code.source
        case Toolchain():
            return f"commands for {language_of(code).title}"
    return "a file of tests"
