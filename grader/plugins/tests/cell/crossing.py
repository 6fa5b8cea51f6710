"""How values cross between the tests and the process of the program: as data, or as handles of objects.

What cannot cross is a fault of the test, and says at which line.
"""

import builtins
import sys
from collections.abc import Callable, Iterable, Sequence
from types import BuiltinFunctionType, FrameType, FunctionType, MethodType, ModuleType
from typing import Any, NoReturn

from _pytest.outcomes import OutcomeException

from grader.plugins.tests.cell.book import NEW, STRAY, Book, Sources, within
from grader.plugins.tests.cell.classes import PATCHING, Classes, Described, Stand
from grader.plugins.tests.cell.files_here import NOT_THERE, FilesHere
from grader.plugins.tests.cell.handles import MOST_SOURCES, Handle, Opaque, handle_of
from grader.plugins.tests.cell.library.callbacks import identity_of, told_of_function
from grader.plugins.tests.cell.library.exceptions import Exceptions, catches_verdicts, nearest_of_pythons
from grader.plugins.tests.cell.library.values import holds_items, made_of
from grader.plugins.tests.cell.patterns import is_in_pattern_of_keys
from grader.plugins.tests.cell.places import ALL, DATA, NOWHERE, Place
from grader.plugins.tests.cell.proxies import (
    Proxy,
    ProxyOfCallable,
    ProxyWithValue,
    dual_of,
    dual_type,
    has_changed,
    plain_of,
    renew,
)
from grader.wire import library_values
from grader.wire.containers import MUTABLE
from grader.wire.nodes import CONTAINERS, LETTERS, Node

_ATOMS = (type(None), bool, int, float, complex, str, bytes)
_DEEPEST = 60
_LOOKING = frozenset({"dataclasses", "inspect", "enum"})
_BUILT_IN = {id(value): name for name, value in vars(builtins).items() if not name.startswith("_")}


class CannotCross(OutcomeException):
    """The test asks for something that is not possible between two processes."""


class Marshaller:
    """Turns values into nodes and back.

    files: names of the test files, for the line at fault.  book: what is believed.
    """

    def __init__(self, files: Sequence[str], book: Book) -> None:
        self._files = frozenset(files)
        self.book = book
        self.process = 0
        """Number of the process; each test has one of its own."""
        self.problem = ""
        """Why the present test cannot be run between two processes."""
        self.is_answer_at_fault = False
        """Whether that is an answer of the program's that cannot be given back to it."""
        self.files = FilesHere()
        self._exceptions = Exceptions()
        self._classes = Classes(self)
        self._forget()

    def _forget(self) -> None:
        self._classes.forget()
        self._proxies: dict[int, Any] = {}
        self._ways: dict[tuple[int, Sources], Proxy] = {}
        """What stands for an object that came by another way than before, by that way."""
        self._returned: set[int] = set()
        """Numbers of the objects that the program returned, and not as what the test made."""
        self._has_answered = False
        """Whether the program answered more than what its modules have."""
        self._callbacks: dict[object, tuple[int, Any]] = {}
        self._by_number: dict[int, Callable[..., Any]] = {}
        self._snapshots: dict[int, object] = {}
        """Such values that the program answered, by their identity."""
        self._gave_object = ""
        """The type of an object of the tests' that the program has as a function, such as a Mock."""

    # -- values that go out ----------------------------------------------------------------------------

    def node(self, value: Any, depth: int = 0) -> Node:
        """Return a value as a node.  Raises `CannotCross`."""
        kind = type(value)
        if kind in _ATOMS:
            if kind is str and self.files.note(value):
                self.cannot(NOT_THERE)
            return ["v", value]
        if depth > _DEEPEST:
            self.cannot("a value with so many levels, or one that holds itself, cannot cross", is_answer=True)
        number = self.number_of_common(value) if kind in MUTABLE else -1
        if number >= 0:
            return ["h", number]
        if kind in LETTERS:
            nodes = [self.node(item, depth + 1) for item in value]
            return ["v", value] if all(node[0] == "v" for node in nodes) else [LETTERS[kind], nodes]
        if kind is dict:
            pairs = [[self.node(key, depth + 1), self.node(item, depth + 1)] for key, item in value.items()]
            return ["v", value] if all(k[0] == v[0] == "v" for k, v in pairs) else ["m", pairs]
        if isinstance(value, ProxyWithValue) and has_changed(value):
            return self.node(plain_of(value), depth)
        handle = self._exceptions.handle_of(value) or (handle_of(value) if isinstance(value, Stand) else None)
        if handle is not None:
            return self._node_of(handle)
        if id(value) in _BUILT_IN:
            return ["b", _BUILT_IN[id(value)]]
        parts = library_values.parts_of(value)
        if parts is not None and self._may_give(parts[0], value):
            return ["x", parts[0], [self.node(part, depth + 1) for part in parts[1]]]
        if isinstance(value, ModuleType) and hasattr(type(value), "stands_for"):
            return ["f", value.__name__, ""]
        if callable(value) or (kind is object and is_in_pattern_of_keys(sys._getframe(), self._files)):
            # Such a pattern asks for `get` with a bare object, to see whether that comes back.
            return self._callback(value)
        if isinstance(value, BaseException):
            return self._exception(value, depth)
        if kind is Opaque:
            self.cannot("what the program answered cannot be given back to it", is_answer=True)
        self.cannot(f"an object of type {kind.__name__} cannot be given to the program")

    def _may_give(self, name: str, value: object) -> bool:
        """Tell whether the program may have a copy: the test does not see what becomes of that."""
        is_safe = name in library_values.READ_ONLY or id(value) in self._snapshots
        return name not in library_values.SNAPSHOTS or (is_safe and not self.book.believes_all)

    def _exception(self, error: BaseException, depth: int) -> Node:
        """Return an exception of the test's as the nearest one of Python's own."""
        try:
            args = [self.node(arg, depth + 1) for arg in error.args]
        except CannotCross:
            self.problem, args = "", []
        return ["u", nearest_of_pythons(error), args]

    def _node_of(self, handle: Handle) -> Node:
        if handle.refused:
            self.cannot(handle.refused)
        if handle.process == self.process:
            return ["h", handle.number]
        if handle.path is not None:
            return ["f", *handle.path]
        self.cannot(
            f"a {handle.type_name} was made outside this test, in another process; make it in the test"
            " or in a fixture without a scope"
        )

    def _callback(self, function: Any) -> Node:
        key = identity_of(function)
        if key not in self._callbacks:
            number = len(self._by_number)
            self._callbacks[key] = number, function
            self._by_number[number] = function
        if not isinstance(function, FunctionType | MethodType | BuiltinFunctionType | type):
            self._gave_object = type(function).__name__
        return ["c", self._callbacks[key][0], *told_of_function(function, has_doc=not self.book.believes_all)]

    def is_asked_by_test(self, frame: FrameType | None) -> bool:
        """Tell whether a test asks, itself or by a function of the library that looks into objects."""
        while frame is not None and frame.f_globals.get("__name__") in _LOOKING:
            frame = frame.f_back
        return frame is not None and frame.f_code.co_filename in self._files

    def is_asked_or_patched(self, frame: FrameType) -> bool:
        """Tell whether a test asks, or what is to replace an attribute for it."""
        return frame.f_globals.get("__name__") in PATCHING or self.is_asked_by_test(frame)

    def cannot(self, reason: str, *, is_answer: bool = False) -> NoReturn:
        """Note that the test cannot be run, and raise `CannotCross`.

        is_answer: this can be so only by an answer of the program's, if the reference passes the test.
        """
        frame, place = sys._getframe(), ""
        while frame.f_back is not None and not place:
            frame = frame.f_back
            if frame.f_code.co_filename in self._files:
                place = f"line {frame.f_lineno} of {frame.f_code.co_filename}: "
        if not self.problem:
            self.problem, self.is_answer_at_fault = place + reason, is_answer and self._has_answered
        raise CannotCross(self.problem)

    # -- values that come in ---------------------------------------------------------------------------

    def _handle(self, node: Node, sources: Sources) -> Handle | None:
        if node[0] != "object":
            return None
        _, number, type_name, shape, described = node
        # Which class the program has made its classes by is its own business.
        labels = self.book.labels(sources, "type" if shape == "class" else type_name)
        return Handle(
            self, self.process, number, type_name, shape,
            labels=labels or (), sources=sources, is_stray=labels is None, described=Described.of(described),
        )  # fmt: skip

    def is_own_exception(self, value: object) -> bool:
        """Tell whether it is a class of exceptions of the program's, or an exception of one."""
        return self._exceptions.handle_of(value) is not None

    def number_of_common(self, value: object) -> int:
        """Return the number under which the program knows a container of the tests', -1 if it does not."""
        raise NotImplementedError

    def is_class_name(self, name: str) -> bool:
        """Tell whether a name is one for a class."""
        raise NotImplementedError

    def value(self, node: Node, sources: Sources = (), place: Place = NOWHERE) -> Any:
        """Return the value of a node.

        sources: the ways by which it came; see `Book`.  place: where it came; see `Places`.
        """
        believed = not sources or self.book.meet(sources, place, self.book.kind_of(node))
        if believed is False:
            sources = (STRAY,)
        found = self._of_shape(node, sources, place)
        if believed is None and isinstance(found, Proxy | ProxyWithValue):
            handle_of(found).doubted = sources[0]
        return found

    def _of_shape(self, node: Node, sources: Sources, place: Place) -> Any:
        shape, *content = node
        if shape == "object":
            return self._object(node, sources)
        if shape == "dual":
            return self._dual(node, sources, place)
        if shape in ("m", *CONTAINERS):
            self.book.note_data(sources, ())
        if shape in CONTAINERS:
            try:
                return CONTAINERS[shape](self._items(node, within(sources), place))
            except TypeError:
                return Opaque("set")
        if shape == "m":
            return self._dict(content[0], within(sources), place)
        if shape == "exception":
            number, name, bases, names = content
            known = self._exceptions.of_library(*names, imports=self.book.believes_all)
            if known is not None:
                return known
            handle = Handle(self, self.process, number, name, "class", labels=(name,), sources=sources)
            return self._exceptions.kind(handle, [self.value(base) for base in bases], names)
        if shape in ("c", "b"):
            # Such as a `Mock` of the test's own, or the class `set`, in place of a set.
            if self.book.labels(sources, "callback" if shape == "c" else "builtin") is None:
                return Opaque("function" if shape == "c" else "type")
            found = self._data(node)
            if sources and catches_verdicts(found) and self.book.is_odd(f"{sources[:1]} is {content[0]}"):
                return self._exceptions.instead_of(found)
            return found
        if shape == "x":
            return self._of_library(node, sources, place)
        value = self._data(node)
        self.book.note_data(sources, value)
        if sources and type(value) in (*LETTERS, dict):
            self.book.meet(within(sources), place.within(ALL), DATA)
        return value

    def _items(self, node: Node, inner: Sources, place: Place) -> list[Any]:
        """Return the items of a container.  Those of a set have no order, so data comes first."""
        shape, items = node
        is_loose = shape in ("s", "z")
        if is_loose:
            items = sorted(items, key=self.book.kind_of)
        return [
            self.value(item, inner, place.within(f"[{number}]", is_loose=is_loose))
            for number, item in enumerate(items)
        ]

    def _data(self, node: Node) -> Any:
        shape, *content = node
        if shape == "v":
            return content[0]
        if shape == "b":
            return getattr(builtins, content[0])
        if shape == "c":
            return self._by_number.get(content[0])
        return Opaque(str(content[0]) if content else "object", self if self.book.believes_all else None)

    def _object(self, node: Node, sources: Sources) -> Any:
        handle = self._handle(node, sources)
        assert handle is not None, "it is an object"
        if handle.is_stray:
            # It is no object to the tests, not even one that the test made itself.
            return self._made(handle)
        if handle.shape == "class" and self.book.agrees(sources, "type"):
            return self._class(handle)
        return self._known(handle)

    def _class(self, handle: Handle) -> Any:
        """Return the class that stands for one with which the program answers."""
        told: Described = handle.described
        is_class = bool(told.path) and self.is_class_name(told.path[1])
        plain = self._classes.layout(told)
        found = self._classes.of(told, plain=plain, agrees=True, is_class=is_class)
        of = handle_of(found)
        of.sources = tuple(dict.fromkeys((*of.sources, *handle.sources)))[:MOST_SOURCES]
        return found

    def _class_of(self, handle: Handle, plain: type | None) -> Any:
        """Return the class of what stands for an object.  plain: the type of data that it is."""
        told: Described = handle.described
        is_known = self.book.knows(handle.type_name, *told.path[1:])
        agrees = is_known or (not handle.is_stray and self.book.agrees(handle.sources, handle.type_name))
        is_class = bool(told.path) and self.is_class_name(told.path[1])
        found = self._classes.of(told, plain=plain, agrees=agrees, is_class=is_class)
        handle.described = handle_of(found).described
        return found

    def _made(self, handle: Handle) -> Proxy:
        if handle.shape == "class":
            # Under this name it may stand for a function.
            return ProxyOfCallable(handle)
        made: Proxy = object.__new__(self._class_of(handle, None))
        object.__setattr__(made, "_grader_handle", handle)
        return made

    def _known(self, handle: Handle) -> Any:
        """Return what stands for an object, the same for each time that it comes."""
        self._returned.add(handle.number)
        known = self._proxies.get(handle.number)
        if known is None:
            known = self._proxies[handle.number] = self._made(handle)
        return self._merged(known, handle) if isinstance(known, Proxy) else known

    def _merged(self, known: Proxy, handle: Handle) -> Proxy:
        """Return what stands for an object that came before, by another way perhaps.

        Where the reference has objects of another class, or of none, by the new way, that is something else.
        Where it has others of that class, and data, the object's word about data is in doubt.
        """
        of = handle_of(known)
        new = {*handle.sources} - {*of.sources}
        is_odd = not self.is_known_to_come(new) and self.book.is_learned
        is_alike = bool(handle.labels) and (not of.labels or not {*handle.labels}.isdisjoint(of.labels))
        if is_odd and not is_alike and self.book.leads_somewhere(new):
            return self._ways.setdefault((handle.number, handle.sources), self._made(handle))
        if is_odd and (self.book.leads_to_both(new) or not self.book.leads_somewhere(new)):
            of.doubted = min(new)
        else:
            of.note_way_of(handle)
        return known

    def is_known_to_come(self, ways: Iterable[str]) -> bool:
        """Tell whether the reference gives an object again by one of these ways; note it."""
        odd = [self.book.is_odd(f"the same object at {way}") for way in ways]
        return not odd or not all(odd)

    def _dual(self, node: Node, sources: Sources, place: Place) -> Any:
        _, number, type_name, base, described = node
        # Elsewhere its class is nobody's business but the program's.
        is_known = type_name in self.book.classes or not self.book.learns
        labels = self.book.labels(sources, type_name) if is_known else None
        handle = Handle(
            self, self.process, number, type_name, "object",
            labels=labels or (), sources=sources, is_stray=labels is None, described=Described.of(described),
        )  # fmt: skip
        if self.book.are_objects(handle.labels):
            # Which base the program chose for its class is the program's business.
            return self._known(handle)
        value = self.value(base, within(sources), place.within("()"))
        if not is_known:
            self.book.note_data(sources, value)
        is_new = any(source.startswith(NEW) for source in sources)
        is_live = self.book.believes_all or is_new or bool(handle.labels)
        if type(value) in (list, dict, set) and is_live:
            handle.base = type(value)
            return self._known(handle)
        known: Any = self._proxies.get(number)
        is_as_known = isinstance(known, ProxyWithValue) and handle_of(known).labels == handle.labels
        if is_as_known and not self.book.differ(handle_of(known).sources, sources):
            renew(known, value)
            return known
        if dual_type(type(value)) is None:
            return self._known(handle)
        made = dual_of(handle, value, self._class_of(handle, type(value)))
        if not handle.is_stray:
            self._returned.add(number)
        self._proxies[number] = made
        return made

    def _dict(self, pairs: list[list[Node]], inner: Sources, place: Place) -> Any:
        found: dict[Any, Any] = {}
        for number, (key, value) in enumerate(pairs):
            is_plain = key[0] == "v"
            of_key = place.within(f"[key {number}]", is_loose=True)
            of_value = place.within(f"[{key[1]!r}]" if is_plain else f"[{number}]", is_loose=not is_plain)
            try:
                found[self.value(key, inner, of_key)] = self.value(value, inner, of_value)
            except TypeError:
                return Opaque("dict")
        return found

    def _of_library(self, node: Node, sources: Sources, place: Place) -> Any:
        found = [self.value(part, *((sources, place) if holds_items(part) else ())) for part in node[2]]
        made = made_of(node[1], found)
        self.book.note_data(sources, made)
        self._snapshots |= {id(made): made} if node[1] in library_values.SNAPSHOTS else {}
        return made
