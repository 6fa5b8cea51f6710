"""Shows on stderr how far a command with many small jobs has come."""

from threading import Lock
from time import monotonic

from grader.cli.messages import is_drawn_again, tell
from grader.cli.progress.marking import roughly
from grader.cli.progress.phases import PassingLine, Ticker

_EVERY_S = 10.0
_LOOK_S = 0.25
_PATIENCE_S = 1.0


class StageDisplay:
    """Shows the current stage, and the time left.  Use it as a context manager.

    A terminal gets one line, which is drawn again and vanishes; a log gets a line every ten seconds.
    """

    def __init__(self, *, quiet: bool) -> None:
        self._quiet = quiet
        self._at_terminal = is_drawn_again()
        self._lock = Lock()
        self._stage, self._done, self._total = "", 0, 0
        self._began_s = monotonic()
        self._line = PassingLine()
        self._ticker = Ticker(_LOOK_S if self._at_terminal else _EVERY_S, self._show)

    def tell(self, stage: str, done: int, total: int) -> None:
        """Take in the stage, and how many of the jobs begun so far are done."""
        with self._lock:
            self._stage, self._done, self._total = stage, done, total
        # The ticker is a thread, and processes are forked before, which is safe only without one.
        if done and not self._quiet:
            self._ticker.start()

    def __enter__(self) -> "StageDisplay":
        return self

    def __exit__(self, *_: object) -> None:
        self._ticker.stop()
        self._line.erase()

    def words(self) -> str:
        """Return the stage, the count and the time left."""
        with self._lock:
            stage, done, total = self._stage, self._done, self._total
        left_s = (monotonic() - self._began_s) / done * (total - done) if done else 0.0
        left = f", {roughly(left_s)} left" if left_s >= 1 else ""
        return f"{stage}: {done} of {total} done{left}"

    def _show(self) -> None:
        if monotonic() - self._began_s < _PATIENCE_S:
            return
        (self._line.draw if self._at_terminal else tell)(self.words())
