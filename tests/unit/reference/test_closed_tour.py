"""The reference for closed-tour: every figure of its source, and small boards against a search of all."""

import ast
import importlib.util
import random
import sys
from collections.abc import Iterator
from graphlib import TopologicalSorter
from itertools import product
from pathlib import Path
from types import ModuleType
from typing import Any, TypeAlias

import pytest

Rows: TypeAlias = list[list[int]]

SOURCE = Path(__file__).parents[3] / "reference" / "closed_tour" / "knight.py"
LEAPS = ((-2, -1), (-2, 1), (-1, 2), (1, 2), (2, 1), (2, -1), (1, -2), (-1, -2))

WITH_TOUR = {
    "8x8": "/".join(["." * 8] * 8),
    "6x6 without corners": "#....#" + "/......" * 4 + "/#....#",
    "3x3 without the middle": ".../.#./...",
    "5x6": "/".join(["......"] * 5),
    "6x6": "/".join(["......"] * 6),
    "3x10": "/".join(["." * 10] * 3),
    "10x10": "/".join(["." * 10] * 10),
    "12x12": "/".join(["." * 12] * 12),
    "7x7 without a corner": "#......" + "/......." * 6,
    "two squares a move apart": ".#/##/#.",
}
"""Boards by name: rows are separated by /, # is an obstacle."""
WITHOUT_TOUR = {
    "1x1": ".",
    "two squares side by side": "..",
    "three squares in a chain": "..#/###/#.#",
    "5x5": "/".join(["....."] * 5),
    "5x5 without the middle": "...../...../..#../...../.....",
    "6x6 without two squares of a colour": "#.#..." + "/......" * 5,
    **{
        f"{m}x{n}": "/".join(["." * n] * m)
        for m, n in [(2, 2), (2, 3), (2, 9), (3, 3), (3, 4), (3, 8), (4, 4), (4, 5), (4, 6), (4, 8), (4, 12)]
    },
}


def load() -> Any:
    """Import the reference, which is no package."""
    spec = importlib.util.spec_from_file_location("closed_tour_knight", SOURCE)
    assert spec is not None
    assert spec.loader is not None
    module: ModuleType = importlib.util.module_from_spec(spec)
    sys.modules[spec.name] = module  # where dataclasses look for it
    spec.loader.exec_module(module)
    return module


knight = load()
Board, Square = knight.Board, knight.Square


def rows_of(picture: str) -> Rows:
    return [[-1 if character == "#" else 0 for character in row] for row in picture.split("/")]


def board_of(rows: Rows) -> Any:
    return Board(len(rows), len(rows[0]), rows)


def numbers_on(board: Any) -> Rows:
    return [[board.get(Square(i, j)) for j in range(board.n)] for i in range(board.m)]


def fault(rows: Rows, answer: Rows) -> str | None:
    """Return what is wrong with the closed tour that should have been written into the rows."""
    place = {}
    for i, row in enumerate(rows):
        for j, before in enumerate(row):
            if before == 0:
                place[answer[i][j]] = (i, j)
            elif answer[i][j] != before:
                return f"({i}, {j}) was no empty square"
    last = sum(row.count(0) for row in rows)
    if sorted(place) != list(range(1, last + 1)):
        return "the numbers are not those from 1 to k"
    for number in place:
        (i, j), (a, b) = place[number], place[number % last + 1]
        if (a - i, b - j) not in LEAPS:
            return f"{number} and the next are not a knight's move apart"
    return None


def solved(rows: Rows) -> bool:
    """Return whether the reference finds a tour; a tour that it writes must be one."""
    board = board_of(rows)
    found: bool = knight.knightsTour(board)
    assert not found or fault(rows, numbers_on(board)) is None
    return found


def has_closed_tour(rows: Rows) -> bool:
    """Try all paths from the first empty square: slow, simple, and nothing like the reference."""
    squares = [(i, j) for i, row in enumerate(rows) for j, value in enumerate(row) if value == 0]
    if not squares or len(squares) % 2:
        return False
    index = {square: number for number, square in enumerate(squares)}
    around = [[index[i + a, j + b] for a, b in LEAPS if (i + a, j + b) in index] for i, j in squares]
    paths = [(0, 1)]
    while paths:
        head, visited = paths.pop()
        if visited == (1 << len(squares)) - 1 and 0 in around[head]:
            return True
        # The way back must stay open.
        if visited == 1 or 0 in around[head] or any(not visited >> square & 1 for square in around[0]):
            paths += [(to, visited | 1 << to) for to in around[head] if not visited >> to & 1]
    return False


def random_rows(chance: random.Random, m: int, n: int, pairs: int) -> Rows:
    """Return a board with as many empty squares of one colour as of the other."""
    rows = [[0] * n for _ in range(m)]
    by_colour: list[list[tuple[int, int]]] = [[], []]
    for i, j in product(range(m), range(n)):
        by_colour[(i + j) % 2].append((i, j))
    surplus = len(by_colour[0]) - len(by_colour[1])
    for squares, obstacles in zip(by_colour, (pairs + surplus, pairs), strict=True):
        for i, j in chance.sample(squares, obstacles):
            rows[i][j] = -1
    return rows


def some_boards() -> Iterator[Rows]:
    """Yield small boards of all shapes, with and without obstacles."""
    chance = random.Random(20)
    for m, n in [(4, 4), (5, 3), (3, 6), (4, 5), (5, 4), (3, 7), (7, 3), (3, 8), (5, 5), (5, 5)]:
        for _ in range(25):
            yield random_rows(chance, m, n, chance.randrange(4))


def test_moves_are_numbered_clockwise_from_up_left() -> None:
    assert [knight.move(Square(5, 5), d) for d in range(1, 9)] == [Square(5 + i, 5 + j) for i, j in LEAPS]


def test_published_moves() -> None:
    assert knight.move(Square(4, 4), 3) == Square(3, 6)
    assert knight.moveBack(Square(4, 4), 3) == Square(5, 2)


@pytest.mark.parametrize("d", range(1, 9))
def test_moving_back_undoes_a_move(d: int) -> None:
    assert knight.moveBack(knight.move(Square(0, 0), d), d) == Square(0, 0)


@pytest.mark.parametrize("d", [0, 9, -1])
def test_there_is_no_other_direction(d: int) -> None:
    with pytest.raises(ValueError, match="direction"):
        knight.move(Square(0, 0), d)
    with pytest.raises(ValueError, match="direction"):
        knight.moveBack(Square(0, 0), d)


def test_squares_are_equal_by_coordinates() -> None:
    assert Square(1, 2) == Square(1, 2)
    assert Square(1, 2) != Square(2, 1)


def test_an_obstacle_is_in_range() -> None:
    board = board_of([[0, -1], [0, 0], [0, 0]])
    inside = [(i, j) for i in range(-1, 4) for j in range(-1, 4) if board.inRange(Square(i, j))]
    assert inside == [(0, 0), (0, 1), (1, 0), (1, 1), (2, 0), (2, 1)]


def test_get_reads_what_set_wrote() -> None:
    board = board_of([[0, -1], [0, 0]])
    board.set(Square(1, 0), 7)
    assert numbers_on(board) == [[0, -1], [7, 0]]


@pytest.mark.parametrize("square", [(-1, 0), (0, -1), (2, 0), (0, 3), (-1, -1)])
def test_get_and_set_refuse_squares_out_of_range(square: tuple[int, int]) -> None:
    board = board_of([[0, 0, 0], [0, 0, 0]])
    with pytest.raises(RuntimeError):
        board.get(Square(*square))
    with pytest.raises(RuntimeError):
        board.set(Square(*square), 1)
    assert board.nEmpty() == 6


def test_empty_squares_hold_zero() -> None:
    board = board_of([[-1, 3], [-1, 0]])
    assert board.nEmpty() == 1
    assert board.emptySquare() == Square(1, 1)
    board.set(Square(1, 1), 4)
    assert board.nEmpty() == 0
    with pytest.raises(RuntimeError):
        board.emptySquare()


def test_a_board_is_written_as_it_is_read() -> None:
    text = "2\n3\n0 -1 0\n0 12 0"
    assert str(knight.read_board(text)) == text


@pytest.mark.parametrize("text", ["", "2", "1 2\n0 0", "2\n2\n0 0", "1\n2\n0 0 0", "1\n1\nx"])
def test_a_malformed_board_is_refused(text: str) -> None:
    with pytest.raises(ValueError, match=r"expected|invalid literal"):
        knight.read_board(text)


def test_a_board_has_rows_of_its_own() -> None:
    rows = [[0, 0]]
    board_of(rows).set(Square(0, 0), 5)
    assert rows == [[0, 0]]


@pytest.mark.parametrize("name", WITH_TOUR)
def test_a_tour_is_found(name: str) -> None:
    assert solved(rows_of(WITH_TOUR[name]))


@pytest.mark.parametrize("name", WITHOUT_TOUR)
def test_no_tour_is_found(name: str) -> None:
    rows = rows_of(WITHOUT_TOUR[name])
    board = board_of(rows)
    assert not knight.knightsTour(board)
    assert numbers_on(board) == rows


def test_small_boards_agree_with_an_exhaustive_search() -> None:
    verdicts = []
    for rows in some_boards():
        verdicts.append(solved(rows))
        assert verdicts[-1] == has_closed_tour(rows), rows
    assert sum(verdicts) > 10


def test_all_boards_of_3_by_4_agree_with_an_exhaustive_search() -> None:
    numbers = [-1, 0]
    for values in product(numbers, repeat=12):
        rows = [list(values[start : start + 4]) for start in (0, 4, 8)]
        assert solved(rows) == has_closed_tour(rows), rows


@pytest.mark.parametrize("size", [6, 8, 10, 12])
def test_large_boards_with_obstacles_are_decided(size: int) -> None:
    chance = random.Random(size)
    verdicts = [solved(random_rows(chance, size, size, pairs)) for pairs in range(1, size) for _ in range(3)]
    assert True in verdicts
    assert False in verdicts


def test_a_board_that_needs_several_tries_is_decided() -> None:
    assert solved(rows_of("...#../....../..#.../....../....../......"))


def test_a_deep_search_needs_no_deep_stack() -> None:
    rows = [[0] * 20 for _ in range(20)]
    limit, frame, depth = sys.getrecursionlimit(), sys._getframe(), 0
    while frame.f_back:
        frame, depth = frame.f_back, depth + 1
    sys.setrecursionlimit(depth + 40)
    try:
        assert solved(rows)
    finally:
        sys.setrecursionlimit(limit)


def test_no_function_can_reach_itself() -> None:
    functions = [
        node for node in ast.walk(ast.parse(SOURCE.read_text())) if isinstance(node, ast.FunctionDef)
    ]
    names = {function.name for function in functions}
    calls: dict[str, set[str]] = {name: set() for name in names}
    for function in functions:
        for node in ast.walk(function):
            if isinstance(node, ast.Call):
                called = ast.unparse(node.func).split(".")[-1]
                calls[function.name] |= {called} & names
    assert len(list(TopologicalSorter(calls).static_order())) == len(names)
