"""The reference for knights-tour against every figure of its source, and from other squares too."""

import importlib
import random
import sys
from collections.abc import Callable, Iterator
from itertools import pairwise
from pathlib import Path
from typing import Any, TypeAlias

import pytest

Position: TypeAlias = tuple[int, int]

FOLDER = Path(__file__).parents[3] / "reference" / "knights_tour"

PUBLISHED_5 = """
    24 11  6 17  0
    19 16 23 12  7
    10  5 18  1 22
    15 20  3  8 13
     4  9 14 21  2
"""
PUBLISHED_6_CLOSED = """
    10  5 18 25 16  7
    31 26  9  6 19 24
     4 11 30 17  8 15
    29 32 27  0 23 20
    12  3 34 21 14  1
    33 28 13  2 35 22
"""
PUBLISHED_8 = """
    51 46 55 44 53  4 21 12
    56 43 52  3 22 13 24  5
    47 50 45 54 25 20 11 14
    42 57  2 49 40 23  6 19
    35 48 41 26 61 10 15 28
    58  1 36 39 32 27 18  7
    37 34 31 60  9 62 29 16
     0 59 38 33 30 17  8 63
"""
COUNTS_5 = {(0, 0): 304, (0, 2): 56, (1, 1): 56, (1, 3): 56, (2, 0): 56, (2, 2): 64, (4, 4): 304}
HARD_30 = [
    *[(0, 10), (1, 5), (1, 7), (1, 11), (1, 13), (2, 11), (2, 17), (3, 6), (3, 14), (4, 0), (4, 8), (5, 5)],
    *[(5, 9), (5, 13), (6, 11), (7, 6), (8, 19), (9, 22), (9, 25), (9, 27), (10, 6), (12, 7), (14, 3)],
    *[(21, 0), (21, 6), (22, 1), (23, 12), (26, 17), (28, 11), (28, 13), (28, 29), (29, 29), (15, 15)],
]
"""Where Warnsdorff's rule with clockwise ties and plain backtracking does not end, and two others."""


def load(name: str) -> Any:
    """Import a module of the reference, which is no package."""
    sys.path.insert(0, str(FOLDER))
    try:
        return importlib.import_module(name)
    finally:
        sys.path.remove(str(FOLDER))


knight1, knight2, knight3, knight4 = (load(f"knight{number}") for number in range(1, 5))


def picture(text: str) -> list[Position]:
    """Return the path that a printed board shows: rows from the top down, the last of them y = 0."""
    rows = [[int(number) for number in line.split()] for line in text.split("\n") if line.strip()]
    places = {
        number: (x, y) for y, row in enumerate(reversed(rows)) for x, number in enumerate(row) if number >= 0
    }
    return [places[number] for number in sorted(places, reverse=True)]


def is_knights_move(a: Position, b: Position) -> bool:
    return abs((a[0] - b[0]) * (a[1] - b[1])) == 2


def assert_path(found: list[Position], path: list[Position], length: int, dim: int) -> None:
    """Check that `found` is a path of that length that extends `path`, of tuples in a list."""
    assert type(found) is list
    assert all(type(position) is tuple for position in found)
    assert len(found) == len(set(found)) == length
    assert all(0 <= x < dim and 0 <= y < dim for x, y in found)
    assert all(is_knights_move(a, b) for a, b in pairwise(found))
    assert found[-len(path) :] == path


def assert_tour(found: list[Position], path: list[Position], dim: int) -> None:
    assert_path(found, path, dim * dim, dim)


def squares(dim: int) -> list[Position]:
    """Return the squares of a board from which there can be a tour."""
    return [(x, y) for x in range(dim) for y in range(dim) if dim % 2 == 0 or (x + y) % 2 == 0]


def all_paths(
    dim: int, path: list[Position], length: int, allowed: Callable[[Position], bool]
) -> Iterator[list[Position]]:
    """Yield what there is, clockwise and without any cleverness."""
    if len(path) == length:
        yield path
        return
    for move in knight1.legal_moves(dim, path, path[0]):
        if allowed(move):
            yield from all_paths(dim, [move, *path], length, allowed)


# -- knight1: is_legal, legal_moves ----------------------------------------------------------------


@pytest.mark.parametrize(
    ("path", "position", "expected"),
    [
        ([], (0, 0), True),
        ([], (7, 7), True),
        ([], (8, 0), False),
        ([], (0, 8), False),
        ([], (-1, 0), False),
        ([], (0, -1), False),
        ([(2, 2)], (2, 2), False),
        ([(4, 1), (2, 2)], (2, 2), False),
        ([(4, 1)], (1, 4), True),
    ],
)
def test_a_position_is_legal_on_the_board_and_off_the_path(
    path: list[Position], position: Position, expected: bool
) -> None:
    assert knight1.is_legal(8, path, position) is expected


def test_moves_are_clockwise_from_twelve_oclock() -> None:
    expected = [(3, 4), (4, 3), (4, 1), (3, 0), (1, 0), (0, 1), (0, 3), (1, 4)]
    assert knight1.legal_moves(8, [], (2, 2)) == expected
    assert knight1.legal_moves(8, [(2, 2)], (2, 2)) == expected


def test_moves_stay_on_the_board() -> None:
    assert knight1.legal_moves(8, [], (7, 7)) == [(6, 5), (5, 6)]
    assert [knight1.legal_moves(dim, [], (0, 0)) for dim in (1, 2, 3)] == [[], [], [(1, 2), (2, 1)]]


def test_moves_leave_out_the_path() -> None:
    path = [(4, 1), (1, 0)]
    assert knight1.legal_moves(8, path, (2, 2)) == [(3, 4), (4, 3), (3, 0), (0, 1), (0, 3), (1, 4)]
    assert path == [(4, 1), (1, 0)]


# -- knight1: counting and enumerating -------------------------------------------------------------


@pytest.mark.parametrize(("start", "expected"), COUNTS_5.items())
def test_tours_of_5x5_from_one_square(start: Position, expected: int) -> None:
    assert knight1.count_tours(5, [start]) == expected


def test_tours_of_5x5_from_all_squares_together() -> None:
    counts = [[knight1.count_tours(5, [(x, y)]) for y in range(5)] for x in range(5)]
    assert counts == [
        [304, 0, 56, 0, 304],
        [0, 56, 0, 56, 0],
        [56, 0, 64, 0, 56],
        [0, 56, 0, 56, 0],
        [304, 0, 56, 0, 304],
    ]
    assert sum(map(sum, counts)) == 1728


def test_tours_that_extend_a_longer_path() -> None:
    path = [(2, 1), (0, 0)]
    tours = knight1.enum_tours(5, path)
    assert knight1.count_tours(5, path) == len(tours) == 152
    for tour in tours:
        assert_tour(tour, path, 5)


def test_enumerated_tours_are_all_different_and_the_published_one_is_among_them() -> None:
    tours = knight1.enum_tours(5, [(4, 4)])
    for tour in tours:
        assert_tour(tour, [(4, 4)], 5)
    assert len({tuple(tour) for tour in tours}) == 304
    assert picture(PUBLISHED_5) in tours


def test_the_published_tour_begins_and_ends_as_published() -> None:
    tour = picture(PUBLISHED_5)
    assert tour[:2] == [(0, 4), (2, 3)]
    assert tour[-3:] == [(4, 0), (3, 2), (4, 4)]
    assert not is_knights_move(tour[0], tour[-1])


def test_no_tour_of_5x5_is_closed() -> None:
    tours = [tour for start in squares(5) for tour in knight1.enum_tours(5, [start])]
    assert not any(is_knights_move(tour[0], tour[-1]) for tour in tours)
    assert all(knight2.first_closed_tour_heuristics(5, [start]) is None for start in squares(5))


@pytest.mark.parametrize("dim", [2, 3, 4])
def test_small_boards_have_no_tours(dim: int) -> None:
    for start in [(x, y) for x in range(dim) for y in range(dim)]:
        assert knight1.count_tours(dim, [start]) == 0
        assert knight1.enum_tours(dim, [start]) == []
        assert knight1.first_tour(dim, [start]) is None
        assert knight2.first_closed_tour_heuristics(dim, [start]) is None
        assert knight2.first_tour_heuristics(dim, [start]) is None


def test_the_only_square_of_1x1_is_a_tour_and_no_closed_one() -> None:
    assert knight1.enum_tours(1, [(0, 0)]) == [[(0, 0)]]
    assert knight1.first_tour(1, [(0, 0)]) == [(0, 0)]
    assert knight2.first_closed_tour_heuristics(1, [(0, 0)]) is None


@pytest.mark.parametrize("length", range(1, 17))
def test_the_search_leaves_out_no_path(length: int) -> None:
    for allowed in (knight1.anywhere, lambda p: p[0] < 3, lambda p: p not in [(1, 1), (2, 2)]):
        goal = knight1.Goal(4, [(2, 1), (0, 0)], length, allowed)
        expected = list(all_paths(4, goal.path, length, allowed)) if length >= 2 else []
        assert list(knight1.extensions(goal)) == expected
        assert (knight1.find_path(goal) is None) == (not expected)


def test_the_search_leaves_out_no_closed_path() -> None:
    goal = knight1.Goal(3, [(0, 0)], 8, closed=True)
    paths = list(all_paths(3, [(0, 0)], 8, knight1.anywhere))
    assert list(knight1.extensions(goal)) == paths
    assert len(paths) == 2
    assert list(knight1.extensions(knight1.Goal(3, [(0, 0)], 6, closed=True))) == []


# -- knight1: first and first_tour -----------------------------------------------------------------


@pytest.mark.parametrize("hit", [20, 0, "", False, []])
def test_first_stops_at_the_first_result_that_is_not_none(hit: object) -> None:
    seen = []

    def answer(x: int) -> object:
        seen.append(x)
        return hit if x > 1 else None

    assert knight1.first([1, 2, 3], answer) == hit
    assert seen == [1, 2]


def test_first_returns_none_where_there_is_no_result() -> None:
    seen: list[int] = []
    assert knight1.first([1, 1, 2], seen.append) is None
    assert seen == [1, 1, 2]
    assert knight1.first([], seen.append) is None


@pytest.mark.parametrize("dim", [5, 6, 7, 8])
def test_a_tour_is_found_from_every_square_that_has_one(dim: int) -> None:
    for start in squares(dim):
        assert_tour(knight1.first_tour(dim, [start]), [start], dim)


@pytest.mark.parametrize("text", [PUBLISHED_5, PUBLISHED_6_CLOSED, PUBLISHED_8])
def test_every_beginning_of_a_published_tour_is_extended(text: str) -> None:
    tour = picture(text)
    dim = {25: 5, 36: 6, 64: 8}[len(tour)]
    assert_tour(tour, tour[-1:], dim)
    for length in range(1, len(tour) + 1):
        assert_tour(knight1.first_tour(dim, tour[-length:]), tour[-length:], dim)


def test_a_start_of_the_rarer_colour_is_answered_at_once() -> None:
    for dim, function in [
        (5, knight1.first_tour),
        (7, knight1.first_tour),
        (29, knight2.first_tour_heuristics),
        (69, knight3.tour_on_mega_board),
    ]:
        assert function(dim, [(0, 1)]) is None
    assert knight1.enum_tours(5, [(2, 1)]) == []


# -- knight2 ---------------------------------------------------------------------------------------


@pytest.mark.parametrize("path", [[], [(1, 3)]])
def test_moves_are_ordered_by_warnsdorffs_rule(path: list[Position]) -> None:
    moves = knight2.ordered_moves(8, path, (1, 3))
    assert moves == [(0, 1), (0, 5), (2, 1), (2, 5), (3, 4), (3, 2)]
    onward = [len(knight1.legal_moves(8, [(1, 3), *path], move)) for move in moves]
    assert onward == [2, 3, 5, 7, 7, 7]


def test_the_order_counts_what_is_still_free() -> None:
    assert knight2.ordered_moves(8, [], (0, 0)) == [(1, 2), (2, 1)]
    assert knight2.ordered_moves(8, [(4, 2), (0, 0)], (0, 0)) == [(2, 1), (1, 2)]


def test_the_published_closed_tour_is_one() -> None:
    tour = picture(PUBLISHED_6_CLOSED)
    assert_tour(tour, [(3, 2)], 6)
    assert is_knights_move(tour[0], tour[-1])


@pytest.mark.parametrize("dim", [6, 8])
def test_a_closed_tour_is_found_from_every_square(dim: int) -> None:
    for start in squares(dim):
        tour = knight2.first_closed_tour_heuristics(dim, [start])
        assert_tour(tour, [start], dim)
        assert is_knights_move(tour[0], tour[-1])


def test_a_closed_tour_extends_each_beginning_of_the_published_one() -> None:
    published = picture(PUBLISHED_6_CLOSED)
    for length in range(1, 37):
        tour = knight2.first_closed_tour_heuristics(6, published[-length:])
        assert_tour(tour, published[-length:], 6)
        assert is_knights_move(tour[0], tour[-1])


def test_30x30_is_toured_from_hard_squares() -> None:
    for start in [*HARD_30, *squares(30)[::37]]:
        assert_tour(knight2.first_tour_heuristics(30, [start]), [start], 30)


@pytest.mark.parametrize(
    ("dim", "starts"),
    [(12, [(5, 3), (6, 1), (7, 4)]), (20, [(4, 0), (11, 6), (19, 4), (19, 8)]), (25, [(2, 6), (14, 10)])],
)
def test_other_hard_squares_are_toured(dim: int, starts: list[Position]) -> None:
    for start in starts:
        assert_tour(knight2.first_tour_heuristics(dim, [start]), [start], dim)


# -- knight3 and knight4 ---------------------------------------------------------------------------


@pytest.mark.parametrize("dim", [10, 31, 40, 50, 57, 64, 69, 70])
def test_mega_boards_are_toured_without_deep_recursion(dim: int) -> None:
    for start in [(0, 0), random.Random(dim).choice(squares(dim))]:
        assert_tour(knight3.tour_on_mega_board(dim, [start]), [start], dim)


@pytest.mark.parametrize(
    "allowed", [lambda p: p[0] < 5, lambda p: p[1] < 5, lambda p: p[0] < 5 and p != (0, 0)]
)
def test_the_published_part_of_a_board_is_toured(allowed: Callable[[Position], bool]) -> None:
    path = knight4.one_tour_pred(7, [(0, 0)], 35, allowed)
    assert_path(path, [(0, 0)], 35, 7)
    assert all(allowed(position) for position in path[:-1])


@pytest.mark.parametrize("n", [1, 2, 20, 47, 48, 49])
def test_a_path_has_exactly_the_length_asked_for(n: int) -> None:
    assert_path(knight4.one_tour_pred(7, [(0, 0)], n, lambda _: True), [(0, 0)], n, 7)


def test_there_may_be_no_path() -> None:
    assert knight4.one_tour_pred(7, [(0, 0)], 36, lambda x: x[0] < 5) is None
    assert knight4.one_tour_pred(7, [(0, 1)], 35, lambda x: x[0] < 5) is None
    assert knight4.one_tour_pred(4, [(0, 0)], 16, lambda _: True) is None
    assert knight4.one_tour_pred(4, [(0, 0)], 2, lambda _: False) is None
    assert knight4.one_tour_pred(4, [(2, 1), (0, 0)], 1, lambda _: True) is None
