"""When a task takes something off a mark: for lateness, and for a smoke test that fails."""

from dataclasses import dataclass
from datetime import datetime, timedelta
from enum import StrEnum
from fractions import Fraction


class Of(StrEnum):
    """What a percentage is a share of."""

    MARK = "mark"
    """What is left of the mark when the penalty is taken."""
    MAXIMUM = "maximum"
    """The task's marks."""


@dataclass(frozen=True, slots=True)
class Deduction:
    """How much a penalty takes.

    amount: not negative; a share such as 3/20 for 15 %, or marks.
    of: what it is a share of; None: the amount counts marks.
    """

    amount: Fraction
    of: Of | None = None


@dataclass(frozen=True, slots=True)
class LateStep:
    """What lateness of at most `within_s` seconds costs."""

    within_s: int
    takes: Deduction


@dataclass(frozen=True, slots=True)
class Extension:
    """One student's own deadline, or the seconds that are added to that of all."""

    student: str
    deadline: datetime | None = None
    extra_s: int = 0


@dataclass(frozen=True, slots=True, kw_only=True)
class Late:
    """What a late submission costs.

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

    def deadline_of(self, student: str) -> datetime:
        """Return the deadline that holds for a student."""
        for extension in self.extensions:
            if extension.student == student:
                return extension.deadline or self.deadline + timedelta(seconds=extension.extra_s)
        return self.deadline


@dataclass(frozen=True, slots=True)
class Smoke:
    """What a submission pays that fails its smoke test: any of these cases is not accepted."""

    cases: tuple[str, ...]
    takes: Deduction
