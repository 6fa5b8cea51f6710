"""What the time of a right answer is worth, and when enough rounds were run to tell.

Arithmetic on measured times; running the rounds is the engine's.  Noise on CPU time only ever adds
to it, so the least of all rounds is the best estimate, and how far the two shortest rounds lie apart
tells how good it is.  Whatever cannot be told goes in the student's favour.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction
from math import ceil

from grader.model.task import Pace

MORE_ROUNDS = 3
"""How many times its rounds a case gets, at most, where its time lies near the edge of a band."""

_DOUBT_ALONE, _DOUBT_AT_FIRST, _DOUBT_AT_LEAST = 1.0, 0.3, 0.04
"""By what share a time may be too long however well the rounds agree: after one, after more but not
yet all of them, and after all.  A busy machine makes a time half as long again."""
_LEAST_S = 1e-4
"""A shorter time is not told from none."""


@dataclass(frozen=True, slots=True)
class Standing:
    """What is known after some rounds.

    score: what the case earns if no more rounds are run.
    ratio, spread, reference_s, submission_s: see `grader.model.results.Timing`.
    is_decided: more rounds would not change the score, or none are left.
    """

    score: Fraction
    ratio: float
    spread: float
    reference_s: float
    submission_s: float
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


def standing(reference_s: Sequence[float], submission_s: Sequence[float], pace: Pace) -> Standing:
    """Return what the CPU times of the rounds so far, at least one of each side, come to."""
    rounds = len(submission_s)
    least_s, own_s = max(min(reference_s), _LEAST_S), max(min(submission_s), _LEAST_S)
    ratio = own_s / least_s
    # Either time may still be too long by so much.
    best = ratio / (1 + _doubt(submission_s, pace))
    worst = ratio * (1 + _doubt(reference_s, pace))
    is_quick = own_s <= pace.floor_s
    earned = Fraction(1) if is_quick else score(best, pace)
    return Standing(
        score=earned,
        ratio=ratio,
        spread=max(_gap(reference_s), _gap(submission_s)),
        reference_s=least_s,
        submission_s=own_s,
        is_decided=is_quick or earned == score(worst, pace) or rounds >= MORE_ROUNDS * pace.rounds,
    )


def _doubt(times_s: Sequence[float], pace: Pace) -> float:
    """Return by what share the least of these times may be longer than one without any noise."""
    if len(times_s) >= pace.rounds:
        least = _DOUBT_AT_LEAST
    else:
        least = _DOUBT_ALONE if len(times_s) == 1 else _DOUBT_AT_FIRST
    return max(_gap(times_s), least)


def _gap(times_s: Sequence[float]) -> float:
    """Return by what share of the least time the second least is longer."""
    if len(times_s) < 2:
        return 0.0
    first, second = (max(time, _LEAST_S) for time in sorted(times_s)[:2])
    return second / first - 1
