"""The command line's output: data to stdout, everything else to stderr.

A reader that has gone away is no error: the command does its work all the same, and its exit status tells the
outcome.
"""

import json
import os
import shutil
import sys
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import TextIO

import click

from grader.model.errors import Fault, UsageError
from grader.reports.escape import plain
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


def print_lines(lines: Iterable[Line]) -> None:
    """Write lines to stdout.  Raises `UsageError` where that fails, for example on a full disk."""
    try:
        write_lines(lines, sys.stdout)
        sys.stdout.flush()
    except BrokenPipeError:
        _abandon(sys.stdout)
    except OSError as error:
        _abandon(sys.stdout)
        raise UsageError(Fault(f"cannot write to the standard output: {error.strerror}")) from error


def print_json(data: object, indent: int = 1) -> None:
    """Write plain data as JSON to stdout.  Raises `UsageError` where that fails."""
    print_lines(line(part) for part in json.dumps(data, indent=indent).split("\n"))


def tell(text: str) -> None:
    """Write one line to stderr."""
    try:
        print(text, file=sys.stderr, flush=True)
    except OSError:
        _abandon(sys.stderr)


def tell_lines(lines: Iterable[Line]) -> None:
    """Write lines to stderr."""
    try:
        write_lines(lines, sys.stderr)
        sys.stderr.flush()
    except OSError:
        _abandon(sys.stderr)


def note(text: str) -> None:
    """Write a note to stderr; the text may hold hostile names."""
    tell(f"note: {plain(text)}")


def tell_what_is_held(folder: Path) -> None:
    """Tell on stderr that a folder's pages for students are held back, if they are."""
    if is_held(folder):
        tell(f"students' pages are held back; to write them: grader release {plain(str(folder))}")


def tell_passing(text: str) -> None:
    """Write text to stderr that will be overwritten, without a line end."""
    try:
        sys.stderr.write(text)
        sys.stderr.flush()
    except OSError:
        _abandon(sys.stderr)


def _abandon(stream: TextIO) -> None:
    """Discard what is still to be written, since Python would complain of it when it ends."""
    os.dup2(os.open(os.devnull, os.O_WRONLY), stream.fileno())
