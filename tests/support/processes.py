"""Looks at running processes through /proc: descendants, and whether they still run."""

import os
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path

Process = tuple[int, str]
"""A process, told apart from a later one of the same number by its start time."""


def _stat_of(pid: int) -> list[str]:
    return Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()


def descendants(pid: int) -> set[Process]:
    """Return all processes below `pid`, itself included."""
    parents: dict[int, list[int]] = {}
    for entry in Path("/proc").iterdir():
        if entry.name.isdigit():
            try:
                parents.setdefault(int(_stat_of(int(entry.name))[1]), []).append(int(entry.name))
            except OSError:
                continue
    found, waiting = set(), [pid]
    while waiting:
        one = waiting.pop()
        try:
            found.add((one, _stat_of(one)[19]))
        except OSError:
            continue
        waiting += parents.get(one, [])
    return found


def alive(processes: set[Process]) -> set[Process]:
    """Return those that still run; a zombie counts as gone."""
    found = set()
    for pid, started in processes:
        try:
            fields = _stat_of(pid)
        except OSError:
            continue
        if fields[19] == started and fields[0] != "Z":
            found.add((pid, started))
    return found


def comes_true(condition: Callable[[], bool], within_s: float = 300.0) -> bool:
    """Wait until a condition holds; tell whether it does."""
    deadline = time.monotonic() + within_s
    while not condition() and time.monotonic() < deadline:
        time.sleep(0.02)
    return condition()


@contextmanager
def looking(look: Callable[[list[int]], None]) -> Iterator[None]:
    """In the meantime call `look` again and again with the new processes below this one.

    Processes that were there before are not new: other tests keep some, and a killed grader leaves some.
    """
    done, before = threading.Event(), descendants(os.getpid())

    def look_on() -> None:
        while not done.wait(0.004):
            look([pid for pid, _ in alive(descendants(os.getpid()) - before)])

    thread = threading.Thread(target=look_on)
    thread.start()
    try:
        yield
    finally:
        done.set()
        thread.join()
