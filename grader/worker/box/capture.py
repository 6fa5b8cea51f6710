"""Taking in what a call prints, inside the box.

Below `sys.stdout` lies a raw stream of ours, so that it does not matter which way the student's
code takes to it: `print`, a `sys.stdout` kept since the import, `sys.stdout.buffer`.  What goes past
it, straight to the descriptor, is ordinary output.  Like all in the box it proves nothing: whoever
tampers with it has claimed to have printed something, as printing would.
"""

import io
import os
import sys
from collections.abc import Callable

_STDOUT = 1


class Switch(io.RawIOBase):
    """The raw end of standard output: a descriptor, or a list of what was written."""

    name = "<stdout>"
    mode = "wb"

    def __init__(self) -> None:
        super().__init__()
        self._kept = bytearray()
        self._start = 0
        self._room_b = 0
        self._is_on = False

    def start(self, room_b: int) -> None:
        """Begin a case that may print so many bytes, and forget what earlier ones printed."""
        self._kept, self._start, self._room_b = bytearray(), 0, room_b

    def on(self) -> None:
        """Keep what is written from here on."""
        self._start, self._is_on = len(self._kept), True

    def off(self) -> str:
        """Let what is written pass from here on; return what was written since `on`."""
        self._is_on = False
        return self._kept[self._start :].decode("utf-8", "replace")

    def write(self, data: "bytes | bytearray | memoryview") -> int:  # type: ignore[override]
        """Take bytes in (the buffer above calls this)."""
        if not self._is_on:
            return os.write(_STDOUT, data)
        length = len(data)
        if length <= self._room_b:
            self._room_b -= length
            self._kept += data
            return length
        # All of it goes where floods are seen, and ended by the one who counts.
        self._is_on = False
        _write_all(self._kept)
        return os.write(_STDOUT, data)

    def writable(self) -> bool:
        """Tell that it can be written to (the buffer above asks)."""
        return True

    def fileno(self) -> int:
        """Return the descriptor that it passes on to."""
        return _STDOUT


def _write_all(data: bytearray) -> None:
    at = 0
    while at < len(data):
        at += os.write(_STDOUT, data[at : at + 65536])


class Capture:
    """Standard output of a box whose cases say what is printed."""

    def __init__(self) -> None:
        """Put ours in the place of `sys.stdout`; before any of the student's code runs."""
        self._switch = Switch()
        self._buffer = io.BufferedWriter(self._switch)  # type: ignore[type-var]
        # As `prepare_interpreter` of `grader.worker.box.main` sets up the stream that this one replaces.
        self.stream = io.TextIOWrapper(
            self._buffer, encoding="utf-8", errors="backslashreplace", line_buffering=True
        )
        sys.stdout = sys.__stdout__ = self.stream  # type: ignore[misc]

    def start(self, room_b: int) -> None:
        """Begin a case that may print so many bytes."""
        self._switch.start(room_b)

    def on(self) -> None:
        """Begin a call: what was printed before it, and lies in a buffer, is not its own."""
        self.flush()
        self._switch.on()

    def off(self) -> str:
        """End a call; return what it printed."""
        self.flush()
        return self._switch.off()

    def flush(self) -> None:
        """Bring everything down to the raw stream, as far as the student left it in one piece."""
        for flush in (_flush_current, self.stream.flush, self._buffer.flush):
            _attempt(flush)


def _flush_current() -> None:
    sys.stdout.flush()


def _attempt(flush: Callable[[], None]) -> None:
    try:
        flush()
    except BaseException:
        # Closed, detached, replaced by something else, or hostile: its output is its own loss.
        return
