"""Images and grids of which a share may differ."""

from fractions import Fraction

import pytest
from support.judge_sample import case_of, each_of, judged, returned

from grader.model.case import Combine, Comparison, Returns
from grader.model.results import Difference
from grader.model.values import Opaque, Value
from grader.values.compare import first_difference

ONE_PERCENT = Comparison(differing=Fraction(1, 100))
TENTH = Comparison(differing=Fraction(1, 10))


def grid(width: int, height: int, *places: tuple[int, int]) -> list[list[int]]:
    """Rows of ones, with a two at each of some places (x, y)."""
    return [[2 if (x, y) in places else 1 for x in range(width)] for y in range(height)]


def test_up_to_the_share_items_may_differ() -> None:
    assert first_difference(grid(20, 10), grid(20, 10, (3, 4), (5, 6)), ONE_PERCENT) is None


def test_one_more_is_too_many_and_the_first_of_them_is_told() -> None:
    found = first_difference(grid(20, 10), grid(20, 10, (3, 4), (5, 4), (6, 7)), ONE_PERCENT)
    assert found == Difference(
        "3 of 200 items differ (1.5 %, at most 1 % may), first item 5, item 4", "1", "2", code="[4][3]"
    )


def test_without_a_share_nothing_may_differ() -> None:
    assert first_difference(grid(20, 10), grid(20, 10, (3, 4))) is not None


@pytest.mark.parametrize(
    ("expected", "actual", "difference"),
    [
        (grid(3, 2), grid(3, 3), Difference("shape", "2 x 3", "3 x 3")),
        (grid(3, 2), grid(2, 3), Difference("shape", "2 x 3", "3 x 2, rows and columns swapped")),
        ([1, 2, 3], [1, 2], Difference("shape", "3 items", "2 items")),
        ([1], [[1]], Difference("shape", "1 item", "1 x 1")),
        ([[1, 2], [3]], [[1, 2], [3, 4]], Difference("item 2, length", "1 item", "2")),
        ([[1, 2], [3, 4]], [[1, 2], [3]], Difference("item 2, length", "2 items", "1")),
        ([[1, 2], [3, 4]], [[1, 2], 3], Difference("item 2", "a list", "an int")),
        ([[1, 2]], [(1, 2)], Difference("item 1", "a list", "a tuple")),
        ([[1, 2]], ([1, 2],), Difference("the answer", "a list", "a tuple")),
    ],
)
def test_the_shape_must_be_the_same(expected: Value, actual: Value, difference: Difference) -> None:
    assert first_difference(expected, actual, Comparison(differing=Fraction(99, 100))) == difference


def test_lists_and_tuples_can_stand_for_one_another() -> None:
    comparison = Comparison(any_sequence=True, differing=Fraction(1, 100))
    assert first_difference([[1, 2], [3, 4]], ((1, 2), [3, 4]), comparison) is None


@pytest.mark.parametrize("actual", [None, 7, "text", {1: 2}, Opaque("ndarray", "array(...)")])
def test_an_answer_that_is_no_sequence_differs_as_a_whole(actual: Value) -> None:
    found = first_difference([[1]], actual, TENTH)
    assert found is not None
    assert found.where == ""


def test_items_are_compared_exactly_by_type_and_with_the_tolerance_that_is_stated() -> None:
    close = [[1.0, 2.0 + 1e-12], [3.0, 4.0]]
    assert first_difference([[1.0, 2.0], [3.0, 4.0]], close, TENTH) is not None
    within = Comparison(differing=Fraction(1, 10), rel=1e-9)
    assert first_difference([[1.0, 2.0], [3.0, 4.0]], close, within) is None
    assert first_difference([[1] * 30], [[True] * 30], TENTH) is not None


def test_items_that_are_no_numbers_count_too() -> None:
    expected: Value = [["a", None], [{1}, b"x"]]
    assert first_difference(expected, [["a", None], [{1}, b"x"]], TENTH) is None
    found = first_difference(expected, [["a", None], [{2}, b"x"]], TENTH)
    assert found is not None
    assert found.where.startswith("1 of 4 items differ (25 %")


def test_empty_sequences_are_equal() -> None:
    assert first_difference([], [], ONE_PERCENT) is None
    assert first_difference([[], []], [[], []], ONE_PERCENT) is None
    assert first_difference([[], []], [[]], ONE_PERCENT) == Difference("shape", "2 x 0", "1 x 0")


def test_an_accepted_answer_says_how_much_of_it_differs() -> None:
    case = case_of(Returns(grid(20, 10), ONE_PERCENT))
    assert (
        judged(case, returned(grid(20, 10, (1, 1)))).message == "1 of 200 items differ (0.5 %; up to 1 % may)"
    )
    assert judged(case, returned(grid(20, 10))).message == ""


def test_each_answer_of_several_calls_has_its_own_share() -> None:
    case = each_of(Returns([grid(20, 10), grid(20, 10)], ONE_PERCENT), Combine.EACH, 2)
    two, three = grid(20, 10, (0, 0), (1, 1)), grid(20, 10, (0, 0), (1, 1), (2, 2))
    assert judged(case, returned(two, two)).verdict == "accepted"
    found = judged(case, returned(two, three))
    assert found.verdict == "wrong-answer"
    assert found.message.startswith("f(2): 3 of 200 items differ")


def test_a_deep_answer_to_a_flat_question_is_another_shape() -> None:
    deep: Value = 1
    for _ in range(99):
        deep = [deep]
    found = first_difference([1], deep, TENTH)
    assert found is not None
    assert found.expected == "1 item"
