"""Makes a key for each value, by which values can be sorted and distinguished.

Two values have equal keys exactly when `grader.values.compare` finds no difference between them
(without a tolerance).  A key holds only nested tuples of plain values.  So a comparison of keys runs no code
but the interpreter's own, and never meets two types without an order.  Keys must not be hashed: hostile
values could collide.
"""

import math
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from decimal import Decimal
from fractions import Fraction
from itertools import count
from operator import itemgetter
from typing import Any, TypeAlias

from grader.model.values import Value
from grader.values.library import parts_of, pythonic_parts
from grader.values.sort import KEYS, sort_of, unregistered

Key: TypeAlias = tuple[Any, ...]
"""The rank of a type, then the parts that distinguish its values."""

MAX_LEVELS = 110
"""The most levels of containers; a value that is deeper equals no value.  The wire allows 100."""

# The ranks of types; a key begins with one.
NONE, BOOL, NUMBER, COMPLEX, STR, BYTES = range(6)
LIST, TUPLE, SET, FROZENSET, DICT, RECORD, LARGE, INCOMPARABLE, MEMBER, OF_LIBRARY, WITH_PARTS = range(6, 17)
"""WITH_PARTS is for a sort without a rank of its own: the name of its class follows, its parts come last."""

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
    return Keys(any_sequence, None, python, any_columns, any_index).key(value, 0)


def sorting_key(value: Value, most_items: int) -> Key:
    """Return a key to sort by, made from at most about `most_items` items of `value`.

    Values that differ beyond these, or in a container that alone holds more, may have equal keys.
    """
    return Keys(False, most_items).key(value, 0)


def number_key(value: Value) -> Key:
    """Return the key of a number; ints and floats are in order of size.

    1 and 1.0 differ, -0.0 and 0.0 don't, and nan equals nan.
    """
    if type(value) is int:
        return (NUMBER, False, value, 0)
    if type(value) is float:
        return (NUMBER, True, 0, 1) if math.isnan(value) else (NUMBER, False, value, 1)
    if type(value) is not complex:
        return (OF_LIBRARY, *parts_of(value))
    return (COMPLEX, number_key(value.real), number_key(value.imag))


@dataclass(frozen=True, slots=True)
class InnerSet:
    """The numbers of a set inside an item.

    rows: of each of its items, with the shape of that item.  size: how many numbers there are in all.
    """

    rows: tuple[tuple[Key, tuple["Value | InnerSet", ...]], ...]
    size: int


Numbers: TypeAlias = list[Value | InnerSet]
"""The numbers of an item, in order; those of a set in it, whose items have no order, are one of them."""


def without_numbers(key: Key, numbers: Numbers) -> Key:
    """Return a key of the shape alone, and append the numbers in it to `numbers`, in order.

    Keys of dicts and names of fields belong to the shape, with the numbers in them.
    """
    rank = key[0]
    if rank == NUMBER:
        numbers.append(_number(key))
        return (NUMBER,)
    if rank == COMPLEX:
        numbers.append(complex(_number(key[1]), _number(key[2])))
        return (COMPLEX,)
    if rank == OF_LIBRARY and key[1] in _NUMBERS:
        number = _NUMBERS[key[1]](key)
        if number is not None:
            numbers.append(number)
            return (rank, "number" if key[1] == "complex" else key[1])
    if rank in (LIST, TUPLE):
        return (rank, tuple([without_numbers(item, numbers) for item in key[1]]))
    if rank in (SET, FROZENSET):
        return (rank, _set_without_numbers(key[1], numbers))
    if rank == WITH_PARTS:
        return (*key[:-1], tuple([without_numbers(part, numbers) for part in key[-1]]))
    if rank in (DICT, RECORD):
        return (*key[:-1], tuple([(name, without_numbers(item, numbers)) for name, item in key[-1]]))
    return key


def weight(row: Iterable[Value | InnerSet]) -> int:
    """Return how many numbers there are in the numbers of an item."""
    return sum(each.size if isinstance(each, InnerSet) else 1 for each in row)


def _set_without_numbers(items: Iterable[Key], numbers: Numbers) -> tuple[Key, ...]:
    """Return the shapes of a set's items, and append all of their numbers as one."""
    rows = []
    for item in items:
        own: Numbers = []
        rows.append((without_numbers(item, own), tuple(own)))
    rows.sort(key=itemgetter(0))
    if any(own for _, own in rows):
        numbers.append(InnerSet(tuple(rows), sum(weight(own) for _, own in rows)))
    return tuple(shape for shape, _ in rows)


def _number(key: Key) -> Any:
    return math.nan if key[1] else key[2]


def _decimal(key: Key) -> Decimal | None:
    if len(key) == 3:
        return None
    _, _, _, _, sign, exponent, digits = key
    return Decimal((sign, tuple(map(int, digits)) or (0,), exponent))


def _itself(key: Key) -> Value:
    """Return the number that a key of any type ends with; None for one that equals itself alone."""
    value: Value = key[-1]
    return value if key[1] == "complex" or key[2] == 0 else None


_NUMBERS: dict[str, Callable[[Key], Value]] = {
    "Fraction": lambda key: Fraction(key[3], key[4]),
    "Decimal": _decimal,
    "number": _itself,
    "complex": _itself,
}
"""Functions that return the number of a key; None for one that equals itself alone."""


class Keys:
    """One walk over a value, under some rules; sorts call `key` for their parts.

    items_left: a bound on the items that are read; None for no bound.
    """

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
        """Return the key of a value that is in so many containers."""
        if value is None:
            return (NONE,)
        kind = type(value)
        if self.python and (found := pythonic_parts(value)) is not None:
            # Numbers that are equal have equal parts.  The number itself stays, for a tolerance: two ints are
            # exact, and a float is what Python writes for it.
            is_number = found[0] == "complex" or found[:2] == ("number", 0)
            return (OF_LIBRARY, *found, value) if is_number else (OF_LIBRARY, *found)
        if kind is int or kind is float or kind is complex:
            return number_key(value)
        if kind in _SCALAR_RANKS:
            return (_SCALAR_RANKS[kind], value)
        if level >= MAX_LEVELS and sort_of(value).is_container:
            return incomparable()
        if self.items_left is not None:
            size = sort_of(value).count(value)
            if size > self.items_left:
                return (LARGE, kind.__name__, size)
            self.items_left -= size
        make = KEYS.get(kind) or unregistered(kind).key
        return make(value, self, level + 1)


_SCALAR_RANKS: dict[type, int] = {bool: BOOL, str: STR, bytes: BYTES}


def incomparable(type_name: str = "", text: str = "", levels: int = 0) -> Key:
    """Return a key that equals no other key, of a value that equals none."""
    return (INCOMPARABLE, type_name, text, levels, next(_serial))
