"""Containers that lie at many places are joined in time that grows with their number, not with its square."""

from time import process_time
from typing import Any

import pytest

from grader.plugins.tests.cell.book import Book
from grader.plugins.tests.cell.containers.changes import Belief, take_over
from grader.wire.containers import Ways, at, joined, twins_in

MANY = 200_000
FEW_S = 3
"""It took more than half a minute where each step to a place copied a dict or a tuple."""


@pytest.mark.parametrize("kind", ["dict", "tuple"])
def test_a_list_at_ten_thousand_places_is_joined_in_no_time_to_speak_of(kind: str) -> None:
    one: list[int] = []
    many: Any = dict.fromkeys(range(MANY), one) if kind == "dict" else (one,) * MANY
    copies: Any = {place: [] for place in range(MANY)} if kind == "dict" else tuple([] for _ in range(MANY))
    twins = twins_in([many])
    start = process_time()
    (found,) = joined([copies], twins)
    assert process_time() - start < FEW_S
    assert found[0] is found[len(twins)]


def test_a_place_that_is_told_often_is_filled_once() -> None:
    given, now = [[0] * MANY], [[1] * MANY]
    start = process_time()
    belief = Belief(Book(None), (), (), lambda _: ())
    take_over(None, given, now, belief, [(1, [], 1, [])] * 20_000, [])
    assert process_time() - start < FEW_S
    assert given[0][0] == 1


def test_containers_are_joined_within_tuples_and_dicts_and_the_rest_stays() -> None:
    kept = ("a", [1])
    values: Any = [{"x": ([2], kept), "y": [2]}, [[2]]]
    twins: Any = [
        (1, [0], 0, [1]),
        (0, [0, 0], 0, [1]),
        (0, [5], 0, [1]),
        (0, [-9], 0, [1]),
        (0, [0], 0, [1]),
    ]
    first, second = joined(values, twins)
    assert first["x"][0] is first["y"] is second[0]
    assert first["x"][1] is kept
    assert values == [{"x": ([2], kept), "y": [2]}, [[2]]]


@pytest.mark.parametrize("path", [[2], [-1], [0, 0]])
def test_a_place_that_is_not_there_is_told(path: list[int]) -> None:
    with pytest.raises(LookupError):
        at({"a": 1, "b": 2}, path)
    with pytest.raises(LookupError):
        Ways().at(("a", {"b": 2})[1], [1])
