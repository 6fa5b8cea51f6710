"""What a worker is at: which of the jobs that it has are begun, and which of their cases take long.

A worker gets jobs ahead, and does not say when it begins one: its threads take them in the order in which
they were sent.  What runs it says when it is asked.
"""

import json
from collections.abc import Callable
from dataclasses import dataclass, field

from grader.engine.batch import Step
from grader.engine.progress import Begun, Runs
from grader.plugins.cluster.jobs import MarkingJob

_CASE_MOST = 80


@dataclass(slots=True, eq=False)
class _Sent:
    """A job.  seen: the case at the last look.  told: the last case that was told, and whether it waited."""

    job: MarkingJob
    seen: str = ""
    told: tuple[str, bool] = ("", False)


@dataclass(slots=True)
class UnderWay:
    """The jobs of one worker, in the order in which they were sent.

    threads: how many it marks at a time.  tell: gets what begins, and what takes long.
    """

    threads: int
    tell: Callable[[Step], None]
    _sent: list[_Sent] = field(default_factory=list)
    _begun: int = 0

    def __bool__(self) -> bool:
        return bool(self._sent)

    def add(self, job: MarkingJob) -> None:
        """Note that a job is sent; tell if it is begun."""
        self._sent.append(_Sent(job))
        self._begin()

    def remove(self, job: MarkingJob, *, goes_on: bool) -> None:
        """Note that a job is done or taken back.  goes_on: the worker begins the next one then."""
        place = next(place for place, sent in enumerate(self._sent) if sent.job is job)
        del self._sent[place]
        self._begun -= place < self._begun
        if goes_on:
            self._begin()

    def _begin(self) -> None:
        while self._begun < min(self.threads, len(self._sent)):
            self._begun += 1
            self.tell(Begun(self._sent[self._begun - 1].job.candidate))

    def look(self, answer: bytes) -> None:
        """Tell which cases take long, given the answer of `site.look`: those that are there a second time."""
        cases = _cases(answer)
        for sent in self._sent[: self._begun]:
            case, waits = cases.get(sent.job.sha256, ("", False))
            slow = (case, waits) if case and case == sent.seen else ("", False)
            if slow != sent.told:
                sent.told = slow
                self.tell(Runs(sent.job.candidate, *slow))
            sent.seen = case


def _cases(answer: bytes) -> dict[str, tuple[str, bool]]:
    """Return the cases that run, by the digest of the payload; nothing where that is no proper answer."""
    try:
        found = json.loads(answer or b"[]")
        return {str(sha256): (str(case)[:_CASE_MOST], bool(waits)) for sha256, case, waits in found}
    except (ValueError, TypeError, RecursionError):
        return {}
