"""The conversation with the program: an operation goes there, its result or a call of a callback comes back.

An operation travels as plain data (`grader.worker.box.live.objects` says how), and its result comes back as
data, as a handle, or as an exception.
"""

import sys
import threading
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from functools import partial
from types import FunctionType
from typing import Any

from _pytest.outcomes import OutcomeException

from grader.plugins.tests.cell.asking import Asking
from grader.plugins.tests.cell.book import GIVEN, Book, Sources, is_next, within
from grader.plugins.tests.cell.clock import Clock, TimedOut
from grader.plugins.tests.cell.containers.changes import Belief, is_large, take_over
from grader.plugins.tests.cell.containers.common import CommonContainers, InCommon, Kept
from grader.plugins.tests.cell.control import joined
from grader.plugins.tests.cell.crossing import CannotCross
from grader.plugins.tests.cell.handles import Handle, Opaque, handle_of
from grader.plugins.tests.cell.library.exceptions import nearest_of_pythons, text_of_raised
from grader.plugins.tests.cell.library.streams import read_line, read_stdin
from grader.plugins.tests.cell.places import NOWHERE, Place
from grader.plugins.tests.cell.proxies import is_local, objects_in
from grader.wire.containers import MUTABLE, Twin, twins_in
from grader.wire.nodes import Node, items_of

Ask = Callable[[object], Any]

_ASKED_OF_A_CALLBACK = "'function' object "
"""Begins what Python says where a function is asked for something else than a call."""


class ProgramEnded(OutcomeException):
    """The program's process has ended; the test cannot go on."""


class Conversation(Asking):
    """Sends operations, and turns what comes back into values.

    files: names of the test files, for the line at fault.  book: what is believed.  clock: is told when the
    test waits for the program.
    """

    def __init__(self, ask: Ask, files: Sequence[str], book: Book, clock: Clock) -> None:
        self._ask = ask
        self._clock = clock
        self._raised: list[tuple[BaseException, int]] = []
        self._set_there: list[tuple[FunctionType, str]] = []
        """Attributes that the program has set on functions of the tests'."""
        self._speaks = threading.RLock()
        """Held by the thread of the test's that has asked something, until it has its answer."""
        super().__init__(files, book)

    def _forget(self) -> None:
        super()._forget()
        for function, name in self._set_there:
            vars(function).pop(name, None)
        self._set_there.clear()
        self.was_called = False
        """Whether the present test has called the program."""
        self._was_returned = False
        """Whether the latest answer is an object that was returned before."""
        self._common = CommonContainers(self)
        self._is_reading = False
        """Whether an answer is being turned into values."""
        self._told: tuple[InCommon | None, bool] = None, False
        """What the program said of containers in common with the latest message, and whether what the
        operation was given came with it."""
        self._by_number |= {0: read_line, 1: read_stdin}
        self._own_raised: tuple[str, str, BaseException] | None = None
        """What a callback of a student's tests raised last: its class, its text and itself."""

    def number_of(self, error: BaseException | None) -> int:
        """Return the number of an exception that the program raised, -1 for any other."""
        return next((number for one, number in self._raised if one is error), -1)

    def _sent(self, operation: Node, sources: Sources = (), given: Sequence[Any] = ()) -> Any:
        try:
            with self._speaks:
                return self._answer_to(operation, sources, given)
        except (StopIteration, StopAsyncIteration) as error:
            if not is_next(operation, sources):
                kind = type(error).__name__
                what = f"{operation[0]} {sources[:1] or operation[1:2]}: {kind}"
                if self.book.is_odd(what) and self.book.is_learned:
                    # A loop over `map` would end as if there was no more.
                    self._note(f"{error!r} was raised where the reference gives an answer")
            raise

    def _answer_to(self, operation: Node, sources: Sources, given: Sequence[Any]) -> Any:
        twins = twins_in(given)
        if twins:
            operation = [*operation, twins]
        if self._is_reading:
            # An answer is being read, and the program is asked for the hash of an object in it.
            return self._carried_out(["aside", operation], sources, given)
        self._before()
        self._told = ([], True), False
        try:
            answer = self._carried_out(operation, sources, given)
        except Exception:
            self._in_common([None], given, (), joined(sources, GIVEN), given)
            raise
        return self._in_common([answer], given, sources, joined(sources, GIVEN), given)[0]

    def _before(self) -> None:
        with self._reading():
            self._common.before()

    def _in_common(
        self,
        received: Sequence[Any],
        given: Sequence[Any],
        ways: Sources,
        into: Sources,
        settled: Sequence[Any],
    ) -> list[Any]:
        """Return what was received, with what both sides have in common in its places."""
        told, is_settled = self._told
        with self._reading():
            # To put an object into a set asks the program for its hash.
            return self._common.after(
                received, given, settled if is_settled else (), ways=ways, into=into, told=told
            )

    def do(self, name: str, *values: object) -> Any:
        # Another thread's operation can change what is given, so its end is waited for before that is read.
        with self._speaks:
            return super().do(name, *values)

    def set(self, holder: object, name: str, value: object) -> None:
        with self._speaks:
            super().set(holder, name, value)

    def carry_out(self, operation: Node, read: Callable[[Node], Any] | None = None) -> Any:
        """Return the result of an operation that is not the test's own.  read: reads its node."""
        with self._speaks:
            before = self.answers, self._was_returned
            try:
                return self._carried_out(["aside", operation], (), (), read)
            finally:
                self.answers, self._was_returned = before

    def kept(self, numbers: Sequence[int], ways: Sequence[Sources]) -> Kept:
        """Return what the program says of containers.  ways: to each of them."""

        def read(node: Node) -> Kept:
            latest, changed, twins = items_of(node)
            found = []
            for each in items_of(changed):
                place, content, inner = items_of(each)
                number = int(self.value(place))
                found.append((number, self.value(content, ways[number]), self.value(inner)))
            return self.value(latest), found, self.value(twins)

        answer: Kept = self.carry_out(["kept", [*numbers]], read)
        return answer

    def _of_shape(self, node: Node, sources: Sources, place: Place) -> Any:
        found = super()._of_shape(node, sources, place)
        if node[0] == "c" and self.is_of_test(found):
            keys = self.book.labels(sources, "callback") or sources
            for name, attribute in node[2]:
                if not is_local(name) and self.book.may_have(keys, name):
                    inner = place.within(f".{name}", is_loose=True)
                    vars(found)[name] = self.value(attribute, joined(keys, f".{name}"), inner)
                    self._set_there.append((found, name))
        return found

    def unseen_in(self, error: BaseException | None) -> str:
        """Return why a test fails by an attribute of its own function, where the reference fails so too."""
        if not isinstance(error, AttributeError) or not self.is_of_test(error.obj):
            return ""
        was_given = any(error.obj is each for each in self._by_number.values())
        if not was_given or self.book.is_odd(f"{error.name} is not there"):
            return ""
        return (
            f"`{error.name}` of a function of the test's: what the program sets on it is seen once it comes"
            " back; ask what the program answers"
        )

    def is_of_test(self, value: object) -> bool:
        """Tell whether it is a function that the test files define."""
        return isinstance(value, FunctionType) and value.__code__.co_filename in self._files

    def node_of_content(self, container: Any) -> Node | None:
        """Return a container as a node of what it holds; None if that cannot cross.

        An instructor's test stops there: whether the program sees the change is what it may ask.
        """
        if not self.book.believes_all:
            return self.node(container.copy())
        before = self.problem, self.is_answer_at_fault
        try:
            return self.node(container.copy())
        except CannotCross:
            self.problem, self.is_answer_at_fault = before
            return None

    def number_of_common(self, value: object) -> int:
        return self._common.number_of(value)

    def _carried_out(
        self,
        operation: Node,
        sources: Sources,
        given: Sequence[Any],
        read: Callable[[Node], Any] | None = None,
    ) -> Any:
        self.was_called = self.was_called or operation[0] in ("call", "do")
        reply = self._send(operation)
        while True:
            kind, *content = reply
            if kind == "over":
                raise ProgramEnded
            if kind == "refused":
                self.cannot(content[0])
            *content, printed, errors = content
            if printed:
                sys.stdout.write(printed)
            if errors:
                sys.stderr.write(errors)
            if kind == "calls":
                reply = self._send(self._called(content, given, joined(sources, GIVEN)))
                continue
            self.answers += 1
            try:
                with self._reading():
                    return self._read(kind, content, operation, sources, given, read)
            finally:
                # What is read meanwhile asks for more.
                *_, in_common, changed, _, _ = content
                self._told = in_common, changed is not None

    @contextmanager
    def _reading(self) -> Iterator[None]:
        """Note that what came is being turned into values, while the context is open."""
        before, self._is_reading = self._is_reading, True
        try:
            yield
        finally:
            self._is_reading = before

    def _read(
        self,
        kind: str,
        content: list[Any],
        operation: Node,
        sources: Sources,
        given: Sequence[Any],
        read: Callable[[Node], Any] | None,
    ) -> Any:
        """Return what an operation answered; raise what it raised."""
        operation = operation[1] if operation[0] == "aside" else operation
        *content, _, changed, moved, twins = content
        place = self.book.places.of(operation)
        belief = self._common.belief(sources, joined(sources, GIVEN))
        after = self._as_changed(changed, belief.into, place)
        if kind == "raised":
            self._taken_over(None, given, after, belief, moved, twins)
            raise self._error(place, *content)
        (node,) = content
        if read is not None:
            return read(node)
        self._has_answered = self._has_answered or operation[0] in ("call", "do")
        if node[0] == "given":
            self._taken_over(None, given, after, belief, moved, twins)
            return self._given(node[1], given, belief)
        self._was_returned = node[0] in ("object", "dual") and node[1] in self._returned
        answer = self.value(node, sources, place)
        return self._taken_over(answer, given, after, belief, moved, twins)

    def _as_changed(self, changed: Sequence[Node] | None, into: Sources, place: Place) -> list[Any] | None:
        """Return what an operation was given as the program has it now; None if it has not changed."""
        if changed is None:
            return None
        return [self.value(one, into, place.within(f"<-{i}")) for i, one in enumerate(changed)]

    def _taken_over(
        self, answer: Any, given: Sequence[Any], after: list[Any] | None, belief: Belief, *moves: list[Twin]
    ) -> Any:
        """Bring to the test what the program has changed and moved; return the answer, see `take_over`."""
        answer = take_over(answer, given, after, belief, *moves)
        if any(moves):
            self.refuse_large([answer, *given])
        return answer

    def refuse_large(self, values: Sequence[Any]) -> None:
        if is_large(values):
            self.cannot("the answer is too large", is_answer=True)

    def _given(self, number: int, given: Sequence[Any], belief: Belief) -> Any:
        """Return the test's own container that the program says it returned; a copy if belief differs."""
        value: Any = given[number] if 0 <= number < len(given) else None
        if type(value) not in MUTABLE:
            return Opaque("object")
        self.book.note_data(belief.ways, value)
        for proxy in objects_in(value):
            labels = self.book.labels(within(belief.ways), handle_of(proxy).type_name)
            if labels is None:
                self.refuse(f"the answer holds an object of type {handle_of(proxy).type_name}")
            self._returned.add(handle_of(proxy).number)
            self.is_known_to_come(within(belief.ways))
        return value.copy() if belief.differ(value) else value

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

    def _error(
        self, place: Place, number: int, kind: Node, text: str, args: list[Node], error: Node
    ) -> BaseException:
        if self.book.believes_all and text.startswith(_ASKED_OF_A_CALLBACK) and self._gave_object:
            self.cannot(f"the program uses a {self._gave_object} of the test's by more than calls of it")
        values = [self.value(arg, ("error.args[]",), place.within(f"!{i}")) for i, arg in enumerate(args)]
        handle = self._handle(error, ("error",)) if error[0] == "object" else None
        made = self._exceptions.made(self.value(kind), values, text, handle)
        if isinstance(made, OSError) and handle is not None and str(made) != text:
            # Its `args` lack the files, which its text and its attributes name.
            for name in ("filename", "filename2"):
                setattr(made, name, self.carry_out(["get", ["h", handle.number], name]))
        if self._own_raised is not None and self._own_raised[:2] == (type(made).__name__, text):
            # What a callback raised comes back.
            made = self._own_raised[2]
        self._raised.append((made, number))
        return made

    def _called(self, call: Sequence[Any], running: Sequence[Any], into: Sources) -> Node:
        """Return what a callback answers.  running: what the operation was given that calls it, by `into`."""
        number = call[0]
        if number not in self._by_number:
            return ["raise", "RuntimeError", "there is no such function"]
        # Nothing else may hold what it is handed, since who holds a container has it in common.
        ready = [self._ready(call, running, into)]
        try:
            result = ready.pop()()
            self._before()
        except (ProgramEnded, CannotCross, TimedOut):
            raise
        except BaseException as error:
            self._before()
            kind = nearest_of_pythons(error)
            if self.is_verdict(error) and self.book.is_odd(f"callback {number}: {kind}"):
                self._note(str(error.args[0] if error.args else "") or "an assertion failed in a callback")
            text = text_of_raised(error, self._files, is_verdict=self.is_verdict(error))
            if self.book.believes_all or f"{type(error).__module__}.py" in self._files:
                self._own_raised = kind, text, error
            return ["raise", kind, text, *self._made_of(error)]
        return ["answer", self.node(result)]

    def _ready(self, call: Sequence[Any], running: Sequence[Any], into: Sources) -> Callable[[], Any]:
        """Return a callback with what it is handed."""
        number, args, named, in_common, changed, moved, twins = call
        sources = (f"callback {number}",)
        place = self.book.places.of(sources, is_loose=True)
        given = [*enumerate(args), *named.items()]
        with self._reading():
            after = self._as_changed(changed, into, NOWHERE)
            handed = tuple(self.value(node, sources, place.within(f" {name}")) for name, node in given)
        count, names = len(args), [*named]
        # The nodes hold the same values.
        for each in (given, args, named):
            each.clear()
        self._has_answered = True
        handed = self._taken_over(handed, running, after, self._common.belief(sources, into), moved, twins)
        self._told = in_common, after is not None
        values = self._in_common(handed, running, sources, into, running)
        return partial(
            self._by_number[number], *values[:count], **dict(zip(names, values[count:], strict=True))
        )

    def _made_of(self, error: BaseException) -> list[Any]:
        """Return the class of a callback's exception as a node, and what it is made of.

        Of one that the program has raised before, itself and None.  Nothing where it arrives as the nearest
        of Python's own.
        """
        shared = None if self.is_verdict(error) else self._exceptions.shared(error)
        if isinstance(shared, Handle):
            is_itself = shared is self._exceptions.handle_of(error)
            return [self._node_of(shared), None if is_itself else self._exception(error, 0)[2]]
        if shared is None or self.book.believes_all:
            return []
        return [["f", *shared], self._exception(error, 0)[2]]
