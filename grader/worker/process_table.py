"""What the kernel's process table tells a keeper about its children.

The keeper of a box in namespaces has no process table in its own root, only a descriptor of the
one outside; -1 stands for `/proc`.  Nothing here raises: a table that cannot be read tells nothing.
"""

import os


def is_child(pid: int) -> bool:
    """Whether `pid` is a child of ours, alive or dead."""
    try:
        os.waitid(os.P_PID, pid, os.WEXITED | os.WNOHANG | os.WNOWAIT)
    except ChildProcessError:
        return False
    return True


def children(table: int) -> list[int]:
    """Return our children's pids, by our own pid namespace."""
    statuses = (_status(name, table) for name in _names_of_children(table))
    # The table may belong to a namespace around ours; the last number is the innermost one.
    return [int(status["NSpid"].split()[-1]) for status in statuses if "NSpid" in status]


def threads(pid: int) -> int:
    """Return how many threads the process of thread `pid` has, by `/proc`; 0 where it cannot be told."""
    try:
        # A link for each folder in it, and two for itself.
        return os.stat(f"/proc/{pid}/task").st_nlink - 2
    except OSError:
        return 0


def peak_of_only_child_b(table: int) -> int:
    """Return the peak memory of our one child in bytes, 0 where it cannot be told."""
    for name in _names_of_children(table):
        return int(_status(name, table).get("VmHWM", "0").split()[0]) * 1024
    return 0


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
