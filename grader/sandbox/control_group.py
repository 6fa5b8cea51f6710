"""A control group for all that one zygote starts: a bound on what limits for single processes do not see.

Memory of the kernel's that processes make it take (buffers, tables, names), pages that belong to nobody
and processes in other process groups count in a group as well.  Only version 2 is used, and only below a
group that was given to us (`Delegate=yes`): others belong to whoever runs the host.  Without one the boxes
of a zygote are bounded by counting (docs/design/whole-boxes.md), which is what marks depend on.

Not one for each box: those are made below the zygote, by processes that see no folder of the host's.
"""

import itertools
import os
import time
from collections.abc import Iterable, Iterator
from contextlib import suppress
from pathlib import Path

_NEEDED = ("memory", "pids")
_OWN = "grader-itself"
"""The group that the grader's own processes move to: those with groups below them may hold none."""
_EMPTYING_S = 2.0
_numbers = itertools.count(1)


class ControlGroup:
    """A group of processes, empty at first.  Use `make` to get one, and `close` in the end."""

    def __init__(self, folder: Path) -> None:
        self._folder = folder

    def take(self, pid: int) -> None:
        """Take a process in, and with it all that it starts from now on.  Raises `OSError`."""
        _write(self._folder / "cgroup.procs", str(pid))

    def bound(self, memory_b: int, processes: int) -> None:
        """Bound its memory, none of it swapped out, and the number of its processes and threads.

        Raises `OSError`.
        """
        _write(self._folder / "pids.max", str(processes))
        _write(self._folder / "memory.max", str(memory_b))
        with suppress(FileNotFoundError):  # where swapping is not counted
            _write(self._folder / "memory.swap.max", "0")

    def close(self) -> None:
        """End what is left in it, wherever it went, and remove it."""
        with suppress(OSError):
            _write(self._folder / "cgroup.kill", "1")
        deadline = time.monotonic() + _EMPTYING_S
        while time.monotonic() < deadline:
            try:
                self._folder.rmdir()
            except FileNotFoundError:
                return
            except OSError:
                time.sleep(0.002)
            else:
                return


def make(needed: Iterable[str] = _NEEDED) -> ControlGroup | None:
    """Make a group that the `needed` controllers can bound; None where this host lets us have none."""
    try:
        own = _own_group()
        parent = _ground(own, set(needed)) if own is not None else None
        if parent is None:
            return None
        folder = parent / f"grader-{os.getpid()}-{next(_numbers)}"
        folder.mkdir()
    except OSError:
        return None
    return ControlGroup(folder)


def _own_group() -> Path | None:
    """Return the folder of the group that we are in."""
    mounts = list(_mounts())
    paths = [line[3:] for line in _lines("/proc/self/cgroup") if line.startswith("0::")]
    if not mounts or not paths:
        return None
    folder = Path(mounts[0] + paths[0])
    return folder if (folder / "cgroup.procs").exists() else None


def _mounts() -> Iterator[str]:
    for line in _lines("/proc/self/mountinfo"):
        place, _, kind = line.partition(" - ")
        if kind.startswith("cgroup2 "):
            yield place.split()[4].rstrip("/")


def _ground(own: Path, needed: set[str]) -> Path | None:
    """Return the folder below which groups can be made; we may have to leave it ourselves first."""
    if own.name == _OWN:
        return own.parent
    if needed <= _words(own / "cgroup.subtree_control"):
        return own
    # Were somebody else in it, it would not be ours.
    members = {int(line) for line in _lines(own / "cgroup.procs")}
    if not needed <= _words(own / "cgroup.controllers") or not members <= _family():
        return None
    (own / _OWN).mkdir(exist_ok=True)
    for pid in members:
        with suppress(ProcessLookupError):
            _write(own / _OWN / "cgroup.procs", str(pid))
    _write(own / "cgroup.subtree_control", " ".join(f"+{name}" for name in sorted(needed)))
    return own


def _family() -> set[int]:
    """Return our process number and those of all below us."""
    children: dict[int, list[int]] = {}
    for entry in os.listdir("/proc"):
        if entry.isdigit():
            with suppress(OSError, IndexError):
                parent = "".join(_lines(f"/proc/{entry}/stat")).rpartition(")")[2].split()[1]
                children.setdefault(int(parent), []).append(int(entry))
    found, waiting = set[int](), [os.getpid()]
    while waiting:
        pid = waiting.pop()
        found.add(pid)
        waiting += children.get(pid, [])
    return found


def _words(path: Path) -> set[str]:
    return set(" ".join(_lines(path)).split())


def _lines(path: Path | str) -> list[str]:
    return Path(path).read_text(encoding="utf-8", errors="replace").splitlines()


def _write(path: Path, text: str) -> None:
    # Not by `write_text`: a control file must not be made where there is none.
    descriptor = os.open(path, os.O_WRONLY | os.O_CLOEXEC)
    try:
        os.write(descriptor, text.encode())
    finally:
        os.close(descriptor)
