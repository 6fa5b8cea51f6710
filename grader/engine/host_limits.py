"""What this host leaves for a run: what a case may use (`ulimit`), and how many submissions at a time.

A box cannot have more than the process that starts the run.  A program that meets such a limit, and none of
the spec's, would be marked down for what the host denied it.
"""

import sys
from dataclasses import dataclass

from grader.model.errors import Fault, NoSandbox
from grader.model.limits import MIB
from grader.model.task import Task
from grader.runtime.memory import at_a_time, available_b
from grader.runtime.threads import OF_SUBMISSION, available_threads
from grader.sandbox.driver import WALLS, Driver
from grader.sandbox.stack import lack_of_stack

_OF_PYTHON_B = 128 * MIB
"""Address space that Python has before a program runs."""
_OWN_B = 64 * MIB
"""What a worker process of ours, its zygote and a keeper take at most, beside what they share."""


def require_room(task: Task) -> None:
    """Raise `NoSandbox` if a case of the task may use more than a process may have here."""
    faults = lacks_of(task)
    if faults:
        raise NoSandbox(*faults)


def lacks_of(task: Task) -> list[Fault]:
    """Return what a case of the task may use and no process may have here; empty where all is there."""
    if sys.platform == "win32":
        return []
    import resource  # noqa: PLC0415  (Windows has none)

    limits = [case.limits for case in task.cases]
    memory_b = max((each.memory_b for each in limits), default=0) + _OF_PYTHON_B
    longest_s = max((each.time_s for each in limits), default=0.0)
    scratch_b = WALLS[Driver.NAMESPACES].scratch_b
    kinds = (
        # A box raises its soft limits, but for this one.
        (resource.getrlimit(resource.RLIMIT_DATA)[0], memory_b, MIB, "MiB of data are", "-d"),
        (resource.getrlimit(resource.RLIMIT_AS)[1], memory_b, MIB, "MiB of address space are", "-v"),
        (resource.getrlimit(resource.RLIMIT_FSIZE)[1], scratch_b, MIB, "MiB a file are", "-f"),
        (resource.getrlimit(resource.RLIMIT_CPU)[1], longest_s, 1, "s of CPU time are", "-t"),
    )
    faults = [
        Fault(
            f"only {has // unit} {what} allowed here (ulimit {option}), and a case of this spec may need "
            f"{needs / unit:.0f}",
            hint="raise it before you start grader, or lower the spec's limits",
        )
        for has, needs, unit, what, option in kinds
        if has != resource.RLIM_INFINITY and has < needs
    ]
    stack = lack_of_stack(builds=bool(task.toolchains))
    if stack:
        faults.append(Fault(stack, hint="raise its hard limit before you start grader"))
    threads = available_threads()
    if threads is not None and threads < OF_SUBMISSION:
        faults.append(
            Fault(
                f"only {threads} threads are left here (ulimit -u, or the control group's pids.max), and a"
                f" submission may need {OF_SUBMISSION}",
                hint="raise that limit, or end other programs of this user, before you start grader",
            )
        )
    return faults


@dataclass(frozen=True, slots=True)
class Room:
    """How many submissions may be alive at a time, and why no more.

    want: such as "want of memory: 900 MiB are free, and ..."; empty where nothing bounds them.
    """

    most: int
    want: str = ""


def room_for(task: Task) -> Room:
    """Return the room that this host has for submissions of a task; for one at least."""
    memory_b, threads = available_b(), available_threads()
    each_b = alive_b(task)
    rooms = [Room(sys.maxsize)]
    if memory_b is not None:
        want = (
            f"want of memory: {memory_b // MIB} MiB are free, and a submission may hold {each_b // MIB} MiB"
        )
        rooms.append(Room(at_a_time(each_b, memory_b), f"{want} by the spec's limits"))
    if threads is not None:
        want = (
            f"want of threads: this user may have {threads} more, and a submission may have {OF_SUBMISSION}"
        )
        rooms.append(Room(at_a_time(OF_SUBMISSION, threads), want))
    return min(rooms, key=lambda room: room.most)


def alive_b(task: Task) -> int:
    """Return the bytes that one submission may hold at a time, with the processes of ours beside it.

    That is its box and the case at hand, with the memory limit each: a case can write to all that it shares.
    """
    return 2 * max((case.limits.memory_b for case in task.cases), default=0) + _OWN_B
