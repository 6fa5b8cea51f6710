"""Scores for times: exact, never rising with the time, and steady against noise."""

from fractions import Fraction

import pytest
from hypothesis import given
from hypothesis import strategies as st

from grader.marking.pace import score, standing
from grader.model.task import Pace

pytestmark = pytest.mark.property

MULTIPLES = st.fractions(min_value=Fraction(1, 10), max_value=20, max_denominator=100)
TIMES_S = st.floats(min_value=0.001, max_value=100)


@st.composite
def paces(draw: st.DrawFn) -> Pace:
    full = draw(MULTIPLES)
    return Pace(
        full=full,
        none=full + draw(MULTIPLES),
        steps=draw(st.integers(1, 10)),
        rounds=draw(st.integers(1, 8)),
        floor_s=draw(st.sampled_from([0.0, 0.02, 1.0])),
    )


@given(paces(), st.floats(0, 50), st.floats(0, 50))
def test_a_longer_time_is_never_worth_more(pace: Pace, one: float, other: float) -> None:
    shorter, longer = sorted((one, other))
    assert 0 <= score(longer, pace) <= score(shorter, pace) <= 1


@given(paces(), st.floats(0, 50))
def test_a_score_is_a_whole_number_of_steps(pace: Pace, ratio: float) -> None:
    assert (score(ratio, pace) * (pace.steps + 1)).denominator == 1


@given(paces())
def test_all_up_to_full_and_nothing_from_none_on(pace: Pace) -> None:
    assert score(float(pace.full) * (1 - 1e-9), pace) == 1
    assert score(float(pace.none) * (1 + 1e-9), pace) == 0
    middle = score(float(pace.full + pace.none) / 2, pace)
    assert 0 < middle < 1


@given(paces(), st.lists(st.tuples(TIMES_S, TIMES_S), min_size=1, max_size=30))
def test_a_submission_never_gets_less_than_its_own_ratio_earns(
    pace: Pace, rounds: list[tuple[float, float]]
) -> None:
    reference_s, submission_s = zip(*rounds, strict=True)
    found = standing(reference_s, submission_s, pace)
    assert found.score >= score(found.ratio, pace)


@given(paces(), TIMES_S, TIMES_S, st.lists(st.floats(1, 10), max_size=10))
def test_longer_rounds_between_two_quiet_ones_change_nothing(
    pace: Pace, reference_s: float, submission_s: float, noise: list[float]
) -> None:
    quiet = [1.0] * max(2, pace.rounds)
    clean = standing([reference_s] * len(quiet), [submission_s] * len(quiet), pace)
    factors = [*quiet[1:], *noise, 1.0]
    busy = standing([reference_s * f for f in factors], [submission_s * f for f in factors], pace)
    assert (busy.score, busy.ratio) == (clean.score, clean.ratio)
