"""Reads pictures from plain data: the vocabulary of a spec's own renderers, read strictly.

A renderer gets values that students made, so its result is hostile too: every part is read by exact type,
counted before it is traversed, and rebuilt.  Texts that are too long are cut; any other data that does not
fit is refused whole, with the place and the reason.
"""

import re
from collections.abc import Iterable, Sequence
from enum import StrEnum
from typing import TypeVar

from grader.model import drawing

_GRID_KEYS = ("columns", "rows", "cells", "lines", "chequered", "across", "down", "legend")
_IMAGE_KEYS = ("image", "palette")
_SHEET_KEYS = ("table", "across", "down", "wrong")
_PICTURE_KEYS = ("title", "text")
_CELL_KEYS = ("at", "text", "fill", "piece", "mark")
_LINE_KEYS = ("through", "mark", "arrow", "number")
_COLOUR = re.compile("#[0-9a-fA-F]{6}")
_LEGEND = (*(word.value for kind in (drawing.Mark, drawing.Fill, drawing.Piece) for word in kind),)

Word = TypeVar("Word", bound=StrEnum)


class NotAPicture(Exception):
    """A renderer returned no valid picture; the text names the place and the reason."""


def read_pictures(value: object) -> tuple[drawing.Picture, ...]:
    """Return the pictures that `value` describes: None, one, or a list.  Raises `NotAPicture`."""
    if value is None:
        return ()
    if type(value) is dict:
        return (read_picture(value),)
    items = _sequence(value, "the drawing", drawing.MAX_PICTURES)
    return tuple([read_picture(item, f"picture {number}: ") for number, item in enumerate(items, 1)])


def read_picture(value: object, place: str = "") -> drawing.Picture:
    """Return the picture that a dict describes; `place` begins every complaint."""
    try:
        return _picture(value)
    except NotAPicture as problem:
        raise NotAPicture(f"{place}{problem}") from None


def _picture(value: object) -> drawing.Picture:
    keys: tuple[str, ...] = _GRID_KEYS
    if type(value) is dict and ("image" in value or "table" in value):
        keys = _IMAGE_KEYS if "image" in value else _SHEET_KEYS
    parts = _keys(value, "a picture", (*_PICTURE_KEYS, *keys))
    title = _text(parts.get("title", ""), "title", drawing.MAX_TITLE)
    if not title:
        raise NotAPicture("it has no title")
    text = _text(parts.get("text", ""), "text", drawing.MAX_TEXT)
    if keys is _SHEET_KEYS:
        return drawing.Picture(title, text, _sheet(parts))
    return drawing.Picture(title, text, _raster(parts) if keys is _IMAGE_KEYS else _grid(parts))


# -- tables ----------------------------------------------------------------------------------------


def _sheet(parts: dict[str, object]) -> drawing.Sheet:
    across = _words(parts.get("across"), "across", drawing.MAX_SHEET_COLUMNS)
    down = _words(parts.get("down"), "down", drawing.MAX_SHEET_ROWS)
    rows = tuple(
        _words(row, f"row {number}", drawing.MAX_SHEET_COLUMNS)
        for number, row in enumerate(_sequence(parts.get("table"), "table", drawing.MAX_SHEET_ROWS), 1)
    )
    if len(rows) != len(down) or any(len(row) != len(across) for row in rows):
        raise NotAPicture("table: across and down have a label for each column and row")
    wrong = _sequence(parts.get("wrong", ()), "wrong", drawing.MAX_SHEET_ROWS * drawing.MAX_SHEET_COLUMNS)
    places = tuple(_point(point, "wrong", max(1, len(across)), max(1, len(down)), 0) for point in wrong)
    return drawing.Sheet(across, down, rows, places)


def _words(value: object, where: str, most: int) -> tuple[str, ...]:
    return tuple(_text(item, where, drawing.MAX_SHEET_TEXT) for item in _sequence(value, where, most))


# -- grids -----------------------------------------------------------------------------------------


def _grid(parts: dict[str, object]) -> drawing.Grid:
    columns = _integer(parts.get("columns"), "columns", 1, drawing.MAX_SIDE)
    rows = _integer(parts.get("rows"), "rows", 1, drawing.MAX_SIDE)
    cells = _sequence(parts.get("cells", ()), "cells", columns * rows)
    lines = _sequence(parts.get("lines", ()), "lines", drawing.MAX_LINES)
    drawn = tuple([_cell(cell, number, columns, rows) for number, cell in enumerate(cells, 1)])
    if len({cell.at for cell in drawn}) < len(drawn):
        raise NotAPicture("two cells are on the same square")
    return drawing.Grid(
        columns,
        rows,
        drawn,
        _lines(lines, columns, rows),
        _boolean(parts.get("chequered", False), "chequered"),
        _labels(parts.get("across", ()), "across", columns),
        _labels(parts.get("down", ()), "down", rows),
        _legend(parts.get("legend", {})),
    )


def _cell(value: object, number: int, columns: int, rows: int) -> drawing.Cell:
    where = f"cell {number}"
    parts = _keys(value, where, _CELL_KEYS)
    return drawing.Cell(
        _point(parts.get("at"), where, columns, rows, 0),
        _text(parts.get("text", ""), f"{where}: text", drawing.MAX_CELL_TEXT),
        _word(parts.get("fill", drawing.Fill.PLAIN.value), drawing.Fill, where),
        _word(parts.get("piece", drawing.Piece.NONE.value), drawing.Piece, where),
        _word(parts.get("mark", drawing.Mark.NONE.value), drawing.Mark, where),
    )


def _lines(values: Sequence[object], columns: int, rows: int) -> tuple[drawing.Line, ...]:
    left = drawing.MAX_POINTS
    found = []
    for index, value in enumerate(values, 1):
        where = f"line {index}"
        parts = _keys(value, where, _LINE_KEYS)
        points = _sequence(parts.get("through"), f"{where}: through", left)
        left -= len(points)
        number = parts.get("number")
        found.append(
            drawing.Line(
                tuple([_point(point, where, columns, rows, 1) for point in points]),
                _word(parts.get("mark", drawing.Mark.NONE.value), drawing.Mark, where),
                _boolean(parts.get("arrow", False), f"{where}: arrow"),
                None if number is None else _integer(number, f"{where}: number", 0, drawing.MAX_NUMBER),
            )
        )
    return tuple(found)


def _point(value: object, where: str, columns: int, rows: int, margin: int) -> drawing.Point:
    parts = _sequence(value, f"{where}: a square", 2)
    if len(parts) != 2:
        raise NotAPicture(f"{where}: a square is (column, row)")
    return (
        _integer(parts[0], f"{where}: column", -margin, columns - 1 + margin),
        _integer(parts[1], f"{where}: row", -margin, rows - 1 + margin),
    )


def _labels(value: object, where: str, count: int) -> tuple[str, ...]:
    items = _sequence(value, where, count)
    if items and len(items) != count:
        raise NotAPicture(f"{where}: there are {len(items)} labels for {count}")
    return tuple([_text(item, where, drawing.MAX_CELL_TEXT) for item in items])


def _legend(value: object) -> tuple[tuple[str, str], ...]:
    parts = _keys(value, "legend", _LEGEND)
    return tuple((key, _text(text, f"legend: {key}", drawing.MAX_LEGEND_TEXT)) for key, text in parts.items())


# -- images ----------------------------------------------------------------------------------------


def _raster(parts: dict[str, object]) -> drawing.Raster:
    palette = _sequence(parts.get("palette"), "palette", drawing.MAX_COLOURS)
    if not palette:
        raise NotAPicture("palette: there is no colour")
    colours = tuple([_colour(colour, number) for number, colour in enumerate(palette)])
    rows = _sequence(parts.get("image"), "image", drawing.MAX_IMAGE_SIDE)
    width = len(_sequence(rows[0], "row 0", drawing.MAX_IMAGE_SIDE)) if rows else 0
    if not width or width * len(rows) > drawing.MAX_PIXELS:
        raise NotAPicture(
            f"image: {width} x {len(rows)} pixels, expected 1 to {drawing.MAX_PIXELS:,} of them"
        )
    pixels = bytearray()
    for number, row in enumerate(rows):
        pixels += _pixels(row, number, width, len(colours))
    return drawing.Raster(width, len(rows), colours, bytes(pixels))


def _pixels(row: object, number: int, width: int, colours: int) -> bytes:
    items = _sequence(row, f"row {number}", drawing.MAX_IMAGE_SIDE)
    if len(items) != width:
        raise NotAPicture(f"row {number} has {len(items)} pixels, not {width}")
    if any(type(item) is not int or not 0 <= item < colours for item in items):
        raise NotAPicture(f"row {number}: a pixel is a place in the palette, from 0 to {colours - 1}")
    return bytes(items)  # type: ignore[arg-type]


def _colour(value: object, number: int) -> tuple[int, int, int]:
    where = f"colour {number}"
    if type(value) is str and _COLOUR.fullmatch(value):
        return int(value[1:3], 16), int(value[3:5], 16), int(value[5:7], 16)
    if type(value) in (tuple, list):
        parts = _sequence(value, where, 3)
        if len(parts) == 3:
            red, green, blue = (_integer(part, where, 0, 255) for part in parts)
            return red, green, blue
    raise NotAPicture(f"{where}: a colour is (red, green, blue) or a text such as #ffcc00")


# -- parts -----------------------------------------------------------------------------------------


def _keys(value: object, where: str, known: Iterable[str]) -> dict[str, object]:
    if type(value) is not dict:
        raise NotAPicture(f"{where}: expected a dict, got {_kind(value)}")
    names = frozenset(known)
    if len(value) > len(names) or any(type(key) is not str or key not in names for key in value):
        raise NotAPicture(f"{where} has a key that is none of {', '.join(sorted(names))}")
    return value


def _sequence(value: object, where: str, most: int) -> Sequence[object]:
    if type(value) not in (list, tuple):
        raise NotAPicture(f"{where}: expected a list, got {_kind(value)}")
    assert isinstance(value, (list, tuple))
    if len(value) > most:
        raise NotAPicture(f"{where}: {len(value):,} entries are more than {most:,}")
    return value


def _integer(value: object, where: str, least: int, most: int) -> int:
    if type(value) is not int or not least <= value <= most:
        raise NotAPicture(f"{where}: expected a whole number from {least} to {most:,}")
    return value


def _boolean(value: object, where: str) -> bool:
    if type(value) is not bool:
        raise NotAPicture(f"{where}: expected true or false, got {_kind(value)}")
    return value


def _text(value: object, where: str, longest: int) -> str:
    if type(value) is not str:
        raise NotAPicture(f"{where}: expected a text, got {_kind(value)}")
    return value if len(value) <= longest else value[: longest - 1] + "…"


def _word(value: object, words: type[Word], where: str) -> Word:
    if type(value) is str and value in list(words):
        return words(value)
    name = words.__name__.lower()
    raise NotAPicture(f"{where}: {name} must be one of {', '.join(words)}")


def _kind(value: object) -> str:
    return "nothing" if value is None else f"a value of type {type(value).__name__}"
