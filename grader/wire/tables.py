"""DataFrames and Series of pandas that cross between processes as lists: labels, kinds and cells.

A table crosses as the name of its type and four lists: the labels of its columns, those of its rows, the
names of its dtypes, and a list of the values of each column.  Nothing here imports pandas, but for `made`.
"""

import importlib
import re
from collections.abc import Sequence
from contextlib import suppress
from typing import Any

PREFIX = "pandas."
KINDS = ("DataFrame", "Series")
LONGEST_DTYPE = 200
_DTYPE = re.compile(
    r"(?:[Uu]?[Ii]nt|[Ff]loat|complex)[0-9]{1,3}|bool|boolean|object|str|string|category"
    r"|(?:datetime|timedelta)64\[[a-z]{1,2}(?:, [\w/+:-]{1,60})?\]"
)
"""Dtypes in which columns are made.  A student's can have any name, and some names ask for huge cells."""


def parts_of_bytes(name: str, parts: Sequence[Any]) -> tuple[list[Any], list[Any], list[str], list[Any]]:
    """Return the four lists of a table, which anybody may have written.  Raises `ValueError`."""
    if name.removeprefix(PREFIX) not in KINDS or len(parts) != 4 or any(type(p) is not list for p in parts):
        raise ValueError("no parts of a table")
    columns, index, dtypes, cells = parts
    if not len(columns) == len(dtypes) == len(cells) or (name.endswith("Series") and len(columns) != 1):
        raise ValueError("a table whose columns do not fit together")
    if any(type(column) is not list or len(column) != len(index) for column in cells):
        raise ValueError("a table with columns of another length")
    if any(type(dtype) is not str or len(dtype) > LONGEST_DTYPE for dtype in dtypes):
        raise ValueError("a table with a dtype that is no name")
    try:
        hash(tuple(columns))
    except TypeError:
        raise ValueError("a table with a label that has no hash") from None
    return columns, index, dtypes, cells


def made(name: str, parts: Sequence[Any]) -> Any:
    """Return a table of pandas, made from its four lists."""
    pandas = importlib.import_module("pandas")
    columns, index, dtypes, cells = parts
    made_columns = [_column(pandas, *each) for each in zip(cells, dtypes, strict=True)]
    if name == PREFIX + "Series":
        table = made_columns[0]
        table.name = columns[0]
    else:
        table = pandas.DataFrame(dict(enumerate(made_columns)), index=range(len(index)))
        table.columns = _labels(pandas, columns)
    if any(type(label) is not int for label in index) or index != [*range(len(index))]:
        table.index = _labels(pandas, index)
    return table


def _column(pandas: Any, cells: list[Any], dtype: str) -> Any:
    if not _DTYPE.fullmatch(dtype):
        # Such as that of a class of the student's.
        dtype = "" if cells else "object"
    for each in (dtype or None, None):
        try:
            return pandas.Series(cells, dtype=each)
        except Exception:
            # pandas raises errors of many classes.
            continue
    return pandas.Series(_objects(cells))


def _labels(pandas: Any, labels: list[Any]) -> Any:
    with suppress(Exception):
        found = pandas.Index(labels)
        if len(found) == len(labels):
            return found
    return pandas.Index(_objects(labels), tupleize_cols=False)


def _objects(items: list[Any]) -> Any:
    array = importlib.import_module("numpy").empty(len(items), dtype=object)
    for place, item in enumerate(items):
        array[place] = item
    return array
