"""Pictures as the template draws them: places and sizes for SVG, addresses for images.

All our words on a page, and all classes of its style sheet, come from closed lists; the template escapes
texts, like everything else.
"""

from collections.abc import Iterator
from math import hypot
from typing import NamedTuple, TypeAlias

from grader.model.drawing import Cell, Fill, Grid, Line, Mark, Picture, Piece, Point, Raster, Sheet
from grader.reports.html.png import data_uri

UNIT = 40
"""A square's side, in units of the drawing."""

_LABELS = 24
"""Space for the labels of rows and columns."""
_EDGE = 2
_MOST_NUMBERED = 40
"""A larger board is drawn without numbers, since they would be too small to read."""
_WIDEST_PX = 640
_SQUARE_PX = 44
_IMAGE_PX = 240
_DOT_PX = 24
"""The most that one pixel of an image is magnified, so that a tiny image looks tiny."""
_ARROW = 13


class TextView(NamedTuple):
    """A text and the middle of its place; `size` is its class."""

    x: float
    y: float
    text: str
    size: str = ""


class SquareView(NamedTuple):
    """The upper left corner of a square, and a class."""

    x: int
    y: int
    kind: str


class LineView(NamedTuple):
    """A way as the points of a polyline; `arrow`: the points of its head, or ""."""

    points: str
    kind: str
    arrow: str


class KeyView(NamedTuple):
    """An entry of the legend: the class of its symbol, and its words."""

    kind: str
    words: str


class GridView(NamedTuple):
    """A board, in units of the drawing; `width_px` is its width on a page with enough room."""

    title: str
    text: str
    box: str
    width_px: int
    columns: int
    rows: int
    dark: str
    mesh: str
    fills: tuple[SquareView, ...]
    pieces: tuple[SquareView, ...]
    lines: tuple[LineView, ...]
    marks: tuple[SquareView, ...]
    texts: tuple[TextView, ...]
    labels: tuple[TextView, ...]
    legend: tuple[KeyView, ...]


class ImageView(NamedTuple):
    """An image: its address, and its size on a page with enough room."""

    title: str
    text: str
    source: str
    width_px: int
    height_px: int


class SheetView(NamedTuple):
    """A table: labels of the columns, and rows of a label and cells, each with whether it differs."""

    title: str
    text: str
    across: tuple[str, ...]
    lines: tuple[tuple[str, tuple[tuple[str, bool], ...]], ...]


PictureView: TypeAlias = GridView | ImageView | SheetView


def picture_view(picture: Picture) -> PictureView:
    """Return the view of a picture, in units of its drawing."""
    content = picture.content
    if isinstance(content, Raster):
        return _image(picture, content)
    if isinstance(content, Sheet):
        return _sheet(picture, content)
    labelled = bool(content.across or content.down)
    return GridView(
        title=picture.title,
        text=picture.text,
        box=_box(content, labelled),
        width_px=min(_WIDEST_PX, _SQUARE_PX * content.columns + (_LABELS if labelled else 0)),
        columns=content.columns * UNIT,
        rows=content.rows * UNIT,
        dark=_dark(content) if content.chequered else "",
        mesh="" if content.chequered else _mesh(content),
        fills=tuple(_square(cell, cell.fill.value) for cell in content.cells if cell.fill is not Fill.PLAIN),
        pieces=tuple(
            _square(cell, cell.piece.value) for cell in content.cells if cell.piece is not Piece.NONE
        ),
        lines=tuple(_line(line) for line in content.lines),
        marks=tuple(_square(cell, cell.mark.value) for cell in content.cells if cell.mark is not Mark.NONE),
        texts=tuple(_texts(content)),
        labels=tuple(_labels(content)),
        legend=tuple(KeyView(kind, words) for kind, words in content.legend),
    )


# -- boards ----------------------------------------------------------------------------------------


def _box(grid: Grid, labelled: bool) -> str:
    """Return the visible part of the plane: the board, its labels, and squares beside it."""
    points = [point for line in grid.lines for point in line.through]
    left = UNIT if any(column < 0 for column, _ in points) else _EDGE
    above = UNIT if any(row < 0 for _, row in points) else _EDGE
    right = UNIT if any(column >= grid.columns for column, _ in points) else _EDGE
    below = UNIT if any(row >= grid.rows for _, row in points) else _EDGE
    if labelled:
        left, below = max(left, _LABELS), max(below, _LABELS)
    width, height = left + grid.columns * UNIT + right, above + grid.rows * UNIT + below
    return f"{-left} {-above} {width} {height}"


def _dark(grid: Grid) -> str:
    """Return the dark squares as one path; the bottom left square is dark."""
    return "".join(
        f"M{column * UNIT} {row * UNIT}h{UNIT}v{UNIT}h-{UNIT}z"
        for row in range(grid.rows)
        for column in range(grid.columns)
        if (column + grid.rows - 1 - row) % 2 == 0
    )


def _mesh(grid: Grid) -> str:
    """Return the lines between the squares as one path."""
    across = "".join(f"M0 {row * UNIT}h{grid.columns * UNIT}" for row in range(1, grid.rows))
    down = "".join(f"M{column * UNIT} 0v{grid.rows * UNIT}" for column in range(1, grid.columns))
    return across + down


def _square(cell: Cell, kind: str) -> SquareView:
    return SquareView(cell.at[0] * UNIT, cell.at[1] * UNIT, kind)


def _middle(point: Point) -> tuple[int, int]:
    return point[0] * UNIT + UNIT // 2, point[1] * UNIT + UNIT // 2


def _line(line: Line) -> LineView:
    middles = [_middle(point) for point in line.through]
    arrow = ""
    if line.arrow and len(middles) > 1:
        arrow, middles[-1] = _arrow(middles[-2], middles[-1])
    return LineView(" ".join(f"{x},{y}" for x, y in middles), line.mark.value, arrow)


def _arrow(start: tuple[int, int], end: tuple[int, int]) -> tuple[str, tuple[int, int]]:
    """Return the head of an arrow, a triangle, and the end of its shaft."""
    length = hypot(end[0] - start[0], end[1] - start[1]) or 1.0
    along, up = (end[0] - start[0]) / length, (end[1] - start[1]) / length
    foot = (end[0] - _ARROW * along, end[1] - _ARROW * up)
    half = _ARROW / 2
    corners = (
        end,
        (foot[0] - half * up, foot[1] + half * along),
        (foot[0] + half * up, foot[1] - half * along),
    )
    return " ".join(f"{x:.1f},{y:.1f}" for x, y in corners), (round(foot[0]), round(foot[1]))


def _texts(grid: Grid) -> Iterator[TextView]:
    """Yield the texts in the squares: their own texts, and the numbers of ways."""
    pieces = {cell.at: cell.piece for cell in grid.cells}
    for cell in grid.cells:
        if cell.text:
            x, y = _middle(cell.at)
            kind = "" if cell.piece is Piece.NONE else f"on-{cell.piece.value}"
            yield TextView(x, y, cell.text, f"{_size(cell.text)} {kind}".strip())
    if max(grid.columns, grid.rows) > _MOST_NUMBERED:
        return
    for line in grid.lines:
        if line.number is None:
            continue
        size = _size(str(line.number + len(line.through)))
        for number, point in enumerate(line.through, line.number):
            x, y = _middle(point)
            kind = pieces.get(point, Piece.NONE)
            yield TextView(x, y, str(number), size if kind is Piece.NONE else f"{size} on-{kind.value}")


def _size(text: str) -> str:
    """Return the class that makes a text of this length fit its square."""
    return "s1" if len(text) <= 2 else "s2" if len(text) <= 4 else "s3"


def _labels(grid: Grid) -> Iterator[TextView]:
    below = grid.rows * UNIT + _LABELS // 2
    for column, label in enumerate(grid.across):
        yield TextView(column * UNIT + UNIT // 2, below, label)
    for row, label in enumerate(grid.down):
        yield TextView(-_LABELS // 2, row * UNIT + UNIT // 2, label)


# -- tables ----------------------------------------------------------------------------------------


def _sheet(picture: Picture, sheet: Sheet) -> SheetView:
    wrong = frozenset(sheet.wrong)
    lines = tuple(
        (label, tuple((text, (column, row) in wrong) for column, text in enumerate(cells)))
        for row, (label, cells) in enumerate(zip(sheet.down, sheet.rows, strict=True))
    )
    return SheetView(picture.title, picture.text, sheet.across, lines)


# -- images ----------------------------------------------------------------------------------------


def _image(picture: Picture, raster: Raster) -> ImageView:
    """Return an image whose pixels can be seen: its size is a whole multiple of the raster's."""
    factor = min(_DOT_PX, max(1, _IMAGE_PX // max(raster.width, raster.height)))
    return ImageView(
        picture.title, picture.text, data_uri(raster), raster.width * factor, raster.height * factor
    )
