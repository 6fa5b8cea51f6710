"""The classes of a submission that a spec names: their instances are data, and cross the sandbox as such."""

from dataclasses import dataclass
from typing import TypeAlias


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
