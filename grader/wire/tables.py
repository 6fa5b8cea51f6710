"""DataFrames and Series of pandas that cross between processes as lists: labels, kinds and cells.

A table crosses as the name of its type and four lists: the labels of its columns, those of its rows, the
names of its dtypes, and a list of the values of each column.  Nothing here imports pandas, but for `made`.
"""

import importlib
from collections.abc import Sequence
from typing import Any

PREFIX = "pandas."
KINDS = ("DataFrame", "Series")
LONGEST_DTYPE = 200


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
    return columns, index, dtypes, cells


def made(name: str, parts: Sequence[Any]) -> Any:
    """Return a table of pandas, made from its four lists."""
    pandas = importlib.import_module("pandas")
    columns, index, dtypes, cells = parts
    made_columns = [_column(pandas, *each) for each in zip(cells, dtypes, strict=True)]
    if name == PREFIX + "Series":
        table = made_columns[0].rename(columns[0])
    else:
        table = pandas.DataFrame(dict(enumerate(made_columns)), index=range(len(index)))
        table.columns = pandas.Index(columns)
    if index != [*range(len(index))]:
        table.index = pandas.Index(index)
    return table


def _column(pandas: Any, cells: list[Any], dtype: str) -> Any:
    if dtype:
        try:
            return pandas.Series(cells, dtype=dtype)
        except (TypeError, ValueError):
            # Such as a dtype of another version of pandas.
            pass
    return pandas.Series(cells) if cells else pandas.Series(cells, dtype=object)
