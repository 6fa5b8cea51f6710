"""The memory that is left for us on this machine, and how many submissions it is enough for.

A submission that holds memory must not have others' processes killed.  So no more are alive at a time than
could all have what their limits allow.
"""

import os
import sys
from collections.abc import Iterator
from pathlib import Path

_INFO = "/proc/meminfo"
_MOUNTS, _GROUPS = "/proc/self/mountinfo", "/proc/self/cgroup"
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
    for line in _read(root / _INFO[1:]).splitlines():
        name, _, rest = line.partition(":")
        if name == "MemAvailable":
            yield int(rest.split()[0]) * 1024


def _of_groups(root: Path) -> Iterator[int]:
    """Yield what each control group around us has left, that of the outermost last."""
    for mount in _mounts(root):
        for group in _groups(root):
            # In a container the path can be that of the host, which is not there; the mount is its own group.
            folder = Path(os.path.normpath(f"{mount}/{group}"))
            while folder != mount and mount in folder.parents:
                yield from _left_in(folder)
                folder = folder.parent
        yield from _left_in(mount)


def _mounts(root: Path) -> Iterator[Path]:
    for line in _read(root / _MOUNTS[1:]).splitlines():
        before, _, after = line.partition(" - ")
        kind, _, *options = [*after.split(), "", ""]
        if kind == "cgroup2" or (kind == "cgroup" and "memory" in options[0].split(",")):
            yield root / before.split()[4].lstrip("/")


def _groups(root: Path) -> Iterator[str]:
    for line in _read(root / _GROUPS[1:]).splitlines():
        _, kinds, path = line.split(":", 2)
        if not kinds or "memory" in kinds.split(","):
            yield path.strip("/")


def _left_in(folder: Path) -> Iterator[int]:
    for limit, usage, reclaimable in _FILES:
        most, used = _read(folder / limit).strip(), _read(folder / usage).strip()
        if most.isdigit() and used.isdigit():
            rows = (line.split() for line in _read(folder / "memory.stat").splitlines())
            kept = next((int(row[1]) for row in rows if row[:1] == [reclaimable]), 0)
            yield int(most) - int(used) + kept


def _read(path: Path) -> str:
    try:
        return path.read_text("ascii", "replace")
    except OSError:
        return ""
