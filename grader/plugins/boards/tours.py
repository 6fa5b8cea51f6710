"""Renderers of a knight's tours: a list of positions, and a board with the numbers of the steps."""

import re
from collections.abc import Sequence
from itertools import groupby

from grader.api.renderers import MAX_SIDE, Cell, Mark, Picture, Point, Renderer, Value
from grader.plugins.boards.arguments import SIZE, unsuitable, unsuitable_or_unsized
from grader.plugins.boards.boards import Board, BoardFault, Way, board_of, draw_way, places_of

_TITLE = "The answer on its board"
_NUMBER = re.compile(r"-?[0-9]+")
_LONGEST_LINE = 1000
_MOST_LINES = 2000
_LARGEST = 10**6


def tour_board(
    actual: Value,
    expected: Value,
    dim: int | None = None,
    columns: int | None = None,
    rows: int | None = None,
    start: Value = None,
    path: Sequence[Value] = (),
    blocked: Sequence[Value] = (),
    closed: bool = False,
    by_row: bool = False,
) -> list[Picture]:
    """Draw a list of positions, latest first, as a knight's way over a board, its first fault in red.

    start, path: the prescribed beginning of the way.  blocked: squares that the way must not enter.
    closed: the end must be a knight's move from the start.  by_row: positions are (row, column)
    from the top left instead of (x, y) from the bottom left.  Draws nothing if the answer is not a list.
    """
    board = board_of(dim, columns, rows, blocked, by_row)
    if type(actual) not in (list, tuple) or not actual:
        return []
    assert isinstance(actual, (list, tuple))
    given = list(path)[::-1] or ([start] if start is not None else [])
    begins = tuple(place for place in map(board.place, given) if place is not None)
    places, odd = places_of(board, reversed(actual), len(actual))
    way = Way(board, places, closed, begins, odd, len(actual) - len(places))
    return [draw_way(way, _TITLE, way.fault())]


def numbered_board(actual: Value, expected: Value, closed: bool = False) -> list[Picture]:
    """Draw a board that holds the numbers 1, 2, 3, … of a knight's steps, its first fault in red.

    The answer is a list of rows of whole numbers, or a text (or what a program printed) whose last
    lines with equally many numbers are the rows.  0 is a square without a number; less is no square.
    Draws nothing if there is no such board.
    """
    rows = _rows(actual)
    if not rows:
        return []
    where: dict[int, list[Point]] = {}
    for row, numbers in enumerate(rows):
        for column, number in enumerate(numbers):
            where.setdefault(max(number, -1), []).append((column, row))
    board = Board(len(rows[0]), len(rows), by_row=True, blocked=frozenset(where.pop(-1, ())))
    where.pop(0, None)
    count = next(number for number in range(len(where) + 1) if len(where.get(number + 1, ())) != 1)
    way = Way(board, tuple(where[number + 1][0] for number in range(count)), closed and count == len(where))
    fault = way.fault() or (_miscounted(way, where) if count < len(where) else None)
    reached = fault.index if fault is not None else count
    twice = reached + 1 if reached == count else 0
    others = [
        Cell(at, str(number), mark=Mark.WRONG if number == twice else Mark.NONE)
        for number, places in where.items()
        if number > reached
        for at in places
    ]
    return [draw_way(way, _TITLE, fault, others)]


def _miscounted(way: Way, where: dict[int, list[Point]]) -> BoardFault:
    number = len(way.places) + 1
    twice = where.get(number, [])
    names = ", ".join(way.board.name(place) for place in twice[:3])
    words = f"there is no number {number}"
    if twice:
        words = f"number {number} is there {len(twice)} times: {names}"
    return BoardFault(len(way.places), words)


# -- reading a board -------------------------------------------------------------------------------


def _rows(value: Value) -> list[list[int]]:
    """Return the rows of a board of numbers; none if the value is not one."""
    if type(value) is dict:
        value = value.get("stdout")
    if type(value) is str:
        return _printed_rows(value)
    if type(value) not in (list, tuple):
        return []
    assert isinstance(value, (list, tuple))
    if not 1 <= len(value) <= MAX_SIDE:
        return []
    rows = []
    for row in value:
        if type(row) not in (list, tuple) or not 1 <= len(row) <= MAX_SIDE or len(row) != len(value[0]):
            return []
        if any(type(number) is not int or abs(number) > _LARGEST for number in row):
            return []
        rows.append(list(row))
    return rows


def _printed_rows(text: str) -> list[list[int]]:
    """Return the numbers of the last block of lines with equally many numbers."""
    lines = text[-_MOST_LINES * _LONGEST_LINE :].splitlines()[-_MOST_LINES:]
    found = [_NUMBER.findall(line[:_LONGEST_LINE]) for line in lines]
    blocks = [list(block) for count, block in groupby(filter(None, found), key=len) if count <= MAX_SIDE]
    if not blocks or len(blocks[-1]) > MAX_SIDE:
        return []
    return [[_capped(number) for number in row] for row in blocks[-1]]


def _capped(digits: str) -> int:
    return int(digits) if len(digits) <= len(str(_LARGEST)) else _LARGEST


_OF_A_TOUR = f"{SIZE}, start=None, path=(), blocked=(), closed=False, by_row=False"
TOUR_BOARD = Renderer(tour_board, _OF_A_TOUR, unsuitable_or_unsized)
NUMBERED_BOARD = Renderer(numbered_board, "closed=False", unsuitable)
