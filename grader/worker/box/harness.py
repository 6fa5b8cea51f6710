"""A student's module and the task's own code beside it as one module, inside the box.

A harness is imported after it.  Code before the module gives it names, and code after it takes some; each of
these runs in names of its own.  All runs in one process, so the student's code can read the task's and
replace any part of it: an answer of the task's code proves no more than one of the student's own.
"""

import os
import sys
from collections.abc import Sequence
from types import ModuleType
from typing import Any

from grader.worker.box.sources import compiled

_PARTS = "<parts>"
"""The name is no identifier, so that neither module defines it."""


class _Harnessed(ModuleType):
    def __getattr__(self, name: str) -> object:
        harness, module = self.__dict__[_PARTS]
        return getattr(harness if name in vars(harness) else module, name)


def harnessed(module: ModuleType, harness: ModuleType) -> ModuleType:
    """Return a module with the current names of both; those of the harness come first."""
    both = _Harnessed(module.__name__)
    both.__dict__[_PARTS] = harness, module
    return both


def students_part(module: ModuleType) -> ModuleType:
    """Return the student's own module."""
    while type(module) is _Harnessed:
        module = module.__dict__[_PARTS][1]
    return module


OwnFile = tuple[str, str, Sequence[str]]
"""The file, its text, and the names that it gives or takes; none: all."""


def given_by(own: OwnFile) -> dict[str, Any]:
    """Run what comes before a module; return the names that it gives.  Raises what it raises."""
    file, text, names = own
    made = _run(file, text, {})
    found = vars(made)
    lacking = [name for name in names if name not in found]
    if lacking:
        raise NameError(f"{file} defines no {', '.join(lacking)}")
    return _chosen(found, names)


def run_after(own: OwnFile, module: ModuleType) -> ModuleType:
    """Run what comes after a module; return it as a module of its own.  Raises what it raises."""
    file, text, names = own
    found = module.__dict__
    lacking = [name for name in names if name not in found]
    if lacking:
        raise NameError(f"your module defines no {', '.join(lacking)}, which {file} takes")
    return _run(file, text, _chosen(found, names))


def _run(file: str, text: str, names: dict[str, Any]) -> ModuleType:
    module = ModuleType(file.removesuffix(".py"))
    module.__file__ = os.path.join(os.getcwd(), file)
    module.__dict__.update(names)
    # A dataclass looks its module up.
    sys.modules.setdefault(module.__name__, module)
    exec(compiled(text, file), module.__dict__)
    return module


def _chosen(found: dict[str, Any], names: Sequence[str]) -> dict[str, Any]:
    """Return those of a module's names that are listed; where none are, all without an underscore."""
    chosen = names or [name for name in found if type(name) is str and not name.startswith("_")]
    return {name: found[name] for name in chosen}
