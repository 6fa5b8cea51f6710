"""Raw streams of ours below the standard ones: output that is captured, and input that is asked for.

Below `sys.stdout` lies a raw stream of ours, and below `sys.stderr` another.  It takes in all that student
code prints by `print`, by a `sys.stdout` kept since the import or by `sys.stdout.buffer`.  Bytes written
straight to the descriptor are ordinary output.  Like everything in the box it proves nothing: code that
tampers with it claims some output, and could as well print that.
"""

import io
import os
import sys
from collections.abc import Callable
from types import FrameType
from typing import Any

_DESCRIPTORS = {"stdout": 1, "stderr": 2}
_BESIDE = frozenset({"_py_warnings", "logging", "warnings"})
"""Modules that write to standard error what is no output of the program's; pytest keeps it apart, too."""


class Switch(io.RawIOBase):
    """The raw end of a standard stream: a descriptor, or a list of what was written."""

    mode = "wb"

    def __init__(self, stream: str = "stdout") -> None:
        super().__init__()
        self.name = f"<{stream}>"
        self._descriptor = _DESCRIPTORS[stream]
        self._kept = bytearray()
        self._start = 0
        self._room_b = 0
        self._is_on = False

    def start(self, room_b: int) -> None:
        self._kept, self._start, self._room_b = bytearray(), 0, room_b

    def on(self) -> None:
        """Keep the bytes that are written from now on."""
        self._start, self._is_on = len(self._kept), True

    def off(self) -> str:
        """Pass on the bytes that are written from now on; return the text written since `on`.

        What is no UTF-8 is kept, see `grader.wire.byte_text`.
        """
        self._is_on = False
        return self._kept[self._start :].decode("utf-8", "surrogateescape")

    def write(self, data: "bytes | bytearray | memoryview") -> int:  # type: ignore[override]
        """Take bytes in (the buffer above calls this)."""
        if not self._is_on:
            return os.write(self._descriptor, data)
        length = len(data)
        if length <= self._room_b:
            self._room_b -= length
            self._kept += data
            return length
        # All of it goes to the descriptor, where the keeper counts output and ends a flood.
        self._is_on = False
        _write_all(self._descriptor, self._kept)
        return os.write(self._descriptor, data)

    def writable(self) -> bool:
        return True

    def fileno(self) -> int:
        """Return the descriptor that bytes are passed on to."""
        return self._descriptor


def _write_all(descriptor: int, data: bytearray) -> None:
    at = 0
    while at < len(data):
        at += os.write(descriptor, data[at : at + 65536])


class _Text(io.TextIOWrapper):
    """Standard error, above its switch."""

    def write(self, text: str, /) -> int:
        """Write a text (`print` calls this)."""
        writer = sys._getframe(1)
        if writer.f_globals.get("__name__") not in _BESIDE or _is_own(writer):
            return super().write(text)
        self.flush()
        _write_all(_DESCRIPTORS["stderr"], bytearray(text.encode("utf-8", "backslashreplace")))
        return len(text)


def _is_own(writer: FrameType) -> bool:
    """Tell whether a handler of log records writes that is the program's own, and not at the root of all."""
    logging = sys.modules.get("logging")
    handler = writer.f_locals.get("self")
    return (
        handler is not None
        and logging is not None
        and not any(handler is each for each in (logging.lastResort, *logging.root.handlers))
    )


class Capture:
    """A standard stream of a box whose cases check printed text."""

    def __init__(self, name: str = "stdout") -> None:
        """Replace `sys.stdout` or `sys.stderr` by a stream of ours, before any student code runs."""
        self._name = name
        self.errors: Capture | None = None
        """That of standard error, beside that of standard output; for who asks."""
        self._switch = Switch(name)
        self._buffer = io.BufferedWriter(self._switch)  # type: ignore[type-var]
        # The settings are those of the replaced stream, see `prepare_streams` of
        # `grader.worker.box.work`.
        kind = _Text if name == "stderr" else io.TextIOWrapper
        self.stream = kind(
            self._buffer, encoding="utf-8", errors="backslashreplace", newline="\n", line_buffering=True
        )
        setattr(sys, name, self.stream)
        setattr(sys, f"__{name}__", self.stream)

    def start(self, room_b: int) -> None:
        self._switch.start(room_b)

    def on(self) -> None:
        """Begin a call: earlier output that lies in a buffer does not belong to it."""
        self.flush()
        self._switch.on()

    def off(self) -> str:
        """End a call; return its output."""
        self.flush()
        return self._switch.off()

    def flush(self) -> None:
        """Flush all buffers to the raw stream, as far as the student's code left them usable."""
        for flush in (self._flush_current, self.stream.flush, self._buffer.flush):
            _attempt(flush)

    def _flush_current(self) -> None:
        getattr(sys, self._name).flush()


def _attempt(flush: Callable[[], None]) -> None:
    try:
        flush()
    except BaseException:
        # Closed, detached, replaced or hostile: only its own output is lost.
        return


class AskedLines(io.RawIOBase):
    """The bytes below standard input.  ask: returns the next line with its end, nothing at the end of all."""

    name = "<stdin>"
    mode = "rb"

    def __init__(self, ask: Callable[[], bytes]) -> None:
        super().__init__()
        self._ask = ask
        self._line = b""
        self._is_over = False

    def readable(self) -> bool:
        return True

    def fileno(self) -> int:
        """Return the descriptor of standard input, on which no byte ever comes."""
        return 0

    def readinto(self, buffer: Any) -> int:
        """Fill the buffer from one line (the buffer above calls this)."""
        if not self._line and not self._is_over:
            self._line = self._ask()
            self._is_over = not self._line
        room = memoryview(buffer).cast("B")
        count = min(len(room), len(self._line))
        room[:count] = self._line[:count]
        self._line = self._line[count:]
        return count


def text_input(raw: io.RawIOBase, errors: str = "surrogateescape") -> io.TextIOWrapper:
    """Return the text of standard input, given its bytes."""
    return io.TextIOWrapper(io.BufferedReader(raw), encoding="utf-8", errors=errors)
