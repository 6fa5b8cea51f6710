"""Finds the first difference between two tables, and names it by column and row.

Two tables are equal if their columns have the same labels in the same order, their rows too, and if the cells
are equal as any values are.  The dtypes themselves do not count: a column of ints is equal in `int32` and in
`int64`, and unequal to one of floats, unless a tolerance or `equality: python` forgives that.  All missing
values are the same.
"""

from bisect import bisect_left
from collections.abc import Callable, Sequence
from dataclasses import replace
from typing import TypeAlias

from grader.model.case import Comparison
from grader.model.results import Difference
from grader.model.values import Table, Value
from grader.values.canonical import Key, canonical
from grader.values.show import show

_LABEL_LIMIT = 60
_SIDE_LIMIT = 200
MISSING = "NaN"
"""How a missing value is shown."""

_PLAIN = frozenset({type(None), bool, int, float, str})
"""Types of cells that are equal to themselves; a cell of another type is no data and equals no cell."""

Compare: TypeAlias = Callable[[Value, Value, Comparison], Difference | None]


def table_difference(
    expected: Table,
    actual: Table,
    comparison: Comparison,
    compare: Compare,
    in_any_order: Callable[[Sequence[Value], Sequence[Value], Comparison], Difference | None] | None = None,
) -> Difference | None:
    """Return the first difference of two tables: their columns, the number of rows, labels of rows, cells.

    compare: finds the difference of two parts.  in_any_order: the same for rows, if their order is free.
    """
    if expected.type_name != actual.type_name:
        return Difference("", f"a {expected.type_name}", f"a {actual.type_name}")
    is_series = expected.type_name == "Series"
    found = None if is_series and comparison.any_columns else _of_columns(expected, actual, comparison)
    if found is not None:
        return found
    if comparison.any_columns:
        actual = _in_order_of(expected, actual, comparison)
    if len(expected.index) != len(actual.index):
        rows = "1 row" if len(expected.index) == 1 else f"{len(expected.index)} rows"
        return Difference("length", rows, str(len(actual.index)), code=".shape")
    labelled = not comparison.any_index
    if in_any_order is not None:
        return in_any_order(expected.rows(labelled=labelled), actual.rows(labelled=labelled), comparison)
    return (labelled and _of_labels(expected, actual, comparison, compare)) or _of_cells(
        expected, actual, comparison, compare
    )


def _of_columns(expected: Table, actual: Table, comparison: Comparison) -> Difference | None:
    one, other = ([canonical(label, python=True) for label in each.columns] for each in (expected, actual))
    if one == other:
        return None
    if expected.type_name == "Series":
        return _of_names(expected.columns[0], actual.columns[0])
    texts = show([*expected.columns], _SIDE_LIMIT), show([*actual.columns], _SIDE_LIMIT)
    if sorted(one) == sorted(other):
        if comparison.any_columns:
            return None
        said = f"expected {texts[0]}, got {texts[1]}; the right columns are there, in another order"
        return Difference("columns", *texts, sentence=said, code=".columns")
    missing, extra = _beyond(expected.columns, one, other), _beyond(actual.columns, other, one)
    parts = [f"missing {_listed(missing)}"] if missing else []
    parts += [f"unexpected {_listed(extra)}"] if extra else []
    return Difference("columns", *texts, sentence="; ".join(parts), code=".columns")


def _beyond(labels: Sequence[Value], keys: list[Key], others: list[Key]) -> list[Value]:
    """Return the labels whose keys are not among the others, which may be very many."""
    ordered = sorted(others)
    places = (bisect_left(ordered, key) for key in keys)
    return [
        label
        for label, key, place in zip(labels, keys, places, strict=True)
        if ordered[place : place + 1] != [key]
    ]


def _listed(labels: list[Value]) -> str:
    texts = [show(label, _LABEL_LIMIT) for label in labels[:5]]
    return ", ".join(texts) + (f" and {len(labels) - 5} more" if len(labels) > 5 else "")


def _in_order_of(expected: Table, actual: Table, comparison: Comparison) -> Table:
    """Return the actual table with its columns in the order of the expected one, which has the same."""
    keys = [canonical(label, python=True) for label in actual.columns]
    places = sorted(range(len(keys)), key=lambda place: keys[place])
    wanted = [canonical(label, python=True) for label in expected.columns]
    turns = sorted(range(len(wanted)), key=lambda place: wanted[place])
    order = [place for _, place in sorted(zip(turns, places, strict=True))]
    return replace(
        actual,
        columns=tuple(actual.columns[place] for place in order),
        dtypes=tuple(actual.dtypes[place] for place in order),
        cells=tuple(actual.cells[place] for place in order),
    )


def _of_labels(expected: Table, actual: Table, comparison: Comparison, compare: Compare) -> Difference | None:
    for number, (one, other) in enumerate(zip(expected.index, actual.index, strict=True), 1):
        if compare(one, other, comparison) is not None:
            return Difference(f"index, row {number}", *_texts(one, other), code=f".index[{number - 1}]")
    return None


def _of_names(expected: Value, actual: Value) -> Difference:
    """Return the difference of the names of two Series."""
    texts = _texts(expected, actual)
    if MISSING not in texts:
        return Difference("name", *texts, code=".name")
    one, other = ("no name" if text == MISSING else f"the name {text}" for text in texts)
    return Difference("name", *texts, sentence=f"expected {one}, got {other}", code=".name")


def _of_cells(expected: Table, actual: Table, comparison: Comparison, compare: Compare) -> Difference | None:
    """Return the first cell that differs, from the top row on."""
    first = None
    for column, (wanted, found) in enumerate(zip(expected.cells, actual.cells, strict=True)):
        for row, (one, other) in enumerate(zip(wanted, found, strict=True)):
            if first is not None and row >= first[0]:
                break
            if (one is not other or type(one) not in _PLAIN) and compare(one, other, comparison) is not None:
                first = row, column
                break
    if first is None:
        return None
    row, column = first
    one, other = expected.cells[column][row], actual.cells[column][row]
    difference = compare(one, other, comparison)
    assert difference is not None
    if one is None or other is None:
        difference = Difference("", *_texts(one, other))
    return _placed(difference, expected, row, column)


def _placed(found: Difference, table: Table, row: int, column: int) -> Difference:
    label = "" if table.has_default_index else f" (index {show(table.index[row], _LABEL_LIMIT)})"
    where = f"row {row + 1}{label}"
    code = f".iloc[{row}]"
    if table.type_name != "Series":
        where = f"column {show(table.columns[column], _LABEL_LIMIT)}, {where}"
        code = f".iloc[{row}, {column}]"
    return replace(found, where=f"{where}, {found.where}" if found.where else where, code=code + found.code)


def _texts(one: Value, other: Value) -> tuple[str, str]:
    return show_cell(one, _SIDE_LIMIT), show_cell(other, _SIDE_LIMIT)


def show_cell(value: Value, limit: int) -> str:
    """Return the value of a cell as text; `NaN` for a missing one."""
    return MISSING if value is None else show(value, limit)
