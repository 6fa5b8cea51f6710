"""Kill processes that outlive those that we started, where no pid namespace does so.

The kernel kills our processes with their parents (`end_with_parent`), but a hostile box can fork its case
processes without that.  When its box and its keeper are dead, such a process becomes the child of the zygote,
or of the zygote's watcher if the zygote is dead as well.  Both know which processes they started, and kill
all others.
"""

import os
import select
import signal
import sys
from contextlib import suppress

from grader.worker.keeper import process_table
from grader.worker.waiting import Deadline, came_true
from grader.worker.walls import kernel

_LAST_S = 5.0


def end_with_parent(parent: int) -> None:
    """Have the kernel kill this process when its parent dies; exit now if the parent is dead already.

    parent: its pid; 0 where it is outside our pid namespace, since there a dead parent cannot be recognised.
    """
    if sys.platform != "linux":
        return
    kernel.prctl(kernel.PR_SET_PDEATHSIG, signal.SIGKILL)
    if parent and os.getppid() != parent:
        os._exit(1)


def leave_a_watcher() -> None:
    """Fork, and return in the child.  The parent waits for the child's end and kills what the child leaves.

    The parent keeps all descriptors open, so the grader's socket closes only when no process is left.
    """
    family = Family()
    child = os.fork()
    if child:
        kernel.name_process("grader-watcher")
        os.waitpid(child, 0)
        family.end()
        os._exit(0)
    family.leave()
    signal.signal(signal.SIGCHLD, signal.SIG_DFL)


class Family:
    """The processes that this one started, as opposed to orphans that became its children."""

    def __init__(self) -> None:
        self._own: set[int] = set()
        self._parent = os.getppid()
        self._wake_up, write_end = os.pipe2(os.O_CLOEXEC | os.O_NONBLOCK)
        signal.set_wakeup_fd(write_end, warn_on_full_buffer=False)
        signal.signal(signal.SIGCHLD, lambda *_: None)
        kernel.prctl(kernel.PR_SET_CHILD_SUBREAPER, 1)

    def add(self, pid: int) -> None:
        self._own.add(pid)

    def await_message(self, control: int) -> bool:
        """Return True when there is something to read, False when our parent is dead.

        While it waits, it kills processes that outlive our children.
        """
        while True:
            readable, _, _ = select.select([control, self._wake_up], [], [])
            if self._wake_up in readable:
                self._see_to()
            if os.getppid() != self._parent:
                return False
            if control in readable:
                return True

    def end(self) -> None:
        """Kill all processes that we started, and all that those leave, before we end ourselves."""
        for pid in self._own:
            with suppress(ProcessLookupError):
                os.kill(pid, signal.SIGKILL)
        came_true(self._is_alone, Deadline(_LAST_S, longest_nap_s=0.01), self._sleep)

    def leave(self) -> None:
        """In a fork: close the descriptors that it inherited; it has a family of its own."""
        os.close(signal.set_wakeup_fd(-1))
        os.close(self._wake_up)

    def _sleep(self, nap_s: float) -> None:
        select.select([self._wake_up], [], [], nap_s)

    def _is_alone(self) -> bool:
        return not self._see_to()

    def _see_to(self) -> bool:
        """Reap dead children, kill children that we did not start; return whether any child is left."""
        with suppress(BlockingIOError):
            os.read(self._wake_up, 512)
        try:
            while pid := os.waitpid(-1, os.WNOHANG)[0]:
                self._own.discard(pid)
        except ChildProcessError:
            return False
        for pid in process_table.children(-1):
            if pid not in self._own:
                # Only this process reaps it, so the pid cannot belong to another process yet.
                with suppress(ProcessLookupError, PermissionError):
                    os.kill(pid, signal.SIGKILL)
        return True
