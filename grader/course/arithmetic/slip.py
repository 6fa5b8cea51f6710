"""Computes how one student spends slip days over a term.

The ledger is a pure function of the facts, and no balance is stored: it would be wrong as soon as an older
task is marked again.  Tasks are taken in the order in which they are due for the student, extensions
included, so that a long extension of an early task takes no day from a task that was due before it ended.
"""

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from enum import StrEnum

from grader.course.arithmetic.wording import slip_days_of
from grader.course.course import DatedDays, Short, SlipDays
from grader.reports.words import say, word


class AttemptState(StrEnum):
    """What is known of the attempt that counts.  Only one that counts by its time can spend slip days."""

    TIMED = "timed"
    NOTHING = "nothing"
    """Nothing was handed in."""
    NO_TIME = "no-time"
    """The time of handing in is unknown."""
    EXCUSED = "excused"
    ZERO = "zero"
    """A person set the mark to zero."""
    TOO_LATE = "too-late"
    """It is not accepted any more."""


@dataclass(frozen=True, slots=True, kw_only=True)
class SlipFact:
    """A task of one student on which slip days can be spent.  Raises `ValueError` for a time without a zone.

    due: for everybody.  extension: the student's own deadline; None for none.
    submitted: the time of the attempt that counts, if the state is *timed*, and only then.
    """

    task: str
    due: datetime
    extension: datetime | None = None
    submitted: datetime | None = None
    state: AttemptState = AttemptState.TIMED

    def __post_init__(self) -> None:
        """Refuse times that would be read in the zone of this machine."""
        times = (self.due, self.extension, self.submitted)
        if any(time is not None and time.utcoffset() is None for time in times):
            raise ValueError(f"{self.task}: a time needs a zone")
        if (self.submitted is not None) != (self.state is AttemptState.TIMED):
            raise ValueError(f"{self.task}: an attempt has a time if its time counts, and only then")

    @property
    def due_for_student(self) -> datetime:
        """The later one of the deadlines for everybody and for the student."""
        # Times of one zone are compared by their clocks, which is wrong in the hour that a clock goes back.
        return max((time for time in (self.due, self.extension) if time is not None), key=_utc)


@dataclass(frozen=True, slots=True, kw_only=True)
class SlipEntry:
    """What one task costs in slip days.

    due: for the student, before slip days.  deadline: from which the lateness that is left is counted.
    state, submitted: as in the fact.
    needed: days that would cover the lateness.  left: days after this task.
    is_zero: the task gets no marks, since too few days are left for it (`Short.ZERO`).
    """

    task: str
    due: datetime
    deadline: datetime
    needed: int
    used: int
    left: int
    reason: str
    state: AttemptState
    submitted: datetime | None = None
    is_zero: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class SlipLedger:
    """The slip days of one student.

    budget: at the start of the term.  grants: days that were added, in the order of their dates.
    entries: in the order in which the tasks are due for the student.
    """

    budget: int
    grants: tuple[DatedDays, ...]
    entries: tuple[SlipEntry, ...]

    @property
    def left(self) -> int:
        """The days that are left at the end, all grants included."""
        return self.budget + sum(g.add for g in self.grants) - sum(entry.used for entry in self.entries)

    def entry(self, task: str) -> SlipEntry | None:
        """Return the entry of a task; None if no slip days can be spent on it."""
        return next((entry for entry in self.entries if entry.task == task), None)


def slip_ledger(slip: SlipDays, student: str, facts: Iterable[SlipFact]) -> SlipLedger:
    """Return the slip days of a student.  facts: one for each task with slip days, in any order.

    A grant counts for the tasks that are due for the student on its date or later.  Raises `ValueError` for
    the date of a grant without a zone.
    """
    budget = slip.budgets.get(student, slip.budget)
    grants = tuple(sorted((grant for grant in slip.added if grant.student == student), key=_grant_order))
    entries: list[SlipEntry] = []
    used = 0
    for fact in sorted(facts, key=lambda fact: (_utc(fact.due_for_student), fact.task)):
        due = _utc(fact.due_for_student)
        granted = sum(grant.add for grant in grants if _utc(grant.on) <= due)
        entries.append(_entry(slip, fact, budget + granted - used))
        used += entries[-1].used
    return SlipLedger(budget=budget, grants=grants, entries=tuple(entries))


def in_order(ledger: SlipLedger) -> Iterator[SlipEntry | DatedDays]:
    """Yield grants and tasks in the order of their times; a grant is before the tasks that it counts for."""
    grants = list(ledger.grants)
    for entry in ledger.entries:
        while grants and _utc(grants[0].on) <= _utc(entry.due):
            yield grants.pop(0)
        yield entry
    yield from grants


def _entry(slip: SlipDays, fact: SlipFact, left: int) -> SlipEntry:
    """Return the entry of a task for which `left` days are there."""
    due = fact.due_for_student
    needed = _needed(slip, fact)
    most = max(0, left if slip.at_most is None else min(left, slip.at_most))
    is_zero = slip.short is Short.ZERO and needed > most
    used = 0 if is_zero else min(needed, most)
    return SlipEntry(
        task=fact.task,
        due=due,
        deadline=_later(due, used * slip.unit_s + (0 if needed else _grace_s(slip, fact))),
        needed=needed,
        used=used,
        left=left - used,
        reason=_reason(slip, fact, needed, most),
        state=fact.state,
        submitted=fact.submitted,
        is_zero=is_zero,
    )


def _lateness(fact: SlipFact) -> timedelta:
    """Return the time from the student's deadline to the attempt that counts; zero where it is in time."""
    if fact.submitted is None:
        return timedelta(0)
    return max(timedelta(0), _utc(fact.submitted) - _utc(fact.due_for_student))


def _needed(slip: SlipDays, fact: SlipFact) -> int:
    """Return the days that would cover the lateness: a begun one counts whole, none within the grace."""
    lateness = _lateness(fact)
    if lateness <= timedelta(seconds=slip.grace_s):
        return 0
    return -(-lateness // timedelta(seconds=slip.unit_s))


def _grace_s(slip: SlipDays, fact: SlipFact) -> int:
    """Return the seconds of grace that an attempt without a needed day takes.

    Otherwise being late by a minute would be penalised, and being late by an hour would not.
    """
    return slip.grace_s if _lateness(fact) else 0


def _reason(slip: SlipDays, fact: SlipFact, needed: int, most: int) -> str:
    if fact.state is not AttemptState.TIMED:
        return say(_WHY_NONE[fact.state])
    if not needed:
        return say("late by no more than the grace") if _lateness(fact) else say("in time")
    days = say("{days} needed", days=slip_days_of(needed))
    if needed <= most:
        return days
    is_bounded = slip.at_most is not None and most == slip.at_most
    short = say("at most {n} for one task", n=most) if is_bounded else say("{n} left", n=most)
    if slip.short is Short.ZERO:
        return say("{days}, {short}: no marks, and none is spent", days=days, short=short)
    if most:
        return say("{days}, {short}: the rest is penalised", days=days, short=short)
    return say("{days}, {short}: the lateness is penalised", days=days, short=short)


_WHY_NONE = {
    AttemptState.NOTHING: word("nothing handed in"),
    AttemptState.NO_TIME: word("the time of handing in is unknown"),
    AttemptState.EXCUSED: word("excused"),
    AttemptState.ZERO: word("a person set the mark to zero"),
    AttemptState.TOO_LATE: word("handed in too late to be accepted"),
}


def _grant_order(grant: DatedDays) -> tuple[datetime, str, int]:
    return _utc(grant.on), grant.reason, grant.add


def _later(moment: datetime, seconds: int) -> datetime:
    """Return a time so many real seconds later, in its zone: a day is 24 hours also where clocks change."""
    return (_utc(moment) + timedelta(seconds=seconds)).astimezone(moment.tzinfo)


def _utc(moment: datetime) -> datetime:
    if moment.utcoffset() is None:
        raise ValueError("a time of slip days needs a zone")
    return moment.astimezone(UTC)
