"""What a dotted name of the standard library really is: `random._os` is `os`, `collections._chain` is
`itertools.chain`.

The interpreter is asked, in the box for rules, so the answer is that of the Python that runs the submission.
Modules of the library are imported for that, and none of the submission's.
"""

import builtins
import importlib
import sys
from functools import lru_cache
from types import ModuleType

_NOT_ASKED = frozenset(
    {"antigravity", "idlelib", "lib2to3", "test", "this", "tkinter", "turtle", "turtledemo"}
)
"""Modules that do something when they are imported, or that are large and no help."""
_PROGRAM = "__main__"
_BUILTINS = "builtins"


@lru_cache(maxsize=4096)
def real_name(name: str) -> str:
    """Return the name under which an object of the library is at home; `name` if that is not known."""
    found = value_of(name)
    if isinstance(found, ModuleType):
        return name if sys.modules.get(name) is found else found.__name__
    if found is None or not callable(found):
        return name
    own = getattr(found, "__name__", "")
    if isinstance(own, str) and getattr(builtins, own, None) is found:
        return f"{_BUILTINS}.{own}"
    home, path = getattr(found, "__module__", ""), getattr(found, "__qualname__", "")
    if not isinstance(home, str) or not isinstance(path, str):
        return name
    return f"{home}.{path}" if value_of(f"{home}.{path}") is found else name


def is_module(name: str) -> bool:
    """Tell whether a dotted name of the library is a module."""
    return isinstance(value_of(name), ModuleType)


def is_starred(module: str, name: str) -> bool:
    """Tell whether `from module import *` binds a name, where the module is of the library."""
    found = value_of(module)
    if not isinstance(found, ModuleType) or name not in vars(found):
        return False
    public = getattr(found, "__all__", None)
    return not name.startswith("_") if public is None else name in public


def value_of(name: str) -> object:
    """Return the object of the library with a dotted name; None if there is none."""
    top, *parts = name.split(".")
    if top not in sys.stdlib_module_names or top in _NOT_ASKED:
        return None
    found: object = _module(top)
    path = top
    for part in parts:
        path = f"{path}.{part}"
        # A computed part is no name, and a package's program would run.
        if not part.isidentifier() or part == _PROGRAM or not isinstance(found, ModuleType | type):
            return None
        inner = vars(found).get(part)
        found = _module(path) if inner is None and isinstance(found, ModuleType) else inner
    return found


@lru_cache(maxsize=1024)
def _module(name: str) -> ModuleType | None:
    try:
        return importlib.import_module(name)
    except (Exception, SystemExit):
        return None
