"""The code that a task brings along: all of it, wherever a key put it."""

from collections.abc import Iterator
from dataclasses import fields, is_dataclass
from typing import TypeVar

from grader.languages.toolchain import Toolchain, language_of
from grader.model.case import FileOfTests, Shipped, StudentTests, Watched
from grader.model.own_code import Harness, OwnFile, Validator
from grader.model.task import OwnCode, Task

_T = TypeVar("_T")
_CODE = (FileOfTests, Harness, OwnCode, OwnFile, Shipped, StudentTests, Toolchain, Validator, Watched)
"""The classes of the model that hold code, or commands, of a task's author."""


def first_code(task: Task) -> str:
    """Return words for some code that the task brings along; empty if it has none."""
    return next(map(_in_words, parts_of(task, _CODE)), "")


def parts_of(part: object, classes: tuple[type[_T], ...]) -> Iterator[_T]:
    """Yield the parts of a task that are of some classes, wherever a key put them."""
    if isinstance(part, classes):
        yield part
    elif is_dataclass(part):
        for field in fields(part):
            yield from parts_of(getattr(part, field.name), classes)
    elif isinstance(part, dict):
        for value in part.values():
            yield from parts_of(value, classes)
    elif isinstance(part, tuple | list | frozenset):
        for value in part:
            yield from parts_of(value, classes)


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
