"""Describes DataFrames, Series and single values of pandas, where the spec allows pandas.

This covers tables of the exact types `DataFrame` and `Series`, and `Timestamp`, `Timedelta`, `NaT` and `NA`.
Subclasses, whose cells may have another meaning, stay opaque.  Labels of several levels cross as tuples.
pandas is never imported here: where it is allowed, the zygote has imported it.
"""

import sys
from collections.abc import Callable
from typing import Any

from grader.wire import codec, library_values, tables

_MOST_CELLS = 1_000_000
"""The most cells of a table: one that is small in memory can still have too many."""


class _Tables:
    """The parts of pandas that are needed, taken before student code runs."""

    def __init__(self, pandas: Any) -> None:
        self._frame: type = pandas.DataFrame
        self._series: type = pandas.Series
        self._moment: type = pandas.Timestamp
        self._span: type = pandas.Timedelta
        self._labels: Callable[[object], list[object]] = pandas.Index.tolist
        self._missing = (pandas.NaT, pandas.NA)
        self._shape: Callable[[object], tuple[int, int]] = pandas.DataFrame.shape.__get__
        self._columns: Callable[[object], Any] = pandas.DataFrame.columns.__get__
        self._at: Callable[[object], Any] = pandas.DataFrame.iloc.__get__
        self._list: Callable[[object], list[object]] = pandas.Series.tolist

    def describe(self, value: Any) -> tuple[str, str, object] | None:
        """Return the encoder's description; None for a value that is not pandas'.  Raises `TooLarge`."""
        kind = type(value)
        if any(value is missing for missing in self._missing):
            return "v", "", float("nan")
        if kind is self._moment:
            return _time(value.nanosecond, value.to_pydatetime)
        if kind is self._span:
            return _time(value.nanoseconds, value.to_pytimedelta)
        if kind is not self._frame and kind is not self._series:
            return None
        name = "DataFrame" if kind is self._frame else "Series"
        try:
            parts = self._of_frame(value) if kind is self._frame else self._of_series(value)
        except codec.TooLarge:
            raise
        except BaseException as error:
            return "o", name, f"it cannot be read: {type(error).__name__}"
        return "x", tables.PREFIX + name, parts

    def _of_frame(self, value: Any) -> tuple[object, ...]:
        height, width = self._shape(value)
        if width > _MOST_CELLS or (width + 1) * height > _MOST_CELLS:
            raise codec.TooLarge("too many items")
        labels = self._labels(self._columns(value))
        return labels, *self._cells(value, [self._at(value)[:, place] for place in range(width)])

    def _of_series(self, value: Any) -> tuple[object, ...]:
        if 2 * len(value.index) > _MOST_CELLS:
            raise codec.TooLarge("too many items")
        return [value.name], *self._cells(value, [value])

    def _cells(self, value: Any, columns: list[Any]) -> tuple[object, object, object]:
        dtypes = [str(column.dtype)[: tables.LONGEST_DTYPE] for column in columns]
        return self._labels(value.index), dtypes, [self._list(column) for column in columns]


def _time(nanoseconds: int, plain: Callable[[], object]) -> tuple[str, str, object] | None:
    """Describe a point in time or a span as Python's own; None if that would lose nanoseconds."""
    data = None if nanoseconds else library_values.data_of(plain())
    return None if data is None else ("x", *data)


_tables: _Tables | None = None


def prepare() -> None:
    """In the zygote: prepare for tables if pandas was preloaded."""
    global _tables
    pandas = sys.modules.get("pandas")
    if pandas is not None:
        _tables = _Tables(pandas)


def describe(value: object) -> tuple[str, str, object] | None:
    """Return the encoder's description of a value of pandas; None for any other.  Raises `TooLarge`."""
    return None if _tables is None else _tables.describe(value)
