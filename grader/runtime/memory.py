"""The memory that is left for us on this machine, and how many submissions it is enough for.

A submission that holds memory must not have others' processes killed.  So no more are alive at a time than
could all have what their limits allow.
"""

import sys
from collections.abc import Iterator
from pathlib import Path

from grader.runtime.groups import groups_around, read_text

_INFO = "/proc/meminfo"
_FILES = (
    ("memory.max", "memory.current", "inactive_file"),
    ("memory.high", "memory.current", "inactive_file"),
    ("memory.limit_in_bytes", "memory.usage_in_bytes", "total_inactive_file"),
)
"""Of either version of control groups: the limit, what is in use, and what of that is only kept of files."""


def available_b(root: Path = Path("/")) -> int | None:
    """Return the bytes that this process and those that it starts can still have; None if not told.

    It is the least of what the machine has and of what each control group around us has left.
    root: the folder that stands for `/`.
    """
    if sys.platform != "linux":
        return None
    found = [*_of_machine(root), *_of_groups(root)]
    return max(0, min(found)) if found else None


def at_a_time(each_b: int, available: int | None) -> int:
    """Return how many may be alive of what may take `each_b` bytes; at least one."""
    return sys.maxsize if available is None else max(1, available // each_b)


def _of_machine(root: Path) -> Iterator[int]:
    for line in read_text(root / _INFO[1:]).splitlines():
        name, _, rest = line.partition(":")
        if name == "MemAvailable":
            yield int(rest.split()[0]) * 1024


def _of_groups(root: Path) -> Iterator[int]:
    """Yield what each control group around us has left, that of the outermost last."""
    for folder in groups_around("memory", root):
        yield from _left_in(folder)


def _left_in(folder: Path) -> Iterator[int]:
    for limit, usage, reclaimable in _FILES:
        most, used = read_text(folder / limit).strip(), read_text(folder / usage).strip()
        if most.isdigit() and used.isdigit():
            rows = (line.split() for line in read_text(folder / "memory.stat").splitlines())
            kept = next((int(row[1]) for row in rows if row[:1] == [reclaimable]), 0)
            yield int(most) - int(used) + kept
