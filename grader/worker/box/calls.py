"""Makes the calls of one case and encodes the answers, inside the box.

All of this runs beside student code, and after it.  The calls come as plain data.  Their results
leave as plain data, by exact type, read with the methods of the built-in types alone.
"""

import marshal
import os
import sys
from _thread import allocate_lock
from collections.abc import Callable, Sequence
from types import ModuleType
from typing import Any, NamedTuple

from grader.wire import codec, frames, library_values
from grader.wire.decoder import decode_plain
from grader.wire.encoder import Encoder, list_of
from grader.worker.box import arrays, plots, tables
from grader.worker.box.capture import Capture
from grader.worker.box.exceptions import bounded, describe_exception, type_name
from grader.worker.box.files import left_files, write_files
from grader.worker.box.formulas import Formula, Node
from grader.worker.box.harness import students_part
from grader.worker.box.iterating import TELLING
from grader.worker.box.live.objects import ObjectServer
from grader.worker.box.records import NONE, Absent, Records
from grader.worker.box.steps import Scene

_recursion_limit, _set_recursion_limit = sys.getrecursionlimit, sys.setrecursionlimit
# Names of our own: access through a module would cost a fresh fork one page more.
_read, _write, _loads, _frame = os.read, os.write, marshal.loads, frames.frame
_HEADER_B, _NONCE_B, _REQUEST, _ANSWER = frames.HEADER_B, frames.NONCE_B, frames.REQUEST, frames.ANSWER
_NONCE_AT = _HEADER_B + 1
_PAYLOAD_AT = _NONCE_AT + _NONCE_B
_PART_B = 440
"""Bytes of one read if no more are known to come; memory that the interpreter has already holds so many."""
_ENOUGH_LEVELS = 1000
FAILED = "cell: "
"""Begins what is told of a cell of a notebook that raised."""
_NAMES_TOLD = 200
"""The most names of a module that are told where the wanted one is missing."""
_DATA = ("value", "made")
"""Shapes of arguments that are data, with or without records."""


class Channel:
    """The case process's end of the answer channel."""

    __slots__ = ("_asking", "_descriptor", "_nonce", "_received")

    def __init__(self, descriptor: int) -> None:
        self._descriptor = descriptor
        self._nonce = self._received = b""
        self._asking = allocate_lock()

    def next_request(self) -> tuple[bool, bytes] | None:
        """Return the request, and whether another one follows; None at the end."""
        message = self._receive()
        if message is None or message[4] != _REQUEST:
            return None
        self._nonce = message[_NONCE_AT:_PAYLOAD_AT]
        return message[_HEADER_B] == 1, message[_PAYLOAD_AT:]

    def send(self, kind: int, body: bytes) -> None:
        """Send a message with the nonce of the current request."""
        message = _frame(kind, self._nonce + body)
        sent = _write(self._descriptor, message)
        while sent < len(message):
            sent += _write(self._descriptor, message[sent:])

    def call_back(self, body: bytes) -> bytes:
        """Send a callback's call; return the reply."""
        return self.ask(frames.CALLBACK, body)

    def ask(self, kind: int, body: bytes) -> bytes:
        """Send a message; return the reply.  Threads of the program's ask one after another."""
        with self._asking:
            self.send(kind, body)
            message = self._receive()
        if message is None or message[4] != frames.REPLY:
            os._exit(1)
        return message[_HEADER_B:]

    def _receive(self) -> bytes | None:
        """Return the next whole message, None at the end."""
        data, missing_b = self._received, _HEADER_B
        while True:
            if len(data) >= _HEADER_B:
                # Little-endian, by arithmetic alone: a method would cost some pages more.
                end = _HEADER_B + (data[0] | data[1] << 8 | data[2] << 16 | data[3] << 24)
                if len(data) >= end:
                    self._received = data[end:]
                    return data[:end]
                missing_b = end - len(data)
            part = _read(self._descriptor, missing_b if missing_b > _PART_B else _PART_B)
            if not part:
                return None
            data += part


class _Surroundings(NamedTuple):
    """The parts of a request besides plain calls.

    scene: for the steps of a scenario.  prints: set if the calls' output is asked for.
    keeps: the arguments are returned as they are after each call.
    drawn: the parts of plots that are returned instead of what a call returns; empty for no plots.
    """

    records: Records
    scene: Scene | None
    prints: Capture | None
    keeps: bool
    drawn: list[str]


_NOTHING_BESIDES = _Surroundings(NONE, None, None, keeps=False, drawn=[])


def _surroundings(module: ModuleType, extras: dict[str, Any], capture: Capture | None) -> _Surroundings:
    records = Records(module, extras["types"], invent=extras["invent"]) if "types" in extras else NONE
    scene = Scene(module, extras["stepwise"]) if "stepwise" in extras else None
    prints = capture if "prints" in extras else None
    if prints is not None:
        prints.start(extras["prints"])
    return _Surroundings(records, scene, prints, "unchanged" in extras, extras.get("drawn", []))


def run(
    module: ModuleType, payload: bytes, channel: Channel, max_items: int, capture: Capture | None = None
) -> tuple[int, bytes, bool]:
    """Make the calls of one request; return the frame that answers it, as kind and body.

    capture: takes in the output of the calls, where the request asks for it.  The steps of a scenario
    are answered one by one, and an exception does not end them.
    The last item tells whether this process can take another case: not if memory or stack ran out.
    """
    # The payload comes from the grader, so it is trusted; this decoder touches few pages of a fresh fork.
    left_b, calls, extras = _loads(payload)
    if extras and "serves" in extras:
        return _serve(module, channel, extras["serves"], (left_b, max_items), capture)
    around = _surroundings(module, extras, capture) if extras else None
    scene = around.scene if around is not None else None
    results: list[bytes] = []
    intact = True
    again = extras["again"] if extras and "again" in extras else 1
    folder = os.getcwd() if extras and "files" in extras else ""
    if folder:
        write_files(extras["files"])
    try:
        while again > 1:
            # For a time that can be measured.  Each call gets arguments of its own, as the last one does.
            again -= 1
            for name, args, kwargs, has_nodes in _loads(payload)[1]:
                function = _found(module, name)
                if function is not None:
                    _call(function, args, kwargs, around, channel if has_nodes else None, module)
        for name, args, kwargs, has_nodes in calls:
            function = _found(module, name) if scene is None else scene.find(name)
            if function is None and name:
                return frames.ABSENT, _absence(module, name), True
            if function is None or (around is not None and around.drawn):
                function = plots.drawing(function, around.drawn if around is not None else [])
            result = _call(function, args, kwargs, around, channel if has_nodes else None, module)
            if around is None:
                results.append(Encoder(left_b, max_items, _describe).encode(result))
            else:
                results.append(_encode(result, left_b, max_items, around.records))
            left_b -= len(results[-1])
            if result[0] == "raised":
                intact &= not {"MemoryError", "RecursionError"}.intersection(result[3])  # type: ignore[arg-type]
                if scene is None:
                    break
            if scene is not None:
                channel.send(frames.STEP, results.pop())
                left_b -= frames.HEADER_B + frames.NONCE_B
        if folder and extras["keeps"]:
            left = ("left", left_files(folder, extras["keeps"], left_b))
            results.append(_encode(left, left_b, max_items))
            if scene is not None:
                channel.send(frames.STEP, results.pop())
    except Absent as absent:
        return frames.ABSENT, _absence(module, str(absent)), True
    except codec.TooLarge as error:
        return frames.OVERSIZE, str(error).encode(), False
    return _ANSWER, list_of(results), intact


def _serve(
    module: ModuleType,
    channel: Channel,
    order: dict[str, Any],
    limits: tuple[int, int],
    capture: Capture | None,
) -> tuple[int, bytes, bool]:
    """Serve the module's objects until the case is over."""
    try:
        ObjectServer(module, channel.call_back, order, limits, capture, describe_exception).serve()
    except codec.TooLarge as error:
        return frames.OVERSIZE, str(error).encode(), False
    return _ANSWER, encode_result([("ok",)]), True


def _found(module: ModuleType, name: str | Node) -> Callable[..., object] | None:
    """Return what a call calls.  Raises `Absent`."""
    if isinstance(name, str):
        return _find(module, name)
    formula = Formula(module, name)
    formula.require()
    return formula


def _find(module: ModuleType, name: str) -> Callable[..., object] | None:
    value: object = module
    try:
        if "." not in name:
            value = getattr(module, name)
        else:
            for part in name.split("."):
                value = getattr(value, part)
    except Exception:
        return None
    return value if callable(value) else None


def _absence(module: ModuleType, name: str) -> bytes:
    """Return the missing name, and what the module has, a line each; see `sandbox.evidence`."""
    try:
        has = _contents(module, name)
    except BaseException:
        has = []
    return "\n".join([name, *has])[: _PART_B * _NAMES_TOLD].encode("utf-8", "replace")


def _contents(module: ModuleType, wanted: str) -> list[str]:
    """Return the names of functions and classes, and `Class.method`; `name:` for an empty file."""
    module = students_part(module)
    own = module.__dict__
    failed = own["__loader__"].failed.get(module.__name__)
    own_name = wanted.partition(".")[0]
    for file, text, error in failed or ():
        # Where no such place names what is missing, none of them is the reason.
        if own_name in text:
            return [_failed_cell(file, error)]
    if not own["__loader__"].get_source(module.__name__).strip():
        return [f"{module.__name__}:"]
    if wanted in own and not callable(own[wanted]):
        return [f"{wanted}: {type_name(type(own[wanted]))}"]
    found = []
    for name, value in list(own.items()):
        if callable(value) and type(name) is str and not name.startswith("_"):
            found.append(name)
            if type(value) is type:
                found += [f"{name}.{part}" for part in list(value.__dict__) if not part.startswith("_")]
    return found[:_NAMES_TOLD]


def _failed_cell(file: str, error: BaseException) -> str:
    """Return a cell's place and what it raised, on one line."""
    _, kind, message, _, places, *_ = describe_exception(error)
    line = next((f"line {place[1]} of " for place in places if place[0] == file), "")  # type: ignore[attr-defined]
    return " ".join(f"{FAILED}{line}{file} raised {kind}: {message}".split()).removesuffix(":")


def _call(
    function: Callable[..., object],
    args: list[Any],
    kwargs: dict[str, Any],
    around: _Surroundings | None,
    channel: Channel | None,
    module: ModuleType,
) -> tuple[object, ...]:
    """Return the result of a call: ("returned", value), or the description of an exception.

    around: None for plain calls.  channel: given if the arguments are nodes, from which values must be made.
    """
    scene, prints, keeps = None, None, False
    if around is not None:
        _, scene, prints, keeps, _ = around
        if prints is not None:
            prints.on()
    result: tuple[object, ...]
    after: list[object] | None = None
    try:
        data = None
        if channel is not None:
            args, kwargs, data = _made(args, kwargs, around or _NOTHING_BESIDES, channel, module)
        if keeps:
            after = data if data is not None else [*args, *kwargs.values()]
        value = function(*args, **kwargs)
        if scene is None or scene.keep(value):
            if type(function) is Formula:
                value = function.read(value)
            result = "returned", value
        else:
            result = "returned", None
    except (Absent, codec.TooLarge):
        raise
    except BaseException as error:
        _make_room()
        result = describe_exception(error)
    printed = prints.off() if prints is not None else None
    if _recursion_limit() < _ENOUGH_LEVELS:
        _make_room()
    return result if after is None and printed is None else (*result, after, printed)


def _made(
    args: list[tuple[str, Any]],
    kwargs: dict[str, tuple[str, Any]],
    around: _Surroundings,
    channel: Channel,
    module: ModuleType,
) -> tuple[list[object], dict[str, object], list[object]]:
    """Make arguments from nodes; return them, and a list of those that are data.

    The list holds the same objects, so changes in them are seen.
    """
    made = [_argument(node, around, channel, module) for node in args]
    made_kwargs = {name: _argument(node, around, channel, module) for name, node in kwargs.items()}
    nodes = zip((*args, *kwargs.values()), (*made, *made_kwargs.values()), strict=True)
    return made, made_kwargs, [value for (shape, _), value in nodes if shape in _DATA]


def _make_room() -> None:
    """Raise a low recursion limit of the student's, which may leave no room to encode the answer."""
    if _recursion_limit() < _ENOUGH_LEVELS:
        _set_recursion_limit(_ENOUGH_LEVELS)


def _argument(
    argument: tuple[str, Any], around: _Surroundings, channel: Channel, module: ModuleType
) -> object:
    shape, content = argument
    if shape == "made":
        return around.records.build(content)
    if shape == "shipped":
        source, uses = content
        names = {"__name__": "spec", **TELLING, **library_values.named_in(source), **around.records.classes}
        names |= _named(uses, around.scene, module)
        return eval(compile(source, "<spec>", "eval"), names)
    if shape == "watched":
        return _watched(content, channel, around.records)
    if shape == "bound" and around.scene is not None:
        return around.scene.kept(content)
    return content


def _named(uses: Sequence[str], scene: Scene | None, module: ModuleType) -> dict[str, object]:
    """Return those of the names that exist, of earlier steps and of the module."""
    kept = scene.objects if scene is not None else {}
    return {
        name: kept[name] if name in kept else getattr(module, name)
        for name in uses
        if name in kept or hasattr(module, name)
    }


def _watched(name: str, channel: Channel, records: Records) -> Callable[..., object]:
    def callback(*args: object) -> object:
        call = _encode((name, args), 1 << 20, 100_000, records)
        reply: Any = decode_plain(channel.call_back(call))
        if reply[0] == "raised":
            raise RuntimeError(reply[1])
        result: object = records.build(reply[1]) if reply[0] == "made" else reply[1]
        return result

    callback.__name__ = callback.__qualname__ = name
    return callback


# -- encoding --------------------------------------------------------------------------------------


def _encode(value: object, max_bytes: int, max_items: int, records: Records = NONE) -> bytes:
    if records is NONE:
        return Encoder(max_bytes, max_items, _describe).encode(value)

    def describe(part: object) -> tuple[str, str, object]:
        return records.describe(part) or _describe(part)

    return Encoder(max_bytes, max_items, describe, records.described).encode(value)


def encode_result(results: list[tuple[object, ...]]) -> bytes:
    """Return results as the body of an answer, within generous limits."""
    return list_of([_encode(result, 1 << 17, 10_000) for result in results])


def _describe(value: object) -> tuple[str, str, object]:
    """Describe a value that is not plain data by its type's name and a bounded text."""
    instead = arrays.plain(value)
    if instead is not arrays.NOT_PLAIN:
        return "v", "", instead
    data = library_values.data_of(value)
    if data is not None:
        return "x", *data
    described = tables.describe(value)
    if described is not None:
        return described
    try:
        text = repr(value)
    except BaseException:
        text = ""
    return "o", type_name(type(value)), bounded(text)
