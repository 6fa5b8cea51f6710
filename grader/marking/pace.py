"""What the time of a right answer is worth, and when enough rounds were run to tell.

Arithmetic on measured times; running the rounds is the engine's.  A busy machine is slow in spells,
by a factor of two and more, but slow for both sides, which run in turns: so times are compared within
a round, and the round in the middle of all counts.  Whatever cannot be told goes in the student's favour.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction
from math import ceil

from grader.model.task import Pace

MORE_ROUNDS = 3
"""How many times its rounds a case gets, at most, where its time lies near the edge of a band."""

_DOUBT_ALONE, _DOUBT_AT_FIRST, _DOUBT_AT_LEAST = 1.0, 0.3, 0.04
"""By what share a ratio may be wrong however well the rounds agree: after one, after more but not yet
all of them, and after all."""
_LEAST_S = 1e-4
"""A shorter time is not told from none."""


@dataclass(frozen=True, slots=True)
class Round:
    """CPU times of one round, as long as it takes both sides to run in turns."""

    reference_s: float
    submission_s: float

    @property
    def ratio(self) -> float:
        """The submission's time as a multiple of the reference's."""
        return max(self.submission_s, _LEAST_S) / max(self.reference_s, _LEAST_S)


@dataclass(frozen=True, slots=True)
class Standing:
    """What is known after some rounds.

    score: what the case earns if no more rounds are run.
    middle: the round that counts.
    spread: see `grader.model.results.Timing`.
    is_decided: more rounds would not change the score, or none are left.
    """

    score: Fraction
    middle: Round
    spread: float
    is_decided: bool


def score(ratio: float, pace: Pace) -> Fraction:
    """Return what a time of `ratio` times the reference's is worth, from 0 to 1.

    Exactly on the edge between two bands the better one counts; `none` itself is worth nothing.
    """
    exact = Fraction(ratio)
    if exact <= pace.full:
        return Fraction(1)
    if exact >= pace.none:
        return Fraction(0)
    band = ceil((exact - pace.full) / (pace.none - pace.full) * pace.steps)
    return 1 - Fraction(band, pace.steps + 1)


def standing(rounds: Sequence[Round], pace: Pace) -> Standing:
    """Return what the rounds so far, at least one, come to."""
    ordered = sorted(rounds, key=lambda each: each.ratio)
    at = (len(ordered) - 1) // 2
    middle, neighbours = ordered[at], ordered[max(0, at - 1) : at + 2]
    spread = max(_apart(middle, other) for other in neighbours)
    doubt = 1 + max(spread, _least_doubt(len(rounds), pace))
    # Nothing but a slow machine makes a time long that is short at another moment.
    is_quick = min(each.submission_s for each in rounds) <= pace.floor_s
    earned = Fraction(1) if is_quick else score(middle.ratio / doubt, pace)
    return Standing(
        score=earned,
        middle=middle,
        spread=spread,
        is_decided=is_quick
        or earned == score(middle.ratio * doubt, pace)
        or len(rounds) >= MORE_ROUNDS * pace.rounds,
    )


def _least_doubt(rounds: int, pace: Pace) -> float:
    if rounds >= pace.rounds:
        return _DOUBT_AT_LEAST
    return _DOUBT_ALONE if rounds == 1 else _DOUBT_AT_FIRST


def _apart(one: Round, other: Round) -> float:
    """Return by what share the greater of two ratios is greater."""
    less, more = sorted((one.ratio, other.ratio))
    return more / less - 1
