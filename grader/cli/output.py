"""The command line's data, which go to stdout, and lines that go to stderr.

A reader that has gone away is no error: the command does its work all the same, and its exit status tells the
outcome.
"""

import json
import shutil
import sys
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from pathlib import Path

import click

from grader.cli.messages import abandon, tell
from grader.model.errors import Fault, UsageError
from grader.reports.escape import encodable, plain
from grader.reports.held import is_held
from grader.reports.terminal.lines import Line, line, write_lines


@contextmanager
def if_interrupted(words: str | Callable[[], str]) -> Iterator[None]:
    """Tell what became of the command where it is interrupted, and end it."""
    try:
        yield
    except KeyboardInterrupt:
        tell(words if isinstance(words, str) else words())
        # Click prints an empty line for an interrupt of its own.
        raise click.Abort from None


def width_of_terminal() -> int:
    """Return how wide a table may be: the terminal's columns, 80 in a pipe."""
    return shutil.get_terminal_size((80, 24)).columns


def rule(most: int) -> str:
    """Return a rule across the terminal, of at most so many columns."""
    sign = "─" if encodable("─", sys.stdout.encoding) == "─" else "-"
    return sign * min(width_of_terminal(), most)


def print_lines(lines: Iterable[Line]) -> None:
    """Write lines to stdout.  Raises `UsageError` where that fails, for example on a full disk."""
    try:
        write_lines(lines, sys.stdout)
        sys.stdout.flush()
    except BrokenPipeError:
        abandon(sys.stdout)
    except OSError as error:
        abandon(sys.stdout)
        raise UsageError(Fault(f"cannot write to the standard output: {error.strerror}")) from error


def print_json(data: object, indent: int = 1) -> None:
    """Write plain data as JSON to stdout.  Raises `UsageError` where that fails."""
    print_lines(line(part) for part in json.dumps(data, indent=indent).split("\n"))


def tell_lines(lines: Iterable[Line]) -> None:
    """Write lines to stderr."""
    try:
        write_lines(lines, sys.stderr)
        sys.stderr.flush()
    except OSError:
        abandon(sys.stderr)


def tell_what_is_held(folder: Path) -> None:
    """Tell on stderr that a folder's pages for students are held back, if they are."""
    if is_held(folder):
        tell(f"students' pages are held back; to write them: grader release {plain(str(folder))}")
