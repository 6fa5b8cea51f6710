"""The connection of the tests with the process that has the program's objects: its modules, and calls."""

import builtins
import sys
from collections.abc import Mapping, Sequence
from dataclasses import replace
from types import ModuleType
from typing import Any

from grader.plugins.tests.cell.book import NEW, Book, Sources
from grader.plugins.tests.cell.classes import ProxyClass, Stand
from grader.plugins.tests.cell.clock import Clock
from grader.plugins.tests.cell.control import joined
from grader.plugins.tests.cell.conversation import Ask, Conversation
from grader.plugins.tests.cell.handles import Handle, handle_of
from grader.plugins.tests.cell.proxies import Proxy, ProxyOfCallable, ProxyWithValue

_HOOKS = frozenset(f"{when}{level}" for when in ("setup_", "teardown_") for level in ("module", "function"))
_HOOKS |= {"setUpModule", "tearDownModule"}
"""What pytest looks up in a test file by name, and calls."""


class ProgramConnection(Conversation):
    """What a test has of the program's modules.  The arguments are those of `Conversation`."""

    def __init__(self, ask: Ask, files: Sequence[str], book: Book, clock: Clock) -> None:
        self._absent: list[tuple[BaseException, str, str]] = []
        """Names that the present test did not find in the program's modules."""
        super().__init__(ask, files, book, clock)

    def begin(self, *, fresh: bool) -> None:
        """Begin another test.  fresh: with a new process; else all that the tests made is still there."""
        if fresh:
            self.process += 1
            self._forget()
        self._send(["fresh" if fresh else "next"])
        self.answers, self.problem, self.is_answer_at_fault, self.unfit = 0, "", False, None
        self.was_called = False
        self.files.forget()
        self._raised.clear()
        self._absent.clear()

    def settle(self) -> None:
        """At the end of a test: ask the control questions, whose time is not the test's."""
        self._send(["settle"])
        super().settle()

    def absent_in(self, error: BaseException | None) -> str:
        """Return the module and the name that an exception is about, if the program lacks that name."""
        for one, module, name in self._absent:
            if one is error or (isinstance(error, ImportError) and f"'{name}' from '{module}'" in str(error)):
                return f"{module}.{name}"
        return ""

    # -- operations ------------------------------------------------------------------------------------

    def is_test_file(self, file: str) -> bool:
        return file in self._files

    def is_public(self, name: str, bound: Mapping[str, object]) -> bool:
        """Tell whether `import *` brings a name along.

        bound: the names of the test file.  A program that could exchange these, or `abs`, would judge itself.
        The reference decides where it has a function or class of that name.
        """
        if type(name) is not str or name.startswith(("_", "pytest")) or name in _HOOKS:
            return False
        if isinstance(bound.get(name), ModuleType) and not hasattr(type(bound[name]), "stands_for"):
            # A module that the test has imported itself; the program's is the same one, or cannot cross.
            return False
        taken = name in bound or hasattr(builtins, name)
        return not taken or self._is_known(name)

    def _is_known(self, name: str) -> bool:
        return self.book.believes_all or name in self.book.classes or name in self.book.functions

    def is_class_name(self, name: str) -> bool:
        """Tell whether a name is one for a class: by the reference, or else by its capital letter."""
        by_letter = name[:1].isupper() and name not in self.book.functions
        return self.book.believes_all or name in self.book.classes or by_letter

    def import_module(self, name: str) -> None:
        self._sent(["import", name])
        self.answers -= 1

    def get_from_module(self, module: str, name: str) -> Any:
        """Return what a module has under a name; it is found there again in another test's process."""
        try:
            value = self._sent(["get", ["f", module, ""], name], (f"{module}.{name}",))
        except AttributeError as error:
            if self.is_asked_or_patched(sys._getframe(2)):
                self.check_seen(error, name)
            if self.number_of(error) >= 0:
                self._absent.append((error, module, name))
            raise
        if isinstance(value, Proxy | ProxyClass):
            handle = handle_of(value)
            if handle.shape == "class":
                return self._class_under(handle, module, name)
            handle.path = module, name
        elif kind := self._exceptions.handle_of(value):
            kind.path = module, name
        return value

    def _class_under(self, handle: Handle, module: str, name: str) -> Any:
        """Return the class that a module has under a name.

        Under another name the same class may stand for a function, or for data.
        """
        is_class = self.is_class_name(name)
        if handle.is_stray or not is_class:
            described = replace(handle, path=(module, name), is_class=is_class, labels=(), sources=())
            described.sources = (f"{module}.{name}",)
            return ProxyOfCallable(described)
        told = handle.described
        return self._classes.named(told, (module, name), is_class=True, plain=self._classes.layout(told))

    def call(self, function: object, args: Sequence[Any], kwargs: Mapping[str, Any]) -> Any:
        handle = handle_of(function) if isinstance(function, Stand) else None
        if handle is not None and handle.is_stray:
            self.refuse(f"the answer is an object of type {handle.type_name}, and is called")
        is_class = handle is not None and (handle.is_class or self._makes_as_class(handle))
        if handle is None:
            sources: Sources = ()
        elif handle.path is not None and is_class:
            sources = (NEW + handle.path[1],)
        else:
            sources = self._sources_of_call(handle)
        with self._speaks:
            # Another thread's operation can change what is given.
            nodes = [self.node(value) for value in args]
            named = {name: self.node(value) for name, value in kwargs.items()}
            operation = ["call", self.node(function), nodes, named]
            value = self._sent(operation, sources, [*args, *kwargs.values()])
        if isinstance(value, Proxy | ProxyWithValue) and is_class:
            made = handle_of(value)
            if not made.is_made and not made.is_stray:
                made.is_made = True
                if not self._was_returned:
                    self._returned.discard(made.number)
        return value

    def _makes_as_class(self, handle: Handle) -> bool:
        """Tell whether it is a function, such as a `@contextmanager`, where the reference has a class."""
        path = handle.path
        return path is not None and path[1] in self.book.classes and path[1] not in self.book.functions

    def _sources_of_call(self, handle: Handle) -> Sources:
        """Return the ways to the answer of a call.

        An object can stand where the reference has a method.  What that method answers counts then, and not
        what calls of the object's class do.
        """
        by_way = joined(handle.sources, "()")
        if handle.shape == "function":
            return by_way
        by_class = joined(handle.labels, "()") if handle.shape == "object" else ()
        return self.book.surest(by_way, by_class)
