"""Facts about a keeper's children, read from the kernel's process table.

The keeper of a box in namespaces has no process table in its own root, only a descriptor of the
outer one; -1 stands for `/proc`.  No function here raises: a table that cannot be read gives no facts.
"""

import os
import time
from collections.abc import Iterable

_MOST_THREADS = 64
"""The most threads of a process that are looked at; it can hardly have more."""
_AWAKE = ("R", "D")
"""States of a thread that runs or can run, and of one that waits for memory or a disk."""


def is_child(pid: int) -> bool:
    """Tell whether `pid` is a child of ours, alive or dead."""
    try:
        os.waitid(os.P_PID, pid, os.WEXITED | os.WNOHANG | os.WNOWAIT)
    except ChildProcessError:
        return False
    return True


def children(table: int) -> list[int]:
    """Return our children's pids in our own pid namespace."""
    return list(_names_by_pid(table))


def threads(pid: int) -> int:
    """Return the number of threads of the process of thread `pid`, by `/proc`; 0 if not known."""
    return _threads(f"/proc/{pid}/task", None)


def threads_of_children(table: int) -> int:
    """Return the number of threads of all our children together; 0 if not known."""
    return sum(_threads(f"{name}/task", table) for name in _names_of_children(table))


def threads_of_child(pid: int, table: int) -> int:
    """Return the number of threads of our child `pid`; 0 if not known."""
    name = _names_by_pid(table).get(pid)
    if name is None:
        return 0
    return _threads(f"{name}/task", table) if table >= 0 else threads(pid)


def _threads(path: str, folder: int | None) -> int:
    try:
        # The folder has one link for each folder in it, and two for itself.
        return os.stat(path, dir_fd=folder).st_nlink - 2
    except OSError:
        return 0


def peak_of_only_child_b(table: int) -> int:
    """Return the peak memory of our only child in bytes, 0 if not known."""
    for name in _names_of_children(table):
        return int(_status(name, table).get("VmHWM", "0").split()[0]) * 1024
    return 0


def cpu_clock_s(pid: int) -> float | None:
    """Return the CPU time of process `pid` in seconds, all its threads; None if it is gone or not told.

    The clock id is computed from the pid as the kernel does (`CPUCLOCK_SCHED`, whole process).
    """
    try:
        return time.clock_gettime(~pid << 3 | 2)
    except (OSError, AttributeError):
        return None


class RunQueue:
    """Measures how long the threads of our children stood in the run queue between two looks."""

    def __init__(self, table: int) -> None:
        self._table = table
        self._names: dict[int, str] = {}
        self._queued_ns: dict[str, int] = {}

    def look(self, pids: Iterable[int]) -> tuple[float, bool] | None:
        """Return the seconds that threads of these children stood in the run queue, and whether any can run
        now.

        The seconds count from the last look, or from a thread's birth; the kernel adds a stay when it is
        over. The result is None where the kernel does not tell.
        """
        queued_ns, can_run, seen = 0, False, dict[str, int]()
        for pid in pids:
            name = self._name(pid)
            for thread in _threads_below(name, self._table)[:_MOST_THREADS] if name else ():
                computed, queued, *_ = [*map(int, _read(f"{thread}/schedstat", self._table).split()), 0, 0]
                if computed or queued:
                    seen[thread] = queued
                    before = self._queued_ns.get(thread, 0)
                    # The kernel may give the number of an ended thread to another one.
                    queued_ns += queued - before if queued >= before else queued
                can_run |= _read(f"{thread}/stat", self._table).rpartition(")")[2].split()[:1] == ["R"]
        self._queued_ns = seen
        return (queued_ns / 1e9, can_run) if seen or can_run else None

    def rests(self, pid: int) -> bool:
        """Tell whether all threads of this child sleep; true as well where the kernel does not tell.

        A look goes from thread to thread, and one that it has passed may be woken by one that it has yet to
        see.  So each must have slept from one look to the next: it has gone to sleep no more often.
        """
        first = self._sleeps(pid)
        return first is not None and first == self._sleeps(pid)

    def _sleeps(self, pid: int) -> dict[str, str] | None:
        """Return how often each thread has gone to sleep, or None if one does not sleep."""
        name, sleeps = self._name(pid), dict[str, str]()
        for thread in _threads_below(name, self._table)[:_MOST_THREADS] if name else ():
            status = _status(thread, self._table)
            if status.get("State", "").strip()[:1] in _AWAKE:
                return None
            sleeps[thread] = status.get("voluntary_ctxt_switches", "")
        return sleeps

    def _name(self, pid: int) -> str:
        if pid not in self._names:
            self._names = _names_by_pid(self._table)
        return self._names.get(pid, "")


def _threads_below(name: str, table: int) -> list[str]:
    path, folder = (f"{name}/task", table) if table >= 0 else (f"/proc/{name}/task", None)
    try:
        descriptor = os.open(path, os.O_RDONLY | os.O_DIRECTORY | os.O_CLOEXEC, dir_fd=folder)
    except OSError:
        return []
    try:
        return [f"{name}/task/{number}" for number in os.listdir(descriptor)]
    except OSError:
        return []
    finally:
        os.close(descriptor)


def _names_by_pid(table: int) -> dict[int, str]:
    """Return the table's names of our children, by their pids in our own pid namespace."""
    names = _names_of_children(table)
    if table < 0:
        return {int(name): name for name in names}
    # The table may belong to a namespace around ours, and a child may be in one of its own below ours.
    depth = len(_status("thread-self", table).get("NSpid", "").split()) - 1
    numbers = ((_status(name, table).get("NSpid", "").split(), name) for name in names)
    return {int(found[depth]): name for found, name in numbers if 0 <= depth < len(found)}


def _names_of_children(table: int) -> list[str]:
    return _read("thread-self/children", table).split()


def _status(name: str, table: int) -> dict[str, str]:
    fields = (line.partition(":") for line in _read(f"{name}/status", table).splitlines())
    return {key: value for key, _, value in fields}


def _read(path: str, table: int) -> str:
    path, folder = (path, table) if table >= 0 else ("/proc/" + path, None)
    try:
        descriptor = os.open(path, os.O_RDONLY | os.O_CLOEXEC, dir_fd=folder)
    except OSError:
        return ""
    try:
        return os.read(descriptor, 1 << 14).decode("utf-8", "replace")
    except OSError:
        return ""
    finally:
        os.close(descriptor)
