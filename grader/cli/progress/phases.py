"""Shows on stderr what a command waits for, once that takes longer than a second."""

from collections.abc import Callable
from threading import Event, Thread
from time import monotonic

from grader.cli.messages import is_drawn_again, tell, tell_passing
from grader.cli.output import width_of_terminal
from grader.reports.escape import plain

_PATIENCE_S = 1.0
_LOOK_S = 0.25


class Ticker:
    """Calls a function every few seconds in a thread, from `start` to `stop`."""

    def __init__(self, every_s: float, call: Callable[[], None]) -> None:
        self._every_s = every_s
        self._call = call
        self._stopped = Event()
        self._thread: Thread | None = None

    def start(self) -> None:
        """Start, if that was not done."""
        if self._thread is None:
            self._thread = Thread(target=self._tick, daemon=True)
            self._thread.start()

    def stop(self) -> None:
        """Stop, after the end of a call that is under way."""
        self._stopped.set()
        if self._thread is not None:
            self._thread.join()

    def _tick(self) -> None:
        while not self._stopped.wait(self._every_s):
            self._call()


class PassingLine:
    """One line on the terminal, which is drawn again and vanishes."""

    def __init__(self) -> None:
        self._width = 0

    def draw(self, text: str) -> None:
        line = text[: width_of_terminal() - 1]
        tell_passing("\r" + line.ljust(self._width))
        self._width = len(line)

    def erase(self) -> None:
        if self._width:
            tell_passing("\r" + " " * self._width + "\r")


class PhaseDisplay:
    """Shows the current phase while it takes long.  Use it as a context manager.

    A terminal gets one line, which is drawn again and vanishes; a log gets a line for each phase that
    takes long.
    """

    def __init__(self) -> None:
        self._ticker = Ticker(_LOOK_S, self._look)
        self._began_s = self._phase_began_s = monotonic()
        self._phase = self._told = ""
        self._at_terminal = is_drawn_again()
        self._line = PassingLine()

    def tell(self, phase: str) -> None:
        """Begin a phase."""
        self._phase, self._phase_began_s = phase, monotonic()

    def __enter__(self) -> "PhaseDisplay":
        self._ticker.start()
        return self

    def __exit__(self, *_: object) -> None:
        self._ticker.stop()
        self._line.erase()

    def _look(self) -> None:
        phase, phase_s = self._phase, monotonic() - self._phase_began_s
        if self._at_terminal:
            if phase and monotonic() - self._began_s >= _PATIENCE_S:
                time = f" … {phase_s:.0f} s" if phase_s >= _PATIENCE_S else ""
                self._line.draw(plain(phase) + time)
        elif phase != self._told and phase_s >= _PATIENCE_S:
            self._told = phase
            tell(f"{plain(phase)} …")
