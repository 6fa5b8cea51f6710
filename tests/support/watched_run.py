"""A run that is watched: its pages are served by the process of `grader mark --watch`, from made results."""

import re
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from pathlib import Path
from types import TracebackType

from grader.cli.watching import Watch
from grader.model.events import Event, RunStarted, SubmissionKept
from grader.model.results import SubmissionResult
from grader.serving.address import Address
from grader.store.results_json import submission_text
from support.local_server import Talk
from support.results_sample import RUN, TASK


class Silent:
    def say(self, text: str) -> None:
        pass

    note = say

    def see(self, event: Event) -> None:
        pass


class Watched(Talk):
    """A run of so many submissions.  Use it as a context manager; `add` ends one."""

    def __init__(self, folder: Path, total: int) -> None:
        self._texts: dict[str, str] = {}
        self.told: list[str] = []
        self.watch = Watch(TASK, folder, self._texts.__getitem__, released=False)
        self._display = self.watch.beside(Silent(), self.told.append)
        self._total = total

    def __enter__(self) -> "Watched":
        self._display.see(RunStarted(RUN, self._total))
        (line,) = self.told
        found = re.fullmatch(r"watch: http://(127\.0\.0\.1):([0-9]+)/([A-Za-z0-9_-]{43})/", line)
        assert found, line
        self.address = Address(f"{found[1]}:{found[2]}", found[3])
        assert line == f"watch: {self.url}"
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.watch.__exit__(kind, error, trace)

    def add(self, *submissions: SubmissionResult) -> None:
        for one in submissions:
            self._texts[one.id] = submission_text(one)
            self._display.see(SubmissionKept(one.id))


@contextmanager
def watched_run(folder: Path, submissions: Iterable[SubmissionResult], total: int) -> Iterator[Watched]:
    """Yield a run that goes on, with these submissions marked."""
    with Watched(folder, total) as run:
        run.add(*submissions)
        yield run
