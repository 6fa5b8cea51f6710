"""The one way in which a keeper waits for a box or a case process.

Each wait (for an import, an answer, an end) is the loop in `wait_until`.  Each turn of it asks a `Patience`
how long it may take, so each wait ends.  No box can keep its keeper busy: before the next turn, something
must have happened or time must have passed.
"""

from collections.abc import Callable
from time import monotonic
from typing import NamedTuple, Protocol, TypeVar

Found = TypeVar("Found")


class Death(NamedTuple):
    """How a process ended: exit status (negative for a signal), CPU seconds and peak memory."""

    exit_code: int
    cpu_s: float
    peak_rss_b: int


class Patience(Protocol):
    """A bound on a wait."""

    def nap_s(self) -> float:
        """Return the longest time to sleep before the next look.  Raises an error when the time is up."""


class TimeIsUpError(Exception):
    """The time was up before the end of a wait."""


class Deadline:
    """Patience for `within_s` seconds by the clock."""

    def __init__(self, within_s: float, *, longest_nap_s: float = 1.0) -> None:
        self._end = monotonic() + within_s
        self._longest_nap_s = longest_nap_s

    def nap_s(self) -> float:
        """Return the longest time to sleep.  Raises `TimeIsUpError`."""
        left_s = self._end - monotonic()
        if left_s <= 0:
            raise TimeIsUpError
        return min(left_s, self._longest_nap_s)


def wait_until(
    look: Callable[[], Found | None], patience: Patience, sleep: Callable[[float], object]
) -> Found:
    """Call `look` until its result is not None, and return that result.

    sleep: takes in the first event within that many seconds.
    Raises what the patience raises when the time is up, and what `look` raises.
    """
    while True:
        found = look()
        if found is not None:
            return found
        sleep(patience.nap_s())


def came_true(look: Callable[[], bool], patience: Deadline, sleep: Callable[[float], object]) -> bool:
    """Wait until a condition holds; return whether it did in time."""
    try:
        return wait_until(lambda: look() or None, patience, sleep)
    except TimeIsUpError:
        return False
