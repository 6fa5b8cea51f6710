"""Imports in the tests: modules that stand for the program's, and test files from memory."""

import ast
import sys
from collections.abc import Mapping, Sequence
from contextlib import suppress
from functools import partial
from importlib import import_module
from importlib.machinery import ModuleSpec
from types import ModuleType
from typing import Any

from _pytest.assertion.rewrite import rewrite_asserts

from grader.plugins.tests.cell.classes import PATCHING, Names
from grader.plugins.tests.cell.link import ProgramConnection

_SPECIAL = ("__author__", "__version__", "__annotations__")


class ProgramModule(ModuleType):
    """Stands for a module of the program's."""

    stands_for = True
    _grader_link: ProgramConnection

    def __getattribute__(self, name: str) -> Any:
        if name == "__dict__" and sys._getframe(1).f_globals.get("__name__") in PATCHING:
            # What was there before is taken from it, to be put back.
            return Names(self, partial(getattr, self))
        return super().__getattribute__(name)

    def __getattr__(self, name: str) -> Any:
        link = self.__dict__.get("_grader_link")
        if link is None:
            raise AttributeError(name)
        if name == "__all__":
            frame = sys._getframe(1)
            bound = frame.f_globals if link.is_test_file(frame.f_code.co_filename) else {}
            return [each for each in link.do("dir", self) if link.is_public(each, bound)]
        if name == "pytestmark" or (name.startswith(("_pytest", "__")) and name not in _SPECIAL):
            # Pytest and the import system ask for many.
            raise AttributeError(name)
        return link.get_from_module(self.__name__, name)

    def __setattr__(self, name: str, value: object) -> None:
        if name.startswith("__") or "_grader_link" not in self.__dict__:
            super().__setattr__(name, value)
        else:
            self._grader_link.set(self, name, value)

    def __delattr__(self, name: str) -> None:
        self._grader_link.delete(self, name)

    def __dir__(self) -> list[str]:
        return list(self._grader_link.do("dir", self))


class Finder:
    """Finds the program's modules and the test files, before all others.

    texts: the test files by module name.  program: the program's modules.
    """

    def __init__(
        self, link: ProgramConnection, texts: Mapping[str, str], program: Sequence[str], config: Any
    ) -> None:
        self._link = link
        self._texts = texts
        self._program = program
        self._config = config

    def find_spec(
        self, name: str, path: Sequence[str] | None = None, target: ModuleType | None = None
    ) -> ModuleSpec | None:
        """Find a module (the import system calls this)."""
        if name in self._program or name in self._texts:
            return ModuleSpec(name, self, origin=f"{name}.py")  # type: ignore[arg-type]
        return None

    def create_module(self, spec: ModuleSpec) -> ModuleType:
        name = spec.name
        module = ProgramModule(name) if name in self._program else ModuleType(name)
        module.__file__ = f"{name}.py"
        return module

    def exec_module(self, module: ModuleType) -> None:
        name = module.__name__
        if name in self._program:
            self._link.import_module(name)
            module.__dict__.update(_grader_link=self._link)
            with suppress(AttributeError):
                module.__dict__["__doc__"] = self._link.get_from_module(name, "__doc__")
            return
        if "hypothesis" in self._texts[name]:
            _let_examples_take_their_time()
        tree = ast.parse(self._texts[name], f"{name}.py")
        rewrite_asserts(tree, self._texts[name].encode("utf-8", "replace"), f"{name}.py", self._config)
        exec(compile(tree, f"{name}.py", "exec", dont_inherit=True), module.__dict__)

    def get_source(self, name: str) -> str | None:
        """Return a test file's text (tracebacks ask for lines)."""
        return self._texts.get(name)

    def install(self) -> None:
        for name in (*self._program, *self._texts):
            sys.modules.pop(name, None)
        sys.meta_path.insert(0, self)


def _let_examples_take_their_time() -> None:
    """Set no deadline for Hypothesis' examples: each call takes longer here, by the load of the machine."""
    with suppress(ImportError):
        settings = import_module("hypothesis").settings
        settings.register_profile("grader", deadline=None)
        settings.load_profile("grader")
