"""What people know or decide about one submission: when it came, marks by hand, overrides."""

from dataclasses import dataclass
from datetime import datetime
from fractions import Fraction


@dataclass(frozen=True, slots=True, kw_only=True)
class CriterionMark:
    """A person's mark for one criterion.

    criterion: `<question>.<id>`, as in `Criterion.id`.
    date: as the person wrote it, ISO 8601; empty for none.
    """

    criterion: str
    marks: Fraction
    comment: str = ""
    by: str = ""
    date: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class OverridingMark:
    """A mark that a person puts in the place of an automatic one.

    question: its id; empty: the mark of the whole submission, as it is to be handed out.
    """

    question: str
    marks: Fraction
    reason: str
    by: str
    date: str = ""


@dataclass(frozen=True, slots=True)
class Review:
    """All that people decided about a submission."""

    marks: tuple[CriterionMark, ...] = ()
    overrides: tuple[OverridingMark, ...] = ()


@dataclass(frozen=True, slots=True)
class Record:
    """What is known of a submission from outside of it, never from its own files.

    submitted: with its time zone; None: unknown.
    """

    submitted: datetime | None = None
    review: Review = Review()
