"""Turns NumPy arrays and scalars in answers into nested lists of plain values, where the spec allows NumPy.

This covers arrays of booleans, integers, floats, complex numbers and texts, and scalars of these, by exact
type.  All other values stay opaque: arrays of objects and of records, floats wider than Python's, and
subclasses, whose items may have another meaning.  NumPy is never imported here: where it is allowed, the
zygote has imported it.
"""

import sys
from collections.abc import Callable
from typing import Any

from grader.wire import codec

NOT_PLAIN = object()

_MOST_ITEMS = 1_000_000
"""The most items of an array: one that is small in memory can still have too many."""
_WIDEST_B = {"b": 1, "i": 8, "u": 8, "f": 8, "c": 16, "U": 1 << 30, "S": 1 << 30}
"""The most bytes of an item, for each kind of item that Python has a type for."""
_SCALARS = (
    "bool_", "int8", "int16", "int32", "int64", "longlong", "uint8", "uint16", "uint32", "uint64",
    "ulonglong", "float16", "float32", "float64", "complex64", "complex128", "str_", "bytes_",
)  # fmt: skip


class _Arrays:
    """The parts of NumPy that are needed, taken before student code runs."""

    def __init__(self, numpy: Any) -> None:
        self._array: type = numpy.ndarray
        self._dtype: Callable[[object], Any] = numpy.ndarray.dtype.__get__
        self._sizes: Callable[[object], tuple[int, ...]] = numpy.ndarray.shape.__get__
        self._as_list: Callable[[object], object] = numpy.ndarray.tolist
        self._item: Callable[[object], object] = numpy.generic.item
        self._scalars = frozenset(id(getattr(numpy, name)) for name in _SCALARS)

    def plain(self, value: object) -> object:
        """Return the plain value that stands for `value`, or `NOT_PLAIN`.  Raises `codec.TooLarge`."""
        kind = type(value)
        if id(kind) in self._scalars:
            return self._item(value)
        if kind is not self._array:
            return NOT_PLAIN
        items = self._dtype(value)
        if items.kind not in _WIDEST_B or items.itemsize > _WIDEST_B[items.kind]:
            return NOT_PLAIN
        count = total = 1
        for size in self._sizes(value):
            count *= size
            total += count
            if total > _MOST_ITEMS:
                raise codec.TooLarge("too many items")
        return self._as_list(value)


_arrays: _Arrays | None = None


def prepare() -> None:
    """In the zygote: prepare for arrays if NumPy was preloaded."""
    global _arrays
    numpy = sys.modules.get("numpy")
    if numpy is not None:
        _arrays = _Arrays(numpy)


def plain(value: object) -> object:
    """Return the plain value of a NumPy array or scalar, else `NOT_PLAIN`.  Raises `codec.TooLarge`."""
    return NOT_PLAIN if _arrays is None else _arrays.plain(value)
