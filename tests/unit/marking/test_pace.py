"""What a time is worth, and when enough rounds were run."""

from fractions import Fraction

import pytest

from grader.marking.pace import MORE_ROUNDS, score, standing
from grader.model.task import Pace

PACE = Pace(full=Fraction(2), none=Fraction(4), steps=3, rounds=5, floor_s=0.02)
REFERENCE_S = [0.1] * 5


@pytest.mark.parametrize(
    ("ratio", "expected"),
    [
        (0.0, "1"),
        (1.9, "1"),
        (2.0, "1"),  # exactly on an edge: the better band
        (2.01, "3/4"),
        (2.66, "3/4"),
        (2.67, "1/2"),
        (3.0, "1/2"),
        (3.34, "1/4"),
        (3.99, "1/4"),
        (4.0, "0"),
        (400.0, "0"),
    ],
)
def test_the_score_falls_in_equal_steps(ratio: float, expected: str) -> None:
    assert score(ratio, PACE) == Fraction(expected)


def test_one_step_is_worth_half() -> None:
    assert score(3, Pace(full=Fraction(2), none=Fraction(4), steps=1)) == Fraction(1, 2)


def test_an_edge_between_two_bands_counts_for_the_better_one() -> None:
    pace = Pace(full=Fraction(2), none=Fraction(4), steps=4)
    assert [score(edge, pace) for edge in (2.5, 3.0, 3.5)] == [Fraction(n, 5) for n in (4, 3, 2)]


@pytest.mark.parametrize(("factor", "decided"), [(0.9, True), (1.5, False), (3.0, False), (9.0, True)])
def test_one_round_decides_only_what_is_clear(factor: float, decided: bool) -> None:
    assert standing([0.1], [0.1 * factor], PACE).is_decided is decided


def test_a_time_in_the_middle_of_a_band_is_decided_after_all_rounds() -> None:
    assert not standing(REFERENCE_S[:4], [0.3] * 4, PACE).is_decided
    found = standing(REFERENCE_S, [0.3] * 5, PACE)
    assert (found.is_decided, found.score, found.ratio) == (True, Fraction(1, 2), pytest.approx(3))


def test_a_time_near_an_edge_gets_more_rounds_and_then_the_better_band() -> None:
    times_s = [0.1 * 2.05] * (MORE_ROUNDS * PACE.rounds)
    reference_s = [0.1] * len(times_s)
    assert not standing(reference_s[:-1], times_s[:-1], PACE).is_decided
    found = standing(reference_s, times_s, PACE)
    assert (found.is_decided, found.score) == (True, 1)


def test_rounds_that_do_not_agree_are_not_decided() -> None:
    found = standing([0.1, 0.13, 0.2, 0.2, 0.2], [0.3] * 5, PACE)
    assert not found.is_decided
    assert found.spread == pytest.approx(0.3)


def test_noise_that_makes_rounds_longer_does_not_matter() -> None:
    quiet = standing(REFERENCE_S, [0.3] * 5, PACE)
    busy = standing([0.1, 0.1, 0.9, 0.5, 0.7], [1.0, 0.3, 0.8, 0.3, 2.0], PACE)
    assert (busy.score, busy.ratio, busy.is_decided) == (quiet.score, quiet.ratio, True)


def test_a_time_below_the_floor_is_worth_all_at_once() -> None:
    found = standing([0.001], [0.019], PACE)
    assert (found.score, found.is_decided) == (1, True)
    assert found.ratio == pytest.approx(19)


def test_the_reference_taking_no_time_at_all_is_no_error() -> None:
    found = standing([0.0, 0.0], [0.5, 0.0], PACE)
    assert (found.score, found.is_decided) == (1, True)


def test_what_is_known_when_the_budget_ends_goes_in_the_students_favour() -> None:
    found = standing([0.1], [0.35], PACE)
    assert (found.score, found.is_decided) == (1, False)
