"""The limits of one case.  The spec states them; the sandbox enforces them."""

from dataclasses import dataclass, replace
from functools import lru_cache

KIB = 1024
MIB = 1024 * KIB
GIB = 1024 * MIB


@dataclass(frozen=True, slots=True)
class Limits:
    """Limits of one case (and of the import of a module).

    time_s: CPU seconds, user and system, all threads; the limit that decides.
    wall_s: seconds in which the code waited: by the clock, less those in which it computed or stood in line
        for a core.  So it ends code that waits, and other work on the machine has no part in it.
    memory_b: address space of the process.
    output_b: bytes of stdout and stderr together.
    answer_b: bytes of the encoded answer.
    """

    time_s: float = 2.0
    wall_s: float = 7.0
    memory_b: int = 512 * MIB
    output_b: int = 1 * MIB
    answer_b: int = 8 * MIB


def wall_for(time_s: float) -> float:
    """Return the wall limit for a CPU limit where the spec states none: 3 x CPU + 1 s."""
    return 3 * time_s + 1


GRACE = 1.2
"""At how much of its time limit a case is stopped; what answers before that is in time.

The same work takes more CPU time where other programs share the processor's core and its caches.  So a case
that needs at most half of its limit passes unless the machine makes it 2.4 times as slow, and one that needs
twice its limit never does.  Nothing is run again, and no time is converted (`docs/design/time-limits.md`).
"""
COUNTS_MORE = 1.5
"""How much later than ours the kernel's own limit on CPU time lies; ours decides, by the time that is told.

For its limit the kernel counts ticks.  On a virtual machine under load, ticks came to 11 s where the time
that it tells came to 9.4 s.  A process that it ended before our
limit would look like one that the system killed.
"""


@lru_cache
def allowed(limits: Limits) -> Limits:
    """Return the limits under which a case, or an import, with these limits of the spec runs."""
    return replace(limits, time_s=limits.time_s * GRACE)


BUDGET_S = 60.0
"""CPU seconds for a whole submission where the spec states none, but for tasks with long time limits."""
BUDGET_TIMES = 3
"""The budget is at least this many times the longest time limit of the task's cases."""
BUDGET_WALLS = 2.0
"""Seconds that a submission may wait for each CPU second of its budget, unless the spec says otherwise."""


def budget_for(longest_s: float) -> float:
    """Return the CPU seconds of a submission whose longest time limit is that, where the spec states none.

    With 200 submissions on four cores, of which every tenth never ends, that is five minutes more.
    """
    return max(BUDGET_S, BUDGET_TIMES * longest_s)
