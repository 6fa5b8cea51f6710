"""A person's file that was marked in place of a student's work, in words."""

from dataclasses import dataclass
from fractions import Fraction

from grader.marking.penalties import INSTEAD
from grader.model.results import SubmissionResult
from grader.model.submission import FileState, Instead
from grader.reports.views.wording import short_number
from grader.reports.words import say

_STATES = {FileState.CHANGED: "changed since", FileState.GONE: "is gone"}


@dataclass(frozen=True, slots=True)
class InsteadView:
    """The notice on a page.

    what: which file was marked in place of what.  why: who gave it, and the reason.
    cost: what it took off the mark; empty for nothing.
    """

    what: str
    why: str
    cost: str


def instead_view(submission: SubmissionResult) -> InsteadView | None:
    """Return the notice; None where the student's own work was marked."""
    given = submission.instead
    if given is None:
        return None
    cost = _cost(submission)
    return InsteadView(
        what=_what(submission, given),
        why=say("{person} gave it: {reason}", person=given.by, reason=given.reason),
        cost=say("It took {n} off the mark.", n=short_number(cost)) if cost else "",
    )


def _what(submission: SubmissionResult, given: Instead) -> str:
    if not given.attempt:
        return say("{file} was marked in place of what was handed in.", file=given.file)
    if _counts(submission, given):
        return say("{file} was marked in place of {attempt}.", file=given.file, attempt=given.attempt)
    return say(
        "{file} was marked in place of {attempt}, which does not count.",
        file=given.file,
        attempt=given.attempt,
    )


def _counts(submission: SubmissionResult, given: Instead) -> bool:
    return any(each.counts and each.id == given.attempt for each in submission.attempts)


def _cost(submission: SubmissionResult) -> Fraction:
    taken = (penalty.amount for penalty in submission.penalties if penalty.reason == INSTEAD)
    return sum(taken, Fraction(0))


def given_text(given: Instead) -> str:
    """Return a file and its author."""
    return f"{given.file} by {given.by}"


def told_instead(submission: SubmissionResult) -> str:
    """Return what was marked instead, by whom, why and at what cost, for the staff; empty for nothing."""
    given = submission.instead
    if given is None:
        return ""
    cost = _cost(submission)
    took = f"; it took {short_number(cost)}" if cost else ""
    where = f" for {given.attempt}" if given.attempt else ""
    idle = ", which does not count" if given.attempt and not _counts(submission, given) else ""
    return f"{given_text(given)}{where}{idle}: {given.reason}{took}"


def for_other_work(submission: SubmissionResult) -> str:
    """Return the file that was given for another work than is there now; empty for none."""
    given = submission.instead
    return given_text(given) if given is not None and given.given_for else ""


def other_file(submission: SubmissionResult) -> str:
    """Return the file that is no longer as it was given, and what became of it; empty for none."""
    given = submission.instead
    if given is None or given.state not in _STATES:
        return ""
    return f"{given_text(given)} {_STATES[given.state]}"
