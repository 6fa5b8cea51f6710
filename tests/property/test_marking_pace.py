"""Scores for times: exact, never rising with the time, and steady against noise."""

from dataclasses import replace
from fractions import Fraction

import pytest
from hypothesis import given
from hypothesis import strategies as st

from grader.marking.pace import MORE_ROUNDS, Round, score, standing
from grader.model.case import Pace

pytestmark = pytest.mark.property

MULTIPLES = st.fractions(min_value=Fraction(1, 10), max_value=20, max_denominator=100)
TIMES_S = st.floats(min_value=0.001, max_value=100)
ROUNDS = st.builds(Round, TIMES_S, TIMES_S)


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


@given(paces(), st.lists(ROUNDS, min_size=1, max_size=30))
def test_a_submission_never_gets_less_than_the_middle_ratio_earns(pace: Pace, rounds: list[Round]) -> None:
    found = standing(rounds, pace)
    ratios = sorted(each.ratio for each in rounds)
    assert found.middle.ratio == ratios[(len(ratios) - 1) // 2]
    assert found.score >= score(found.middle.ratio, pace)


@given(paces(), ROUNDS, st.lists(st.sampled_from([0.25, 0.5, 1.0, 2.0, 4.0]), min_size=1, max_size=30))
def test_a_machine_that_is_slow_for_both_changes_nothing(
    pace: Pace, clean: Round, factors: list[float]
) -> None:
    pace = replace(pace, floor_s=0.0)
    quiet = standing([clean] * len(factors), pace)
    busy = standing([Round(clean.reference_s * f, clean.submission_s * f) for f in factors], pace)
    assert (busy.score, busy.middle.ratio, busy.spread) == (quiet.score, quiet.middle.ratio, 0.0)
    assert busy.is_decided == quiet.is_decided


@given(paces(), st.lists(ROUNDS, min_size=1, max_size=20), st.integers(0, 19), TIMES_S)
def test_a_slower_round_is_never_worth_more_where_rounds_agree(
    pace: Pace, rounds: list[Round], at: int, longer_s: float
) -> None:
    at %= len(rounds)
    slower = [*rounds]
    slower[at] = replace(rounds[at], submission_s=rounds[at].submission_s + longer_s)
    assert standing(slower, pace).middle.ratio >= standing(rounds, pace).middle.ratio


@given(paces(), st.lists(ROUNDS, min_size=45, max_size=60))
def test_there_is_an_end_to_rounds(pace: Pace, rounds: list[Round]) -> None:
    assert standing(rounds[: MORE_ROUNDS * pace.rounds], pace).is_decided
