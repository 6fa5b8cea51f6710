"""Progress of a run on stderr: a live line on a terminal, a line every few seconds elsewhere."""

from collections.abc import Iterator
from contextlib import contextmanager
from threading import Lock
from time import monotonic

from rich.console import Console
from rich.progress import BarColumn, MofNCompleteColumn, ProgressColumn, Task, TextColumn
from rich.progress import Progress as RichProgress
from rich.table import Column
from rich.text import Text

from grader.cli.messages import is_drawn_again, note, tell
from grader.cli.output import width_of_terminal
from grader.cli.progress.outlook import Outlook, UnderWay
from grader.cli.progress.phases import PhaseDisplay, Ticker
from grader.engine.session import Display
from grader.model.events import Event, SubmissionMarked, SubmissionStarted, TellPhase, ignore_phase
from grader.reports.escape import plain

_EVERY_S = 10.0
_LONG_S = 5.0
"""A submission that is under way for longer is named."""
_NAME_WIDTH = 24
_WIDEST = 200


@contextmanager
def preparing(*, quiet: bool) -> Iterator[TellPhase]:
    """Yield a function that takes the phases of a preparation, and shows those that take long."""
    if quiet:
        yield ignore_phase
    else:
        with PhaseDisplay() as waiting:
            yield waiting.tell


@contextmanager
def progress(total: int, longest_s: float, *, quiet: bool) -> Iterator[Display]:
    """Show progress over `total` submissions while the context is open.

    longest_s: the most that a submission costs, roughly.
    """
    if quiet:
        yield _Silent()
    elif is_drawn_again():
        with _Live(total, longest_s) as live:
            yield live
    else:
        with _Lines(total, longest_s) as lines:
            yield lines


class _Silent:
    def say(self, text: str) -> None:
        pass

    def note(self, text: str) -> None:
        note(text)

    def see(self, event: Event) -> None:
        pass


class _Lines:
    """A line every few seconds, for logs."""

    def __init__(self, total: int, longest_s: float) -> None:
        self._outlook = Outlook(total, longest_s)
        self._lock = Lock()
        self._ticker = Ticker(_EVERY_S, self._tell)
        self._started_s = monotonic()

    def __enter__(self) -> "_Lines":
        return self

    def __exit__(self, *_: object) -> None:
        self._ticker.stop()

    def say(self, text: str) -> None:
        tell(text)
        # The time before the first submission does not count.
        self._started_s = monotonic()

    def note(self, text: str) -> None:
        note(text)

    def see(self, event: Event) -> None:
        with self._lock:
            was = self._outlook.done
            self._outlook.see(event, monotonic())
            done, total = self._outlook.done, self._outlook.total
        if isinstance(event, SubmissionStarted):
            # The ticker is a thread, and processes are forked before, which is safe only without one.
            self._ticker.start()
        if was < done == total:
            self._ticker.stop()
            tell(f"marked {done} of {total} in {monotonic() - self._started_s:.1f} s")

    def _tell(self) -> None:
        with self._lock:
            outlook, now_s = self._outlook, monotonic()
            parts = [f"marked {outlook.done} of {outlook.total}", *_parts(outlook, now_s)]
        tell(joined(parts, width_of_terminal()))


class _Live:
    """One line that rich draws again and again."""

    def __init__(self, total: int, longest_s: float) -> None:
        words = self.words

        class Words(ProgressColumn):
            def render(self, task: Task) -> Text:
                return Text(words())

        self._outlook = Outlook(total, longest_s)
        self._lock = Lock()
        self._last = ""
        self._bar = RichProgress(
            TextColumn("marking"),
            BarColumn(bar_width=12),
            MofNCompleteColumn(),
            Words(table_column=Column(no_wrap=True, overflow="ellipsis")),
            console=Console(stderr=True, highlight=False),
            refresh_per_second=4,
            transient=True,
        )
        self._task = self._bar.add_task("marking", total=total)

    def __enter__(self) -> "_Live":
        return self

    def __exit__(self, *_: object) -> None:
        self._bar.stop()

    def say(self, text: str) -> None:
        self._bar.console.print(text, markup=False)

    def note(self, text: str) -> None:
        self._bar.console.print(f"note: {plain(text)}", markup=False)

    def see(self, event: Event) -> None:
        with self._lock:
            self._outlook.see(event, monotonic())
            if isinstance(event, SubmissionMarked):
                self._last = _name(event.result.name)
            done, total = self._outlook.done, self._outlook.total
        if isinstance(event, SubmissionStarted):
            # The bar has a thread, and processes are forked before, which is safe only without one.
            self._bar.start()
        self._bar.update(self._task, completed=done, total=total)

    def words(self) -> str:
        """Return the words behind the bar: the time left and the slow submissions, or the last one marked."""
        with self._lock:
            parts = _parts(self._outlook, monotonic())
            # Rich cuts the line where the terminal ends.
            return joined(parts, _WIDEST) if parts else self._last


def _parts(outlook: Outlook, now_s: float) -> list[str]:
    """Return words for the time left, from a second on, and for the slow submissions."""
    left_s = outlook.told_s(now_s) if outlook.done < outlook.total else None
    times = [f"{roughly(left_s)} left"] if left_s is not None and left_s >= 1 else []
    return times + [_takes_long(age_s, one) for age_s, one in outlook.slow(now_s, _LONG_S)]


def _takes_long(age_s: float, one: UnderWay) -> str:
    case = f", case {plain(one.case)}{' waits' if one.waits else ''}" if one.case else ""
    return f"{_name(one.name)}: {age_s:.0f} s{case}"


def _name(name: str) -> str:
    shown = plain(name)
    return shown if len(shown) <= _NAME_WIDTH else f"{shown[: _NAME_WIDTH - 1]}…"


def joined(parts: list[str], width: int) -> str:
    """Return the first part, as many others as fit on the line, and how many are left out."""
    line = parts[0]
    for place, part in enumerate(parts[1:], 1):
        after = len(parts) - place - 1
        rest = f"; {after} more" if after else ""
        if len(line) + 2 + len(part) + len(rest) > width:
            more = f"; {after + 1} more"
            return line + more if len(line) + len(more) <= width else line
        line += f"; {part}"
    return line


def roughly(seconds: float) -> str:
    """Return words for an estimated time: `about 40 s`, `about 3 min`."""
    if seconds < 10:
        return f"about {max(1, round(seconds))} s"
    if seconds < 90:
        return f"about {round(seconds / 10) * 10} s"
    if seconds < 90 * 60:
        return f"about {round(seconds / 60)} min"
    return f"about {seconds / 3600:.1f} h"
