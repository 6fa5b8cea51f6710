"""Standard input of a program whose tests replace `sys.stdin`: its lines are those of the tests'."""

import io
from collections.abc import Callable
from typing import Any

LINE = "line"
"""Asks for a line of the tests' `sys.stdin`, where `input` asks for one with a prompt."""


class _Lines(io.RawIOBase):
    """Asks the tests for a line when the program has read the last."""

    name = "<stdin>"
    mode = "rb"

    def __init__(self, ask: Callable[..., object]) -> None:
        super().__init__()
        self._ask = ask
        self._line = b""

    def readable(self) -> bool:
        return True

    def readinto(self, buffer: Any) -> int:
        """Fill the buffer from one line (the buffer above calls this)."""
        if not self._line:
            line = self._ask("", LINE)
            self._line = line.encode("utf-8", "surrogatepass") if type(line) is str else b""
        taken = min(len(buffer), len(self._line))
        buffer[:taken] = self._line[:taken]
        self._line = self._line[taken:]
        return taken


def standard_input(ask: Callable[..., object]) -> io.TextIOWrapper:
    """Return the stream.  ask: what stands for the tests' `input`."""
    return io.TextIOWrapper(io.BufferedReader(_Lines(ask)), encoding="utf-8", errors="surrogatepass")
