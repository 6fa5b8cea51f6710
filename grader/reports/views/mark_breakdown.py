"""How a mark comes about where it is not simply the sum of the questions: its lines, put into words."""

from collections.abc import Iterator
from dataclasses import dataclass
from fractions import Fraction

from grader.marking.rounding import parse_mark
from grader.reports.views.wording import counted, short_number
from grader.store.document_types import OverrideDocument, SubmissionDocument

SO_FAR = "so far"


@dataclass(frozen=True, slots=True)
class AccountLine:
    """One line of the account.

    amount: marks, with their sign or with what they replace.
    reason: why, for a line that people or the policy made; empty for a sum.
    """

    label: str
    amount: str
    reason: str = ""


def account(submission: SubmissionDocument) -> tuple[AccountLine, ...]:
    """Return the lines from the questions to the mark; none where the sum alone is the mark."""
    if not (submission["penalties"] or submission["overrides"] or submission.get("awaiting")):
        return ()
    return tuple(_lines(submission))


def _lines(submission: SubmissionDocument) -> Iterator[AccountLine]:
    total = sum((parse_mark(question["mark"]) for question in submission["questions"]), Fraction(0))
    for override in submission["overrides"]:
        if override["question"]:
            yield _overridden(override, f"Question {override['question']}, set by {override['by']}")
    yield AccountLine("Sum of the questions", short_number(total))
    for penalty in submission["penalties"]:
        yield AccountLine("Penalty", f"-{short_number(penalty['amount'])}", penalty["reason"])
    for override in submission["overrides"]:
        if not override["question"]:
            yield _overridden(override, f"Mark set by {override['by']}")
    waiting = submission.get("awaiting", [])
    label = f"Mark so far; {counted(len(waiting), 'criterion awaits', 'criteria await')} the marker"
    yield AccountLine(label if waiting else "Mark", short_number(submission["mark"]))


def _overridden(override: OverrideDocument, label: str) -> AccountLine:
    when = f", {override['date']}" if override["date"] else ""
    before, after = short_number(override["before"]), short_number(override["after"])
    return AccountLine(f"{label}{when}", f"{before} → {after}", override["reason"])


def deducted(submission: SubmissionDocument) -> Fraction:
    """Return what the penalties took, all together."""
    return sum((parse_mark(penalty["amount"]) for penalty in submission["penalties"]), Fraction(0))


def time_unknown(submission: SubmissionDocument) -> bool:
    """Tell whether the task has a deadline and nobody knows when this was handed in."""
    return bool(submission.get("deadline")) and not submission.get("submitted")


def failed_internally(submission: SubmissionDocument) -> bool:
    """Tell whether a pending mark is pending through a failure of the grader's own."""
    if submission["status"] != "pending":
        return False
    return not submission.get("awaiting") or any(
        case["verdict"] == "internal-error"
        for question in submission["questions"]
        for case in question["cases"]
    )
