"""Serves the objects of a module to tests that run in another process, for the length of one case.

The tests never come here.  What they do to an object arrives as an *operation*: read an attribute, call,
compare.  Its result leaves as data, or as a *handle*, a number for an object that stays here.  Like
everything in the box this proves nothing: student code can make any operation answer anything.

An operation is a list whose first item names it:

    get object name             set object name value       del object name
    call object values named    do operator values          import name
                                these two and `set` can name twins besides, see `given.Given.take`
    answer value                raise name text …           the result of a callback, see `callbacks.raised`
    keep ways numbers           numbers of containers of the latest operation; others that are kept on
    fill number value           a container becomes as the tests have changed it
    kept numbers                what the program has changed in those containers
    facts class                 see `operators.facts`
    aside operation             one that is not the latest afterwards
    end                         the case is over

A value in it is a node, see `_Nodes.value`.
"""

import builtins
import importlib
import sys
from _thread import allocate_lock
from collections.abc import Callable, Sequence
from functools import partial
from types import ModuleType
from typing import Any

from grader.wire import library_values
from grader.wire.containers import is_mutable
from grader.wire.decoder import decode_plain
from grader.wire.encoder import Encoder, mro
from grader.wire.nodes import CONTAINERS
from grader.worker.box import arrays
from grader.worker.box.capture import AskedLines, Capture, text_input
from grader.worker.box.live.built_in import built_in, exception_named, is_showing, name_in
from grader.worker.box.live.callbacks import attributes_of, dressed, raised
from grader.worker.box.live.given import Given, holds_container, is_like_container
from grader.worker.box.live.kept import KeptContainers, NoContainer
from grader.worker.box.live.operators import BASES, OPERATORS, SPECIAL, facts, names_of, shape_of
from grader.worker.box.live.turns import Turns

INPUT, STDIN = 0, 1
"""Numbers of the callbacks that stand for `input`, and for `readline` of the tests' `sys.stdin`."""
_DEEPEST = 50
"""Callbacks that call the module, which calls callbacks."""
_ANSWERED = {id(getattr(builtins, name)): name for name in library_values.BUILT_IN}
"""What of it crosses as its name, by identity."""
_GUARDED_PREFIXES = ("_", "gi_", "cr_", "ag_", "tb_", "f_", "co_")
_GUARDED_NAMES = frozenset({"format", "format_map", "get_field", "vformat"})
"""Methods of texts, and of `string.Formatter`, that read attributes of others."""
_OPEN_ALL_THE_SAME = SPECIAL | {
    "__name__", "__qualname__", "__members__", "__match_args__",
    "_fields", "_field_defaults", "_asdict", "_make", "_replace",
}  # fmt: skip
"""What can be seen all the same: these lead to no source, and are what a class offers."""

_NOT_ITS_OWN = "this is possible with what the module gave alone"

DescribeException = Callable[[BaseException], tuple[object, ...]]


def _line_of(readline: Callable[[], object]) -> bytes:
    line = readline()
    return line.encode("utf-8", "surrogatepass") if type(line) is str else b""


class OperationRefused(Exception):
    """An operation is not possible; the text says why."""


class _All:
    """Contains every number: all objects but plain ones are described."""

    def __contains__(self, number: object) -> bool:
        return True


class ObjectServer:
    """The live objects of one case, and the conversation about them.

    ask: sends a message and returns the next operation.  guarded: hide what shows the module's source.
    """

    def __init__(
        self,
        module: ModuleType,
        ask: Callable[[bytes], bytes],
        order: dict[str, Any],
        limits: tuple[int, int],
        capture: Capture | None,
        describe: DescribeException,
    ) -> None:
        self._module = module
        self._ask = ask
        self._guarded: bool = order["guarded"]
        self._modules: Sequence[str] = order["modules"]
        self._limits = limits
        self._describe_exception = describe
        self._live: list[object] = []
        self._handles: dict[int, int] = {}
        self._latest: list[object] = []
        """What the latest operation answered and was given, or what a callback is given."""
        self._running: list[Given] = []
        """What the operations that are being carried out were given."""
        self._kept = KeptContainers(self._handle, self._encoded)
        self._callbacks: dict[int, Callable[..., object]] = {}
        self._turns = Turns()
        self._numbering = allocate_lock()
        self._streams = [each for each in (capture, capture.errors if capture else None) if each is not None]
        for stream in self._streams:
            stream.start(order["prints"])

    def serve(self) -> None:
        """Carry out operations until the case is over.  Raises `codec.TooLarge`."""
        builtins.input = self._callback(INPUT, "input")  # type: ignore[assignment]
        sys.stdin = text_input(
            AskedLines(partial(_line_of, self._callback(STDIN, "readline"))), "surrogatepass"
        )
        self._listen("ready", ())

    def _listen(self, kind: str, content: tuple[object, ...]) -> list[Any]:
        """Send a message, and carry out operations until one ends this; return that one."""
        while True:
            printed, errors = [each.off() for each in self._streams] or ("", "")
            reply: Any = decode_plain(self._ask(self._encoded((kind, (*content, printed, errors)))))
            if reply[0] != "returned":
                raise OperationRefused(str(reply[1]))
            step: list[Any] = reply[1]
            for stream in self._streams:
                stream.on()
            if step[0] in ("end", "answer", "raise"):
                return step
            operation, given = self._turns.begin_operation(), Given(self._encoded)
            latest = self._latest
            self._running.append(given)
            kind, content = self._done(step, given)
            self._turns.end(operation)
            self._running.remove(given)
            # Threads of the program can have called back until now.
            self._latest = latest if step[0] == "aside" else [given.answer, *given.values]

    def _done(self, step: list[Any], given: Given) -> tuple[str, tuple[object, ...]]:
        """Carry out an operation; return the message about its result."""
        try:
            value = self._perform(step, given)
            after = given.after(value)
            return "returned", (value, (self._kept.told([value], given), *after))
        except BaseException as error:
            if sys.getrecursionlimit() < 1000:
                sys.setrecursionlimit(1000)
            _, _, text, _, frames, *_ = self._describe_exception(error)
            arguments = BaseException.__dict__["args"].__get__(error)
            after = given.after()
            told = self._kept.told([], given), *after
            return "raised", (type(error), text, arguments, frames, error, told)

    def _perform(self, step: list[Any], given: Given) -> object:
        kind, *rest = step
        if kind == "aside":
            return self._perform(rest[0], given)
        if kind in ("keep", "fill", "kept"):
            return self._in_common(kind, rest)
        if kind == "facts":
            return facts(self.value(rest[0]))
        if kind == "call":
            if self._guarded and rest[0][0] not in ("h", "f"):
                raise OperationRefused(_NOT_ITS_OWN)
            value = self._called(rest, given)
        else:
            value = self._done_by_name(kind, rest, given)
        given.answer = value
        same = next((n for n, one in enumerate(given.values) if one is value and is_mutable(one)), -1)
        return _Given(same) if kind == "call" and same >= 0 else value

    def _done_by_name(self, kind: str, rest: list[Any], given: Given) -> object:
        """Carry out an operation that is no call; return its result."""
        if kind == "import":
            return self._imported(rest[0])
        if kind == "do":
            name, nodes, *twins = rest
            values = [self.value(node) for node in nodes]
            return OPERATORS[name](*given.take(values, *twins, may_change=holds_container))
        if self._guarded and rest[0][0] not in ("h", "f"):
            raise OperationRefused(_NOT_ITS_OWN)
        holder = self.value(rest[0])
        name = rest[1]
        self._check(name)
        if kind == "get":
            return getattr(holder, name)
        if kind == "set":
            values = [self.value(rest[2])]
            setattr(holder, name, *given.take(values, *rest[3:], may_change=holds_container))
        else:
            delattr(holder, name)
        return None

    def _check(self, name: str) -> None:
        """Raise `AttributeError` for an attribute that shows a module's source, where that is guarded."""
        if not self._guarded or name in _OPEN_ALL_THE_SAME:
            return
        if name.startswith(_GUARDED_PREFIXES) or name in _GUARDED_NAMES:
            raise AttributeError(f"{name} cannot be seen here")

    def _is_foreign(self, value: object) -> bool:
        """Tell whether it leads to the program's source, where that is guarded: a module, or a reader."""
        if not self._guarded:
            return False
        if not any(base is ModuleType for base in mro(type(value))):
            return is_showing(value)
        return not any(sys.modules.get(name) is value for name in self._modules)

    def _imported(self, name: str) -> object:
        # Tests from which nothing is kept may replace what a module of the library has.
        is_librarys = not self._guarded and name.partition(".")[0] in sys.stdlib_module_names
        if name not in self._modules and not is_librarys:
            raise ModuleNotFoundError(f"No module named {name!r}", name=name)
        return importlib.import_module(name)

    def _called(self, rest: list[Any], given: Given) -> object:
        function, nodes, named, *twins = rest
        called: Any = self.value(function)
        values = [self.value(node) for node in (*nodes, *named.values())]
        taken = given.take(values, *twins, may_change=is_like_container)
        return called(*taken[: len(nodes)], **dict(zip(named, taken[len(nodes) :], strict=True)))

    def _in_common(self, kind: str, rest: list[Any]) -> object:
        """Keep the containers that the tests have too as these have them, or tell what differs."""
        try:
            if kind == "keep":
                return self._kept.keep(rest[0], self._latest, rest[1])
            if kind == "kept":
                return self._kept.changed(rest[0], self._latest)
            self._kept.fill(rest[0], self.value(rest[1]))
        except (NoContainer, LookupError):
            raise OperationRefused("there is no such container") from None
        return None

    # -- values that come in ---------------------------------------------------------------------------

    def value(self, node: list[Any]) -> Any:
        """Return the value of a node, see `grader.wire.nodes`."""
        shape, *content = node
        if shape == "v":
            name = name_in(content[0]) if self._guarded else ""
            if name:
                raise OperationRefused(
                    f"the tests hand over the name `{name}`, which can show a program's source"
                )
            return content[0]
        if shape == "h":
            if not 0 <= content[0] < len(self._live):
                raise OperationRefused("there is no such object")
            return self._live[content[0]]
        if shape == "f":
            module = self._imported(content[0])
            self._check(content[1])
            found = getattr(module, content[1]) if content[1] else module
            if self._is_foreign(found):
                raise AttributeError(f"{content[1]} cannot be seen here")
            return found
        if shape == "c":
            return self._callback(*content)
        if shape == "b":
            return _named(built_in(content[0], guarded=self._guarded))
        if shape == "u":
            return _named(exception_named(content[0]))(*[self.value(arg) for arg in content[1]])
        if shape == "x":
            return library_values.made(content[0], [self.value(part) for part in content[1]])
        if shape == "m":
            return {self.value(key): self.value(value) for key, value in content[0]}
        return CONTAINERS[shape]([self.value(item) for item in content[0]])

    def _callback(self, number: int, *told: Any) -> Callable[..., object]:
        """Return what stands for a function of the tests.  told: its name and more, see `dressed`."""
        if number in self._callbacks:
            return self._callbacks[number]

        def callback(*args: object, **kwargs: object) -> object:
            self._turns.begin_callback()
            try:
                if self._turns.callbacks > _DEEPEST:
                    raise RecursionError("callbacks within callbacks")
                handed = [*args, *kwargs.values()]
                given = self._running[-1] if self._running else Given(self._encoded)
                self._latest, after = [*handed, *given.values], given.meanwhile(tuple(handed))
                told_now = self._kept.told(handed, given, given.unchanged), *after
                step = self._listen("calls", (number, args, kwargs, told_now))
                given.go_on()
            finally:
                self._turns.end_callback()
            if step[0] == "answer":
                return self.value(step[1])
            if step[0] == "end":
                raise SystemExit
            name, text = step[1:3]
            more: list[Any] = step[3:]
            made: Any = self.value(more[0]) if more else None
            parts: Any = more[1] if more else None
            raise raised(name, text, made, None if parts is None else [self.value(part) for part in parts])

        self._callbacks[number] = dressed(callback, self.value, *told)
        return self._callbacks[number]

    # -- values that go out ----------------------------------------------------------------------------

    def _encoded(self, value: object) -> bytes:
        return Encoder(*self._limits, self._describe, _All()).encode(value)

    def _describe(self, value: object) -> tuple[str, str, object]:
        instead = arrays.plain(value)
        if instead is not arrays.NOT_PLAIN:
            return "v", "", instead
        kind = type(value)
        if kind is _Given:
            return "r", "given", [("number", value.number)]  # type: ignore[attr-defined]
        for number, callback in self._callbacks.items():
            if callback is value:
                return "r", "callback", [("number", number), ("has", attributes_of(callback))]
        if id(value) in _ANSWERED:
            return "r", "builtin", [("name", _ANSWERED[id(value)])]
        parts = library_values.parts_of(value)
        if parts is not None and not (self._guarded and parts[0] in library_values.SNAPSHOTS):
            # A student's tests see what becomes of it: there it is an object.
            return "r", "library", [("type", parts[0]), ("parts", [*parts[1]])]
        if self._is_foreign(value):
            return "o", "module", ""
        handle = self._handle(value)
        if any(base is type for base in mro(kind)) and any(b is BaseException for b in mro(value)):  # type: ignore[arg-type]
            name = type.__dict__["__name__"].__get__(value)
            # What an exception has from other classes, its objects here say.
            all_bases = type.__dict__["__bases__"].__get__(value)
            bases = tuple(base for base in all_bases if any(b is BaseException for b in mro(base)))
            names = names_of(value)  # type: ignore[arg-type]
            return "r", "exception", [("id", handle), ("name", name), ("bases", bases), ("names", names)]
        type_name = type.__dict__["__name__"].__get__(kind)
        for base, plain in BASES:
            if any(each is base for each in mro(kind)):
                fields = [("id", handle), ("type", type_name), ("value", plain(value))]
                return "r", "dual", [*fields, ("class", self._class_of(kind))]
        shape = shape_of(value)
        described = self._class_of(value if shape == "class" else kind)  # type: ignore[arg-type]
        return "r", "object", [("id", handle), ("type", type_name), ("shape", shape), ("class", described)]

    def _class_of(self, kind: type) -> tuple[object, ...]:
        """Return what the tests need to know of a class.

        Its number, its module and qualified name, the module and the name under which it is found in every
        process ("" if it is not), and the type of data that it derives from ("" for none).
        """
        base = next((base.__name__ for base, _ in BASES if any(each is base for each in mro(kind))), "")
        return (self._handle(kind), *names_of(kind), *self._path_of(kind), base)

    def _handle(self, value: object) -> int:
        with self._numbering:
            number = self._handles.get(id(value))
            if number is None:
                number = self._handles[id(value)] = len(self._live)
                # Kept alive, so that no other object gets its id.
                self._live.append(value)
        return number

    def _path_of(self, kind: type) -> tuple[str, str]:
        """Return a module and the name of a class in it, by preference its own."""
        own: str = type.__dict__["__name__"].__get__(kind)
        for module in self._modules:
            loaded = sys.modules.get(module)
            if isinstance(loaded, ModuleType):
                names = loaded.__dict__
                if names.get(own) is kind:
                    return module, own
                for name, value in names.items():
                    if value is kind:
                        return module, str(name)
        return "", ""


class _Given:
    """Stands for an argument that a call returns."""

    def __init__(self, number: int) -> None:
        self.number = number


def _named(found: Any) -> Any:
    """Return what a name of the tests' stands for.  Raises `OperationRefused` for None."""
    if found is None:
        raise OperationRefused("there is no such name")
    return found
