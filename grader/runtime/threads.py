"""The threads that are left for us on this machine.

A host that denies a thread would be taken for a program that fails.  So no more submissions are alive at a
time than could all have what a box allows them.  Linux counts a process as a thread.
"""

import os
import sys
from collections.abc import Iterator
from contextlib import suppress
from functools import cache
from pathlib import Path

from grader.runtime.groups import groups_around, read_text

OF_SUBMISSION = 64 + 8
"""What a box may have, and the processes of ours beside it."""


def available_threads(root: Path = Path("/")) -> int | None:
    """Return how many threads this process and those that it starts can still have; None if not told.

    It is the least of what the user's limit (`ulimit -u`) and each control group around us has left.
    root: the folder that stands for `/`.
    """
    if sys.platform != "linux":
        return None
    found = [*_of_user(root), *_of_groups(root)]
    return max(0, min(found)) if found else None


def denials_so_far(root: Path = Path("/")) -> int:
    """Return how often the control groups around us have denied a process or thread.

    A thread that a box may not have by its own limit does not count.  root: the folder that stands for `/`.
    """
    return sum(int((read_text(path).split() or ["0"])[-1]) for path in _places_of_denials(root))


@cache
def _places_of_denials(root: Path) -> tuple[Path, ...]:
    """Return where the kernel counts them; it is read after each case.

    Linux counts them in the group that has the bound since 6.11.  Before, and in version 1 of the interface,
    it does so in that of the process that asked, which is the innermost one around us.
    """
    if sys.platform != "linux":
        return ()
    folders = [*dict.fromkeys(groups_around("pids", root))]
    around = {parent for folder in folders for parent in folder.parents}
    return tuple(
        folder / "pids.events"
        for folder in folders
        if folder not in around or read_text(folder / "pids.max").strip().isdigit()
    )


def _of_user(root: Path) -> Iterator[int]:
    import resource  # noqa: PLC0415  (Windows has none)

    soft, _ = resource.getrlimit(resource.RLIMIT_NPROC)
    # What root starts becomes users of their own, each with few threads.
    if soft != resource.RLIM_INFINITY and os.geteuid() != 0:
        yield soft - _threads_of(os.getuid(), root / "proc")


def _threads_of(user: int, processes: Path) -> int:
    """Return how many threads a user has on this machine, as far as we can see."""
    found = 0
    with suppress(OSError):
        for entry in os.scandir(processes):
            with suppress(OSError):
                if entry.name.isdigit() and entry.stat().st_uid == user:
                    found += len(os.listdir(f"{entry.path}/task"))
    return found


def _of_groups(root: Path) -> Iterator[int]:
    for folder in groups_around("pids", root):
        most, used = (read_text(folder / name).strip() for name in ("pids.max", "pids.current"))
        if most.isdigit() and used.isdigit():
            yield int(most) - int(used)
