"""Renderers of sets of squares and of boards with labels, each beside the expected ones."""

from collections.abc import Sequence

from grader.api.renderers import (
    MAX_CELL_TEXT,
    MAX_SIDE,
    Cell,
    Grid,
    Mark,
    Picture,
    Piece,
    Point,
    Renderer,
    Value,
    show,
    sort_of,
)
from grader.plugins.boards.arguments import SIZE, unsuitable_or_unsized
from grader.plugins.boards.boards import Board, board_of

_MOST = 10_000
_LONGEST_LINE = 1000
_SAID = {Mark.RIGHT: "expected and there", Mark.MISSING: "missing", Mark.WRONG: "not expected"}
_DISORDERED = "there, but not in this order"


def squares(
    actual: Value,
    expected: Value,
    dim: int | None = None,
    columns: int | None = None,
    rows: int | None = None,
    at: Value = None,
    taken: Sequence[Value] = (),
    by_row: bool = False,
) -> list[Picture]:
    """Draw a list or a set of positions; if others were expected, mark each as right, wrong or missing.

    at: a square with a piece on it.  taken: squares that are taken.  The items of a list are
    numbered.  Positions are (x, y) from the bottom left, or (row, column) from the top left
    with `by_row`.
    """
    board = board_of(dim, columns, rows, (), by_row)
    found, off = _positions(board, actual)
    if found is None:
        return []
    wanted, _ = _positions(board, expected)
    cells = {place: Cell(place, piece=Piece.LIGHT) for place in map(board.place, taken) if place}
    stands = board.place(at)
    if stands is not None:
        cells[stands] = Cell(stands, piece=Piece.DARK)
    ordered = type(actual) in (list, tuple)
    marks = _marks(found, wanted, ordered and type(expected) in (list, tuple))
    numbers = {place: str(number) for number, place in enumerate(found, 1)} if ordered else {}
    for place, mark in marks.items():
        number = numbers.get(place, "")
        piece = cells[place].piece if place in cells else Piece.NONE
        cells[place] = Cell(place, number, piece=piece, mark=mark)
    inside = [cell for place, cell in cells.items() if board.holds(place)]
    shown = {cell.mark for cell in inside}
    said = _SAID if wanted is None else {**_SAID, Mark.NOTED: _DISORDERED}
    legend = {mark.value: words for mark, words in said.items() if mark in shown}
    words = [_listed(board, marks, mark, words) for mark, words in said.items() if mark in shown]
    words += [f"{off} more lie off the board or are no positions"] if off else []
    text = "; ".join(words) or f"{len(found)} squares"
    return [
        Picture("The answer on its board", f"{text[0].upper()}{text[1:]}.", board.grid(inside, (), legend))
    ]


def _positions(board: Board, value: Value) -> tuple[list[Point] | None, int]:
    """Return the different places of a list or set on the board, and the number of its other items."""
    if not isinstance(value, (list, tuple, set, frozenset)) or len(value) > _MOST:
        return None, 0
    places = [board.place(item) for item in value]
    inside = [place for place in places if place is not None and board.holds(place)]
    different = list(dict.fromkeys(inside))
    return sorted(different) if sort_of(value).is_unordered else different, len(places) - len(inside)


def _marks(found: list[Point], wanted: list[Point] | None, ordered: bool) -> dict[Point, Mark]:
    """Return the mark of each place; if only the order differs, the marks of places out of order."""
    if wanted is None:
        return dict.fromkeys(found, Mark.NOTED)
    known = frozenset(wanted)
    if ordered and known == frozenset(found):
        pairs = zip(found, wanted, strict=True)
        return {place: Mark.RIGHT if place == due else Mark.NOTED for place, due in pairs}
    marks = {place: Mark.RIGHT if place in known else Mark.WRONG for place in found}
    return marks | {place: Mark.MISSING for place in wanted if place not in marks}


def _listed(board: Board, marks: dict[Point, Mark], mark: Mark, words: str) -> str:
    places = [board.name(place) for place, each in marks.items() if each is mark]
    more = f" and {len(places) - 8} more" if len(places) > 8 else ""
    return f"{words}: {', '.join(places[:8])}{more}"


def cells(actual: Value, expected: Value) -> list[Picture]:
    """Draw a board of labels, the squares that are not as expected in red, and the one expected.

    A board is a list of rows, or a text with a row in each line (or what a program printed), which is
    cut where a column of it is blank from top to bottom, else into its characters.
    """
    found_lines, wanted_lines = _lines(actual), _lines(expected)
    if not found_lines:
        return []
    cuts = _cuts(wanted_lines or found_lines)
    found, wanted = ([_row(line, cuts) for line in lines] for lines in (found_lines, wanted_lines))
    if not wanted:
        return [_labelled("Answer", "", found, {})]
    height, width = max(len(found), len(wanted)), max(len(row) for row in (*found, *wanted))
    unlike = {
        (column, row)
        for row in range(height)
        for column in range(width)
        if _label(found, column, row) != _label(wanted, column, row)
    }
    if not unlike:
        # If only blanks are wrong, a board shows nothing.
        return [_labelled("Answer", "All as expected.", found, {})] if found_lines == wanted_lines else []
    count = "One square is" if len(unlike) == 1 else f"{len(unlike)} squares are"
    text = f"{count} not as expected."
    return [
        _labelled("Expected", "", wanted, dict.fromkeys(unlike, Mark.MISSING)),
        _labelled("Answer", text, found, dict.fromkeys(unlike, Mark.WRONG)),
    ]


def _lines(value: Value) -> Sequence[Value]:
    """Return the rows of a board as given: lines of text, or the items of a list."""
    if type(value) is dict:
        value = value.get("stdout")
    if type(value) is str:
        lines = value[: MAX_SIDE * _LONGEST_LINE].splitlines()[:MAX_SIDE]
        return [line[:_LONGEST_LINE].rstrip() for line in lines]
    if type(value) not in (list, tuple):
        return []
    assert isinstance(value, (list, tuple))
    return value[:MAX_SIDE]


def _cuts(lines: Sequence[Value]) -> list[slice]:
    texts = [line for line in lines if isinstance(line, str)]
    width = max(map(len, texts), default=0)
    full = [any(len(text) > column and text[column] != " " for text in texts) for column in range(width)]
    if all(full):
        return [slice(column, column + 1) for column in range(width)][:MAX_SIDE]
    bounds = [
        column for column in range(width + 1) if [False, *full, False][column] != [*full, False][column]
    ]
    return [slice(start, end) for start, end in zip(bounds[::2], bounds[1::2], strict=True)][:MAX_SIDE]


def _row(value: Value, cuts: list[slice]) -> list[str]:
    if type(value) is str:
        return [value[cut].strip() for cut in cuts] or [""]
    if type(value) not in (list, tuple):
        return [show(value, MAX_CELL_TEXT)]
    assert isinstance(value, (list, tuple))
    labels = [item if type(item) is str else show(item, MAX_CELL_TEXT) for item in value[:MAX_SIDE]]
    return labels or [""]


def _label(rows: list[list[str]], column: int, row: int) -> str | None:
    return rows[row][column] if row < len(rows) and column < len(rows[row]) else None


def _labelled(title: str, text: str, rows: list[list[str]], marks: dict[Point, Mark]) -> Picture:
    width = max(map(len, rows))
    drawn = [
        Cell((column, row), label[:MAX_CELL_TEXT], mark=marks.get((column, row), Mark.NONE))
        for row, labels in enumerate(rows)
        for column, label in enumerate(labels)
    ]
    return Picture(title, text, Grid(width, len(rows), tuple(drawn)))


SQUARES = Renderer(squares, f"{SIZE}, at=None, taken=(), by_row=False", unsuitable_or_unsized)
CELLS = Renderer(cells)
