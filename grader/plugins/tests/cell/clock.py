"""Ends a test that hangs, so that the tests after it in the same process still run.

Pytest-timeout decides which test has a timer, and reads the marks; the timer is ours.  It counts what the
test itself computes and waits.  The time of the program has limits of its own, and other work on the machine
does not count.  Code that hangs in C, or catches everything, is ended by the keeper.
"""

import signal
from collections.abc import Collection
from time import monotonic, process_time
from types import FrameType

from _pytest.outcomes import OutcomeException

SHARE = 5 / 6
"""The part of what is left of the limits that one test may use; 5/6 of what is given are a spec's limit."""
_TICKS = 4
"""Looks at the time within the sixth that one test leaves to the others ..."""
_SHORTEST_S, _LONGEST_S = 0.01, 0.2
"""... and how far apart they are."""
_IDLE_SHARE = 0.02
"""A test that computed for less than this share of the time was waiting."""


class TimedOut(OutcomeException):
    """A test was stopped; the text says after how long and in which line.  waited: it did not compute."""

    def __init__(self, text: str, *, waited: bool) -> None:
        super().__init__(text)
        self.waited = waited


class Clock:
    """A timer for each test.

    time_s, wall_s: what all tests of this process may compute and wait.  files: names of the test files.
    """

    def __init__(self, time_s: float, wall_s: float, files: Collection[str]) -> None:
        self._time_s, self._wall_s = time_s, wall_s
        self._files = files
        self.asks = False
        """Whether the test waits for the program."""
        self.asked = 0
        """How often it did so far."""
        self._asked_before = 0
        self._waited_s = 0.0
        self._computes_until_s = self._waits_until_s = 0.0
        self._began_s = self._waited_before_s = 0.0
        self._seen_s = self._computed_s = 0.0

    def start(self, most_s: float) -> None:
        """Begin to count for a test, which may compute and wait for this long at most."""
        self._seen_s, self._computed_s = monotonic(), process_time()
        self._began_s, self._waited_before_s = self._computed_s, self._waited_s
        computes_s, waits_s = self._time_s - self._began_s, self._wall_s - self._waited_s
        self._computes_until_s = self._began_s + min(most_s, SHARE * computes_s)
        self._waits_until_s = self._waited_s + min(most_s, SHARE * waits_s)
        tick_s = min(most_s, (1 - SHARE) * min(computes_s, waits_s) / _TICKS, _LONGEST_S)
        tick_s = max(tick_s, _SHORTEST_S)
        signal.signal(signal.SIGALRM, self._tick)
        signal.setitimer(signal.ITIMER_REAL, tick_s, tick_s)

    def stop(self) -> None:
        signal.setitimer(signal.ITIMER_REAL, 0)

    def _tick(self, _: int, frame: FrameType | None) -> None:
        now_s, computed_s = monotonic(), process_time()
        passed_s, used_s = now_s - self._seen_s, computed_s - self._computed_s
        self._seen_s, self._computed_s = now_s, computed_s
        is_quiet = not self.asks and self.asked == self._asked_before
        self._asked_before = self.asked
        if is_quiet and used_s < _IDLE_SHARE * passed_s:
            self._waited_s += passed_s
        if self.asks:
            return
        if computed_s > self._computes_until_s:
            self._end(f"it computed for {computed_s - self._began_s:.2g} s", frame, waited=False)
        elif self._waited_s > self._waits_until_s:
            self._end(f"it waited for {self._waited_s - self._waited_before_s:.2g} s", frame, waited=True)

    def _end(self, reason: str, frame: FrameType | None, *, waited: bool) -> None:
        """Raise `TimedOut` in the test; not while pytest's own code runs."""
        while frame is not None and frame.f_code.co_filename not in self._files:
            frame = frame.f_back
        if frame is not None:
            place = f"line {frame.f_lineno} of {frame.f_code.co_filename}"
            raise TimedOut(f"stopped in {place}: {reason}", waited=waited)
