"""Draws a DataFrame or a Series beside the expected one: the part around the first difference, marked."""

from collections.abc import Iterator
from itertools import islice

from grader.model.case import Comparison
from grader.model.drawing import MAX_SHEET_COLUMNS, MAX_SHEET_ROWS, MAX_SHEET_TEXT, Picture, Point, Sheet
from grader.model.values import Table, Value
from grader.values.canonical import canonical
from grader.values.compare import first_difference
from grader.values.matching import unmatched
from grader.values.pairing import Undecided
from grader.values.show import safe_line
from grader.values.tables import show_cell

_BEFORE = 3
"""Rows that are shown before the first that differs."""
_MOST_PAIRED = 2_000
"""Rows in any order of larger tables are not paired."""
_MOST_CELLS, _MOST_COLUMNS = 100_000, 1_000
"""Larger tables are not drawn."""
_INDEX = "index"


def table(actual: Value, expected: Value, comparison: Comparison) -> list[Picture]:
    """Draw two tables, with the cells that differ marked; nothing where one of them is none."""
    if not isinstance(actual, Table) or not isinstance(expected, Table):
        return []
    if any(
        len(t.columns) > _MOST_COLUMNS or len(t.columns) * len(t.index) > _MOST_CELLS
        for t in (actual, expected)
    ):
        return []
    defaults = actual.has_default_index and expected.has_default_index
    if not (comparison.any_index or defaults):
        actual, expected = _with_index(actual), _with_index(expected)
    sides = (("Expected", expected, actual), ("Answer", actual, expected))
    try:
        return [_picture(title, one, sorted(_unlike(one, other, comparison))) for title, one, other in sides]
    except Undecided:
        return []


def _with_index(value: Table) -> Table:
    """Return the table with the labels of its rows as its first column."""
    return Table(
        "DataFrame", (_INDEX, *value.columns), value.index, ("", *value.dtypes), (value.index, *value.cells)
    )


def _unlike(one: Table, other: Table, comparison: Comparison) -> set[Point]:
    """Return cells of a table that differ from those of the other's column of the same label."""
    if comparison.unordered:
        return _unlike_rows(one, other, comparison)
    places: dict[object, list[int]] = {}
    for place, label in reversed([*enumerate(other.columns)]):
        places.setdefault(canonical(label, python=True), []).append(place)
    found: set[Point] = set()
    for column, label in enumerate(one.columns):
        partners = places.get(canonical(label, python=True)) or []
        partner = other.cells[partners.pop()] if partners else ()
        rows = _unlike_cells(one.cells[column], partner, comparison)
        found.update((row, column) for row in islice(rows, MAX_SHEET_ROWS))
    return found


def _unlike_cells(
    cells: tuple[Value, ...], partner: tuple[Value, ...], comparison: Comparison
) -> Iterator[int]:
    yield from range(len(partner), len(cells))
    for row, (cell, other) in enumerate(zip(cells, partner, strict=False)):
        if cell is not other and first_difference(cell, other, comparison) is not None:
            yield row


def _unlike_rows(one: Table, other: Table, comparison: Comparison) -> set[Point]:
    if max(len(one.index), len(other.index)) > _MOST_PAIRED:
        return set()
    rows = unmatched(one.rows(labelled=False), other.rows(labelled=False), comparison).missing
    return {(row, column) for row in rows[:MAX_SHEET_ROWS] for column in range(len(one.columns))}


def _picture(title: str, value: Table, unlike: list[Point]) -> Picture:
    """Return the part of a table that begins a little before the first of its cells that differ."""
    top = max(0, (unlike[0][0] if unlike else 0) - _BEFORE)
    left = max(0, (unlike[0][1] if unlike else 0) - MAX_SHEET_COLUMNS + 1)
    cells = [column[top : top + MAX_SHEET_ROWS] for column in value.cells[left : left + MAX_SHEET_COLUMNS]]
    down = [str(number) for number in range(top + 1, len(value.index) + 1)[:MAX_SHEET_ROWS]]
    wrong = [
        (column - left, row - top)
        for row, column in unlike
        if 0 <= row - top < len(down) and 0 <= column - left < len(cells)
    ]
    parts = [
        f"{word} {first + 1} to {first + count} of {total}"
        for word, first, count, total in (
            ("rows", top, len(down), len(value.index)),
            ("columns", left, len(cells), len(value.columns)),
        )
        if count < total
    ]
    return Picture(
        title,
        f"{', '.join(parts).capitalize()}." if parts else "",
        Sheet(
            tuple(_label(label) for label in value.columns[left : left + MAX_SHEET_COLUMNS]),
            tuple(down),
            tuple(tuple(_text(column[row]) for column in cells) for row in range(len(down))),
            tuple(wrong),
        ),
    )


def _label(value: Value) -> str:
    return safe_line(value, MAX_SHEET_TEXT) if isinstance(value, str) else _text(value)


def _text(value: Value) -> str:
    return show_cell(value, MAX_SHEET_TEXT)
