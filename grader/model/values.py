"""Values that cross the sandbox, as the trusted side holds them.

Plain Python values of a closed set of exact types (`None`, `bool`, `int`, `float`,
`complex`, `str`, `bytes`, `list`, `tuple`, `set`, `frozenset`, `dict`) stand for
themselves.  The four classes here stand for all the rest.  How they travel is the
business of `grader.wire`; how they compare, of `grader.judge`.
"""

from dataclasses import dataclass
from typing import TypeAlias

Value: TypeAlias = object
"""One of the plain types above, `Record`, `EnumMember`, `Opaque` or `Cycle`; containers hold Values."""


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
