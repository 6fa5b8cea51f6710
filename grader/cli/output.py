"""Where a command's words go: data to stdout, all else to stderr.

A reader that has gone away is no error: the work that was asked for is done all the same, and
the exit status tells how it went.
"""

import os
import shutil
import sys
from collections.abc import Iterable
from typing import TYPE_CHECKING, TextIO

from grader.model.errors import Fault, UsageError

if TYPE_CHECKING:
    from grader.reports.terminal.lines import Line


def width_of_terminal() -> int:
    """Return how wide a table may be: the terminal's columns, 80 in a pipe."""
    return shutil.get_terminal_size((80, 24)).columns


def print_lines(lines: "Iterable[Line]") -> None:
    """Write lines to stdout.  Raises `UsageError` where it cannot be written to, a full disk for one."""
    from grader.reports.terminal.lines import write_lines

    try:
        write_lines(lines, sys.stdout)
        sys.stdout.flush()
    except BrokenPipeError:
        _abandon(sys.stdout)
    except OSError as error:
        _abandon(sys.stdout)
        raise UsageError(Fault(f"cannot write to the standard output: {error.strerror}")) from error


def tell(text: str) -> None:
    """Write one line to stderr."""
    try:
        print(text, file=sys.stderr, flush=True)
    except OSError:
        _abandon(sys.stderr)


def tell_passing(text: str) -> None:
    """Write to stderr without a line end: what will be overwritten."""
    try:
        sys.stderr.write(text)
        sys.stderr.flush()
    except OSError:
        _abandon(sys.stderr)


def _abandon(stream: TextIO) -> None:
    """Let what is still to be written vanish: Python would complain of it when it ends."""
    os.dup2(os.open(os.devnull, os.O_WRONLY), stream.fileno())
