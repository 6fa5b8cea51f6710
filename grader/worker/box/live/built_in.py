"""What of Python's own the tests may name to the program's process.

Every name of the tests' for a built-in is looked up here.  A function that shows a program's source, or runs
a text, is not given to tests from which the source is kept.
"""

import builtins
import operator
import re
import sys
from collections.abc import Iterator
from types import FunctionType

from grader.wire.encoder import mro

_NAMES = frozenset(name for name in vars(builtins) if not name.startswith("_"))
"""What is built into Python; the other side has the same."""
_SHOWING = (
    "breakpoint", "compile", "delattr", "dir", "eval", "exec", "getattr", "globals", "help", "locals", "open",
    "setattr", "type", "vars", "__import__",
)  # fmt: skip
"""What shows a module's source, or runs a text that could."""
_HARMLESS = frozenset(
    {
        *("bisect", "calendar", "collections", "copy", "genericpath", "getpass", "heapq", "json", "math"),
        *("posixpath", "random", "statistics", "textwrap", "time"),
    }
)
"""Modules of the library whose functions read no attribute by a name that they are given, and run no text."""
_READERS = (operator.attrgetter, operator.methodcaller)
_HIDDEN = tuple(value for name in _SHOWING if (value := vars(builtins).get(name)) is not None) + _READERS

_LEADING = (
    "__annotations__", "__base__", "__bases__", "__builtins__", "__closure__", "__code__", "__defaults__",
    "__dict__", "__doc__", "__file__", "__func__", "__getattribute__", "__getstate__", "__globals__",
    "__kwdefaults__", "__loader__", "__mro__", "__reduce__", "__reduce_ex__", "__self__", "__spec__",
    "__subclasses__", "__traceback__", "__wrapped__", "ag_code", "ag_frame", "co_code", "co_consts",
    "co_filename", "co_names", "co_varnames", "cr_code", "cr_frame", "f_back", "f_builtins", "f_code",
    "f_globals", "f_locals", "gi_code", "gi_frame", "tb_frame",
)  # fmt: skip
"""Attributes that lead to a program's source."""
_LEADING_IN_TEXT = re.compile(rf"\b(?:{'|'.join(_LEADING)})\b", re.ASCII)
_DEEPEST = 50


def name_in(value: object) -> str:
    """Return the name of an attribute of `_LEADING` that stands in data of the tests'; "" for none.

    A program that looks attributes up by a name that it is given, or in a template, would do so for the
    tests.
    """
    for text in _texts_in(value, 0):
        found = _LEADING_IN_TEXT.search(text)
        if found is not None:
            return found[0]
    return ""


def _texts_in(value: object, depth: int) -> Iterator[str]:
    if type(value) is str:
        yield value
    elif type(value) in (bytes, bytearray):
        yield str(value)
    elif type(value) in (list, tuple, set, frozenset, dict) and depth < _DEEPEST:
        for item in (*value, *value.values()) if type(value) is dict else value:  # type: ignore[attr-defined]
            yield from _texts_in(item, depth + 1)


def is_showing(value: object) -> bool:
    """Tell whether an object shows a module's source, under whatever name a program has it."""
    if type(value) is FunctionType:
        # Such as `dataclass`, which runs a text made of names, and `wraps`, which copies any attribute.
        module = str(value.__module__).partition(".")[0]
        return module in sys.stdlib_module_names and module not in _HARMLESS
    return any(value is each for each in _HIDDEN) or any(type(value) is each for each in _READERS)


def built_in(name: object, *, guarded: bool) -> object | None:
    """Return what is built into Python under a name; None if there is nothing that the tests may name."""
    value: object = vars(builtins).get(name) if type(name) is str and name in _NAMES else None
    return None if guarded and is_showing(value) else value


def exception_named(name: object) -> type[BaseException] | None:
    """Return the exception of Python's own of a name; None if that names nothing, or something else."""
    kind = built_in(name, guarded=True)
    is_class = any(base is type for base in mro(type(kind)))
    return kind if is_class and any(base is BaseException for base in mro(kind)) else None  # type: ignore[arg-type, return-value]
