"""Chooses the tasks that a column drops: those without which it is worth most.  Exact."""

from collections.abc import Callable, Collection, Sequence
from dataclasses import dataclass
from fractions import Fraction
from functools import partial


@dataclass(frozen=True, slots=True)
class Portion:
    """What one task adds to a column, whose value is the sum of `gained` divided by the sum of `of`.

    of: above 0.  A share is so much of 1; a mark is so much of the marks of its task.
    """

    task: str
    gained: Fraction
    of: Fraction


def quotient(portions: Sequence[Portion]) -> Fraction:
    """Return the value of a column of these portions, at least one."""
    gained = sum((portion.gained for portion in portions), Fraction(0))
    sizes = {portion.of for portion in portions}
    whole = len(portions) * sizes.pop() if len(sizes) == 1 else sum((p.of for p in portions), Fraction(0))
    return gained / whole


def kept(portions: Sequence[Portion], drop: int, never_drop: Collection[str]) -> tuple[Portion, ...]:
    """Return the portions that count, in their order: `drop` fewer, and those of the greatest quotient.

    Of equal ones the earlier stays.  The tasks of `never_drop` stay, and so does the last one that is left.
    Exactly so many are dropped as can be: beside a poor task that always counts, even a good one goes.

    The method is that of W. Dinkelbach, "On nonlinear fractional programming", Management Science 13 (1967):
    for a quotient q the best choice is the one of the greatest sum of `gained - q * of`; its quotient is the
    next q.  From the second round on q only grows, so the rounds end.
    """
    places = [at for at, portion in enumerate(portions) if portion.task not in never_drop]
    drop = min(drop, len(places), len(portions) - 1)
    if drop <= 0:
        return tuple(portions)
    if len({portion.of for portion in portions}) == 1:
        # Where all count alike, those that gained least go, whatever the quotient is.
        return _without_lowest(portions, places, drop, lambda portion: portion.gained)
    value = quotient(portions)
    while True:
        chosen = _without_lowest(portions, places, drop, partial(_excess, value))
        before, value = value, quotient(chosen)
        if value == before:
            return chosen


def _excess(value: Fraction, portion: Portion) -> Fraction:
    """Return by how much a portion is above a quotient."""
    return portion.gained - value * portion.of


def _without_lowest(
    portions: Sequence[Portion], places: Sequence[int], drop: int, worth: Callable[[Portion], Fraction]
) -> tuple[Portion, ...]:
    """Return the portions without those of `places` that are worth least; of equal ones the earlier stays."""
    dropped = set(sorted(places, key=lambda at: (worth(portions[at]), -at))[:drop])
    return tuple(portion for at, portion in enumerate(portions) if at not in dropped)
