"""Whose turn it is to speak with the tests, where several threads of a program's call back."""

from _thread import LockType, allocate_lock
from collections.abc import Callable


class Turns:
    """Lets the threads of the program speak one at a time, in an order that the tests understand.

    The tests wait for the innermost operation, or else the program waits for the innermost callback.  So a
    callback begins while an operation is under way, and an operation ends when all begun within it have.
    """

    def __init__(self) -> None:
        self._guard = allocate_lock()
        self._open: list[object] = []
        self._waiting: list[LockType] = []
        self.callbacks = 0
        """How many callbacks are under way, one within another."""

    def begin_operation(self) -> object:
        """Begin an operation, by the thread that was told of it; return what `end` wants."""
        operation = object()
        self._change(lambda: True, operation)
        return operation

    def begin_callback(self) -> None:
        """Wait until the tests wait for an operation, and begin a callback."""
        self._change(lambda: bool(self._open) and self._open[-1] is not None, None)
        self.callbacks += 1

    def end_callback(self) -> None:
        """End the innermost callback, whose answer has come."""
        self.callbacks -= 1
        self.end(None)

    def end(self, innermost: object) -> None:
        """Wait until this is the innermost of what is under way, and end it."""
        self._change(lambda: self._open[-1] is innermost)

    def _change(self, is_ready: Callable[[], bool], *begins: object) -> None:
        while True:
            with self._guard:
                if is_ready():
                    self._open = [*self._open, *begins] if begins else self._open[:-1]
                    for waiting in self._waiting:
                        waiting.release()
                    self._waiting.clear()
                    return
                wakes = allocate_lock()
                wakes.acquire()
                self._waiting.append(wakes)
            wakes.acquire()
