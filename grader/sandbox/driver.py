"""The ladder of drivers: which walls each builds, and what it promises.

A driver is a set of walls.  The zygote builds them.  Whether they hold on this host is found out by
trying (`grader.doctor`), not by reading this table.
"""

import os
import sys
from dataclasses import dataclass
from enum import StrEnum

from grader.model.errors import Fault, UsageError
from grader.worker.keeper.process_table import cpu_clock_s


class Guarantee(StrEnum):
    """A guarantee of a sandbox about student code."""

    FILES_READ = "files-read"
    """It reads no file but the interpreter's own."""
    FILES_WRITE = "files-write"
    """It writes to its scratch folder only."""
    FILES_METADATA = "files-metadata"
    """It does not even see names, sizes and dates of other files."""
    DISK = "disk"
    """Its writes are bounded in bytes and files."""
    NETWORK = "network"
    """It reaches no network and no socket of another process."""
    PROCESSES = "processes"
    """It starts no process."""
    SIGNALS = "signals"
    """It can neither signal nor trace another process."""
    MEMORY = "memory"
    """Its memory is bounded."""
    CPU = "cpu"
    """It is ended when its CPU time is used up."""
    LEFTOVERS = "leftovers"
    """Nothing of it is left for the next submission."""


class Driver(StrEnum):
    """The rungs, from the strongest down."""

    NAMESPACES = "namespaces"
    LANDLOCK = "landlock"
    SECCOMP = "seccomp"
    POSIX = "posix"
    PORTABLE = "portable"
    """Not of the ladder: for a student's check of their own work, where there is no other."""


@dataclass(frozen=True, slots=True)
class Walls:
    """The walls of one rung, and the guarantees that they are meant to give."""

    namespaces: bool
    landlock: bool
    seccomp: bool
    scratch_b: int
    promises: frozenset[Guarantee]


_ALL = frozenset(Guarantee)
_SCRATCH_B = 16 * 1024 * 1024
SCRATCH_FILES = 1024
"""Files and folders that a scratch folder can hold."""

WALLS: dict[Driver, Walls] = {
    Driver.NAMESPACES: Walls(True, True, True, _SCRATCH_B, _ALL),
    # Without a mount namespace there is no scratch folder whose size could be bounded, so none.
    Driver.LANDLOCK: Walls(False, True, True, 0, _ALL - {Guarantee.FILES_METADATA}),
    Driver.SECCOMP: Walls(
        False,
        False,
        True,
        0,
        _ALL
        - {Guarantee.FILES_METADATA, Guarantee.FILES_READ, Guarantee.FILES_WRITE, Guarantee.DISK}
        - {Guarantee.LEFTOVERS},
    ),
    # Memory and CPU time are limited for each process, and there can be any number.
    Driver.POSIX: Walls(False, False, False, 0, frozenset()),
    # Each case has a folder of its own, without a bound.
    Driver.PORTABLE: Walls(False, False, False, _SCRATCH_B, frozenset()),
}
"""Each driver's walls.  Its promises are checked against reality by the hostile tests."""

LADDER: tuple[Driver, ...] = tuple(driver for driver in WALLS if driver is not Driver.PORTABLE)
"""All rungs that a mark can stand on, strongest first."""

CHOICE = "GRADER_DRIVER"
"""Environment variable that names the one driver of a check; the tests force `portable` on Linux by it."""


def drivers_of_check() -> tuple[Driver, ...]:
    """Return the drivers that a check may use on this host, strongest first.  Raises `UsageError`."""
    wanted = os.environ.get(CHOICE)
    if wanted:
        if wanted not in list(Driver):
            raise UsageError(Fault(f"{CHOICE} is {wanted!r}; the drivers are {', '.join(Driver)}"))
        return (Driver(wanted),)
    return tuple(WALLS) if has_zygotes() else (Driver.PORTABLE,)


def has_zygotes() -> bool:
    """Tell whether this system can have the zygotes that the drivers of the ladder fork their boxes from."""
    return sys.platform == "linux" and hasattr(os, "fork")


def remarks_on_check(driver: Driver) -> list[str]:
    """Return what a check under a driver leaves open, in sentences for its student; none for a usual one."""
    if driver not in (Driver.POSIX, Driver.PORTABLE):
        return []
    if driver is Driver.POSIX:
        where = "No sandbox works on this host (grader doctor says why)"
    else:
        where = "There is no sandbox for this system"
    remarks = [f"{where}: your program ran as if you had started it yourself."]
    if cpu_clock_s(os.getpid()) is None:
        remarks.append(
            "This system does not tell how much a program computes, so its time was taken by the clock."
        )
    return remarks
