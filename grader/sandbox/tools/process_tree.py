"""The CPU time of a process and of all that it has started, read from the kernel's process table.

The kernel adds the time of a process to its parent's when that waits for it.  While processes live, or where
nobody waits for them, only the table tells.
"""

import os
from contextlib import suppress

_TICKS = os.sysconf("SC_CLK_TCK") if hasattr(os, "sysconf") else 100


class ProcessTree:
    """The processes below one of our children, itself among them."""

    def __init__(self, pid: int) -> None:
        self._pid = pid
        self._times: dict[int, tuple[float, float]] = {}
        """CPU seconds of each process, and those of the children that it has waited for."""
        self.lost_s = 0.0
        """CPU seconds of processes that are gone, and that nobody waited for."""

    def look(self) -> float:
        """Return the CPU seconds so far; 0 where there is no table."""
        times: dict[int, tuple[float, float]] = {}
        left = [self._pid]
        while left:
            pid = left.pop()
            found = _times_of(pid)
            if found is not None and pid not in times:
                times[pid] = found
                left += _children_of(pid)
        gone_s = sum(sum(both) for pid, both in self._times.items() if pid not in times)
        taken_over_s = sum(
            waited_s - self._times.get(pid, (0.0, 0.0))[1] for pid, (_, waited_s) in times.items()
        )
        # Once it is gone itself, whoever waits for it learns the rest.
        if self._pid in times:
            self.lost_s += max(0.0, gone_s - taken_over_s)
            self._times = times
        return self.lost_s + sum(sum(both) for both in self._times.values())


def _times_of(pid: int) -> tuple[float, float] | None:
    with (
        suppress(OSError, ValueError),
        open(f"/proc/{pid}/stat", encoding="ascii", errors="replace") as table,
    ):
        fields = table.read().rpartition(")")[2].split()
        own, waited = int(fields[11]) + int(fields[12]), int(fields[13]) + int(fields[14])
        return own / _TICKS, waited / _TICKS
    return None


def _children_of(pid: int) -> list[int]:
    """Return the children of all threads of a process."""
    found: list[int] = []
    with suppress(OSError):
        for thread in os.listdir(f"/proc/{pid}/task"):
            with suppress(OSError), open(f"/proc/{pid}/task/{thread}/children", encoding="ascii") as table:
                found += map(int, table.read().split())
    return found
