"""Turns a score over conditions into cases with weights or groups."""

import math
from dataclasses import replace
from fractions import Fraction

from grader.authoring.written import Keys, Raw
from grader.plugins.convert.draft import Unconvertible
from grader.plugins.convert.prairielearn.conditions import Condition
from grader.plugins.convert.prairielearn.shares import Share


def cases_of(score: Share, conditions: list[Condition]) -> tuple[list[Keys], str]:
    """Return the cases that a score depends on, with their weights, and the award of the question."""
    terms = {term: value for term, value in score.terms.items() if term}
    if score.constant or not terms:
        raise Unconvertible(
            "it gives points for nothing" if score.constant > 0 else "it gives no points that can be told"
        )
    if any(value < 0 for value in terms.values()):
        raise Unconvertible("a right answer costs points")
    if sum(terms.values()) != 1:
        raise Unconvertible("all its conditions together give other than all of its points")
    kept: dict[frozenset[int], Fraction] = {}
    for term, value in terms.items():
        # A call that keeps its arguments is tried once, with the same answer.
        least = frozenset(
            index
            for index in term
            if not any(conditions[other] == _keeping(conditions[index]) for other in term)
        )
        kept[least] = kept.get(least, Fraction(0)) + value
    order = sorted(kept, key=lambda term: sorted(term))
    if len(order) == 1:
        return [conditions[index].case() for index in sorted(order[0])], ""
    if all(len(term) == 1 for term in order):
        scale = math.lcm(*(value.denominator for value in kept.values()))
        weights = [int(kept[term] * scale) for term in order]
        divisor = math.gcd(*weights)
        return [
            {**conditions[min(term)].case(), **_weight(weight // divisor)}
            for term, weight in zip(order, weights, strict=True)
        ], "each"
    scale = math.lcm(*((kept[term] / len(term)).denominator for term in order))
    return [
        {
            **conditions[index].case(),
            "weight": Raw(str(kept[term] * scale / len(term))),
            "group": Raw(f"part-{number}"),
        }
        for number, term in enumerate(order, 1)
        for index in sorted(term)
    ], "groups"


def _keeping(condition: Condition) -> Condition | None:
    return None if condition.keeps else replace(condition, keeps=True)


def _weight(weight: int) -> Keys:
    return {} if weight == 1 else {"weight": Raw(str(weight))}
