"""Groups of cases and attempts of a student, as a page shows them."""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from fractions import Fraction

from grader.marking.lateness import in_words
from grader.model.policy import Attempts
from grader.model.results import AttemptResult, QuestionResult, Status, SubmissionResult
from grader.reports.tone import Tone
from grader.reports.views.mark.mark_breakdown import BreakdownLine, rounding_line, shown_exactly, signed
from grader.reports.views.wording import (
    accepted_of,
    group_sentence,
    point_in_time,
    share_tone,
    short_number,
)
from grader.reports.words import many, say, word

_WHY: Mapping[str, str] = {
    Attempts.LATEST: word("The latest attempt counts."),
    Attempts.BEST: word("The best attempt counts, each after its own penalties; of equal ones the latest."),
    Attempts.LAST_BEFORE_DEADLINE: word(
        "The latest attempt before the deadline counts; if none came in time, the first one does."
    ),
}

_UNITS = {
    "day": (word("{n} day"), word("{n} days")),
    "hour": (word("{n} hour"), word("{n} hours")),
    "minute": (word("{n} minute"), word("{n} minutes")),
    "second": (word("{n} second"), word("{n} seconds")),
}


@dataclass(frozen=True, slots=True)
class GroupView:
    """A group of a question, or what leads from the groups to its mark: rounding, a mark set by hand.

    mark: a short number.  max_mark: with "bonus" where it comes on top; empty where it is no group.
    rule: how its cases earn its mark.  count: the accepted cases.
    """

    name: str
    mark: str
    max_mark: str
    tone: Tone
    rule: str
    count: str


@dataclass(frozen=True, slots=True)
class AttemptView:
    """One of several attempts.  submitted, late: in words; empty where unknown, or in time."""

    id: str
    mark: str
    submitted: str
    late: str
    counts: bool


@dataclass(frozen=True, slots=True)
class AttemptsView:
    """All attempts of a student, and which of them counts."""

    why: str
    attempts: tuple[AttemptView, ...]


def groups_view(question: QuestionResult) -> tuple[GroupView, ...]:
    """Return the groups with rules of their own; the shown marks add up to the question's."""
    return tuple(_groups(question))


def _groups(question: QuestionResult) -> Iterator[GroupView]:
    for group in question.groups:
        most = short_number(group.max_mark)
        yield GroupView(
            name=group.id,
            mark=short_number(group.mark),
            max_mark=say("{mark} bonus", mark=most) if group.bonus else most,
            tone=share_tone(group.mark, group.max_mark),
            rule=group_sentence(group.award, group.at_least),
            count=accepted_of(group.accepted, group.cases),
        )
    lines = [BreakdownLine(group.id, short_number(group.mark)) for group in question.groups]
    earned = sum((group.mark for group in question.groups), Fraction(0))
    rounding = rounding_line(lines, earned, earned) if lines else None
    if rounding is not None:
        yield GroupView(rounding.label, rounding.amount, "", Tone.IDLE, rounding.reason, "")
    by_hand = shown_exactly(question.mark) - shown_exactly(earned)
    if lines and by_hand:
        yield GroupView(
            say("Set by hand"), signed(by_hand), "", Tone.IDLE, say("a person set the question's mark"), ""
        )


def attempts_view(submission: SubmissionResult) -> AttemptsView | None:
    """Return the attempts; None where there is one alone."""
    if not submission.attempts:
        return None
    why = say(_WHY.get(submission.counting, ""))
    return AttemptsView(why, tuple(map(_attempt, submission.attempts)))


def _attempt(attempt: AttemptResult) -> AttemptView:
    is_known = attempt.status != Status.PENDING
    return AttemptView(
        id=attempt.id,
        mark=short_number(attempt.mark) if is_known else say("pending"),
        submitted=point_in_time(attempt.submitted),
        late=say("{time} late", time=late_in_words(attempt.late_s)) if attempt.late_s else "",
        counts=attempt.counts,
    )


def late_in_words(seconds: int) -> str:
    """Return a time as `grader.marking.lateness` does, in the language that is spoken."""
    parts = in_words(seconds).split(" ")
    return " ".join(
        many(int(count), *_UNITS[unit.removesuffix("s")])
        for count, unit in zip(parts[::2], parts[1::2], strict=True)
    )
