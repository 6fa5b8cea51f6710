"""Classes that stand for the exceptions of the program's, and those that both sides know."""

import builtins
import re
import sys
from collections.abc import Collection, Sequence
from importlib import import_module
from typing import Any

from grader.plugins.tests.cell.handles import Handle
from grader.plugins.tests.cell.proxies import is_local

_ASSERTED = re.compile(r"^assert\b", re.MULTILINE)
_BUILT_IN = {id(value) for name, value in vars(builtins).items() if not name.startswith("_")}
_OF_TESTS = frozenset({"bdb", "doctest", "pdb", "test", "unittest"})
"""Packages of the library whose exceptions mean something to what runs tests, as `SkipTest` does."""


class Exceptions:
    """Classes that stand for the exceptions of the program's, so that `pytest.raises` takes them."""

    def __init__(self) -> None:
        self._kinds: dict[tuple[tuple[str, ...], tuple[type, ...]], type] = {}
        self._handles: dict[int, Handle] = {}
        self._instead: dict[type, type] = {}

    def instead_of(self, kind: type) -> type:
        """Return the class for one of Python's that the program gives where the reference has its own.

        `except work.Full` would catch the test's own assertions, if `Full` was `Exception`.
        """
        if kind not in self._instead:
            base = BaseException if kind is BaseException else Exception
            self._instead[kind] = type(kind.__name__, (base,), {"__module__": "program"})
        return self._instead[kind]

    def of_library(self, module: str, name: str, *, imports: bool) -> type[BaseException] | None:
        """Return a class of exceptions of the library's; None if it is none.

        imports: any module of it is imported here, which can do more than give names.  Else it is one that
        is loaded, as the test has imported it, and of which no exception ends a test in another way.
        """
        package = module.partition(".")[0]
        if package not in sys.stdlib_module_names or (package in _OF_TESTS and not imports):
            return None
        loaded = import_module(module) if imports else sys.modules.get(module)
        # A program's module can have the name of one of the library's.
        found = None if loaded is None else vars(loaded).get(name)
        root = BaseException if imports else Exception
        return found if isinstance(found, type) and issubclass(found, root) else None

    def kind(self, handle: Handle, bases: list[Any], names: Sequence[str]) -> type:
        """Return the class for one of the program's; the same in each process.

        names: its module and qualified name.
        """
        usable = tuple(base for base in bases if isinstance(base, type)) or (Exception,)
        if not any(issubclass(base, BaseException) for base in usable):
            usable = (Exception,)
        key = (handle.type_name, *names), usable
        if key not in self._kinds:
            body = {
                "__getattr__": _attribute,
                "__str__": _text,
                "__module__": names[0],
                "__qualname__": names[1],
            }
            try:
                self._kinds[key] = type(handle.type_name, usable, body)
            except TypeError:
                self._kinds[key] = type(handle.type_name, (Exception,), body)
        kind = self._kinds[key]
        if (before := self._handles.get(id(kind))) is not None:
            handle.path = before.path
        self._handles[id(kind)] = handle
        return kind

    def made(self, kind: Any, args: list[Any], text: str, handle: Handle | None) -> BaseException:
        """Return an exception as the program raised it."""
        if not (isinstance(kind, type) and issubclass(kind, BaseException)):
            kind = Exception
        kind = self._instead.get(kind, kind)
        try:
            made: BaseException = kind(*args)
        except Exception:
            made = _empty(kind) or RuntimeError(text)
            made.args = tuple(args)
        if id(kind) in self._handles:
            made.__dict__["_grader_text"] = text
            made.__dict__["_grader_handle"] = handle
        return made

    def shared(self, error: BaseException) -> Handle | tuple[str, str] | None:
        """Return what the program knows an exception by: itself, its class, or module and name of that.

        None if the nearest class that both sides have is one of Python's own.
        """
        for kind in type(error).__mro__:
            if id(kind) in self._handles:
                return self.handle_of(error) or self._handles[id(kind)]
            if id(kind) in _BUILT_IN:
                return None
            names = kind.__module__, kind.__qualname__
            is_librarys = names[0].partition(".")[0] in sys.stdlib_module_names - _OF_TESTS
            if is_librarys and vars(sys.modules.get(names[0], sys)).get(names[1]) is kind:
                return names
        return None

    def handle_of(self, value: Any) -> Handle | None:
        """Return the handle of a class or an exception of the program's; None for any other value."""
        if isinstance(value, type):
            return self._handles.get(id(value))
        if isinstance(value, BaseException):
            handle: Handle | None = value.__dict__.get("_grader_handle")
            return handle
        return None


def catches_verdicts(kind: Any) -> bool:
    """Tell whether it is a class of exceptions by which a test would catch what it asserts itself."""
    return isinstance(kind, type) and issubclass(kind, BaseException) and issubclass(AssertionError, kind)


def nearest_of_pythons(error: BaseException) -> str:
    """Return the name of the nearest class of Python's own that an exception is of."""
    return next(base.__name__ for base in type(error).__mro__ if id(base) in _BUILT_IN)


def _empty(kind: type[BaseException]) -> BaseException | None:
    """Return an exception that was not initialised; None if its class cannot make one."""
    try:
        return kind.__new__(kind) if issubclass(kind, Exception) else None
    except Exception:
        return None


def _attribute(self: BaseException, name: str) -> Any:
    handle = self.__dict__.get("_grader_handle")
    if handle is None or is_local(name) or name.startswith("__"):
        raise AttributeError(name)
    return handle.link.get(self, name)


def _text(self: BaseException) -> str:
    text = self.__dict__.get("_grader_text")
    return text if text is not None else BaseException.__str__(self)


def text_of_raised(error: BaseException, files: Collection[str], *, is_verdict: bool) -> str:
    """Return what the program is told of an exception of a callback; "" if it tells what is expected.

    files: names of the test files.  is_verdict: it says that the test has failed.
    """
    text = str(error.args[0] if error.args else "")
    if not is_verdict:
        return text
    trace = error.__traceback__
    while trace is not None and trace.tb_next is not None:
        trace = trace.tb_next
    in_test = trace is not None and trace.tb_frame.f_code.co_filename in files
    # An assertion tells both sides; what the test itself raises is its own text.
    return "" if not in_test or _ASSERTED.search(text) else text
