"""The limits of one case, and how much of them is used.

All times come from the kernel: the wall clock and the CPU clock of a process, never from the box.  At any
limit, a case ends by raising `Ended` in the keeper.
"""

from collections.abc import Callable
from time import monotonic
from typing import NamedTuple, Protocol


class Limited(Protocol):
    """The limits that a `Watch` keeps; a `messages.CaseOrder` has them."""

    @property
    def time_s(self) -> float:
        """CPU seconds."""

    @property
    def wall_s(self) -> float:
        """Seconds by the clock."""

    @property
    def output_b(self) -> int:
        """Bytes printed."""


class Starting(NamedTuple):
    """The limits of a process before it is at student code, on a host that tells no CPU time."""

    time_s: float = 60.0
    wall_s: float = 60.0
    output_b: int = 1 << 20


class Ended(Exception):
    """The case has ended without an answer; `ending` is one of `messages.ENDINGS`, or "dead"."""

    def __init__(self, ending: str, detail: str = "") -> None:
        super().__init__(ending)
        self.ending = ending
        self.detail = detail


BY_THE_CLOCK = "by the clock"
"""Detail of the ending "time" where the host does not tell how much a process computes."""
DEAD = "dead"
"""Ending of a process that has died; its wait status tells how."""

WAITS_AFTER_S = 0.5
"""A case that has waited for so long is reported to the grader, which can use the core for other work."""
MACHINE_LIMITS, MACHINE_S = 20, 60.0
"""A case that neither ends nor waits within this many wall limits plus `MACHINE_S` got no core from the
machine."""
_PATIENCE = 10
"""The grader may work for a case for at most this many of the case's wall limits."""

_LONG_S = 0.05
_SHORTEST_NAP_S, _LONGEST_NAP_S = 0.002, 0.1
"""Time between two looks at a CPU clock near its limit; it grows while the clock stands still."""
_IDLE_SHARE = 0.1
_LOOK_APART_S = 0.05
_SMALL_S = 0.1
"""A wait shorter than this is not checked: no look could tell waiting from starving."""
_BUSY_SHARE = 0.2
"""Where the run queue is not known, a case that had the CPU for at least this share of the time is not
waiting ..."""
_BLIND_LIMITS = 5
"""... until this many wall limits have passed."""

Queued = Callable[[], tuple[float, bool] | None]
"""Returns the seconds that threads of the process at work stood in the run queue since the last call, and
whether any of them can run right now; None where that is not known."""


class Watch:
    """Checks a case against its limits; the count starts when the watch is made.

    cpu_so_far_s: returns the CPU time of the process at work since its birth.  None if this host does not
        tell it: then all time by the clock counts, and the wall limit is the limit.
    queued: distinguishes a process that starves from one that waits.
    on_wait: called once, when the case has waited for `WAITS_AFTER_S`.
    on_long: called once, when the case has been at work for `_LONG_S` by the clock.
    """

    def __init__(
        self,
        limits: Limited,
        cpu_so_far_s: Callable[[], float] | None,
        *,
        cpu_before_s: float,
        queued: Queued = lambda: None,
        on_wait: Callable[[], None] = lambda: None,
        on_long: Callable[[], None] | None = None,
        clock: Callable[[], float] = monotonic,
    ) -> None:
        self.time_s = limits.time_s if cpu_so_far_s is not None else limits.wall_s
        self.output_b = limits.output_b
        self._wall_limit_s = limits.wall_s
        self._cpu_so_far_s = cpu_so_far_s
        self._cpu_before_s = cpu_before_s
        self._clock = clock
        self._started = clock()
        self.paused_s = 0.0
        """Seconds in which the case waited for the grader."""
        self._pause_began = 0.0
        self._waiting = Waiting(queued)
        self._on_wait = on_wait
        self._on_long = on_long
        self._goal_s = min(WAITS_AFTER_S, self._wall_limit_s)
        """After this many seconds of waiting the watch has to act."""
        self._clock_read_at_s = self._cpu_at_s = 0.0
        self._rest_s = _SHORTEST_NAP_S

    def wall_s(self) -> float:
        """Return the seconds by the clock, without those in which the case waited for the grader."""
        return self._clock() - self._started - self.paused_s

    def cpu_s(self) -> float:
        if self._cpu_so_far_s is None:
            return self.wall_s()
        return max(0.0, self._cpu_so_far_s() - self._cpu_before_s)

    def waited_s(self, *, has_run: bool = False) -> float:
        """Return the seconds in which the case waited, give or take a tenth of a second.

        has_run: the case was just seen to run, so no stay in the run queue is still unreported.
        """
        wall_s = self.wall_s()
        # As in `nap_s`: if even the whole time is short, the CPU clock need not be read.
        if self._waiting.at_most_s(wall_s, 0.0) - self._waiting.known_s > _SMALL_S:
            cpu_s = self.cpu_s()
            if self._waiting.at_most_s(wall_s, cpu_s) - self._waiting.known_s > _SMALL_S:
                self._waiting.look(wall_s, cpu_s)
        return self._waiting.known_s + (self._waiting.open_s if has_run else 0.0)

    def time_is_up(self) -> Ended:
        """Return the end of a case that computes for too long."""
        return Ended("time", BY_THE_CLOCK if self._cpu_so_far_s is None else "")

    def pause(self) -> None:
        """Note that the case waits for the grader from now on."""
        self._pause_began = self._clock()

    def resume(self) -> None:
        """Note that the case runs again.  Raises `Ended` if it made the grader work for too long."""
        self.paused_s += self._clock() - self._pause_began
        if self.paused_s > _PATIENCE * self._wall_limit_s:
            raise Ended("wall")

    def nap_s(self) -> float:
        """Return how long the keeper may sleep before it looks again.  Raises `Ended`."""
        wall_s = self.wall_s()
        if self._on_long is not None and wall_s >= _LONG_S:
            self._on_long()
            self._on_long = None
        nap_s = self._nap_s(wall_s)
        return nap_s if self._on_long is None else min(nap_s, max(_LONG_S - wall_s, _SHORTEST_NAP_S))

    def _nap_s(self, wall_s: float) -> float:
        # A cheap case is over before its CPU clock is read even once.
        if wall_s <= self.time_s / 4 and self._waiting.at_most_s(wall_s, 0.0) < self._goal_s:
            until_s = min(self.time_s / 2, self._goal_s - self._waiting.at_most_s(wall_s, 0.0))
            return max(until_s, _SHORTEST_NAP_S)
        cpu_s = self.cpu_s()
        if cpu_s > self.time_s:
            raise self.time_is_up()
        if wall_s > MACHINE_LIMITS * self._wall_limit_s + MACHINE_S:
            raise Ended("internal", "the machine gave it no core")
        return min(self._until_waited_s(wall_s, cpu_s), self._until_used_s(wall_s, cpu_s))

    def _until_waited_s(self, wall_s: float, cpu_s: float) -> float:
        """Return the seconds after which its waiting could reach the goal; act if it has reached it."""
        waiting = self._waiting
        if waiting.at_most_s(wall_s, cpu_s) >= self._goal_s and wall_s - waiting.looked_at_s >= _LOOK_APART_S:
            waiting.look(wall_s, cpu_s)
        if waiting.known_s >= self._goal_s:
            if waiting.known_s >= self._wall_limit_s:
                raise Ended("wall")
            self._goal_s = self._wall_limit_s
            self._on_wait()
        if waiting.is_blind and wall_s >= _BLIND_LIMITS * self._wall_limit_s:
            raise Ended("wall")
        return max(self._goal_s - waiting.at_most_s(wall_s, cpu_s), _LOOK_APART_S)

    def _until_used_s(self, wall_s: float, cpu_s: float) -> float:
        """Return the seconds after which to look at the CPU time again.

        This is half of the time that is left, so a busy thread meets its limit after a few looks.  An idle
        one is looked at less often.
        """
        passed_s = wall_s - self._clock_read_at_s
        if passed_s >= self._rest_s:
            is_idle = cpu_s - self._cpu_at_s < _IDLE_SHARE * passed_s
            self._rest_s = min(2 * self._rest_s, _LONGEST_NAP_S) if is_idle else _SHORTEST_NAP_S
            self._clock_read_at_s, self._cpu_at_s = wall_s, cpu_s
        return max((self.time_s - cpu_s) / 2, self._rest_s)


class Waiting:
    """Measures for how much of its time a case waited: it neither computed nor stood in the run queue.

    The time is counted between looks, so several threads in the run queue at the same time count for no more
    than the time that passed.
    """

    def __init__(self, queued: Queued) -> None:
        self._queued = queued
        self._has_told = False
        self.is_blind = False
        """True if the time in the run queue is not known."""
        self.known_s = 0.0
        """Seconds that the case certainly waited, as of the last look."""
        self.open_s = 0.0
        """Seconds in which it waited or stood in the run queue; the kernel tells which when it runs again."""
        self.looked_at_s = self._cpu_at_s = 0.0

    def at_most_s(self, wall_s: float, cpu_s: float) -> float:
        """Return the most seconds that the case can have waited by now.

        wall_s, cpu_s: clock time and CPU time of the case so far.
        """
        since_s = max(0.0, wall_s - self.looked_at_s - max(0.0, cpu_s - self._cpu_at_s))
        return self.known_s + self.open_s + since_s

    def look(self, wall_s: float, cpu_s: float) -> None:
        passed_s, used_s = wall_s - self.looked_at_s, max(0.0, cpu_s - self._cpu_at_s)
        self.looked_at_s, self._cpu_at_s = wall_s, cpu_s
        told = self._queued()
        if told is None:
            # This host does not show it, or the process is gone.
            self.is_blind = not self._has_told
            is_busy = used_s >= _BUSY_SHARE * passed_s
            told = passed_s if is_busy else 0.0, False
        else:
            self._has_told = True
        queued_s, can_run = told
        self.open_s = max(0.0, self.open_s + passed_s - used_s - queued_s)
        if not can_run:
            self.known_s += self.open_s
            self.open_s = 0.0
