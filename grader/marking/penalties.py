"""Subtracts penalties from a mark, one after another.  Exact; nothing is rounded here.

The order is fixed: broken rules, the smoke test, a file in place of the work, lateness.  Each takes from what
the earlier ones have left, and never more than that, so a mark never falls below zero.
"""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from fractions import Fraction

from grader.model.case import Visibility
from grader.model.policy import Deduction, DeductionBase, Smoke
from grader.model.results import CaseResult, Penalty, QuestionResult
from grader.model.verdict import Verdict

INSTEAD = "another file was marked in place of what was handed in"
"""The reason of the penalty for that."""
_NOT_THE_STUDENTS = (Verdict.ACCEPTED, Verdict.INTERNAL_ERROR)
_MOST_NAMED = 3


@dataclass(frozen=True, slots=True)
class DuePenalty:
    """A penalty to subtract.

    reason: one clause without a full stop, for the student.
    told_if_zero: it is told also where nothing was left to take.
    """

    reason: str
    takes: Deduction
    told_if_zero: bool = True


def penalties(mark: Fraction, maximum: Fraction, penalties_due: Iterable[DuePenalty]) -> tuple[Penalty, ...]:
    """Return the amount that each penalty takes from `mark`, in the order given."""
    left = max(mark, Fraction(0))
    found = []
    for due in penalties_due:
        amount = min(_wanted(due.takes, left, maximum), left)
        if amount or due.told_if_zero:
            found.append(Penalty(due.reason, amount))
        left -= amount
    return tuple(found)


def _wanted(takes: Deduction, left: Fraction, maximum: Fraction) -> Fraction:
    match takes.of:
        case None:
            return takes.amount
        case DeductionBase.MARK:
            return takes.amount * left
        case DeductionBase.MAXIMUM:
            return takes.amount * maximum


def smoke_due(smoke: Smoke, questions: Sequence[QuestionResult]) -> DuePenalty | None:
    """Return the penalty where a case of the smoke test was not accepted; None where all were.

    An internal error does not count against the student, nor does a case without a result, as in a
    self-check.
    """
    wanted = set(smoke.cases)
    failed = [
        case
        for question in questions
        for case in question.cases
        if case.id in wanted and case.verdict not in _NOT_THE_STUDENTS
    ]
    return DuePenalty(f"the smoke test failed: {_named(failed)}", smoke.takes) if failed else None


def _named(cases: Sequence[CaseResult]) -> str:
    """Return the cases for the student's page, which does not name those that the student does not see."""
    shown = [case for case in cases if case.visibility is Visibility.PUBLIC]
    names = [f"{case.id} ({case.verdict.value.replace('-', ' ')})" for case in shown[:_MOST_NAMED]]
    more = len(cases) - len(names)
    if more and names:
        names.append(f"and {more} more")
    return ", ".join(names) or f"{more} of its cases"
