"""When a task takes something off a mark: for lateness, and for a smoke test that fails."""

from dataclasses import dataclass
from datetime import datetime, timedelta

from grader.model.penalty import Deduction


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
