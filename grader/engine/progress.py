"""What the submissions that are being marked are at: which case takes long, and whether it waits."""

from collections.abc import Iterator
from concurrent.futures import Future
from dataclasses import dataclass
from time import monotonic
from typing import Any

from grader.intake import Candidate
from grader.runtime.slip import Slip

_LOOK_S = 1.0


@dataclass(frozen=True, slots=True)
class Begun:
    """A process begins to mark a submission."""

    candidate: Candidate


@dataclass(frozen=True, slots=True)
class Runs:
    """A case of a submission has been running for a second or longer; empty: no longer.

    waits: it uses no core.
    """

    candidate: Candidate
    case: str
    waits: bool


@dataclass(slots=True)
class _Marking:
    """seen: the case that ran when it was last looked at.  told: what was last told."""

    candidate: Candidate
    slip: Slip | None
    waits: bool = False
    seen: str = ""
    told: tuple[str, bool] = ("", False)


class UnderWay:
    """The submissions that are being marked."""

    def __init__(self) -> None:
        self._markings: dict[Future[Any], _Marking] = {}
        self._next_look_s = monotonic() + _LOOK_S

    @property
    def patience_s(self) -> float:
        """How long nobody needs to look."""
        return max(0.0, self._next_look_s - monotonic())

    def begin(self, work: Future[Any], candidate: Candidate, slip: Slip | None) -> Begun:
        """Take note of a submission that is begun.  slip: where its process notes the case at hand."""
        self._markings[work] = _Marking(candidate, slip)
        return Begun(candidate)

    def wait(self, work: Future[Any], waits: bool) -> None:
        """Take note that a submission waits, or goes on."""
        if work in self._markings:
            self._markings[work].waits = waits

    def end(self, work: Future[Any]) -> None:
        """Take note that a submission is no longer being marked."""
        self._markings.pop(work, None)

    def look(self) -> Iterator[Runs]:
        """Yield what has changed among the cases that take long; nothing if the last look was just now."""
        if self.patience_s:
            return
        self._next_look_s = monotonic() + _LOOK_S
        for marking in self._markings.values():
            case = marking.slip.read() if marking.slip is not None else ""
            slow = (case, marking.waits) if case and case == marking.seen else ("", False)
            if slow != marking.told:
                marking.told = slow
                yield Runs(marking.candidate, *slow)
            marking.seen = case
