"""What a time is worth, and when enough rounds were run."""

from fractions import Fraction

import pytest

from grader.marking.pace import MORE_ROUNDS, Round, score, standing, with_first
from grader.model.case import Pace

PACE = Pace(full=Fraction(2), none=Fraction(4), steps=3, rounds=5, floor_s=0.02)


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


def rounds(*ratios: float, reference_s: float = 0.1) -> list[Round]:
    """Return rounds with these ratios."""
    return [Round(reference_s, reference_s * ratio) for ratio in ratios]


@pytest.mark.parametrize(("ratio", "decided"), [(0.9, True), (1.5, False), (3.0, False), (9.0, True)])
def test_one_round_decides_only_what_is_clear(ratio: float, decided: bool) -> None:
    assert standing(rounds(ratio), PACE).is_decided is decided


@pytest.mark.parametrize(("ratio", "decided"), [(1.5, True), (1.6, False), (3.0, False), (6.0, True)])
def test_two_rounds_decide_what_is_not_near_an_edge(ratio: float, decided: bool) -> None:
    assert standing(rounds(ratio, ratio), PACE).is_decided is decided


def test_a_time_in_the_middle_of_a_narrow_band_is_decided_after_all_rounds() -> None:
    assert not standing(rounds(*[3.0] * 4), PACE).is_decided
    found = standing(rounds(*[3.0] * 5), PACE)
    assert (found.is_decided, found.score, found.middle.ratio) == (True, Fraction(1, 2), pytest.approx(3))


def test_a_time_near_an_edge_gets_more_rounds_and_then_the_better_band() -> None:
    most = MORE_ROUNDS * PACE.rounds
    assert not standing(rounds(*[2.05] * (most - 1)), PACE).is_decided
    found = standing(rounds(*[2.05] * most), PACE)
    assert (found.is_decided, found.score) == (True, 1)


def test_after_all_rounds_the_middle_decides_however_far_the_others_are() -> None:
    ratios = [1.0 + 0.29 * number for number in range(MORE_ROUNDS * PACE.rounds)]
    found = standing(rounds(*ratios), PACE)
    assert (found.is_decided, found.score, found.middle.ratio) == (True, Fraction(1, 2), pytest.approx(3.03))


def test_rounds_that_do_not_agree_are_not_decided() -> None:
    found = standing(rounds(2.0, 2.4, 3.0, 3.6, 4.0), PACE)
    assert not found.is_decided
    assert found.spread == pytest.approx(0.5)


def test_single_rounds_that_went_wrong_cost_more_rounds_and_no_marks() -> None:
    found = standing(rounds(0.3, 2.98, 3.0, 3.01, 50.0), PACE)
    assert not found.is_decided
    found = standing(rounds(0.3, 2.96, 2.97, 2.98, 3.0, 3.01, 3.02, 3.03, 50.0), PACE)
    assert (found.middle.ratio, found.score, found.is_decided) == (pytest.approx(3), Fraction(1, 2), True)


def test_of_two_rounds_the_better_one_counts() -> None:
    assert standing(rounds(3.0, 2.9), PACE).middle.ratio == pytest.approx(2.9)


def test_a_machine_that_is_slow_for_both_does_not_matter() -> None:
    times_s = [0.1, 0.25, 0.1, 0.18, 0.3]
    busy = standing([Round(time_s, 3 * time_s) for time_s in times_s], PACE)
    assert (busy.score, busy.is_decided) == (Fraction(1, 2), True)


def test_a_time_below_the_floor_is_worth_all_at_once() -> None:
    found = standing([Round(0.001, 0.019)], PACE)
    assert (found.score, found.is_decided) == (1, True)
    assert found.middle.ratio == pytest.approx(19)


def test_one_time_below_the_floor_is_enough() -> None:
    assert standing([Round(0.001, 0.05), Round(0.001, 0.019)], PACE).score == 1


def test_the_reference_taking_no_time_at_all_is_no_error() -> None:
    found = standing([Round(0.0, 0.5), Round(0.0, 0.0)], PACE)
    assert (found.score, found.is_decided) == (1, True)


def test_what_is_known_when_the_budget_ends_goes_in_the_students_favour() -> None:
    found = standing(rounds(3.5), PACE)
    assert (found.score, found.is_decided) == (1, False)


@pytest.mark.parametrize(
    ("first_s", "expected"),
    [
        (0.3, "1"),  # three times a later run: a busy machine makes one time as long as this
        (0.31, "1"),  # a time alone may be twice what it is at another moment
        (0.6, "1/2"),
        (0.81, "0"),  # more than no doubt explains: later runs read what this one had to find
    ],
)
def test_a_first_run_that_took_far_longer_counts_as_far_as_it_is_sure(first_s: float, expected: str) -> None:
    now = with_first(standing([Round(0.1, 0.1)] * 5, PACE), first_s, PACE)
    assert now.score == Fraction(expected)
    assert score(now.middle.ratio, PACE) == now.score
