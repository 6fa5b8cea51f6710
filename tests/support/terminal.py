"""Runs the command line at a terminal of its own, as a person does."""

import fcntl
import os
import pty
import struct
import subprocess
import termios
from collections.abc import Mapping
from pathlib import Path

from support.command_line import COMMAND, environment


def at_terminal(
    *arguments: str | Path,
    columns: int = 80,
    env: Mapping[str, str] | None = None,
    cwd: Path | None = None,
    answer: str = "",
) -> tuple[int, str]:
    """Run `grader` at a terminal of its own; return its exit status and its output.

    answer: what is typed there.
    """
    ours, theirs = pty.openpty()
    fcntl.ioctl(theirs, termios.TIOCSWINSZ, struct.pack("HHHH", 24, columns, 0, 0))
    process = subprocess.Popen(
        [COMMAND, *map(str, arguments)],
        stdin=theirs,
        stdout=theirs,
        stderr=theirs,
        env=env or environment(),
        cwd=cwd,
        start_new_session=True,
    )
    os.close(theirs)
    os.write(ours, answer.encode())
    written = b""
    while True:
        try:
            piece = os.read(ours, 1 << 16)
        except OSError:
            break
        if not piece:
            break
        written += piece
    os.close(ours)
    return process.wait(), written.decode()
