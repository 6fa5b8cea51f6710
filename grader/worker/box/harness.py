"""A student's module and the task's harness as one module, inside the box.

Both run in one process, so the student's code can read the harness and replace any part of it: an answer
of the harness proves no more than one of the student's own.
"""

from types import ModuleType

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
    return module.__dict__[_PARTS][1] if type(module) is _Harnessed else module
