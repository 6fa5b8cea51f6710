"""Explains a mark that is not simply the sum of the questions, line by line, in words."""

from collections.abc import Iterator
from dataclasses import dataclass
from fractions import Fraction

from grader.model.results import Override, Status, SubmissionResult
from grader.model.verdict import Verdict
from grader.reports.views.wording import counted, short_number

SO_FAR = "so far"


@dataclass(frozen=True, slots=True)
class BreakdownLine:
    """One line of the breakdown.

    amount: marks, with their sign or with the marks that they replace.
    reason: given for a line that a person or the policy added; empty for a sum.
    """

    label: str
    amount: str
    reason: str = ""


def mark_breakdown(submission: SubmissionResult) -> tuple[BreakdownLine, ...]:
    """Return the lines from the questions to the mark; none if the sum alone is the mark."""
    if not (submission.penalties or submission.overrides or submission.awaiting):
        return ()
    return full_breakdown(submission)


def full_breakdown(submission: SubmissionResult) -> tuple[BreakdownLine, ...]:
    """Return the lines from the questions to the mark."""
    return tuple(_lines(submission))


def _lines(submission: SubmissionResult) -> Iterator[BreakdownLine]:
    total = sum((question.mark for question in submission.questions), Fraction(0))
    for override in submission.overrides:
        if override.question:
            yield _overridden(override, f"Question {override.question}, set by {override.by}")
    yield BreakdownLine("Sum of the questions", short_number(total))
    for penalty in submission.penalties:
        yield BreakdownLine("Penalty", f"-{short_number(penalty.amount)}", penalty.reason)
    for override in submission.overrides:
        if not override.question:
            yield _overridden(override, f"Mark set by {override.by}")
    waiting = submission.awaiting
    label = f"Mark so far; {counted(len(waiting), 'criterion awaits', 'criteria await')} the marker"
    yield BreakdownLine(label if waiting else "Mark", short_number(submission.mark))


def _overridden(override: Override, label: str) -> BreakdownLine:
    when = f", {override.date}" if override.date else ""
    before, after = short_number(override.before), short_number(override.after)
    return BreakdownLine(f"{label}{when}", f"{before} → {after}", override.reason)


def deducted(submission: SubmissionResult) -> Fraction:
    """Return the sum of all penalties."""
    return sum((penalty.amount for penalty in submission.penalties), Fraction(0))


def time_unknown(submission: SubmissionResult) -> bool:
    """Tell whether the task has a deadline and the time of handing in is unknown."""
    return bool(submission.deadline) and not submission.submitted


def failed_internally(submission: SubmissionResult) -> bool:
    """Tell whether a mark is pending because the grader itself failed."""
    if submission.status != Status.PENDING:
        return False
    return not submission.awaiting or any(
        case.verdict == Verdict.INTERNAL_ERROR for question in submission.questions for case in question.cases
    )
