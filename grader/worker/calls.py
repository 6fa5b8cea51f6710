"""Making the calls of one case and putting the answers into bytes, inside the box.

Everything here runs beside student code, after it.  The calls come as plain data; what they
return leaves as plain data, by exact type, with the methods of the built-in types alone.
"""

import _socket
import marshal
import os
import sys
from collections.abc import Callable
from types import ModuleType
from typing import Any, NamedTuple

from grader.wire import codec, frames
from grader.wire.decoder import decode_plain
from grader.wire.encoder import Encoder, list_of, mro
from grader.worker import arrays
from grader.worker.capture import Capture
from grader.worker.records import NONE, Absent, Records
from grader.worker.steps import Scene

_TEXT_LIMIT = 2000
_FRAMES_SHOWN = 10
_type_name: Callable[[type], str] = type.__dict__["__name__"].__get__
_recursion_limit, _set_recursion_limit = sys.getrecursionlimit, sys.setrecursionlimit
_ENOUGH_LEVELS = 1000
_DATA = ("value", "made")
"""Shapes of arguments that are data, with records in it or without."""


class Channel:
    """The case process's end of the answer channel."""

    def __init__(self, answers: _socket.socket) -> None:
        self._answers = answers
        self._nonce = b""

    def next_request(self) -> tuple[bool, bytes] | None:
        """Return whether another request follows, and the request; None at the end."""
        message = self._receive()
        if message is None or message[0] != frames.REQUEST:
            return None
        body = message[1]
        self._nonce = body[1 : 1 + frames.NONCE_B]
        return bool(body[0]), body[1 + frames.NONCE_B :]

    def send(self, kind: int, body: bytes) -> None:
        """Send a message with the nonce of the request at hand."""
        self._answers.sendall(frames.frame(kind, self._nonce + body))

    def call_back(self, body: bytes) -> bytes:
        """Send a callback's call and wait for what it returns."""
        return self.ask(frames.CALLBACK, body)

    def ask(self, kind: int, body: bytes) -> bytes:
        """Send a message that is answered, and wait for the answer."""
        self.send(kind, body)
        message = self._receive()
        if message is None or message[0] != frames.REPLY:
            os._exit(1)
        return message[1]

    def _receive(self) -> tuple[int, bytes] | None:
        header = self._exactly(frames.HEADER_B)
        if header is None:
            return None
        body = self._exactly(int.from_bytes(header[:4], "little"))
        return None if body is None else (header[4], body)

    def _exactly(self, length: int) -> bytes | None:
        data = self._answers.recv(length, _socket.MSG_WAITALL) if length else b""
        while len(data) < length:
            part = self._answers.recv(length - len(data), _socket.MSG_WAITALL)
            if not part:
                return None
            data += part
        return data


class _Surroundings(NamedTuple):
    """What the calls of a request need besides themselves.

    scene: for the steps of a scenario.  prints: where what they print is asked for.
    """

    channel: Channel
    records: Records
    scene: Scene | None
    prints: Capture | None


def run(
    module: ModuleType, payload: bytes, channel: Channel, max_items: int, capture: Capture | None = None
) -> tuple[int, bytes, bool]:
    """Make the calls of one request; return the frame that answers it, as kind and body.

    capture: takes in what the calls print, where the request asks for that.  The steps of a scenario
    are answered one by one, and an exception does not end them.
    The last item tells whether this process is fit for another case: not so where memory or
    stack ran out.
    """
    # From the grader, so it can be trusted, and this decoder touches few pages of a fresh fork.
    request: Any = marshal.loads(payload)
    records = Records(module, request["types"], invent=request["invent"]) if "types" in request else NONE
    scene = Scene(module, request["stepwise"]) if "stepwise" in request else None
    prints = capture if "prints" in request else None
    if prints is not None:
        prints.start(request["prints"])
    around = _Surroundings(channel, records, scene, prints)
    results: list[bytes] = []
    left_b, intact = request["answer_b"], True
    try:
        for call in request["calls"]:
            function = _find(module, call["function"]) if scene is None else scene.find(call)
            if function is None:
                return frames.ABSENT, call["function"].encode("utf-8", "replace"), True
            result = _call(function, call, around, keep_arguments=request["unchanged"])
            results.append(_encode(result, left_b, max_items, records))
            left_b -= len(results[-1])
            if result[0] == "raised":
                intact &= not {"MemoryError", "RecursionError"}.intersection(result[3])  # type: ignore[arg-type]
                if scene is None:
                    break
            if scene is not None:
                channel.send(frames.STEP, results.pop())
                left_b -= frames.HEADER_B + frames.NONCE_B
    except Absent as absent:
        return frames.ABSENT, str(absent).encode("utf-8", "replace"), True
    except codec.TooLarge as error:
        return frames.OVERSIZE, str(error).encode(), False
    return frames.ANSWER, list_of(results), intact


def _find(module: ModuleType, name: str) -> Callable[..., object] | None:
    value: object = module
    for part in name.split("."):
        try:
            value = getattr(value, part)
        except Exception:
            return None
    return value if callable(value) else None


def _call(
    function: Callable[..., object], call: dict[str, Any], around: _Surroundings, *, keep_arguments: bool
) -> tuple[object, ...]:
    scene, prints = around.scene, around.prints
    if prints is not None:
        prints.on()
    result: tuple[object, ...]
    after = None
    try:
        args = [_argument(argument, around) for argument in call["args"]]
        kwargs = {name: _argument(argument, around) for name, argument in call["kwargs"]}
        if keep_arguments:
            after = _data(call, args, kwargs)
        value = function(*args, **kwargs)
        if scene is not None:
            value = scene.keep(value)
        result = "returned", value
    except Absent:
        raise
    except BaseException as error:
        _make_room()
        result = describe_exception(error)
    printed = prints.off() if prints is not None else None
    _make_room()
    return result if after is None and printed is None else (*result, after, printed)


def _data(call: dict[str, Any], args: list[object], kwargs: dict[str, object]) -> list[object]:
    """Return those of the arguments that are data: the very objects, so that changes in them are seen."""
    data = [value for (shape, _), value in zip(call["args"], args, strict=True) if shape in _DATA]
    return data + [kwargs[name] for name, (shape, _) in call["kwargs"] if shape in _DATA]


def _make_room() -> None:
    """The student's own limit on recursion may leave no room to encode the answer."""
    if _recursion_limit() < _ENOUGH_LEVELS:
        _set_recursion_limit(_ENOUGH_LEVELS)


def _argument(argument: list[Any], around: _Surroundings) -> object:
    shape, content = argument
    if shape == "made":
        return around.records.build(content)
    if shape == "shipped":
        return eval(compile(content, "<spec>", "eval"), {"__name__": "spec", **around.records.classes})
    if shape == "watched":
        return _watched(content, around.channel, around.records)
    if shape == "bound" and around.scene is not None:
        return around.scene.kept(content)
    return content


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
    """What is not plain data is told by its type's name and a bounded text."""
    instead = arrays.plain(value)
    if instead is not arrays.NOT_PLAIN:
        return "v", "", instead
    try:
        text = repr(value)
    except BaseException:
        text = ""
    return "o", _type_name(type(value)), _bounded(text)


def _bounded(text: object) -> str:
    if not isinstance(text, str):
        return ""
    text = str.__str__(text)
    return text if len(text) <= _TEXT_LIMIT else text[:_TEXT_LIMIT] + "…"


def describe_exception(error: BaseException) -> tuple[object, ...]:
    """Return ("raised", class, message, names of the class and its bases, own frames)."""
    kind = type(error)
    try:
        message = _bounded(str(error))
    except BaseException:
        message = ""
    bases = [_type_name(base) for base in mro(kind) if base is not object][:20]
    frames_seen: list[tuple[str, int, str]] = []
    traceback = error.__traceback__
    while traceback is not None:
        code = traceback.tb_frame.f_code
        if code.co_filename.endswith(".py") and "/" not in code.co_filename:
            frames_seen.append((code.co_filename, traceback.tb_lineno, code.co_name))
            if len(frames_seen) > 2 * _FRAMES_SHOWN:
                del frames_seen[_FRAMES_SHOWN]
        traceback = traceback.tb_next
    if any(base is SyntaxError for base in mro(kind)):
        frames_seen += _place_of(error)
    return "raised", _type_name(kind), message, bases, frames_seen


def _place_of(error: Any) -> list[tuple[str, int, str]]:
    """Where a syntax error is; its attributes are its class's to answer."""
    try:
        file, line = error.filename, error.lineno
    except BaseException:
        return []
    return [(file[:200], line, "<module>")] if type(file) is str and type(line) is int else []


def warm_up() -> None:
    """In the nursery: run the path that every case takes once, so that its pages are shared."""
    module = ModuleType("warm_up")
    module.__dict__["f"] = lambda value: value
    request = {
        "answer_b": 1 << 16,
        "unchanged": True,
        "calls": [{"function": "f", "args": [["value", [(0, 1)]]], "kwargs": []}],
    }
    own, _other = _socket.socketpair()
    run(module, marshal.dumps(request, 4), Channel(own), 100)
    try:
        raise ValueError("warm")
    except ValueError as error:
        describe_exception(error)
    own.close()
    _other.close()
