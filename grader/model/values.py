"""Values that cross the sandbox, as the trusted side holds them.

Plain Python values of a closed set of exact types (`None`, `bool`, `int`, `float`,
`complex`, `str`, `bytes`, `list`, `tuple`, `set`, `frozenset`, `dict`, and those of
`grader.values.library_types`) stand for themselves.  The classes here stand for all the rest.
How they travel is the business of `grader.wire`; all else about a sort of value is in `grader.values`.
"""

from dataclasses import dataclass
from typing import TypeAlias

Value: TypeAlias = object
"""One of the plain types above or of the classes below; containers hold Values."""


@dataclass(frozen=True, slots=True)
class Record:
    """An instance of a class that the spec names: its class's name and its fields in order."""

    type_name: str
    fields: tuple[tuple[str, Value], ...]


@dataclass(frozen=True, slots=True)
class EnumMember:
    """A member of an enum that the spec names."""

    type_name: str
    name: str


@dataclass(frozen=True, slots=True)
class OddSet:
    """The items of a set that cannot be a set here: two are equal, or one is unhashable.

    A program makes such a set of objects that its class tells apart by identity.
    type_name: `set` or `frozenset`; items: in no particular order.
    """

    type_name: str
    items: tuple[Value, ...]


@dataclass(frozen=True, slots=True)
class Opaque:
    """Anything that is not plain data: its type's name and a short text that proves nothing.

    An opaque value never equals an expected answer.
    """

    type_name: str
    text: str


@dataclass(frozen=True, slots=True)
class Cycle:
    """A container that holds itself; `levels` tells how many containers up it sits."""

    levels: int


@dataclass(frozen=True, slots=True)
class Table:
    """A DataFrame of pandas by its columns, or a Series, which has one.

    type_name: `DataFrame` or `Series`.
    columns: the labels of the columns; of a Series its name.
    index: the labels of the rows.
    dtypes: pandas' name for the kind of each column; empty where pandas chooses it.
    cells: the values of each column; None stands for a missing value of any kind (NaN, NaT, NA).
    """

    type_name: str
    columns: tuple[Value, ...]
    index: tuple[Value, ...]
    dtypes: tuple[str, ...]
    cells: tuple[tuple[Value, ...], ...]

    __hash__ = None  # type: ignore[assignment]  # As in pandas: a forged key would trip checkers.

    @property
    def has_default_index(self) -> bool:
        """Tell whether the rows are labelled 0, 1, 2 and so on."""
        return all(type(label) is int and label == at for at, label in enumerate(self.index))

    def rows(self, *, labelled: bool) -> list[Value]:
        """Return the rows as tuples; labelled: each begins with its label."""
        columns = (self.index, *self.cells) if labelled else self.cells
        return list(zip(*columns, strict=True)) if columns else [()] * len(self.index)


@dataclass(frozen=True, slots=True)
class RecordType:
    """A class whose instances are told by some attributes.

    fields: the names of the attributes, in the order in which its constructor takes them.
    """

    name: str
    fields: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class EnumType:
    """An enum, or any class with a fixed choice of instances as its attributes.

    members: the names of the instances.
    """

    name: str
    members: tuple[str, ...]


DeclaredType: TypeAlias = RecordType | EnumType
