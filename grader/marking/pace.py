"""Scores the time of a right answer, and tells when enough rounds were run.

Arithmetic on measured times; the engine runs the rounds.  A busy machine is slow at times, by a factor of two
and more, but for both sides, which run in turns.  So times are compared within a round, and the median round
counts.  The spread of the others gives the doubt.  Doubt counts in the student's favour.
"""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from fractions import Fraction
from math import ceil, comb

from grader.model.case import Pace

MORE_ROUNDS = 3
"""A case whose time lies near the edge of a band gets at most so many times its rounds."""

_DOUBT_ALONE, _DOUBT_AT_FIRST, _DOUBT_AT_LEAST = 1.0, 0.3, 0.04
"""The fraction by which a ratio may be wrong, however well the rounds agree: after one round, after more but
not yet all, and after all."""
_CERTAINTY = 0.93
"""Of the true median: with five rounds it lies between the least and the greatest."""
_FAR = 3
"""A first run that takes this many times as long as later ones did work that they did not."""
_LEAST_S = 1e-4
"""A shorter time counts as this one."""


@dataclass(frozen=True, slots=True)
class Round:
    """The CPU times of one round, in which both sides run in turns."""

    reference_s: float
    submission_s: float

    @property
    def ratio(self) -> float:
        """The submission's time as a multiple of the reference's."""
        return max(self.submission_s, _LEAST_S) / max(self.reference_s, _LEAST_S)


@dataclass(frozen=True, slots=True)
class Standing:
    """The standing after some rounds.

    score: what the case earns if no more rounds are run.
    middle: the median round, which counts.
    spread: see `grader.model.results.Timing`.
    is_decided: more rounds would not change the score, or none are left.
    """

    score: Fraction
    middle: Round
    spread: float
    is_decided: bool


def score(ratio: float, pace: Pace) -> Fraction:
    """Return the score of a time of `ratio` times the reference's, from 0 to 1.

    Exactly on the edge between two bands the better one counts; a ratio of `pace.none` earns nothing.
    """
    exact = Fraction(ratio)
    if exact <= pace.full:
        return Fraction(1)
    if exact >= pace.none:
        return Fraction(0)
    band = ceil((exact - pace.full) / (pace.none - pace.full) * pace.steps)
    return 1 - Fraction(band, pace.steps + 1)


def standing(rounds: Sequence[Round], pace: Pace) -> Standing:
    """Return the standing after at least one round."""
    ordered = sorted(rounds, key=lambda each: each.ratio)
    count = len(ordered)
    middle = ordered[(count - 1) // 2]
    outside = _outside(count)
    low, high = ordered[outside].ratio, ordered[-1 - outside].ratio
    doubt = 1 + _least_doubt(count, pace)
    best, worst = min(low, middle.ratio / doubt), max(high, middle.ratio * doubt)
    is_last = count >= MORE_ROUNDS * pace.rounds
    # Only a slow machine makes a time long that is short at another moment.
    is_quick = min(each.submission_s for each in rounds) <= pace.floor_s
    earned = Fraction(1) if is_quick else score(middle.ratio / doubt if is_last else best, pace)
    return Standing(
        score=earned,
        middle=middle,
        spread=max(high / middle.ratio, middle.ratio / low) - 1,
        is_decided=is_quick or is_last or earned == score(worst, pace),
    )


def with_first(now: Standing, first_s: float, pace: Pace) -> Standing:
    """Return the standing after the rounds, or that of the first run if it took far longer.

    The first run had to find the answer.  A later run could read it from a trace that no box can clear, such
    as which of the interpreter's files are cached in memory.  But it is one time alone, and a busy machine
    makes one time three times as long: what is sure of it counts, as after a single round.

    first_s: CPU seconds of the first run.
    """
    if first_s <= max(pace.floor_s, _FAR * now.middle.submission_s):
        return now
    first = Round(now.middle.reference_s, first_s / (1 + _DOUBT_ALONE))
    return replace(now, score=score(first.ratio, pace), middle=first)


def _outside(rounds: int) -> int:
    """Return how many rounds at either end can be dropped, so that the true median lies between the others.

    Each round is as likely above the median as below it, like the toss of a coin; `_CERTAINTY` is kept.
    """
    outside, less_likely = 0, 1 / 2**rounds
    while True:
        less_likely += comb(rounds, outside + 1) / 2**rounds
        if 1 - 2 * less_likely < _CERTAINTY:
            return outside
        outside += 1


def _least_doubt(rounds: int, pace: Pace) -> float:
    if rounds >= pace.rounds:
        return _DOUBT_AT_LEAST
    return _DOUBT_ALONE if rounds == 1 else _DOUBT_AT_FIRST
