"""Puts walls around a process and then becomes a tool, such as a linter, that reads a student's text.

The tool is trusted and its input is not: the walls matter if the tool's parser has a hole.  The tool
reads no file but itself and the system's libraries, writes none, has no network, no capabilities, and
starts nothing.  The caller sets limits on time, memory and output beforehand, and reads the tool's output.
"""

import os
import sys

from grader.wire.decoder import decode_plain
from grader.worker.settings import EXIT_NO_CELL, Settings
from grader.worker.walls import jail, kernel, landlock, seccomp


def main(settings_hex: str, command: list[str]) -> None:
    """Build the walls that the settings name, and become the command; does not return."""
    try:
        settings = Settings(*decode_plain(bytes.fromhex(settings_hex)))  # type: ignore[misc]
        _enclose(settings)
        os.execv(command[0], command)
    except BaseException as error:
        sys.stderr.write(f"{type(error).__name__}: {error}\n")
        sys.stderr.flush()
    os._exit(EXIT_NO_CELL)


def _enclose(settings: Settings) -> None:
    if settings.namespaces:
        # From here on this is a new process; the one that was started passes its exit status on.
        jail.enter(settings, lifeline=os.open(os.devnull, os.O_RDONLY))
    kernel.prctl(kernel.PR_SET_NO_NEW_PRIVS, 1)
    os.closerange(3, 1024)
    kernel.drop_capabilities()
    if settings.landlock and (landlock.version() or not settings.namespaces):
        devices = ["/dev/null", "/dev/zero", "/dev/random", "/dev/urandom"]
        ruleset = landlock.ruleset(settings.readable, filter(os.path.exists, devices))
        landlock.restrict(ruleset)
        os.close(ruleset)
    if settings.seccomp:
        kernel.install_filter(seccomp.program(listen=False, own_pid=None, starts=True), listen=False)
