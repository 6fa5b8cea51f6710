"""The connection of the tests with the process that has the program's objects.

An operation travels as plain data (`grader.worker.box.objects` says how), and its result comes back as data,
as a handle, or as an exception.
"""

import builtins
import re
import sys
from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from typing import Any, NoReturn

from _pytest.outcomes import OutcomeException

from grader.pytest_cell.changes import update
from grader.pytest_cell.clock import Clock, TimedOut
from grader.pytest_cell.crossing import CannotCross, Crossing, Node
from grader.pytest_cell.proxies import Handle, Proxy, handle_of

Ask = Callable[[object], Any]

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


class Unfit(TypeError):
    """An object of the program's stands where data is compared."""


class Link(Crossing):
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
        self._believes = names is None
        classes, functions, self._members = names or ((), (), None)
        self._classes, self._functions = classes or (), functions or ()
        self.unfit: Unfit | None = None
        """The first object of the program's that stood where data is compared, also if the test caught it."""
        self.answers = 0
        """Operations that the program answered in the present test."""
        self._absent: list[tuple[BaseException, str, str]] = []
        """Names that the present test did not find in the program's modules."""
        self._raised: list[tuple[BaseException, int]] = []
        super().__init__(files)

    def _forget(self) -> None:
        super()._forget()
        self._made: set[int] = set()
        """Numbers of the objects that the present test made, by a call of a class."""
        self._was_returned = False
        """Whether the latest answer is an object that was returned before."""

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


def _short(value: object) -> str:
    text = repr(value)
    return text if len(text) <= 80 else text[:79] + "…"
