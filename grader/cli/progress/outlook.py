"""Estimates how far a run has come, and how much longer it takes, from its events and a clock.

Costs are uneven: most submissions take milliseconds, and a few take a minute each, so the time so far says
little.  The time left is the work left, divided by how many submissions are marked at a time.  Work left is
what those under way still need, and the mean cost for each one not begun.  The mean counts those under way
with their expected cost, since slow submissions are never among the first that are done.
"""

from bisect import bisect_right, insort
from dataclasses import dataclass
from math import sqrt

from grader.model.events import (
    CaseUnderWay,
    Event,
    RunStarted,
    SubmissionKept,
    SubmissionMarked,
    SubmissionStarted,
)

_DOUBTS = 9
"""Cheap submissions that the mean counts in addition, so that one slow one at the start has little weight."""

_MOST_AGAIN = 1.5
"""A submission that is slower than all before is expected to take at most so many times as long again."""

_SURE = 1 / 3
"""An estimate is told once the standard error of the mean cost is at most this share of it, …"""
_FEWEST, _FEWEST_SHARE = 20, 0.1
"""… from so many submissions or this share of them on, since rare slow ones are seldom among the first, …"""
_UNLIKE = 2.0
"""… while none under way takes longer than so many times all before, since nobody knows when it ends;"""
_ENOUGH = 0.2
"""and anyway once this share is done."""


@dataclass(slots=True)
class UnderWay:
    """A submission that is being marked.  case: the one that takes long; empty for none."""

    name: str
    began_s: float
    case: str = ""
    waits: bool = False


class Outlook:
    """The progress of a run.  It reads no clock: the caller gives the time, in seconds.

    total: submissions of the run.  longest_s: the most that a submission costs, roughly.
    """

    def __init__(self, total: int, longest_s: float) -> None:
        self.total = total
        self.done = 0
        self._longest_s = longest_s
        self._under_way: dict[str, UnderWay] = {}
        self._costs: list[float] = []
        """The costs of the marked submissions, in order of size."""
        self._sum_s = 0.0
        self._first_s: float | None = None
        """When the run began; for runs that report no beginning of a submission, with `_marked`."""
        self._marked = 0

    def see(self, event: Event, now_s: float) -> None:
        """Take in an event."""
        match event:
            case RunStarted(submissions=total):
                self.total, self._first_s = total, now_s
            case SubmissionKept():
                self.done += 1
            case SubmissionStarted(id=submission, name=name):
                self._under_way[submission] = UnderWay(name, now_s)
            case CaseUnderWay(id=submission, case=case, waits=waits):
                if submission in self._under_way:
                    self._under_way[submission].case = case
                    self._under_way[submission].waits = waits
            case SubmissionMarked(result=result):
                self.done += 1
                self._marked += 1
                begun = self._under_way.pop(result.id, None)
                if begun is not None:
                    insort(self._costs, now_s - begun.began_s)
                    self._sum_s += now_s - begun.began_s

    def slow(self, now_s: float, least_s: float) -> list[tuple[float, UnderWay]]:
        """Return the submissions under way for at least `least_s`, each with its age, the oldest first."""
        ages = [(now_s - one.began_s, one) for one in self._under_way.values()]
        return sorted((each for each in ages if each[0] >= least_s), key=lambda each: -each[0])

    def told_s(self, now_s: float) -> float | None:
        """Return how much longer the run takes, once that can be told; None before.

        A few slow submissions at the start would make it several times too long, and then too short.
        """
        left_s = self.left_s(now_s)
        if left_s is None or self.done >= _ENOUGH * self.total:
            return left_s
        ages = [now_s - one.began_s for one in self._under_way.values()]
        if not self._costs or max(ages, default=0.0) > _UNLIKE * self._costs[-1]:
            return None
        costs = [*self._costs, *(age + self._still_s(age) for age in ages)]
        if len(costs) < min(_FEWEST, _FEWEST_SHARE * self.total):
            return None
        mean = sum(costs) / len(costs)
        spread = sum((cost - mean) ** 2 for cost in costs) / max(1, len(costs) - 1)
        return left_s if spread <= len(costs) * (_SURE * mean) ** 2 else None

    def left_s(self, now_s: float) -> float | None:
        """Return how much longer the run takes, as far as that can be seen; None while nothing is begun."""
        begun = len(self._under_way) + len(self._costs)
        if not begun:
            if not self._marked or self._first_s is None:
                return None
            return (now_s - self._first_s) / self._marked * (self.total - self.done)
        ages = [now_s - one.began_s for one in self._under_way.values()]
        still = [self._still_s(age) for age in ages]
        cheap_s = self._costs[0] if self._costs else 0.0
        expected_s = self._sum_s + sum(ages) + sum(still) + _DOUBTS * cheap_s
        not_begun = self.total - self.done - len(ages)
        work_s = not_begun * expected_s / (begun + _DOUBTS) + sum(still)
        return max([work_s / max(len(ages), 1), *still])

    def _still_s(self, age_s: float) -> float:
        """Return how much longer a submission of this age is expected to take."""
        place = bisect_right(self._costs, age_s)
        longer = self._costs[place:]
        if longer:
            return sum(longer) / len(longer) - age_s
        guess_s = min(sqrt(age_s * self._longest_s), _MOST_AGAIN * age_s)
        return max(0.0, min(guess_s, self._longest_s - age_s))
