"""What of Python's own the tests may name to the program's process.

Every name of the tests' for a built-in is looked up here.  A function that shows a program's source, or runs
a text, is not given to tests from which the source is kept.
"""

import builtins
import operator
import sys
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
