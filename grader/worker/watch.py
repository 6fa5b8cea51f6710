"""The limits of one case, and how much of them is used.

Times come from the kernel, the clock of the wall and the CPU clock of a process, never from
the box.  A case ends by raising `Ended` in the keeper, whichever limit it met.
"""

from collections.abc import Callable
from time import monotonic
from typing import Protocol


class Limited(Protocol):
    """What a `Watch` needs of limits; a `messages.CaseOrder` is one."""

    @property
    def time_s(self) -> float:
        """CPU seconds."""

    @property
    def wall_s(self) -> float:
        """Seconds by the clock."""

    @property
    def output_b(self) -> int:
        """Bytes printed."""


class Ended(Exception):
    """The case is over without an answer; `ending` is one of `messages.ENDINGS`, or "dead"."""

    def __init__(self, ending: str, detail: str = "") -> None:
        super().__init__(ending)
        self.ending = ending
        self.detail = detail


DEAD = "dead"
"""The process is gone; how it went is yet to be told from its wait status."""

_SHORTEST_NAP_S = 0.002
_BUSY_SHARE = 0.2
"""The wall limit is for code that waits.  A case that had the CPU for so much of the time is not
waiting, it is kept from running by others, and only its CPU limit counts ..."""
_STARVED = 5
"""... until the wall limit has passed so many times over."""
_PATIENCE = 10
"""How many times its wall limit a case may let the grader work for it."""
_NOT_A_MOMENT_S = 1.0
_PRICE_OF_WAITING = 1 / 3


def price_s(cpu_s: float, wall_s: float) -> float:
    """Return what some work costs of a submission's budget of CPU time.

    Its CPU time; but a third of the time by the clock where it did little but wait, since the next
    submission has to wait for that as well.
    """
    waited = wall_s > _NOT_A_MOMENT_S and cpu_s < _BUSY_SHARE * wall_s
    return max(cpu_s, wall_s * _PRICE_OF_WAITING) if waited else cpu_s


class Watch:
    """Counts from its making on.

    cpu_so_far_s: returns the CPU time of the process at work, from its birth.
    """

    def __init__(self, limits: Limited, cpu_so_far_s: Callable[[], float], *, cpu_before_s: float) -> None:
        self.time_s = limits.time_s
        self.output_b = limits.output_b
        self._wall_limit_s = limits.wall_s
        self._cpu_so_far_s = cpu_so_far_s
        self._cpu_before_s = cpu_before_s
        self._started = monotonic()
        self.paused_s = 0.0
        """Seconds in which the case waited for the grader."""
        self._pause_began = 0.0

    def wall_s(self) -> float:
        """Seconds by the clock, without those in which the case waited for the grader."""
        return monotonic() - self._started - self.paused_s

    def cpu_s(self) -> float:
        """CPU seconds that the case has used."""
        return max(0.0, self._cpu_so_far_s() - self._cpu_before_s)

    def pause(self) -> None:
        """The case waits for the grader from here on."""
        self._pause_began = monotonic()

    def resume(self) -> None:
        """The case runs again.  Raises `Ended` where it made the grader work for too long."""
        self.paused_s += monotonic() - self._pause_began
        if self.paused_s > _PATIENCE * self._wall_limit_s:
            raise Ended("wall")

    def nap_s(self) -> float:
        """Return for how long the keeper may sleep before it looks again.  Raises `Ended`."""
        wall_s = self.wall_s()
        is_late = wall_s >= self._wall_limit_s
        # A cheap case is over before its CPU clock was read even once.
        used_s = self.cpu_s() if wall_s > self.time_s / 4 or is_late else 0.0
        if used_s > self.time_s:
            raise Ended("time")
        if is_late and (used_s < _BUSY_SHARE * wall_s or wall_s >= _STARVED * self._wall_limit_s):
            raise Ended("wall")
        # Half of what is left: a busy thread meets its limit after a few looks.
        nap_s = max((self.time_s - used_s) / 2, _SHORTEST_NAP_S)
        return nap_s if is_late else min(self._wall_limit_s - wall_s, nap_s)
