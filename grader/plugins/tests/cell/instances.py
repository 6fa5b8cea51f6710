"""Answers `isinstance` and `issubclass` for classes of Python's own, of which the program's may be.

What stands for a list of the program's is no list, and what stands for an enum member is of no enum.  Where
the program is believed, it says which classes of the library its own have as bases.
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
    return _isinstance(value, kinds) or (type(type(value)) is ProxyClass and _has_base(type(value), kinds))


def _is_subclass(kind: Any, kinds: Any, /) -> bool:
    return _issubclass(kind, kinds) or (type(kind) is ProxyClass and _has_base(kind, kinds))


def _has_base(kind: type, kinds: Any) -> bool:
    if _isinstance(kinds, tuple):
        return any(_has_base(kind, each) for each in kinds)
    if _isinstance(kinds, UnionType):
        return any(_has_base(kind, each) for each in kinds.__args__)
    if type(kinds) is ProxyClass or not _isinstance(kinds, type):
        return False
    handle = type.__getattribute__(kind, "_grader_class")
    name = f"{kinds.__module__}.{kinds.__qualname__}"
    if handle.described is None or name not in handle.described.bases:
        return False
    # The library would look for a function's code.
    return name not in _FUNCTIONS or bool(handle.link.is_asked_by_test(_asker()))


def _asker() -> FrameType:
    frame: Any = sys._getframe(1)
    while frame.f_code.co_filename == __file__:
        frame = frame.f_back
    return frame  # type: ignore[no-any-return]
