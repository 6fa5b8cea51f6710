"""The command line as a shell's foreground job, whose processes are watched and signalled."""

import os
import signal
import subprocess
from pathlib import Path

from support.command_line import COMMAND, environment
from support.processes import Process, alive, comes_true, descendants


class Foreground:
    """A command that was started as the leader of a process group.

    changes: to the environment.  seen: the processes that were met below it so far.
    """

    def __init__(self, *arguments: str | Path, folder: Path, **changes: str) -> None:
        self.process = subprocess.Popen(
            [COMMAND, *arguments],
            cwd=folder,
            env=environment(**changes),
            stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            text=True,
            start_new_session=True,
        )
        self.seen: set[Process] = set()

    def look(self) -> set[Process]:
        """Return the processes that are below it now."""
        now = descendants(self.process.pid)
        self.seen |= now
        return now

    def leaves_nothing_running(self) -> bool:
        """Whether all that was seen is gone, a moment after its end."""
        return comes_true(lambda: not alive(self.seen), within_s=30)

    def end_at_last(self) -> None:
        """Kill the whole group if it is still there, at the end of a test."""
        if self.process.poll() is None:
            os.killpg(self.process.pid, signal.SIGKILL)
        self.process.communicate()
