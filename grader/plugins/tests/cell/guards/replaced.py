"""Replaces in the program's process what a test replaces in a module of the library, such as `time.sleep`.

Only what a patch of `unittest.mock` or of pytest's `monkeypatch` does is seen.  What such a patch does to
something else that the program has a copy of, such as a class of the library's, is refused at its line.
"""

import sys
from collections.abc import Container
from types import ModuleType
from typing import Any
from unittest import mock

import pytest

from grader.plugins.tests.cell.classes import Stand
from grader.plugins.tests.cell.link import ProgramConnection

_HERE = frozenset({("builtins", "input"), ("sys", "stdin"), ("sys", "stdout"), ("sys", "stderr")})
"""What the program's process asks here for, or tells here."""
_BUILT_IN = frozenset({"open", "print"})
"""Of Python's own, what only the program uses in its process."""

_NOTHING = object()


class Replaced:
    """Stands before patches.  link: the way to the program.  texts: names of the test files."""

    def __init__(self, link: ProgramConnection, texts: Container[str]) -> None:
        self._link = link
        self._texts = texts
        self._originals: dict[tuple[int, str, str], Any] = {}
        """What the program's modules had, by the number of its process."""

    def install(self) -> None:
        patches: Any = mock._patch
        changes: Any = pytest.MonkeyPatch
        enter, leave = patches.__enter__, patches.__exit__
        change, undo = changes.setattr, changes.undo

        def entered(patch: Any) -> Any:
            found = enter(patch)
            try:
                self._replace(patch.target, patch.attribute, patch.temp_original)
            except BaseException:
                leave(patch, None, None, None)
                raise
            return found

        def left(patch: Any, *error: Any) -> Any:
            target = getattr(patch, "target", None)
            found = leave(patch, *error)
            self._restore(target, patch.attribute)
            return found

        def changed(patch: Any, *args: Any, **more: Any) -> None:
            change(patch, *args, **more)
            # An end of the test undoes it also where it is refused.
            self._replace(*patch._setattr[-1])

        def undone(patch: Any) -> None:
            done = [(target, name) for target, name, _ in patch._setattr]
            undo(patch)
            for target, name in done:
                self._restore(target, name)

        patches.__enter__, patches.__exit__ = entered, left
        changes.setattr, changes.undo = changed, undone

    def _replace(self, target: Any, name: str, original: object) -> None:
        """Replace there what was replaced here."""
        if self._is_programs_too(target, name):
            if isinstance(original, type):
                # What runs the program may need it, as `io.StringIO`.
                self._cannot(target, name)
            key = self._link.process, target.__name__, name
            if key not in self._originals:
                try:
                    self._originals[key] = self._link.carry_out(["get", ["f", target.__name__, ""], name])
                except AttributeError:
                    self._originals[key] = _NOTHING
            self._set(target.__name__, name, getattr(target, name))

    def _restore(self, target: object, name: str) -> None:
        """Put back there what was put back here."""
        if isinstance(target, ModuleType):
            key = self._link.process, target.__name__, name
            if key in self._originals:
                self._set(target.__name__, name, self._originals.pop(key))

    def _set(self, module: str, name: str, value: object) -> None:
        holder = ["f", module, ""]
        if value is _NOTHING:
            self._link.carry_out(["del", holder, name])
        else:
            self._link.carry_out(["set", holder, name, self._link.node(value)])

    def _is_programs_too(self, target: object, name: str) -> bool:
        """Tell whether the program has such a module of its own; refuse what cannot be replaced there."""
        if isinstance(target, Stand) or hasattr(type(target), "stands_for"):
            return False
        if not isinstance(target, ModuleType):
            module = sys.modules.get(getattr(target, "__module__", ""))
            if isinstance(target, type) and module is not None and self._is_copy(module):
                self._cannot(target, name)
            return False
        if (target.__name__, name) in _HERE or not self._is_copy(target):
            return False
        is_librarys = target.__name__.partition(".")[0] in sys.stdlib_module_names
        if not is_librarys or (target.__name__ == "builtins" and name not in _BUILT_IN):
            self._cannot(target, name)
        return True

    def _cannot(self, target: Any, name: str) -> None:
        self._link.cannot(f"`{target.__name__}.{name}` cannot be replaced in the program's process")

    def _is_copy(self, module: ModuleType) -> bool:
        """Tell whether a module is none of the tests' own."""
        return module.__name__ not in self._texts and not hasattr(type(module), "stands_for")
