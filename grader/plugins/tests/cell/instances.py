"""Answers `isinstance` and `issubclass` for classes of Python's own, of which the program's may be.

What stands for a list of the program's is no list, and what stands for an enum member is of no enum.  The
program says which classes of the library its own have as bases.  Where it is not believed in everything, that
counts only for what the test itself asks, and as `Asking.is_of_library` says.
"""

import builtins
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from types import FrameType, UnionType
from typing import Any

from grader.plugins.tests.cell.classes import ProxyClass

_FUNCTIONS = frozenset({"builtins.function", "builtins.method", "builtins.builtin_function_or_method"})
_isinstance: Callable[[Any, Any], bool] = builtins.isinstance
_issubclass: Callable[[Any, Any], bool] = builtins.issubclass


@contextmanager
def told_by_the_program() -> Iterator[None]:
    """Let the program say of which classes its own objects and classes are, for all code of this process."""
    builtins.isinstance = _is_instance
    builtins.issubclass = _is_subclass
    try:
        yield
    finally:
        builtins.isinstance = _isinstance
        builtins.issubclass = _issubclass


def _is_instance(value: Any, kinds: Any, /) -> bool:
    kind = type(value)
    return _isinstance(value, kinds) or (type(kind) is ProxyClass and _is_of(value, kind, kinds))


def _is_subclass(kind: Any, kinds: Any, /) -> bool:
    return _issubclass(kind, kinds) or (type(kind) is ProxyClass and _is_of(kind, kind, kinds))


def _is_of(asked: Any, kind: type, kinds: Any) -> bool:
    """Tell whether an object or a class is of one of the library's classes.  kind: its class, or itself."""
    handle = type.__getattribute__(kind, "_grader_class")
    known = [*_classes_of_library(kinds)]
    if not known or handle.described is None:
        return False
    if not handle.link.book.believes_all:
        return bool(handle.link.is_asked_by_test(_asker()) and handle.link.is_of_library(asked, kind, known))
    names = {f"{each.__module__}.{each.__qualname__}" for each in known}.intersection(handle.described.bases)
    # The library would look for a function's code.
    return bool(names - _FUNCTIONS) or bool(names and handle.link.is_asked_by_test(_asker()))


def _classes_of_library(kinds: Any) -> Iterator[type]:
    """Yield the classes that a question names, but for the program's."""
    if _isinstance(kinds, tuple | UnionType):
        for each in kinds if _isinstance(kinds, tuple) else kinds.__args__:
            yield from _classes_of_library(each)
    elif type(kinds) is not ProxyClass and _isinstance(kinds, type):
        yield kinds


def _asker() -> FrameType:
    frame: Any = sys._getframe(1)
    while frame.f_code.co_filename == __file__ or frame.f_globals.get("__name__") == "unittest.case":
        frame = frame.f_back
    return frame  # type: ignore[no-any-return]
