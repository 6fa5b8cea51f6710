"""The distribution of the final marks, in bins that the marks of this task can fall into."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from fractions import Fraction
from math import gcd, lcm

from grader.reports.views.cohort.cohort import Cohort

_MOST_BINS = 24
_NICE = (1, 2, 4, 5, 10, 20, 25, 50, 100, 200, 250, 500, 1000, 2000, 2500, 5000, 10_000)


@dataclass(frozen=True, slots=True)
class Bin:
    """One bar: the marks from `low` to `high`, both included; equal where it is one mark."""

    low: Fraction
    high: Fraction
    count: int


def distribution(cohort: Cohort) -> list[Bin]:
    """Return the final marks in bins, the maximum in one of its own.

    The step is the greatest common divisor of all marks of the class and of the questions.  Each multiple of
    it has a bin; many multiples share bins.
    """
    marks = cohort.marks
    top = max([cohort.max_mark, *marks])
    if top <= 0 or not cohort.rows:
        return []
    step = _step([*marks, cohort.max_mark, *(question.max_mark for question in cohort.questions.values())])
    low = min([Fraction(0), *marks])
    steps = int((top - low) / step)
    size = next((size for size in _NICE if steps <= _MOST_BINS * size), -(-steps // _MOST_BINS))
    return list(_bins(marks, low, top, step, size))


def _bins(
    marks: Sequence[Fraction], low: Fraction, top: Fraction, step: Fraction, size: int
) -> Iterable[Bin]:
    counts: dict[int, int] = {}
    full = 0
    for mark in marks:
        if mark >= top:
            full += 1
        else:
            at = int((mark - low) / (step * size))
            counts[at] = counts.get(at, 0) + 1
    at, width = 0, step * size
    while low + width * at < top:
        start = low + width * at
        yield Bin(start, min(start + width, top) - step, counts.get(at, 0))
        at += 1
    yield Bin(top, top, full)


def _step(marks: Iterable[Fraction]) -> Fraction:
    """Return the greatest number of which all are multiples."""
    some = [mark for mark in marks if mark]
    denominator = lcm(*(mark.denominator for mark in some))
    return Fraction(gcd(*(int(mark * denominator) for mark in some)), denominator)
