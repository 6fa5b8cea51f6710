"""The part of its marks that a question earns by its cases.  Exact; nothing is rounded here."""

from collections.abc import Iterable, Sequence
from fractions import Fraction

from grader.model.results import CaseResult
from grader.model.task import Award
from grader.model.verdict import Verdict


def earned_fraction(award: Award, cases: Sequence[CaseResult]) -> Fraction:
    """Return the fraction of its marks that a question earns, from 0 to 1.

    Cases with an internal error are left out, neither earned nor lost.  A skipped case counts as not earned.
    Without any case left, or with no weight on any, nothing is earned.
    """
    if award is Award.GROUPS:
        return _weighted(map(group_part, groups_of(cases)))
    counted = without_our_faults(cases)
    if award is Award.ALL:
        return Fraction(bool(counted) and all(map(is_accepted, counted)))
    return earned_of_each(counted)


def earned_of_each(cases: Iterable[CaseResult]) -> Fraction:
    """Return the fraction that cases earn in proportion to their weights."""
    return _weighted((case.weight, earned(case)) for case in cases)


def without_our_faults(cases: Iterable[CaseResult]) -> list[CaseResult]:
    """Return the cases without those that ended in an internal error."""
    return [case for case in cases if case.verdict is not Verdict.INTERNAL_ERROR]


_ALL, _NOTHING = Fraction(1), Fraction(0)


def is_accepted(case: CaseResult) -> bool:
    return case.verdict is Verdict.ACCEPTED


def earned(case: CaseResult) -> Fraction:
    """Return the fraction that a case earns.  The verdict decides; only `PARTIAL` has a score."""
    if is_accepted(case):
        return _ALL
    return min(max(case.score, _NOTHING), _ALL) if case.verdict is Verdict.PARTIAL else _NOTHING


def _weighted(parts: Iterable[tuple[Fraction, Fraction]]) -> Fraction:
    """Return the weighted mean of fractions, given as pairs of weight and fraction."""
    reached = total = Fraction(0)
    for weight, part in parts:
        total += weight
        if part:
            reached += weight if part is _ALL else weight * part
    return reached / total if total > 0 else Fraction(0)


def groups_of(cases: Iterable[CaseResult]) -> list[list[CaseResult]]:
    """Return the cases by group; a case without a group is a group of its own."""
    named: dict[str, list[CaseResult]] = {}
    alone: list[list[CaseResult]] = []
    for case in cases:
        if case.group:
            named.setdefault(case.group, []).append(case)
        else:
            alone.append([case])
    return [*named.values(), *alone]


def group_part(group: Sequence[CaseResult]) -> tuple[Fraction, Fraction]:
    """Return the weight of a group, and 1 if it is earned, else 0.

    A lost group keeps the weight of its internal errors, since no other outcome of them could have saved it.
    """
    counted = without_our_faults(group)
    is_earned = all(map(is_accepted, counted))
    weight = sum((case.weight for case in (counted if is_earned else group)), Fraction(0))
    return weight, Fraction(is_earned)
