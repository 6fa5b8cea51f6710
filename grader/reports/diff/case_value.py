"""The cases of two results in pairs, and the value of each to its question.

Both come from the results alone, so that runs can be compared after their specs are gone.
"""

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from fractions import Fraction

from grader.marking.award import earned, group_part, is_accepted, without_our_faults
from grader.model.results import CaseResult, QuestionResult

Pair = tuple[CaseResult | None, CaseResult | None]
"""A case before and after; None where it was not there."""


def pairs(old: QuestionResult | None, new: QuestionResult | None) -> Iterator[Pair]:
    """Yield the cases of a question in pairs: before and after.

    The id of a case without a name is its place, which shifts when a case is inserted before it.  A case can
    also get a name, or another one.  In these cases its text decides, if no other case of the question
    has the same text.
    """
    before, after = (list(side.cases) if side else [] for side in (old, new))
    moved = dict(_moved(before, after))
    by_id = {case.id: case for case in after}
    # A case that moved has left its id, and a case that moved here is not new.
    arrived = {case.id for case in moved.values()}
    paired = set()
    for case in before:
        partner = moved.get(case.id) or (by_id.get(case.id) if case.id not in arrived else None)
        if partner is not None:
            paired.add(partner.id)
        yield case, partner
    for case in after:
        if case.id not in paired:
            yield None, case


def _moved(before: Sequence[CaseResult], after: Sequence[CaseResult]) -> Iterator[tuple[str, CaseResult]]:
    """Yield the old id of each case whose id changed, with the new case."""
    old_ids, new_ids = ({case.id for case in side} for side in (before, after))
    calls = [Counter(case.call for case in side) for side in (before, after)]
    here = {case.call: case for case in after}
    for case in before:
        call, old_id = case.call, case.id
        if not call or any(count[call] != 1 for count in calls):
            continue
        new_id = here[call].id
        # A name that is there before and after still names the same case.
        is_named_before = old_id in new_ids and not _is_place(old_id)
        is_named_after = new_id in old_ids and not _is_place(new_id)
        if new_id != old_id and not is_named_before and not is_named_after:
            yield old_id, here[call]


def _is_place(case_id: str) -> bool:
    return case_id.rpartition(".")[2].isdecimal()


class CaseValue:
    """The fraction of one question that each of its cases, or each group, earns."""

    def __init__(self, question: QuestionResult) -> None:
        self._award = question.award
        self.max_mark = question.max_mark
        units: dict[str, list[CaseResult]] = {}
        for case in question.cases:
            units.setdefault(self._unit(case), []).append(case)
        parts = {unit: self._part(cases) for unit, cases in units.items()}
        total = sum((weight for weight, _ in parts.values()), Fraction(0))
        fractions = {
            unit: weight * part / total if total else Fraction(0) for unit, (weight, part) in parts.items()
        }
        # Groups with rules of their own say what they earned.
        stated = {f"group {one.id}": one.mark / self.max_mark for one in question.groups if self.max_mark}
        self._fractions: Mapping[str, Fraction] = fractions | stated

    def fraction(self, case: CaseResult) -> Fraction:
        """Return the fraction of the question that the case earns: by itself, with its group, or with all."""
        return self._fractions[self._unit(case)]

    def fraction_without(self, case: CaseResult) -> Fraction:
        """Return the fraction for a case of the other run that is not in this one."""
        unit = self._unit(case)
        is_alone = unit.startswith("case ")  # then another case may have its id
        return Fraction(0) if is_alone else self._fractions.get(unit, Fraction(0))

    def _unit(self, case: CaseResult) -> str:
        if self._award == "all":
            return ""
        return f"group {case.group}" if self._award == "groups" and case.group else f"case {case.id}"

    def _part(self, cases: Sequence[CaseResult]) -> tuple[Fraction, Fraction]:
        """Return the weight of cases that are earned together, and the earned fraction of it, 0 to 1.

        As in `grader.marking.award`, a case that we failed to run is neither earned nor lost.
        """
        counted = without_our_faults(cases)
        if self._award == "all":
            return Fraction(1), Fraction(bool(counted) and all(map(is_accepted, counted)))
        if self._award == "groups":
            return group_part(cases)
        weight = sum((case.weight for case in counted), Fraction(0))
        return weight, earned(counted[0]) if counted else Fraction(0)
