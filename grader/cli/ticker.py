"""Something that is done every few seconds, in a thread, while the main thread is busy."""

from collections.abc import Callable
from threading import Event, Thread


class Ticker:
    """Calls a function every so many seconds from `start` on.  Ends with `stop`."""

    def __init__(self, every_s: float, call: Callable[[], None]) -> None:
        self._every_s = every_s
        self._call = call
        self._stopped = Event()
        self._thread: Thread | None = None

    def start(self) -> None:
        """Begin; once is enough."""
        if self._thread is None:
            self._thread = Thread(target=self._tick, daemon=True)
            self._thread.start()

    def stop(self) -> None:
        """Call it no more; a call that is being made comes to its end."""
        self._stopped.set()
        if self._thread is not None:
            self._thread.join()

    def _tick(self) -> None:
        while not self._stopped.wait(self._every_s):
            self._call()
