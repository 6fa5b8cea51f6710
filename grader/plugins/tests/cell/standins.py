"""What stands for gradescope-utils where it is not installed: its decorators, which the grader has read."""

from collections.abc import Callable, Sequence
from importlib.machinery import ModuleSpec
from types import ModuleType
from typing import TypeVar

_PACKAGE = "gradescope_utils.autograder_utils"
_PARTS = ("gradescope_utils", _PACKAGE, f"{_PACKAGE}.decorators")
_DECORATORS = ("weight", "number", "visibility", "tags", "hide_errors", "leaderboard", "partial_credit")

_Decorated = TypeVar("_Decorated")


class StandIns:
    """Finds the modules, after all others."""

    def find_spec(
        self, name: str, path: Sequence[str] | None = None, target: ModuleType | None = None
    ) -> ModuleSpec | None:
        """Find a module (the import system calls this)."""
        return ModuleSpec(name, self, is_package=name != _PARTS[-1]) if name in _PARTS else None  # type: ignore[arg-type]

    def create_module(self, spec: ModuleSpec) -> None:
        """Return None: the import system makes an ordinary module."""

    def exec_module(self, module: ModuleType) -> None:
        if module.__name__ == _PARTS[-1]:
            module.__dict__.update(dict.fromkeys(_DECORATORS, _decorator))


def _decorator(*_: object, **__: object) -> Callable[[_Decorated], _Decorated]:
    return lambda test: test
