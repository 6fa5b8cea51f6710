"""Makes a key for each value, by which values can be sorted and distinguished.

Two values have equal keys exactly when `grader.values.compare` finds no difference between them
(without a tolerance).  A key holds only nested tuples of plain values.  So a comparison of keys runs no code
but the interpreter's own, and never meets two types without an order.  Keys must not be hashed: hostile
values could collide.
"""

import math
from collections.abc import Callable, Iterable
from decimal import Decimal
from fractions import Fraction
from itertools import count
from typing import Any, TypeAlias

from grader.model.library import LIBRARY
from grader.model.values import Cycle, EnumMember, OddSet, Opaque, Record, Table, Value
from grader.values.library import parts_of, pythonic_parts

Key: TypeAlias = tuple[Any, ...]
"""The rank of a type, then the parts that distinguish its values."""

MAX_LEVELS = 110
"""The most levels of containers; a value that is deeper equals no value.  The wire allows 100."""

_NONE, _BOOL, _NUMBER, _COMPLEX, _STR, _BYTES = range(6)
_LIST, _TUPLE, _SET, _FROZENSET, _DICT, _RECORD, _LARGE, _INCOMPARABLE, _MEMBER, _LIBRARY, _TABLE = range(
    6, 17
)

_serial = count()


def canonical(
    value: Value,
    any_sequence: bool = False,
    python: bool = False,
    any_columns: bool = False,
    any_index: bool = False,
) -> Key:
    """Return the key of `value`.

    any_sequence: a list and a tuple with equal items get equal keys, a set and a frozenset too.
    python: values that Python's `==` calls equal get equal keys.
    any_columns, any_index: so do tables with columns in another order, or with other labels of rows.
    Keys of opaque values, cycles and values that are too deep equal no other key.
    """
    return _Canon(any_sequence, None, python, any_columns, any_index).key(value, 0)


def sorting_key(value: Value, most_items: int) -> Key:
    """Return a key to sort by, made from at most about `most_items` items of `value`.

    Values that differ beyond these, or in a container that alone holds more, may have equal keys.
    """
    return _Canon(False, most_items).key(value, 0)


def number_key(value: Value) -> Key:
    """Return the key of a number; ints and floats are in order of size.

    1 and 1.0 differ, -0.0 and 0.0 don't, and nan equals nan.
    """
    if type(value) is int:
        return (_NUMBER, False, value, 0)
    if type(value) is float:
        return (_NUMBER, True, 0, 1) if math.isnan(value) else (_NUMBER, False, value, 1)
    if type(value) is not complex:
        return (_LIBRARY, *parts_of(value))
    return (_COMPLEX, number_key(value.real), number_key(value.imag))


def without_numbers(key: Key, numbers: list[Value]) -> Key:
    """Return a key of the shape alone, and append the numbers in it to `numbers`, in order.

    Keys of dicts and names of fields belong to the shape, with the numbers in them.
    """
    rank = key[0]
    if rank == _NUMBER:
        numbers.append(_number(key))
        return (_NUMBER,)
    if rank == _COMPLEX:
        numbers.append(complex(_number(key[1]), _number(key[2])))
        return (_COMPLEX,)
    if rank == _LIBRARY and key[1] in _NUMBERS:
        number = _NUMBERS[key[1]](key)
        if number is not None:
            numbers.append(number)
            return (rank, "number" if key[1] == "complex" else key[1])
    if rank in (_LIST, _TUPLE, _SET, _FROZENSET):
        return (rank, tuple([without_numbers(item, numbers) for item in key[1]]))
    if rank == _TABLE:
        return (*key[:-1], tuple([without_numbers(part, numbers) for part in key[-1]]))
    if rank in (_DICT, _RECORD):
        return (*key[:-1], tuple([(name, without_numbers(item, numbers)) for name, item in key[-1]]))
    return key


def _number(key: Key) -> Any:
    return math.nan if key[1] else key[2]


def _decimal(key: Key) -> Decimal | None:
    if len(key) == 3:
        return None
    _, _, _, sign, exponent, digits = key
    return Decimal((sign, tuple(map(int, digits)) or (0,), exponent))


def _itself(key: Key) -> Value:
    """Return the number that a key of any type ends with; None for one that equals itself alone."""
    value: Value = key[-1]
    return value if key[1] == "complex" or key[2] == 0 else None


_NUMBERS: dict[str, Callable[[Key], Value]] = {
    "Fraction": lambda key: Fraction(key[2], key[3]),
    "Decimal": _decimal,
    "number": _itself,
    "complex": _itself,
}
"""Functions that return the number of a key; None for one that equals itself alone."""


class _Canon:
    """One walk over a value.  `items_left` bounds it; None for no bound."""

    def __init__(
        self,
        any_sequence: bool,
        items_left: int | None,
        python: bool = False,
        any_columns: bool = False,
        any_index: bool = False,
    ) -> None:
        self.any_sequence = any_sequence
        self.items_left = items_left
        self.python = python
        self.any_columns = any_columns
        self.any_index = any_index

    def key(self, value: Value, level: int) -> Key:
        if value is None:
            return (_NONE,)
        kind = type(value)
        if self.python and (found := pythonic_parts(value)) is not None:
            # Numbers that are equal have equal parts.  The number itself stays, for a tolerance: two ints are
            # exact, and a float is what Python writes for it.
            is_number = found[0] == "complex" or found[:2] == ("number", 0)
            return (_LIBRARY, *found, value) if is_number else (_LIBRARY, *found)
        if kind is int or kind is float or kind is complex:
            return number_key(value)
        if kind in _SCALAR_RANKS:
            return (_SCALAR_RANKS[kind], value)
        if kind in LIBRARY:
            return (_LIBRARY, *parts_of(value))
        if isinstance(value, EnumMember):
            return (_MEMBER, value.type_name, value.name)
        make = _CONTAINERS.get(kind)
        if make is None or level >= MAX_LEVELS:
            return _incomparable(value)
        size = len(_SIZED[kind](value))
        if self.items_left is not None:
            if size > self.items_left:
                return (_LARGE, kind.__name__, size)
            self.items_left -= size
        return make(self, value, level + 1)

    def sequence(self, value: list[Value] | tuple[Value, ...], level: int) -> Key:
        rank = _TUPLE if type(value) is tuple and not self.any_sequence else _LIST
        return (rank, tuple([self.key(item, level) for item in value]))

    def elements(self, value: Iterable[Value], level: int) -> Key:
        return self._elements(type(value).__name__, value, level)

    def odd_set(self, value: OddSet, level: int) -> Key:
        return self._elements(value.type_name, value.items, level)

    def _elements(self, kind: str, items: Iterable[Value], level: int) -> Key:
        rank = _SET if kind == "set" and not (self.any_sequence or self.python) else _FROZENSET
        return (rank, tuple(sorted([self.key(item, level) for item in items])))

    def mapping(self, value: dict[Value, Value], level: int) -> Key:
        pairs = [(self.key(name, level), self.key(item, level)) for name, item in value.items()]
        return (_DICT, tuple(sorted(pairs)))

    def record(self, value: Record, level: int) -> Key:
        pairs = [(name, self.key(item, level)) for name, item in value.fields]
        return (_RECORD, value.type_name, tuple(sorted(pairs)))

    def table(self, value: Table, level: int) -> Key:
        # Names of columns are compared as Python compares them, see `grader.values.tables`.
        names = [_Canon(False, self.items_left, True).key(name, level) for name in value.columns]
        cells: Iterable[tuple[Value, ...]] = value.cells
        if self.any_columns and value.type_name == "Series":
            names = []
        elif self.any_columns:
            order = sorted(range(len(names)), key=names.__getitem__)
            names, cells = [names[at] for at in order], [value.cells[at] for at in order]
        parts = cells if self.any_index else (value.index, *cells)
        keys = tuple([self.sequence(part, level) for part in parts])
        return (_TABLE, value.type_name, len(value.index), tuple(names), keys)


_SCALAR_RANKS: dict[type, int] = {bool: _BOOL, str: _STR, bytes: _BYTES}

_CONTAINERS: dict[type, Callable[..., Key]] = {
    list: _Canon.sequence,
    tuple: _Canon.sequence,
    set: _Canon.elements,
    frozenset: _Canon.elements,
    dict: _Canon.mapping,
    Record: _Canon.record,
    OddSet: _Canon.odd_set,
    Table: _Canon.table,
}
_SIZED: dict[type, Callable[[Any], Any]] = dict.fromkeys(_CONTAINERS, lambda value: value) | {
    Record: lambda value: value.fields,
    OddSet: lambda value: value.items,
    Table: lambda value: range((len(value.columns) + 1) * (len(value.index) + 1)),
}
"""Functions that return the items of a container, to count them."""


def _incomparable(value: Value) -> Key:
    name = value.type_name if isinstance(value, Opaque) else ""
    text = value.text if isinstance(value, Opaque) else ""
    levels = value.levels if isinstance(value, Cycle) else 0
    return (_INCOMPARABLE, name, text, levels, next(_serial))
