"""The processes that one of ours started, and what outlives those: it is ended.

The kernel ends our processes with their parents (`end_with_parent`), but a hostile box can see to it that
its case processes are without that.  Where no pid namespace ends all that is left, such a one becomes the
child of its zygote, or of the nursery where the zygote is dead as well, and those know whom they started.
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
    """Have the kernel kill this process when its parent dies; do so now if that is dead already.

    parent: its pid, 0 where it is outside our pid namespace, and so can't be told from a later one.
    """
    if sys.platform != "linux":
        return
    kernel.prctl(kernel.PR_SET_PDEATHSIG, signal.SIGKILL)
    if parent and os.getppid() != parent:
        os._exit(1)


class Family:
    """What this process started, told from what it got by the death of one of those."""

    def __init__(self) -> None:
        self._own: set[int] = set()
        self._wake_up, write_end = os.pipe2(os.O_CLOEXEC | os.O_NONBLOCK)
        signal.set_wakeup_fd(write_end, warn_on_full_buffer=False)
        signal.signal(signal.SIGCHLD, lambda *_: None)
        kernel.prctl(kernel.PR_SET_CHILD_SUBREAPER, 1)

    def add(self, pid: int) -> None:
        """Take note of a process that we started."""
        self._own.add(pid)

    def await_message(self, control: int) -> None:
        """Return when there is something to read; see to the family meanwhile."""
        while True:
            readable, _, _ = select.select([control, self._wake_up], [], [])
            if self._wake_up in readable:
                self._see_to()
            if control in readable:
                return

    def end(self) -> None:
        """Kill all that we started, and all that this leaves, before we end ourselves."""
        for pid in self._own:
            with suppress(ProcessLookupError):
                os.kill(pid, signal.SIGKILL)
        came_true(self._is_alone, Deadline(_LAST_S, longest_nap_s=0.01), self._sleep)

    def leave(self) -> None:
        """In a fork: it has no part in this."""
        os.close(signal.set_wakeup_fd(-1))
        os.close(self._wake_up)

    def _sleep(self, nap_s: float) -> None:
        select.select([self._wake_up], [], [], nap_s)

    def _is_alone(self) -> bool:
        return not self._see_to()

    def _see_to(self) -> bool:
        """Reap who has died, kill who is not ours; return whether there is anybody left."""
        with suppress(BlockingIOError):
            os.read(self._wake_up, 512)
        try:
            while pid := os.waitpid(-1, os.WNOHANG)[0]:
                self._own.discard(pid)
        except ChildProcessError:
            return False
        for pid in process_table.children(-1):
            if pid not in self._own:
                # Only we reap it, so the number is still its own.
                with suppress(ProcessLookupError, PermissionError):
                    os.kill(pid, signal.SIGKILL)
        return True
