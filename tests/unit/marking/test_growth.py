"""The names of growths, from made-up times."""

from math import log2

import pytest

from grader.marking import growth
from grader.marking.growth import FLOOR_S, GROWTHS, MORE_THAN_CUBIC, NamedGrowth, is_fit, is_within

SIZES = [1000, 2000, 4000, 8000, 16000]
FORMULAS = {
    "constant": lambda n: 0.05,
    "log n": lambda n: 0.01 * log2(n),
    "linear": lambda n: 1e-5 * n,
    "n log n": lambda n: 1e-6 * n * log2(n),
    "quadratic": lambda n: 1e-8 * n * n,
    "cubic": lambda n: 1e-11 * n**3,
}


def named(sizes: list[int], times: list[float]) -> NamedGrowth:
    return growth.named(sizes, [times])


def test_a_disturbed_round_changes_nothing() -> None:
    quiet = [FORMULAS["linear"](n) for n in SIZES]
    slow = [2.0 * time for time in quiet]
    odd = [time * factor for time, factor in zip(quiet, (1, 1, 1, 3, 5), strict=True)]
    assert growth.named(SIZES, [slow, quiet, odd]).name == "linear"


@pytest.mark.parametrize("name", FORMULAS)
def test_exact_times_have_the_name_of_their_formula(name: str) -> None:
    found = named(SIZES, [FORMULAS[name](n) for n in SIZES])
    assert name in (found.name, *found.others)
    assert found.is_told


@pytest.mark.parametrize("name", ["linear", "quadratic", "cubic"])
@pytest.mark.parametrize("noise", [(1, 1.08, 0.95, 1.05, 1), (1.1, 1, 1, 1, 1.1), (1, 1, 1.7, 1, 1)], ids=str)
def test_noise_changes_no_name(name: str, noise: tuple[float, ...]) -> None:
    times = [FORMULAS[name](n) * factor for n, factor in zip(SIZES, noise, strict=True)]
    assert named(SIZES, times).name == name


def test_growths_that_cannot_be_told_apart_count_as_the_slower_one() -> None:
    found = named(SIZES, [FORMULAS["n log n"](n) for n in SIZES])
    assert (found.name, found.others) == ("linear", ("n log n",))


def test_between_two_names_the_faster_growth_counts() -> None:
    found = named(SIZES, [1e-6 * n**1.6 for n in SIZES])
    assert (found.name, found.others) == ("quadratic", ())


def test_exponential_times_rise_ever_faster() -> None:
    sizes = [12, 14, 16, 18, 20]
    assert named(sizes, [0.003 * 1.618**n for n in sizes]).name == "exponential"
    assert named(SIZES, [1e-15 * n**4.5 for n in SIZES]).name == MORE_THAN_CUBIC


def test_times_that_are_too_short_tell_nothing_and_cost_nothing() -> None:
    quick = named(SIZES, [FLOOR_S / 3, FLOOR_S / 2, FLOOR_S / 9, 0.0, FLOOR_S * 2])
    assert (quick.name, quick.is_told) == ("", False)
    assert is_fit(quick, "constant")


def test_many_calls_tell_shorter_times() -> None:
    times = [FLOOR_S / 4 * number for number in (1, 2, 4, 8, 16)]
    floors = [FLOOR_S / 4] * 5
    assert growth.named(SIZES, [times], floors).name == "linear"


@pytest.mark.parametrize(
    ("import_s", "longest_s", "counts"),
    [(0.019, 0.0, False), (0.03, 0.0, True), (0.1, 0.19, True), (0.1, 0.21, False), (-0.01, 0.0, False)],
)
def test_an_import_that_takes_longer_than_the_calls_tells_that_these_tell_nothing(
    import_s: float, longest_s: float, counts: bool
) -> None:
    times = [longest_s * size / SIZES[-1] for size in SIZES]
    found = growth.named(SIZES, [times], import_s=import_s)
    assert found.at_import is counts
    assert is_fit(found, "linear") is not counts


def test_short_times_are_left_out() -> None:
    times = [FORMULAS["quadratic"](n) for n in SIZES]
    assert named(SIZES, [0.0, FLOOR_S / 2, *times[2:]]).name == "quadratic"


def test_a_doubtful_power_asks_for_more_rounds() -> None:
    assert named(SIZES, [1e-6 * n**1.29 for n in SIZES]).near_edge
    assert not named(SIZES, [1e-6 * n**1.99 for n in SIZES]).near_edge


def test_the_order_of_growths() -> None:
    assert all(is_within(name, "exponential") for name in (*GROWTHS, MORE_THAN_CUBIC))
    assert is_within("linear", "linear")
    assert is_within("log n", "linear")
    assert not is_within("n log n", "linear")
    assert not is_within(MORE_THAN_CUBIC, "cubic")
