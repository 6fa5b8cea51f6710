"""What a command asks, and what it says of visibilities: messages that need more than a stream."""

import sys
from collections.abc import Iterable

import click

from grader.cli.messages import note
from grader.model.case import Visibility


def agreed(question: str) -> bool:
    """Ask on the terminal.  Raises `click.UsageError` where there is none."""
    if not sys.stdin.isatty():
        raise click.UsageError("there is no terminal to ask on; look at what changes, and then say --yes")
    return click.confirm(question, err=True)


def note_if_none_opens(visibilities: Iterable[Visibility]) -> None:
    """Say that `--released` shows nothing more, where no case waits for the due date."""
    if Visibility.AFTER_DUE not in visibilities:
        note("no case has `visibility: after-due`, so --released shows nothing more; hidden ones stay hidden")
