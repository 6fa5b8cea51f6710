"""The connection of the tests with the process that has the program's objects.

An operation travels as plain data (`grader.worker.box.objects` says how), and its result comes back as data,
as a handle, or as an exception.  What cannot cross is a fault of the test, and says at which line.
"""

import builtins
import re
import sys
from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from types import FunctionType, ModuleType
from typing import Any, NoReturn

from _pytest.outcomes import OutcomeException

from grader.pytest_cell.changes import update
from grader.pytest_cell.clock import Clock, TimedOut
from grader.pytest_cell.proxies import Dual, Exceptions, Handle, Proxy, dual_of, handle_of
from grader.wire import library_values

Ask = Callable[[object], Any]
Node = list[Any]

_ATOMS = (type(None), bool, int, float, complex, str, bytes)
_CONTAINERS: dict[type, str] = {list: "l", tuple: "t", set: "s", frozenset: "z"}
_MAKERS: dict[str, Callable[[list[Any]], Any]] = {"l": list, "t": tuple, "s": set, "z": frozenset}
_DEEPEST = 60
_BUILT_IN = {id(value): name for name, value in vars(builtins).items() if not name.startswith("_")}
_COMPARING = frozenset({"lt", "le", "gt", "ge"})
_OF_DATA = frozenset(
    [
        "startswith",
        "endswith",
        "count",
        "index",
        "rindex",
        "find",
        "rfind",
        "partition",
        "rpartition",
        "removeprefix",
        "removesuffix",
        "isdisjoint",
        "issubset",
        "issuperset",
        "union",
        "intersection",
        "difference",
        "symmetric_difference",
    ]
)
"""Methods of texts, lists and sets by which a test compares these with data."""
_ASSERTED = re.compile(r"^assert\b", re.MULTILINE)


class Over(OutcomeException):
    """The program's process has ended; the test cannot go on."""


class CannotCross(OutcomeException):
    """The test asks for something that is not possible between two processes."""


class Unfit(TypeError):
    """An object of the program's stands where data is compared."""


class Opaque:
    """Something of the program's that is neither data nor an object to work with."""

    def __init__(self, type_name: str) -> None:
        self._type_name = type_name

    def __repr__(self) -> str:
        return f"<{self._type_name}>"


class Link:
    """Sends operations, and turns what comes back into values.

    files: names of the test files, for the line at fault.  names: the classes and the functions of the
    reference, and what its objects can have, if that is known; None if the program is to be believed in
    everything.  clock: is told when the test waits for the program.
    """

    def __init__(
        self, ask: Ask, files: Sequence[str], names: Sequence[Sequence[str] | None] | None, clock: Clock
    ) -> None:
        self._ask = ask
        self._clock = clock
        self._files = frozenset(files)
        self._believes = names is None
        classes, functions, self._members = names or ((), (), None)
        self._classes, self._functions = classes or (), functions or ()
        self.process = 0
        """Number of the process; each test has one of its own."""
        self.problem = ""
        """Why the present test cannot be run between two processes."""
        self.is_answer_at_fault = False
        """Whether that is an answer of the program's that cannot be given back to it."""
        self.unfit: Unfit | None = None
        """The first object of the program's that stood where data is compared, also if the test caught it."""
        self.answers = 0
        """Operations that the program answered in the present test."""
        self._absent: list[tuple[BaseException, str, str]] = []
        """Names that the present test did not find in the program's modules."""
        self._raised: list[tuple[BaseException, int]] = []
        self._exceptions = Exceptions()
        self._forget()

    def _forget(self) -> None:
        self._proxies: dict[int, Any] = {}
        self._made: set[int] = set()
        """Numbers of the objects that the present test made, by a call of a class."""
        self._returned: set[int] = set()
        """Numbers of those that the program returned before or again, as the answer of something else."""
        self._has_answered = False
        """Whether the program answered more than what its modules have."""
        self._was_returned = False
        """Whether the latest answer is an object that was returned before."""
        self._callbacks: dict[int, tuple[int, Any]] = {}
        self._by_number: dict[int, Callable[..., Any]] = {0: _read_line}

    def begin(self, *, fresh: bool) -> None:
        """Begin a test.  fresh: with a new process."""
        if fresh:
            self.process += 1
            self._forget()
            self._send(["fresh"])
            self.answers, self.problem, self.is_answer_at_fault, self.unfit = 0, "", False, None
            self._raised.clear()
            self._absent.clear()

    def number_of(self, error: BaseException | None) -> int:
        """Return the number of an exception that the program raised, -1 for any other."""
        return next((number for one, number in self._raised if one is error), -1)

    def absent_in(self, error: BaseException | None) -> str:
        """Return the module and the name that an exception is about, if the program lacks that name."""
        for one, module, name in self._absent:
            if one is error or (isinstance(error, ImportError) and f"'{name}' from '{module}'" in str(error)):
                return f"{module}.{name}"
        return ""

    # -- operations ------------------------------------------------------------------------------------

    def do(self, name: str, *values: object) -> Any:
        return self._sent(["do", name, [self.node(value) for value in values]])

    def get(self, holder: object, name: str) -> Any:
        value = self._sent(["get", self.node(holder), name])
        if isinstance(holder, Proxy) and name in _OF_DATA and not self._has_member(handle_of(holder), name):
            self._refuse(
                f"the answer is an object of type {handle_of(holder).type_name}, and is asked for {name}"
            )
        if isinstance(value, Proxy):
            # It stands for what the object has, not for the object that the test made.
            self._made.discard(handle_of(value).number)
        return value

    def _has_member(self, handle: Handle, name: str) -> bool:
        """Tell whether an object may have a method by which plain data is compared, such as `startswith`.

        An object that stands where a text is expected would be told what it should begin with.
        """
        if self._believes or handle.is_class or self._members is None or name in self._members:
            return True
        return handle.number in self._made and handle.number not in self._returned

    def set(self, holder: object, name: str, value: object) -> None:
        self._sent(["set", self.node(holder), name, self.node(value)])

    def delete(self, holder: object, name: str) -> None:
        self._sent(["del", self.node(holder), name])

    def is_test_file(self, file: str) -> bool:
        return file in self._files

    def is_public(self, name: str, bound: Mapping[str, object]) -> bool:
        """Tell whether `import *` brings a name along.

        bound: the names of the test file.  A program that could exchange these, or `abs`, would judge itself.
        The reference decides where it has a function or class of that name.
        """
        if type(name) is not str or name.startswith(("_", "pytest")):
            return False
        taken = name in bound or hasattr(builtins, name)
        return not taken or self._believes or name in self._classes or name in self._functions

    def _is_class(self, name: str) -> bool:
        """Tell whether a name is one for a class: by the reference, or else by its capital letter."""
        by_letter = name[:1].isupper() and name not in self._functions
        return self._believes or name in self._classes or by_letter

    def import_module(self, name: str) -> None:
        self._sent(["import", name])
        self.answers -= 1

    def get_from_module(self, module: str, name: str) -> Any:
        """Return what a module has under a name; it is found there again in another test's process."""
        try:
            value = self._sent(["get", ["f", module, ""], name])
        except AttributeError as error:
            if self.number_of(error) >= 0:
                self._absent.append((error, module, name))
            raise
        if isinstance(value, Proxy):
            handle = handle_of(value)
            if handle.shape == "class":
                # Under another name the same class may stand for a function.
                value = Proxy(replace(handle))
                handle = handle_of(value)
                handle.is_class = self._is_class(name)
            handle.path = module, name
        return value

    def call(self, function: object, args: Sequence[Any], kwargs: Mapping[str, Any]) -> Any:
        nodes = [self.node(value) for value in args]
        named = {name: self.node(value) for name, value in kwargs.items()}
        value = self._sent(["call", self.node(function), nodes, named], [*args, *kwargs.values()])
        if isinstance(value, Proxy) and isinstance(function, Proxy) and handle_of(function).is_class:
            number = handle_of(value).number
            if number not in self._made:
                self._made.add(number)
                if not self._was_returned:
                    self._returned.discard(number)
        return value

    def operate(self, name: str, left: Any, right: Any) -> Any:
        """Return the result of an operator with two sides, at least one of them an object of the program's.

        With data on the other side, the program would get to know that data, which may be the expected
        answer, and could say anything about it.  So this is done only for objects that the test itself made:
        then the operator is what is tested.
        """
        if self._may_see(left, right):
            return self.do(name, left, right)
        if name in ("eq", "ne"):
            return name == "ne"
        proxy, other = (left, right) if isinstance(left, Proxy) else (right, left)
        what = "compared with" if name in _COMPARING else "combined with"
        text = f"the answer is an object of type {handle_of(proxy).type_name}, and is {what} {_short(other)}"
        self._refuse(text)

    def _refuse(self, text: str) -> NoReturn:
        """Note that an object stands where data is expected, and raise `Unfit`."""
        self.unfit = self.unfit or Unfit(text)
        raise Unfit(text)

    def contains(self, holder: Proxy, value: object) -> bool:
        if self._may_see(holder, value):
            return self.do("contains", holder, value) is True
        return any(item is value or item == value for item in holder)

    def _may_see(self, left: object, right: object) -> bool:
        if isinstance(left, Proxy) and isinstance(right, Proxy):
            return True
        proxy = left if isinstance(left, Proxy) else right
        if not isinstance(proxy, Proxy):
            return False
        handle = handle_of(proxy)
        if self._believes:
            return True
        if handle.shape != "object" or handle.number not in self._made:
            return False
        if handle.number in self._returned:
            self.cannot(
                f"the program returned the test's own object of type {handle.type_name} as an answer, so its"
                " word about data cannot be taken"
            )
        return True

    # -- the conversation ------------------------------------------------------------------------------

    def _sent(self, operation: Node, given: Sequence[Any] = ()) -> Any:
        reply = self._send(operation)
        while True:
            kind, *content = reply
            if kind == "over":
                raise Over
            if kind == "refused":
                self.cannot(content[0])
            *content, printed = content
            if printed:
                sys.stdout.write(printed)
            if kind == "calls":
                reply = self._send(self._called(*content))
                continue
            self.answers += 1
            if kind == "raised":
                raise self._error(*content)
            node, changed = content
            for one, after in zip(given, changed or (), strict=False):
                update(one, self.value(after))
            if node[0] == "given" and 0 <= node[1] < len(given):
                return given[node[1]]
            self._was_returned = node[0] == "object" and node[1] in self._returned
            self._has_answered = self._has_answered or operation[0] in ("call", "do")
            return self.value(node)

    def _send(self, operation: Node) -> Any:
        clock = self._clock
        clock.asks = True
        clock.asked += 1
        try:
            return self._ask(operation)
        except Exception as error:
            if type(error).__name__ == "TooLarge":
                self.cannot(f"this is too much for one call: {error}", is_answer=True)
            raise
        finally:
            clock.asks = False

    def _error(self, kind: Node, text: str, args: list[Node], error: Node, number: int) -> BaseException:
        values = [self.value(arg) for arg in args]
        made = self._exceptions.made(self.value(kind), values, text, self._handle(error))
        self._raised.append((made, number))
        return made

    def _called(self, number: int, args: list[Node], named: dict[str, Node]) -> Node:
        function = self._by_number.get(number)
        if function is None:
            return ["raise", "RuntimeError", "there is no such function"]
        values = [self.value(node) for node in args]
        self._has_answered = True
        try:
            result = function(*values, **{name: self.value(node) for name, node in named.items()})
        except (Over, CannotCross, TimedOut):
            raise
        except BaseException as error:
            return ["raise", type(error).__name__, self._text_of(error)]
        return ["answer", self.node(result)]

    @staticmethod
    def is_verdict(error: BaseException | None) -> bool:
        """Tell whether an exception of the test's says that the test has failed, or has to end."""
        return isinstance(error, AssertionError | OutcomeException | Unfit)

    def _text_of(self, error: BaseException) -> str:
        """Return what the program is told of an exception of a callback; "" if it tells what is expected."""
        text = str(error.args[0] if error.args else "")
        if self.is_verdict(error):
            trace = error.__traceback__
            while trace is not None and trace.tb_next is not None:
                trace = trace.tb_next
            in_test = trace is not None and trace.tb_frame.f_code.co_filename in self._files
            # An assertion tells both sides; what the test itself raises is its own text.
            return "" if not in_test or _ASSERTED.search(text) else text
        return text

    # -- values that go out ----------------------------------------------------------------------------

    def node(self, value: Any, depth: int = 0) -> Node:
        """Return a value as a node.  Raises `CannotCross`."""
        kind = type(value)
        if kind in _ATOMS:
            return ["v", value]
        if depth > _DEEPEST:
            self.cannot("a value with so many levels, or one that holds itself, cannot cross", is_answer=True)
        if kind in _CONTAINERS:
            nodes = [self.node(item, depth + 1) for item in value]
            return ["v", value] if all(node[0] == "v" for node in nodes) else [_CONTAINERS[kind], nodes]
        if kind is dict:
            pairs = [[self.node(key, depth + 1), self.node(item, depth + 1)] for key, item in value.items()]
            return ["v", value] if all(k[0] == v[0] == "v" for k, v in pairs) else ["m", pairs]
        handle = self._exceptions.handle_of(value) or (
            handle_of(value) if isinstance(value, Proxy | Dual) else None
        )
        if handle is not None:
            return self._node_of(handle)
        if id(value) in _BUILT_IN:
            return ["b", _BUILT_IN[id(value)]]
        parts = library_values.parts_of(value)
        if parts is not None:
            return ["x", parts[0], [self.node(part, depth + 1) for part in parts[1]]]
        if isinstance(value, ModuleType) and hasattr(type(value), "stands_for"):
            return ["f", value.__name__, ""]
        if callable(value):
            return self._callback(value)
        if kind is Opaque:
            self.cannot("what the program answered cannot be given back to it", is_answer=True)
        self.cannot(f"an object of type {kind.__name__} cannot be given to the program")

    def _node_of(self, handle: Handle) -> Node:
        if handle.process == self.process:
            return ["h", handle.number]
        if handle.path is not None:
            return ["f", *handle.path]
        self.cannot(
            f"a {handle.type_name} was made outside this test, in another process; make it in the test"
            " or in a fixture without a scope"
        )

    def _callback(self, function: Any) -> Node:
        if id(function) not in self._callbacks:
            number = len(self._by_number)
            self._callbacks[id(function)] = number, function
            self._by_number[number] = function
        number = self._callbacks[id(function)][0]
        name = getattr(function, "__name__", "") if isinstance(function, FunctionType) else ""
        return ["c", number, name or "function"]

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

    def _handle(self, node: Node) -> Handle | None:
        if node[0] != "object":
            return None
        _, number, type_name, shape, classes = node
        return Handle(self, self.process, number, type_name, shape, tuple(classes))

    def value(self, node: Node) -> Any:
        shape, *content = node
        if shape == "v":
            return content[0]
        if shape in _MAKERS:
            try:
                return _MAKERS[shape]([self.value(item) for item in content[0]])
            except TypeError:
                return Opaque("set")
        if shape == "m":
            return self._dict(content[0])
        if shape == "builtin":
            return getattr(builtins, content[0])
        if shape == "callback":
            return self._by_number.get(content[0])
        if shape == "library":
            return self._of_library(content[0], [self.value(part) for part in content[1]])
        if shape == "exception":
            number, name, bases = content
            handle = Handle(self, self.process, number, name, "class", (name,))
            return self._exceptions.kind(handle, [self.value(base) for base in bases])
        if shape in ("object", "dual"):
            number = content[0]
            self._returned.add(number)
            if number not in self._proxies:
                self._proxies[number] = self._proxy(node)
            return self._proxies[number]
        return Opaque(str(content[0]) if content else "object")

    def _proxy(self, node: Node) -> Any:
        handle = self._handle(node)
        if handle is not None:
            return Proxy(handle)
        _, number, type_name, base = node
        handle = Handle(self, self.process, number, type_name, "object", ())
        return dual_of(handle, self.value(base)) or Proxy(handle)

    def _dict(self, pairs: list[list[Node]]) -> Any:
        try:
            return {self.value(key): self.value(value) for key, value in pairs}
        except TypeError:
            return Opaque("dict")

    def _of_library(self, name: str, parts: list[Any]) -> Any:
        if not library_values.is_bounded(name, parts):
            return Opaque(name.rpartition(".")[2])
        try:
            return library_values.made(name, parts)
        except Exception:
            # An honest box sends what such a value is made from.
            return Opaque(name.rpartition(".")[2])


def _read_line(prompt: object = "", /) -> str:
    """Answer the program's `input` by the test's."""
    try:
        return input(prompt)
    except OSError:
        # Pytest refuses to read from the real one.
        raise EOFError("EOF when reading a line") from None


def _short(value: object) -> str:
    text = repr(value)
    return text if len(text) <= 80 else text[:79] + "…"
