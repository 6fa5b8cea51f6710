"""Pictures of answers, as plain data: a renderer makes them and a page draws them.

A picture is evidence for people; no mark depends on it.  It holds words from closed lists,
bounded texts and whole numbers, never markup, so a hostile value can be drawn without being
able to say how.  `grader.judge.pictures` reads the
data of a renderer and holds them to the bounds; `grader.reports` turns them into SVG and PNG.
"""

from dataclasses import dataclass
from enum import StrEnum
from typing import TypeAlias

MAX_PICTURES = 4
"""Pictures of one answer."""
MAX_SIDE = 100
"""Squares along one side of a grid."""
MAX_LINES = 500
MAX_POINTS = 10_000
"""Points of all lines of a grid."""
MAX_NUMBER = 999_999
MAX_TITLE = 100
MAX_TEXT = 600
MAX_CELL_TEXT = 8
MAX_LEGEND_TEXT = 80
MAX_IMAGE_SIDE = 1000
MAX_PIXELS = 500_000
"""Pixels of one image."""
MAX_COLOURS = 256
MAX_SHEET_ROWS = 12
MAX_SHEET_COLUMNS = 8
MAX_SHEET_TEXT = 40
"""Characters of a label or a cell of a table."""


class Fill(StrEnum):
    """The cover of a square."""

    PLAIN = "plain"
    BLOCKED = "blocked"
    """Hatched: not a part of the board."""
    FIRST = "first"
    SECOND = "second"
    THIRD = "third"


class Piece(StrEnum):
    """A round piece that stands on a square, with the square's text in it."""

    NONE = "none"
    LIGHT = "light"
    DARK = "dark"
    RED = "red"


class Mark(StrEnum):
    """A remark on a square or a line, shown by colour, stroke and sign."""

    NONE = "none"
    NOTED = "noted"
    RIGHT = "right"
    """Expected and there."""
    MISSING = "missing"
    """Expected and not there."""
    WRONG = "wrong"
    """There and not expected, or a fault."""


Point: TypeAlias = tuple[int, int]
"""Column and row, counted from 0 at the top left."""


@dataclass(frozen=True, slots=True)
class Cell:
    """One square that is not simply empty."""

    at: Point
    text: str = ""
    fill: Fill = Fill.PLAIN
    piece: Piece = Piece.NONE
    mark: Mark = Mark.NONE


@dataclass(frozen=True, slots=True)
class Line:
    """A way from square to square, middle to middle.

    through: its squares, which may lie one row or column outside of the grid.
    number: where the squares on the way are numbered, the number of the first.
    """

    through: tuple[Point, ...]
    mark: Mark = Mark.NONE
    arrow: bool = False
    number: int | None = None


@dataclass(frozen=True, slots=True)
class Grid:
    """A board of squares; a point is [column, row], from 0 at the top left.

    chequered: squares are dark and light by turns, the one at the bottom left is dark.
    across, down: labels of the columns, and of the rows from the top; none, or one for each.
    legend: words for marks, fills and pieces that occur, by their names.
    """

    columns: int
    rows: int
    cells: tuple[Cell, ...] = ()
    lines: tuple[Line, ...] = ()
    chequered: bool = False
    across: tuple[str, ...] = ()
    down: tuple[str, ...] = ()
    legend: tuple[tuple[str, str], ...] = ()


@dataclass(frozen=True, slots=True)
class Raster:
    """An image of coloured pixels.

    palette: colours as (red, green, blue), each 0 to 255.
    pixels: for each pixel its place in the palette, row by row from the top.
    """

    width: int
    height: int
    palette: tuple[tuple[int, int, int], ...]
    pixels: bytes


@dataclass(frozen=True, slots=True)
class Sheet:
    """A table of texts.

    across: labels of the columns.  down: labels of the rows.  rows: the cells, row by row.
    wrong: the cells that differ.
    """

    across: tuple[str, ...]
    down: tuple[str, ...]
    rows: tuple[tuple[str, ...], ...]
    wrong: tuple[Point, ...] = ()


@dataclass(frozen=True, slots=True)
class Picture:
    """One picture.

    title: its subject in a few words.
    text: a description for people who cannot see it, the fault above all.
    """

    title: str
    text: str
    content: Grid | Raster | Sheet


@dataclass(frozen=True, slots=True)
class Drawn:
    """The result of drawing an answer: pictures, or a note for the staff why there are none."""

    pictures: tuple[Picture, ...] = ()
    note: str = ""
