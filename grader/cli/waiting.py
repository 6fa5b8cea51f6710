"""What a command waits for, told on stderr once it takes longer than a second."""

import sys
from time import monotonic

from grader.cli.output import tell, tell_passing, width_of_terminal
from grader.cli.ticker import Ticker
from grader.reports.escape import plain

_PATIENCE_S = 1.0
_LOOK_S = 0.25


class Waiting:
    """Tells what is done while it takes long.  Use it as a context manager.

    A terminal gets one line, which is drawn again and vanishes; a log gets a line for each phase that
    takes long.
    """

    def __init__(self) -> None:
        self._ticker = Ticker(_LOOK_S, self._look)
        self._began_s = self._phase_began_s = monotonic()
        self._phase = self._told = ""
        self._at_terminal = sys.stderr is not None and sys.stderr.isatty()
        self._shown = 0
        """Columns of the line that is on the terminal."""

    def tell(self, phase: str) -> None:
        """Take note of what is done from now on, which is told if it takes long."""
        self._phase, self._phase_began_s = phase, monotonic()

    def __enter__(self) -> "Waiting":
        self._ticker.start()
        return self

    def __exit__(self, *_: object) -> None:
        self._ticker.stop()
        if self._shown:
            tell_passing("\r" + " " * self._shown + "\r")

    def _look(self) -> None:
        phase, phase_s = self._phase, monotonic() - self._phase_began_s
        if self._at_terminal:
            if phase and monotonic() - self._began_s >= _PATIENCE_S:
                self._draw(f"{plain(phase)} … {phase_s:.0f} s" if phase_s >= _PATIENCE_S else plain(phase))
        elif phase != self._told and phase_s >= _PATIENCE_S:
            self._told = phase
            tell(f"{plain(phase)} …")

    def _draw(self, text: str) -> None:
        line = text[: width_of_terminal() - 1]
        tell_passing("\r" + line.ljust(self._shown))
        self._shown = len(line)
