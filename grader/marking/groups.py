"""The marks of a question's groups, each by its own rule.  Exact; nothing is rounded here."""

from collections.abc import Sequence
from fractions import Fraction

from grader.marking.award import earned_of_each, is_accepted, without_our_faults
from grader.marking.rounding import format_mark
from grader.model.policy import AtLeast, Group, GroupAward
from grader.model.results import CaseResult, GroupResult
from grader.model.task import Question


def group_results(question: Question, cases: Sequence[CaseResult]) -> tuple[GroupResult, ...]:
    """Return the results of a question's groups; those that are no bonus share its marks by their weights.

    A case with an internal error is left out of its group, whose part of the marks stays the same.
    """
    total = sum((group.weight for group in question.groups if not group.bonus), Fraction(0))
    return tuple(
        _result(
            group,
            group.weight if group.bonus else question.marks * group.weight / total,
            [case for case in cases if case.group == group.id],
        )
        for group in question.groups
    )


def _result(group: Group, most: Fraction, cases: Sequence[CaseResult]) -> GroupResult:
    return GroupResult(
        id=group.id,
        award=group.award.value,
        at_least=shown_least(group.at_least),
        mark=most * group_fraction(group, cases),
        max_mark=most,
        accepted=sum(map(is_accepted, cases)),
        cases=len(cases),
        bonus=group.bonus,
    )


def group_fraction(group: Group, cases: Sequence[CaseResult]) -> Fraction:
    """Return the fraction of its marks that a group earns by its cases, from 0 to 1."""
    counted = without_our_faults(cases)
    earned = earned_of_each(counted)
    match group.award:
        case GroupAward.ALL:
            return Fraction(bool(counted) and all(map(is_accepted, counted)))
        case GroupAward.EACH:
            return earned
        case GroupAward.THRESHOLD:
            return Fraction(bool(counted) and _is_reached(group.at_least, counted, _accepted_part(counted)))
        case GroupAward.MINIMUM:
            return earned if counted and _is_reached(group.at_least, counted, earned) else Fraction(0)


def _is_reached(least: AtLeast | None, cases: Sequence[CaseResult], part: Fraction) -> bool:
    """Tell whether a group reaches its least: a share, or a number of accepted cases.

    Of fewer cases than that number, which our faults or a self-check leave, all must be accepted.
    """
    assert least is not None
    if least.is_share:
        return part >= least.amount
    return sum(map(is_accepted, cases)) >= min(least.amount, Fraction(len(cases)))


def _accepted_part(cases: Sequence[CaseResult]) -> Fraction:
    total = sum((case.weight for case in cases), Fraction(0))
    accepted = sum((case.weight for case in cases if is_accepted(case)), Fraction(0))
    return accepted / total if total else Fraction(0)


def shown_least(least: AtLeast | None) -> str:
    """Return the least as the spec states it: `3`, `60%`; empty for none."""
    if least is None:
        return ""
    return f"{format_mark(least.amount * 100)}%" if least.is_share else format_mark(least.amount)
