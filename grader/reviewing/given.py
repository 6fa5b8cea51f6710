"""What a person gives for a criterion, as a marker sees and changes it."""

from dataclasses import dataclass
from fractions import Fraction

from grader.model.submission import MarkRole
from grader.records.reviews.content import Reviews, listed_as


@dataclass(frozen=True, slots=True)
class Given:
    """What is given for a criterion.  marks: None while it awaits a person.

    level: the id of the level that was chosen.  comment: words for this work alone.  uses: shared comments.
    """

    marks: Fraction | None = None
    level: str = ""
    comment: str = ""
    uses: tuple[str, ...] = ()


NOTHING = Given()


def given(reviews: Reviews, student: str, criterion: str, role: MarkRole = MarkRole.FIRST) -> Given:
    """Return what reviews give for a criterion of a student."""
    review = reviews.by_student.get(student)
    for mark in review.marks if review is not None else ():
        if mark.criterion == criterion and mark.role is role:
            return Given(mark.marks, mark.level, mark.comment, mark.uses)
    comment, uses = reviews.waiting.get((student, listed_as(criterion, role)), ("", ()))
    return Given(None, "", comment, uses)
