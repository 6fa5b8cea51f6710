"""Whether this shell's own limits leave room for what a spec allows its cases (`ulimit`).

A box cannot have more than the process that starts the run.  A program that meets such a limit, and none of
the spec's, would be marked down for what the host denied it.
"""

import sys

from grader.model.errors import Fault, NoSandbox
from grader.model.limits import MIB
from grader.model.task import Task
from grader.sandbox.driver import WALLS, Driver

_OF_PYTHON_B = 128 * MIB
"""Address space that Python has before a program runs."""


def require_room(task: Task) -> None:
    """Raise `NoSandbox` if a case of the task may use more than a process may have here."""
    if sys.platform == "win32":
        return
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
    if faults:
        raise NoSandbox(*faults)
