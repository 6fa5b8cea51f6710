"""The policy of a task: groups of cases, caps, attempts, a second marking, penalties."""

import hashlib
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from enum import StrEnum
from fractions import Fraction


class DeductionBase(StrEnum):
    """The mark that a percentage is taken of."""

    MARK = "mark"
    """The mark that the submission has so far."""
    MAXIMUM = "maximum"
    """The task's marks."""


@dataclass(frozen=True, slots=True)
class Deduction:
    """The size of a penalty.

    amount: not negative; a share such as 3/20 for 15 %, or marks.
    of: what it is a share of; None: the amount counts marks.
    """

    amount: Fraction
    of: DeductionBase | None = None


@dataclass(frozen=True, slots=True)
class LateStep:
    """The penalty for lateness of at most `within_s` seconds."""

    within_s: int
    takes: Deduction


@dataclass(frozen=True, slots=True)
class Extension:
    """One student's own deadline, or the seconds that are added to that of all."""

    student: str
    deadline: datetime | None = None
    extra_s: int = 0

    def ends(self, deadline: datetime) -> datetime:
        """Return the student's own deadline.  deadline: that of all."""
        if self.deadline is not None:
            return self.deadline
        # In a zone whose clocks change, a sum of its own times would be an hour too long or too short.
        return (deadline.astimezone(UTC) + timedelta(seconds=self.extra_s)).astimezone(deadline.tzinfo)


UNDATED = datetime(1970, 1, 1, tzinfo=UTC)
"""The deadline of penalties whose deadline a course has to say; it is that of no `Task.late`."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Late:
    """The penalties for late submissions.

    deadline: with its time zone.
    grace_s: lateness up to this costs nothing; beyond it, it is counted from the deadline.
    steps: in the order of their times; the first that is long enough counts.
    then: beyond the last step.
    """

    deadline: datetime
    grace_s: int = 0
    steps: tuple[LateStep, ...] = ()
    then: Deduction
    extensions: tuple[Extension, ...] = ()

    def deadline_of(self, student: str, further: Extension | None = None) -> datetime:
        """Return the deadline that holds for a student: the latest, where several were granted.

        further: an extension that a roster grants; None for none.
        """
        granted = [each for each in self.extensions if each.student == student]
        granted += [further] if further is not None else []
        return max((each.ends(self.deadline) for each in granted), default=self.deadline)


@dataclass(frozen=True, slots=True)
class Smoke:
    """The penalty for a submission that fails its smoke test: any of these cases is not accepted."""

    cases: tuple[str, ...]
    takes: Deduction


class GroupAward(StrEnum):
    """The rule by which the cases of a group earn the group's marks."""

    ALL = "all"
    """All of them if every case is accepted, else none."""
    EACH = "each"
    """In proportion to the weights of the accepted cases."""
    THRESHOLD = "threshold"
    """All of them if enough cases are accepted, else none."""
    MINIMUM = "minimum"
    """As each, but none below the least share."""


@dataclass(frozen=True, slots=True)
class AtLeast:
    """The least that a group must reach: a number of accepted cases, or a share of their weight."""

    amount: Fraction
    is_share: bool


@dataclass(frozen=True, slots=True, kw_only=True)
class Group:
    """A group of a question's cases with a rule of its own.

    weight: its part of the question's marks, among the groups that are no bonus; the marks of a bonus group.
    at_least: for `THRESHOLD` and `MINIMUM`, else None.
    bonus: its marks come on top of the question's.
    """

    id: str
    award: GroupAward
    weight: Fraction
    at_least: AtLeast | None = None
    bonus: bool = False


class SecondRule(StrEnum):
    """The mark of a criterion for which two people gave marks that are near each other."""

    FIRST = "first"
    SECOND = "second"
    MEAN = "mean"
    HIGHER = "higher"
    LOWER = "lower"


@dataclass(frozen=True, slots=True)
class Second:
    """A second marking.

    share: of the works, drawn by the task's seed; 1 for all.
    within: two marks of a criterion that differ by more await an agreement.  then: what counts otherwise.
    blind: who marks second does not see the first marks.
    """

    share: Fraction = Fraction(1)
    within: Fraction = Fraction(0)
    then: SecondRule = SecondRule.FIRST
    blind: bool = True

    def draws(self, seed: int, task: str, student: str) -> bool:
        """Tell whether a work is marked a second time; who else hands in changes nothing of that."""
        digest = hashlib.sha256(f"{seed}/{task}/{student}".encode("utf-8", "surrogatepass")).digest()
        return Fraction(int.from_bytes(digest[:8]), 1 << 64) < self.share


@dataclass(frozen=True, slots=True)
class Section:
    """Questions that together earn at most `cap` marks."""

    title: str
    questions: tuple[str, ...]
    cap: Fraction


class Attempts(StrEnum):
    """The attempt of a student that counts."""

    LATEST = "latest"
    BEST = "best"
    """The one with the highest mark after penalties; of several, the latest that is not empty."""
    LAST_BEFORE_DEADLINE = "last-before-deadline"
    """The latest that came in time; if none did, the first of all."""
