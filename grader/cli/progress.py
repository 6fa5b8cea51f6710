"""Progress of a long run, on stderr: a live line on a terminal, a line now and then elsewhere."""

import sys
from collections.abc import Iterator
from contextlib import contextmanager
from time import monotonic
from typing import Protocol

from grader.cli.output import tell
from grader.reports.escape import plain

_QUIET_S = 10.0
_NAME_WIDTH = 24


class Progress(Protocol):
    """Is told how a run comes along."""

    def say(self, text: str) -> None:
        """Something is worth a line of its own; our own words."""

    def note(self, text: str) -> None:
        """Something happened that people should know of, from any thread."""

    def advance(self, name: str) -> None:
        """One more submission is done: that of the student called `name`."""


@contextmanager
def progress(total: int, *, quiet: bool) -> Iterator[Progress]:
    """Show progress over `total` submissions while the context is open."""
    if quiet:
        yield _Silent()
    elif sys.stderr.isatty():
        with _Live(total) as live:
            yield live
    else:
        yield _Lines(total)


class _Silent:
    def say(self, text: str) -> None:
        """Nobody wants to know."""

    def note(self, text: str) -> None:
        tell(f"note: {plain(text)}")

    def advance(self, name: str) -> None:
        """Nobody wants to know."""


class _Lines:
    """A line every few seconds, for logs."""

    def __init__(self, total: int) -> None:
        self._total = total
        self._done = 0
        self._started = self._said = monotonic()

    def say(self, text: str) -> None:
        tell(text)
        # What came before the first submission is not to count in the guess of what is left.
        self._started = self._said = monotonic()

    def note(self, text: str) -> None:
        tell(f"note: {plain(text)}")

    def advance(self, name: str) -> None:
        self._done += 1
        now = monotonic()
        if now - self._said < _QUIET_S and self._done < self._total:
            return
        self._said = now
        left_s = (now - self._started) / self._done * (self._total - self._done)
        ending = (
            f", about {left_s:.0f} s left" if self._done < self._total else f" in {now - self._started:.1f} s"
        )
        tell(f"marked {self._done} of {self._total}{ending}")


class _Live:
    """One line that is drawn anew, by rich."""

    def __init__(self, total: int) -> None:
        from rich.console import Console
        from rich.progress import BarColumn, MofNCompleteColumn, TextColumn, TimeRemainingColumn
        from rich.progress import Progress as RichProgress
        from rich.table import Column

        self._bar = RichProgress(
            TextColumn("marking"),
            BarColumn(bar_width=20),
            MofNCompleteColumn(),
            TimeRemainingColumn(),
            TextColumn("{task.fields[last]}", markup=False, table_column=Column(no_wrap=True)),
            console=Console(stderr=True, highlight=False),
            transient=True,
        )
        self._task = self._bar.add_task("marking", total=total, last="")

    def __enter__(self) -> "_Live":
        self._bar.start()
        return self

    def __exit__(self, *_: object) -> None:
        self._bar.stop()

    def say(self, text: str) -> None:
        self._bar.console.print(text, markup=False)

    def note(self, text: str) -> None:
        self._bar.console.print(f"note: {plain(text)}", markup=False)

    def advance(self, name: str) -> None:
        self._bar.update(self._task, advance=1, last=plain(name)[:_NAME_WIDTH])
