"""Sequences whose order does not matter, with and without a tolerance."""

import random
from contextlib import suppress
from time import process_time

import pytest
from support.judge_sample import StubCheckers, case_of

from grader.judge.judge import judge
from grader.judge.messages import difference_message
from grader.model.case import Comparison, Returns
from grader.model.outcome import Ending, Outcome, Returned
from grader.model.values import Value
from grader.values.compare import first_difference
from grader.values.matching import unmatched
from grader.values.pairing import Effort, Undecided

UNORDERED = Comparison(unordered=True)
CLOSE = Comparison(unordered=True, abs=0.1)


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ([3, 1, 2], [1, 2, 3]),
        ([[1], {2: 3}, {4}], [{4}, [1], {2: 3}]),
        ([1, "a", None, 2.5, b"x", (1,)], [(1,), b"x", 2.5, None, "a", 1]),
        ([1, 1.0, True], [True, 1, 1.0]),
        ((1, 2), (2, 1)),
        ([], []),
    ],
)
def test_order_does_not_matter(one: Value, other: Value) -> None:
    assert first_difference(one, other, UNORDERED) is None


@pytest.mark.parametrize(
    ("expected", "actual", "message"),
    [
        ([(3, 4), (4, 1)], [(4, 1), (3, 5)], "items: expected (3, 4) among them, got (3, 5) in its place"),
        ([1, 2], [1], "items: expected 2 among them, got nothing equal to it"),
        ([1], [2, 1], "items: expected nothing equal to 2, got 2 as item 1"),
        ([1, 2, 2, 3], [3, 2, 1, 1], "items: expected 2 twice, got it once"),
        ([1], [1, 1, 1], "items: expected 1 once, got it 3 times"),
        ([1, 1], [True, 1], "items: expected 1 twice, got it once"),
        ([[1, 2]], [[2, 1]], "items: expected [1, 2] among them, got [2, 1] in its place"),
    ],
)
def test_says_what_is_missing_or_too_much(expected: Value, actual: Value, message: str) -> None:
    found = first_difference(expected, actual, UNORDERED)
    assert found is not None
    assert difference_message(found) == message


def test_only_the_outermost_sequence_is_unordered() -> None:
    assert first_difference({"a": [1, 2]}, {"a": [2, 1]}, UNORDERED) is not None


def test_a_list_is_still_no_tuple() -> None:
    assert first_difference([1, 2], (2, 1), UNORDERED) is not None
    assert first_difference([1, [2]], ((2,), 1), Comparison(unordered=True, any_sequence=True)) is None


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ([1.0, 2.0], [2.05, 0.95]),
        ([1.0, 1.1], [1.15, 1.05]),
        # The exact pair must not be taken: 0.0 would be left with 0.2.
        ([0.0, 0.1], [0.1, 0.2]),
        # Sorted, the items don't pair up.
        ([(1.0, 5), (1.05, 3)], [(1.0, 3), (1.05, 5)]),
        ([(1.0, 1.0), (1.08, 9.0), (1.04, 5.0)], [(1.05, 9.05), (1.06, 1.05), (1.0, 5.05)]),
        ([{"x": 1.0}, {"x": 5.0}], [{"x": 5.05}, {"x": 1}]),
        ([float("nan"), 1.0], [1.05, float("nan")]),
        ([1 + 1j, 2.0], [2.05, 1.05 + 1j]),
        # In order, the first item takes the only partner of the second and has to give it back.
        ([(0.0, 0.0), (0.05, 0.1)], [(0.04, 0.08), (0.09, -0.05)]),
        (["b", "a", "a"], ["a", "b", "a"]),
        ([(10**400, 1.0), (1.0, 1.0)], [(1.05, 1.0), (10**400, 1.05)]),
        ([float("inf"), complex("inf"), 1.0], [1, complex("inf"), float("inf")]),
        ([complex(1e308, 1e308), 2j], [2.05j, complex(1e308, 1e308)]),
    ],
)
def test_with_a_tolerance_a_pairing_is_found_if_there_is_one(one: Value, other: Value) -> None:
    assert first_difference(one, other, CLOSE) is None
    assert first_difference(other, one, CLOSE) is None


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ([0.0, 0.1], [0.1, 0.3]),
        ([1.0, 1.0, 5.0], [1.0, 5.0, 5.0]),
        ([(1.0, "a"), (2.0, "b")], [(1.0, "b"), (2.0, "a")]),
        ([1, 2], [1, 3]),
        (["b", "a", "a"], ["a", "b", "b"]),
        ([(0.0, 0.0), (0.05, 0.1)], [(0.04, 0.08), (0.09, -0.15)]),
        ([-(10**400)], [10**400]),
    ],
)
def test_with_a_tolerance_each_item_counts_once(one: Value, other: Value) -> None:
    assert first_difference(one, other, CLOSE) is not None


def test_a_huge_answer_of_another_size_is_not_searched() -> None:
    before = process_time()
    for comparison in (UNORDERED, CLOSE):
        for expected, actual in (([1], [1] * 900_000), ({1}, set(range(900_000)))):
            found = first_difference(expected, actual, comparison)
            assert found is not None
            assert difference_message(found) == "length: expected 1 item, got 900000"
    assert process_time() - before < 5


def test_positions_of_what_is_left_over_are_told() -> None:
    found = unmatched([5, 6, 7, 7], [7, 8, 5], Comparison())
    assert (found.missing, found.extra) == ((1, 3), (1,))


def _points(count: int, seed: int, jitter: float) -> list[Value]:
    source = random.Random(seed)
    points: list[Value] = [(1.0 + jitter * source.random(), number) for number in range(count)]
    source.shuffle(points)
    return points


@pytest.mark.parametrize("change", [None, (1.0, -1), (1.0, 3000), "other"])
def test_two_thousand_close_items_take_bounded_time(change: Value) -> None:
    expected, actual = _points(2000, 1, 1e-9), _points(2000, 2, 1e-9)
    if change is not None:
        actual[0] = change
    before = process_time()
    found = first_difference(expected, actual, Comparison(unordered=True, abs=1e-6))
    assert (found is None) == (change is None)
    assert process_time() - before < 30


def test_half_of_many_equal_items_missing_takes_bounded_time() -> None:
    before = process_time()
    found = first_difference([0.0] * 2000, [0.0] * 1000 + [5.0] * 1000, CLOSE)
    assert found is not None
    assert process_time() - before < 10


def test_beyond_the_bound_plain_numbers_are_still_paired_exactly() -> None:
    expected: list[Value] = [float(number) for number in range(5000)]
    actual: list[Value] = [number + 0.05 for number in reversed(range(5000))]
    assert first_difference(expected, actual, CLOSE) is None
    actual[10] = -3.0
    found = first_difference(expected, actual, CLOSE)
    assert found is not None
    assert found.expected == "4989.0 among them"


def _rows(count: int, noise: float) -> list[Value]:
    return [(q, p / 100 + noise, q * p / 100 + noise) for p in range(count // 10) for q in range(10)]


@pytest.mark.parametrize("count", [2500, 20_000])
@pytest.mark.parametrize("turned", [False, True])
def test_many_rows_with_ties_are_paired(count: int, turned: bool) -> None:
    expected, actual = _rows(count, 0.0), _rows(count, 1e-12)
    if turned:
        actual.reverse()
    comparison = Comparison(unordered=True, abs=0.001)
    assert first_difference(expected, actual, comparison) is None
    actual[7] = (1, 2.5, -1.0)
    assert first_difference(expected, actual, comparison) is not None


def test_many_points_of_a_grid_in_a_set_are_paired() -> None:
    grid = {(x / 10, y / 10) for x in range(60) for y in range(60)}
    moved = {(x + 1e-13, y - 1e-13) for x, y in grid}
    assert first_difference(grid, moved, Comparison(abs=1e-6)) is None
    assert (
        first_difference(grid, (moved - {next(iter(moved))}) | {(9.0, 9.0)}, Comparison(abs=1e-6)) is not None
    )


@pytest.mark.parametrize("unordered", [False, True])
@pytest.mark.parametrize(
    ("one", "other"),
    [
        ([{(0.3, 1.0), (0.3, 0.0)}, {(5.0, 5.0)}], [{(0.1 + 0.2, 0.0), (0.3, 1.0)}, {(5.0, 5.0)}]),
        ({frozenset([(0.3, 1.0), (0.3, 0.0)])}, {frozenset([(0.1 + 0.2, 0.0), (0.3, 1.0)])}),
        ([[{(0.3, 1), (0.3, 0)}], []], [[{(0.1 + 0.2, 0), (0.3, 1)}], []]),
        ({"a": {(0.3, "x", 1.0), (0.3, "x", 0.0)}}, {"a": {(0.1 + 0.2, "x", 0.0), (0.3, "x", 1.0)}}),
    ],
)
def test_a_set_inside_an_item_has_no_order_either(one: Value, other: Value, unordered: bool) -> None:
    comparison = Comparison(unordered=unordered, abs=1e-6)
    assert first_difference(one, other, comparison) is None
    assert first_difference(other, one, comparison) is None


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ([{(0.3, 1.0), (0.3, 0.0)}], [{(0.3, 1.0), (0.3, 2.0)}]),
        ([{(0.3, 1.0), (0.4, 0.0)}], [{(0.3, 0.0), (0.4, 1.0)}]),
        ([{1.0, 2.0}], [{1.0, 3.0}]),
        ([{(1.0,), (2,)}], [{(1.0,), (2.0,), (3,)}]),
    ],
)
def test_a_set_inside_an_item_with_another_number_differs(one: Value, other: Value) -> None:
    assert first_difference(one, other, Comparison(unordered=True, abs=1e-6)) is not None


def test_a_column_of_one_number_does_not_hide_the_others() -> None:
    source = random.Random(9)
    expected: list[Value] = [(0.0, round(source.random(), 3), round(source.random(), 3)) for _ in range(2500)]
    comparison = Comparison(unordered=True, abs=0.01)
    assert first_difference(expected, expected[::-1], comparison) is None
    assert first_difference(expected, [*expected[:0:-1], (0.0, 99.0, 0.0)], comparison) is not None


def test_many_sets_of_numbers_are_paired() -> None:
    source = random.Random(4)
    sets = [{round(30 * source.random(), 6) for _ in range(10)} for _ in range(300)]
    expected: list[Value] = [*sets]
    moved: list[Value] = [{number + 1e-9 for number in each} for each in sets]
    source.shuffle(moved)
    assert first_difference(expected, moved, Comparison(unordered=True, abs=0.1)) is None


def test_sets_in_sets_take_bounded_time() -> None:
    def nested(depth: int, base: float) -> Value:
        if not depth:
            return base
        return frozenset(nested(depth - 1, base + number / 100) for number in range(3))

    before = process_time()
    with suppress(Undecided):
        first_difference(nested(7, 0.0), nested(7, 0.001), Comparison(abs=0.05))
    assert process_time() - before < 30


def test_what_cannot_be_decided_is_no_wrong_answer(monkeypatch: pytest.MonkeyPatch) -> None:
    """All points are close to nearly all others, and whether all find a partner takes long to see."""
    monkeypatch.setattr(Effort, "most", 20_000)
    source = random.Random(3)
    points: list[list[Value]] = [[(source.random(), source.random()) for _ in range(600)] for _ in range(2)]
    sets: list[list[Value]] = [[set(points[side][at : at + 30]) for at in range(500)] for side in (0, 1)]
    for expected, actual in (points, sets):
        comparison = Comparison(unordered=True, abs=0.4)
        with pytest.raises(Undecided):
            unmatched(expected, actual, comparison)
        assert unmatched(expected, actual[1:], comparison).missing, "one is left over in any case"
    case = case_of(Returns(points[0], Comparison(unordered=True, abs=0.4)))
    result = judge(
        case, Outcome(ending=Ending.ANSWERED, answers=(Returned(points[1]),)), None, StubCheckers()
    )
    assert result.verdict == "internal-error"
    assert "too many items are nearly equal" in result.message
