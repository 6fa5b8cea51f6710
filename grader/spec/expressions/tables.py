"""Makes tables from the calls `DataFrame`, `Series` and `read_csv` of a spec; pandas is not needed here."""

import csv
import re
from collections.abc import Callable, Sequence
from typing import Any

from grader.model.values import Table, Value
from grader.spec.expressions.arithmetic import ArithmeticRefused
from grader.yamlfile.source import shown

TABLES = ("DataFrame", "Series", "read_csv")

_PARAMETERS = {"DataFrame": ("data", "index"), "Series": ("data", "index", "name"), "read_csv": ("text",)}
_MISSING = frozenset(
    {"", "#N/A", "#N/A N/A", "#NA", "-1.#IND", "-1.#QNAN", "-NaN", "-nan", "1.#IND", "1.#QNAN", "<NA>", "N/A",
     "NA", "NULL", "NaN", "None", "n/a", "nan", "null"}
)  # fmt: skip
"""Texts that `pandas.read_csv` reads as a missing value."""
_WHOLE = re.compile(r"[+-]?\d{1,18}", re.ASCII)
_FLOAT = re.compile(r"[+-]?(\d{1,40}\.?\d{0,40}|\.\d{1,40})([eE][+-]?\d{1,3})?", re.ASCII)
_BOOLS = {"True": True, "TRUE": True, "true": True, "False": False, "FALSE": False, "false": False}


def table(name: str, args: Sequence[Value], named: Sequence[tuple[str, Value]]) -> Table:
    """Return the value of a call of one of `TABLES`.  Raises `ArithmeticRefused`."""
    parameters = _PARAMETERS[name]
    unknown = next((key for key, _ in named if key not in parameters), None)
    if unknown is not None or len(args) > len(parameters):
        what = f"has no `{shown(unknown)}` here" if unknown else f"takes at most {len(parameters)} here"
        raise ArithmeticRefused(f"`{name}` {what}", f"it has {', '.join(parameters)}")
    given: dict[str, Any] = dict(zip(parameters, args, strict=False))
    for key, value in named:
        if key in given:
            raise ArithmeticRefused(f"`{key}` is given twice")
        given[key] = value
    first: Any = given.get(parameters[0])
    if name == "read_csv":
        return _of_csv(first)
    if name == "DataFrame":
        if type(first) is not dict or not all(type(each) in (list, tuple) for each in first.values()):
            raise ArithmeticRefused("`DataFrame` takes a dict with a list for each column", _LIKE[name])
        columns, cells = tuple(first), tuple(tuple(column) for column in first.values())
    else:
        if type(first) not in (list, tuple):
            raise ArithmeticRefused("`Series` takes a list", _LIKE[name])
        columns, cells = (given.get("name"),), (tuple(first),)
    return _made(name, columns, cells, given.get("index"))


_LIKE = {
    "DataFrame": 'such as DataFrame({"city": ["Bern", "Genf"], "price": [2.5, None]})',
    "Series": 'such as Series([2.5, 3.0], name="price")',
    "read_csv": 'such as read_csv("city,price\\nBern,2.5\\n")',
}


def _made(name: str, columns: tuple[Value, ...], cells: tuple[tuple[Value, ...], ...], index: Any) -> Table:
    heights = {len(column) for column in cells}
    if len(heights) > 1:
        raise ArithmeticRefused("the columns have different numbers of rows", _LIKE[name])
    height = heights.pop() if heights else 0
    if index is None:
        index = range(height)
    if type(index) not in (list, tuple, range) or (cells and len(index) != height):
        raise ArithmeticRefused(f"`index` must be a list with a label for each row, {height} here")
    return as_written(Table(name, columns, tuple(index), ("",) * len(cells), cells))


def as_written(made: Table) -> Table:
    """Return a table with the cells and labels that pandas makes of them where no dtype is stated."""
    cells = tuple(map(_as_column, made.cells))
    return Table(made.type_name, made.columns, _as_column(made.index), ("",) * len(cells), cells)


def _as_column(cells: tuple[Value, ...]) -> tuple[Value, ...]:
    """Return the cells of a column: numbers are floats beside floats and missing values; nan is missing."""
    cells = tuple(None if type(cell) is float and cell != cell else cell for cell in cells)
    kinds = set(map(type, cells))
    if not kinds <= {int, float, complex, type(None)} or kinds in ({int}, {type(None)}, set()):
        return cells
    kind: Callable[[Any], Value] = complex if complex in kinds else float
    return tuple(None if cell is None else kind(cell) for cell in cells)


def _of_csv(text: Any) -> Table:
    """Return the table that `pandas.read_csv` makes of a text, for columns of the plainest kinds."""
    if type(text) is not str or "\n" not in text:
        raise ArithmeticRefused(
            "`read_csv` takes the text of a table here, a row in each line", _LIKE["read_csv"]
        )
    try:
        rows = [row for row in csv.reader(text.splitlines(), strict=True) if row]
    except csv.Error as error:
        raise ArithmeticRefused(f"this is no CSV: {shown(str(error))}") from None
    if not rows:
        raise ArithmeticRefused("this CSV has no header", _LIKE["read_csv"])
    header, *body = rows
    if len(set(header)) < len(header) or "" in header:
        raise ArithmeticRefused("each column of a CSV needs a name of its own")
    for number, row in enumerate(body, 2):
        if len(row) != len(header):
            raise ArithmeticRefused(
                f"row {number} of the CSV has not as many cells as its header: {len(row)}"
            )
    cells = tuple(tuple(_typed([row[place] for row in body])) for place in range(len(header)))
    return Table("DataFrame", tuple(header), tuple(range(len(body))), ("",) * len(header), cells)


def _typed(texts: list[str]) -> list[Value]:
    """Return the cells of a column: whole numbers, numbers or bools if all are, else texts."""
    stripped = [text.strip() for text in texts]
    there = [text for text in stripped if text not in _MISSING]
    is_full = len(there) == len(texts)
    if there and all(map(_WHOLE.fullmatch, there)) and is_full:
        return [int(text) for text in stripped]
    if all(map(_FLOAT.fullmatch, there)):
        return [None if text in _MISSING else float(text) for text in stripped]
    if is_full and all(text in _BOOLS for text in texts):
        return [_BOOLS[text] for text in texts]
    return [None if text in _MISSING else text for text in texts]
