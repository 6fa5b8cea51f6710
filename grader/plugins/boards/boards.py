"""Shared parts of the renderers of boards: sizes, positions, a knight's ways and their first fault."""

from collections.abc import Collection, Iterator, Sequence
from dataclasses import dataclass, replace

from grader.api.renderers import (
    MAX_POINTS,
    MAX_SIDE,
    Cell,
    Fill,
    Grid,
    Line,
    Mark,
    NotAPicture,
    Picture,
    Point,
    show,
)

_FARTHEST = 10**6
"""A place with a coordinate beyond this cannot be drawn."""
_SHOWN = 40
_LEGEND = {Mark.NOTED: "start", Mark.WRONG: "the first fault"}
_MOST_LABELLED = 40
"""A side with more squares gets no labels, since they would be too small to read."""


@dataclass(frozen=True, slots=True)
class Board:
    """A board and the notation of positions on it.

    by_row: a position is (row, column) from the top left; else (x, y) from the bottom left.
    blocked: squares that are not a part of the board, by place.
    """

    columns: int
    rows: int
    by_row: bool = False
    blocked: frozenset[Point] = frozenset()

    def place(self, value: object) -> Point | None:
        """Return column and row of a position, on the board or not; None if the value is no position."""
        if type(value) not in (tuple, list):
            return None
        assert isinstance(value, (tuple, list))
        if len(value) != 2 or any(type(part) is not int or abs(part) > _FARTHEST for part in value):
            return None
        return (value[1], value[0]) if self.by_row else (value[0], self.rows - 1 - value[1])

    def holds(self, place: Point) -> bool:
        column, row = place
        return 0 <= column < self.columns and 0 <= row < self.rows and place not in self.blocked

    def near(self, place: Point) -> Point:
        """Return the place, or the nearest one just outside of the board."""
        return min(max(place[0], -1), self.columns), min(max(place[1], -1), self.rows)

    def name(self, place: Point) -> str:
        """Return a place in the notation of a student's position."""
        column, row = place
        return str((row, column) if self.by_row else (column, self.rows - 1 - row))

    def grid(self, cells: Collection[Cell], lines: tuple[Line, ...], legend: dict[str, str]) -> Grid:
        """Return the drawing of this board with these cells and lines."""
        taken = {cell.at for cell in cells}
        blocked = [Cell(place, fill=Fill.BLOCKED) for place in sorted(self.blocked - taken)]
        blocked = [cell for cell in blocked if 0 <= cell.at[0] < self.columns and 0 <= cell.at[1] < self.rows]
        down = [str(row) for row in range(self.rows)]
        labelled = max(self.columns, self.rows) <= _MOST_LABELLED
        return Grid(
            columns=self.columns,
            rows=self.rows,
            cells=(*cells, *blocked),
            lines=lines,
            chequered=True,
            across=tuple(str(column) for column in range(self.columns)) if labelled else (),
            down=tuple(down if self.by_row else reversed(down)) if labelled else (),
            legend=tuple(legend.items()),
        )


def board_of(
    dim: int | None, columns: int | None, rows: int | None, blocked: Sequence[object], by_row: bool
) -> Board:
    """Return the board that a spec's arguments describe.  Raises `NotAPicture`."""
    columns, rows = columns or dim, rows or dim
    if columns is None or rows is None:
        raise NotAPicture("the size is missing: `dim`, or `columns` and `rows`")
    if not (1 <= columns <= MAX_SIDE and 1 <= rows <= MAX_SIDE):
        raise NotAPicture(f"a board has from 1 to {MAX_SIDE} squares along a side")
    board = Board(columns, rows, by_row)
    places = [board.place(position) for position in blocked]
    return Board(columns, rows, by_row, frozenset(place for place in places if place is not None))


@dataclass(frozen=True, slots=True)
class BoardFault:
    """The first fault of a way: the number of the square that is wrong, from 0, and words for it.

    is_step: the step to this square is wrong; else the square is only another than the expected one.
    """

    index: int
    words: str
    is_step: bool = True


@dataclass(frozen=True, slots=True)
class Way:
    """A way over a board from its start: places, and the first item after them that is not a place.

    given: the prescribed first places of the way.
    rest: the number of items after `places`.
    """

    board: Board
    places: tuple[Point, ...]
    closed: bool = False
    given: tuple[Point, ...] = ()
    odd: object = None
    rest: int = 0

    def fault(self) -> BoardFault | None:
        """Return the first fault on the way; squares are counted from 1 in its words."""
        seen: dict[Point, int] = {}
        for index, place in enumerate(self.places):
            words = self._wrong(index, place, seen)
            if words:
                return BoardFault(index, words)
            if index < len(self.given) and place != self.given[index]:
                wanted, name = self.board.name(self.given[index]), self.board.name(place)
                return BoardFault(
                    index, f"square {index + 1} is {name}, not {wanted} as given", is_step=False
                )
            seen[place] = index
        if self.rest:
            words = f"square {len(self.places) + 1} is {show(self.odd, _SHOWN)}, not a position"
            return BoardFault(len(self.places), words)
        if self.closed and len(self.places) > 1 and not knights_move(self.places[-1], self.places[0]):
            last, first = self.board.name(self.places[-1]), self.board.name(self.places[0])
            return BoardFault(
                len(self.places), f"its end to its start, {last} → {first}, is not a knight's move"
            )
        return None

    def _wrong(self, index: int, place: Point, seen: dict[Point, int]) -> str:
        name, step = self.board.name(place), index + 1
        if place in self.board.blocked:
            return f"square {step}, {name}, is not to be entered"
        if not self.board.holds(place):
            return f"square {step}, {name}, is off the board"
        if index and not knights_move(self.places[index - 1], place):
            before = self.board.name(self.places[index - 1])
            return f"step {index} → {step}, {before} → {name}, is not a knight's move"
        if place in seen:
            return f"square {name} is visited twice, as {seen[place] + 1} and as {step}"
        return ""


def knights_move(one: Point, other: Point) -> bool:
    """Tell whether a knight gets from one place to the other in one move."""
    return abs((one[0] - other[0]) * (one[1] - other[1])) == 2


def places_of(board: Board, items: Iterator[object], count: int) -> tuple[tuple[Point, ...], object]:
    """Return the places up to the first item that is not a place, at most `count`; and that item."""
    places: list[Point] = []
    for item in items:
        place = board.place(item)
        if place is None or len(places) == min(count, MAX_POINTS - 2):
            return tuple(places), item
        places.append(place)
    return tuple(places), None


def draw_way(way: Way, title: str, fault: BoardFault | None, others: Collection[Cell] = ()) -> Picture:
    """Return the picture of a way up to its fault, which is marked.

    others: further squares to draw; the way's own squares replace them.
    """
    board = way.board
    whole = _drawn_part(way, fault)
    cells = {cell.at: cell for cell in others}
    cells |= {place: Cell(place, mark=Mark.NOTED) for place in whole[:1]}
    lines = [Line(whole, number=1)] if whole else []
    if fault is None:
        squares = board.columns * board.rows - sum(_inside(board, place) for place in board.blocked)
        text = f"A way over {len(whole)} of {squares} squares, without a fault."
        if way.closed and len(whole) > 1:
            lines.append(Line((whole[-1], whole[0])))
    else:
        text = f"{fault.words[0].upper()}{fault.words[1:]}."
        end = _faulty_end(way, fault)
        if end is not None:
            if whole and fault.is_step:
                lines.append(Line((whole[-1], board.near(end)), Mark.WRONG, arrow=True))
            if _inside(board, end):
                fill = Fill.BLOCKED if end in board.blocked else Fill.PLAIN
                number = "" if end in whole else str(fault.index + 1)
                cells[end] = Cell(end, number, fill, mark=Mark.WRONG)
        left = len(way.places) + way.rest - max(len(whole), fault.index + 1)
        text += f" What follows, {left} more, is not drawn." if left > 0 and not others else ""
    shown = {cell.mark for cell in cells.values()} | {line.mark for line in lines}
    legend = {mark.value: words for mark, words in _LEGEND.items() if mark in shown}
    return Picture(title, text, board.grid(tuple(cells.values()), tuple(lines), legend))


def _drawn_part(way: Way, fault: BoardFault | None) -> tuple[Point, ...]:
    if fault is not None and not fault.is_step:
        fault = replace(way, given=()).fault()
    return way.places if fault is None else way.places[: fault.index]


def _faulty_end(way: Way, fault: BoardFault) -> Point | None:
    """Return the end of the faulty step; None if the fault is not a step."""
    if fault.index < len(way.places):
        return way.places[fault.index]
    return way.places[0] if way.closed and len(way.places) > 1 and not way.rest else None


def _inside(board: Board, place: Point) -> bool:
    return 0 <= place[0] < board.columns and 0 <= place[1] < board.rows
