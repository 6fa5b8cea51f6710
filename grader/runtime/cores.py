"""The cores of this machine that we may use, and what keeps to which.

Where there is a job for every core, each job keeps to one, with all that it starts: its boxes answer a
worker that waits for them, and to wake one another up across cores costs more than they work.  Where there
are fewer, nobody does: two graders might choose the same core, and leave another idle.
"""

import os
import sys
from contextlib import suppress


def default_processes() -> int:
    """Return how many processes to keep busy: one for each core we may use."""
    return len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1


def one_for_each(processes: int) -> tuple[int, ...]:
    """Return the number of a core for each of so many jobs; none where they are not as many as the cores."""
    cores = _ours()
    return tuple(cores) if len(cores) == processes else ()


def keep_to(core: int) -> None:
    """Keep this process, and what it starts from now on, to a core, where the host allows it."""
    if sys.platform == "linux":
        with suppress(OSError):
            os.sched_setaffinity(0, {core})


def only_core() -> int:
    """Return the number of the only core that this process may use; -1 where there are more."""
    cores = _ours()
    return cores[0] if len(cores) == 1 else -1


def _ours() -> list[int]:
    """Return the numbers of the cores that we may use; none where processes can't be kept to some."""
    if sys.platform != "linux":
        return []
    cores = sorted(os.sched_getaffinity(0))
    try:
        os.sched_setaffinity(0, cores)
    except OSError:
        return []
    return cores
