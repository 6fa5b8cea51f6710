"""Making the calls of one case and putting the answers into bytes, inside the box.

Everything here runs beside student code, after it.  The calls come as plain data; what they
return leaves as plain data, by exact type, with the methods of the built-in types alone.
"""

import marshal
import os
import socket
import sys
from collections.abc import Callable
from types import ModuleType
from typing import Any

from grader.wire import codec, frames

_TEXT_LIMIT = 2000
_FRAMES_SHOWN = 10
_type_name: Callable[[type], str] = type.__dict__["__name__"].__get__
_recursion_limit, _set_recursion_limit = sys.getrecursionlimit, sys.setrecursionlimit
_ENOUGH_LEVELS = 1000


class Channel:
    """The case process's end of the answer channel."""

    def __init__(self, answers: socket.socket) -> None:
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
        self.send(frames.CALLBACK, body)
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
        data = self._answers.recv(length, socket.MSG_WAITALL) if length else b""
        while len(data) < length:
            part = self._answers.recv(length - len(data), socket.MSG_WAITALL)
            if not part:
                return None
            data += part
        return data


def run(module: ModuleType, payload: bytes, channel: Channel, max_items: int) -> tuple[int, bytes, bool]:
    """Make the calls of one request; return the frame that answers it, as kind and body.

    The last item tells whether this process is fit for another case: not so where memory or
    stack ran out.
    """
    # From the grader, so it can be trusted, and this decoder touches few pages of a fresh fork.
    request: Any = marshal.loads(payload)
    results: list[bytes] = []
    left_b, intact = request["answer_b"], True
    try:
        for call in request["calls"]:
            function = _find(module, call["function"])
            if function is None:
                return frames.ABSENT, call["function"].encode("utf-8", "replace"), True
            result = _call(function, call, channel, keep_arguments=request["unchanged"])
            results.append(_encode(result, left_b, max_items))
            left_b -= len(results[-1])
            if result[0] == "raised":
                intact = not {"MemoryError", "RecursionError"}.intersection(result[3])  # type: ignore[arg-type]
                break
    except codec.TooLarge as error:
        return frames.OVERSIZE, str(error).encode(), False
    return frames.ANSWER, _as_list(results), intact


def _find(module: ModuleType, name: str) -> Callable[..., object] | None:
    value: object = module
    for part in name.split("."):
        try:
            value = getattr(value, part)
        except Exception:
            return None
    return value if callable(value) else None


def _call(
    function: Callable[..., object], call: dict[str, Any], channel: Channel, *, keep_arguments: bool
) -> tuple[object, ...]:
    args = [_argument(argument, channel) for argument in call["args"]]
    kwargs = {name: _argument(argument, channel) for name, argument in call["kwargs"]}
    try:
        value = function(*args, **kwargs)
    except BaseException as error:
        _make_room()
        return describe_exception(error)
    _make_room()
    if keep_arguments:
        shapes = [argument[0] for argument in call["args"]]
        after = [arg for shape, arg in zip(shapes, args, strict=True) if shape == "value"]
        after += [kwargs[name] for name, argument in call["kwargs"] if argument[0] == "value"]
        return "returned", value, after
    return "returned", value


def _make_room() -> None:
    """The student's own limit on recursion may leave no room to encode the answer."""
    if _recursion_limit() < _ENOUGH_LEVELS:
        _set_recursion_limit(_ENOUGH_LEVELS)


def _argument(argument: list[Any], channel: Channel) -> object:
    shape, content = argument
    if shape == "shipped":
        return eval(compile(content, "<spec>", "eval"), {"__name__": "spec"})
    if shape == "watched":
        return _watched(content, channel)
    return content


def _watched(name: str, channel: Channel) -> Callable[..., object]:
    def callback(*args: object) -> object:
        call = _encode((name, args), 1 << 20, 100_000)
        reply: Any = codec.decode_plain(channel.call_back(call))
        if reply[0] == "raised":
            raise RuntimeError(reply[1])
        result: object = reply[1]
        return result

    callback.__name__ = callback.__qualname__ = name
    return callback


# -- encoding --------------------------------------------------------------------------------------


def _encode(value: object, max_bytes: int, max_items: int) -> bytes:
    return codec.Encoder(max_bytes, max_items, _describe).encode(value)


def _as_list(encoded: list[bytes]) -> bytes:
    """Return the encoding of a list whose items are encoded already."""
    count = len(encoded)
    header = bytearray(b"l")
    while count > 0x7F:
        header.append(count & 0x7F | 0x80)
        count >>= 7
    header.append(count)
    return bytes(header) + b"".join(encoded)


def encode_result(results: list[tuple[object, ...]]) -> bytes:
    """Return results as the body of an answer, within generous limits."""
    return _as_list([_encode(result, 1 << 17, 10_000) for result in results])


def _describe(value: object) -> tuple[str, str, object]:
    """What is not plain data is told by its type's name and a bounded text."""
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
    bases = [_type_name(base) for base in codec._mro(kind) if base is not object][:20]
    frames_seen: list[tuple[str, int, str]] = []
    traceback = error.__traceback__
    while traceback is not None:
        code = traceback.tb_frame.f_code
        if code.co_filename.endswith(".py") and "/" not in code.co_filename:
            frames_seen.append((code.co_filename, traceback.tb_lineno, code.co_name))
            if len(frames_seen) > 2 * _FRAMES_SHOWN:
                del frames_seen[_FRAMES_SHOWN]
        traceback = traceback.tb_next
    if any(base is SyntaxError for base in codec._mro(kind)):
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
    """In the zygote: run the path that every case takes once, so that its pages are shared."""
    module = ModuleType("warm_up")
    module.__dict__["f"] = lambda value: value
    request = {
        "answer_b": 1 << 16,
        "unchanged": True,
        "calls": [{"function": "f", "args": [["value", [(0, 1)]]], "kwargs": []}],
    }
    own, _other = socket.socketpair()
    run(module, marshal.dumps(request, 4), Channel(own), 100)
    try:
        raise ValueError("warm")
    except ValueError as error:
        describe_exception(error)
    own.close()
    _other.close()
