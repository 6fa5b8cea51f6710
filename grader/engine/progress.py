"""The running cases that take long, and whether they wait, among the submissions being marked."""

from collections.abc import Iterator
from concurrent.futures import Future
from dataclasses import dataclass
from time import monotonic
from typing import Any

from grader.intake import Candidate
from grader.runtime.pool import SharedNote

_LOOK_S = 1.0


@dataclass(frozen=True, slots=True)
class Begun:
    """A process begins to mark a submission."""

    candidate: Candidate


@dataclass(frozen=True, slots=True)
class Runs:
    """A case of a submission has been running for a second or longer; empty if that no longer holds.

    waits: it uses no core.
    """

    candidate: Candidate
    case: str
    waits: bool


@dataclass(slots=True)
class _Marking:
    """seen: the running case at the last look.  yielded: the last case that was yielded, and if it waits."""

    candidate: Candidate
    note: SharedNote | None
    waits: bool = False
    seen: str = ""
    yielded: tuple[str, bool] = ("", False)


class RunningSubmissions:
    def __init__(self) -> None:
        self._markings: dict[Future[Any], _Marking] = {}
        self._next_look_s = monotonic() + _LOOK_S

    @property
    def next_look_in_s(self) -> float:
        return max(0.0, self._next_look_s - monotonic())

    def begin(self, work: Future[Any], candidate: Candidate, note: SharedNote | None) -> Begun:
        """Add a submission.  note: its process writes the running case there."""
        self._markings[work] = _Marking(candidate, note)
        return Begun(candidate)

    def wait(self, work: Future[Any], waits: bool) -> None:
        if work in self._markings:
            self._markings[work].waits = waits

    def end(self, work: Future[Any]) -> None:
        self._markings.pop(work, None)

    def look(self) -> Iterator[Runs]:
        """Yield changes among the cases that take long; nothing before the time of the next look."""
        if self.next_look_in_s:
            return
        self._next_look_s = monotonic() + _LOOK_S
        for marking in self._markings.values():
            case = marking.note.read() if marking.note is not None else ""
            slow = (case, marking.waits) if case and case == marking.seen else ("", False)
            if slow != marking.yielded:
                marking.yielded = slow
                yield Runs(marking.candidate, *slow)
            marking.seen = case
