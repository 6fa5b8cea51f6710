"""The parts of a value: where each stands, and the value with one of them replaced.

A place says which part of its container a value is.  A *role* is what a value stands for, wherever it stands:
all items of a list have one role, and so has one field of all records of a class.
"""

from collections.abc import Hashable, Iterator
from typing import NamedTuple, TypeAlias

from grader.model.case import Argument
from grader.model.values import OddSet, Record, Table, Value
from grader.spec.expressions.literals import literal

Role: TypeAlias = tuple[Hashable, ...]


class Place(NamedTuple):
    """A place in a container: an index, a dict's key, or the member of a set itself.

    step: the part of the role that it adds.
    """

    key: Value
    step: Hashable


def places(value: Argument, role: Role) -> Iterator[tuple[Place, Role, Value]]:
    """Yield the direct parts of a value, each with its role, in the same order in every process."""
    match value:
        case list():
            for index, item in enumerate(value):
                yield Place(index, "*"), (*role, "*"), item
        case tuple():
            for index, item in enumerate(value):
                yield Place(index, index), (*role, index), item
        case set() | frozenset():
            for item in members(value):
                yield Place(item, "*"), (*role, "*"), item
        case dict():
            for key, item in value.items():
                yield Place(key, "of"), (*role, "of"), item
        case Record(type_name=name, fields=fields):
            for index, (field, item) in enumerate(fields):
                yield Place(index, field), ("record", name, field), item


def replaced(value: Value, place: Place, part: Value) -> Value:
    """Return the value with another part in that place.  Raises `TypeError` where a set cannot hold it."""
    key = place.key
    match value:
        case list():
            return [part if index == key else item for index, item in enumerate(value)]
        case tuple():
            return tuple(part if index == key else item for index, item in enumerate(value))
        case set() | frozenset():
            return type(value)([*(item for item in value if item is not key), part])
        case dict():
            return {name: part if name is key else item for name, item in value.items()}
        case Record(type_name=name, fields=fields):
            changed = tuple(
                (field, part if index == key else item) for index, (field, item) in enumerate(fields)
            )
            return Record(name, changed)
    return part


def members(value: set[Value] | frozenset[Value]) -> list[Value]:
    """Return the members of a set in an order that does not depend on hashes."""
    return sorted(
        value, key=lambda member: _known(member).text if isinstance(member, Record) else literal(member)
    )


def frozen(value: Argument) -> Hashable:
    """Return a key that is equal for the same values alone: True is not 1, and 1 is not 1.0."""
    kind = type(value)
    if isinstance(value, list | tuple):
        return kind, *map(frozen, value)
    if isinstance(value, set | frozenset):
        return kind, frozenset(map(frozen, value))
    if isinstance(value, dict):
        return kind, *((frozen(key), frozen(item)) for key, item in value.items())
    if isinstance(value, Record):
        return _known(value).key
    if isinstance(value, OddSet):
        return kind, value.type_name, frozenset(map(frozen, value.items))
    if isinstance(value, Table):
        return kind, value.type_name, frozen((value.columns, value.index, value.dtypes, value.cells))
    if value is None or isinstance(value, bool | int | str | bytes):
        return kind, value
    # The text of a float tells the signs of zeros, and every nan is the same; that of a Decimal tells its
    # places, and that of a point in time its zone.
    return kind, literal(value)


class _Known:
    """The key and the text of a record, which many inputs have in common, as one and the same object."""

    __slots__ = ("key", "record", "text")

    def __init__(self, record: Record) -> None:
        self.record = record
        self.key = record.type_name, *(frozen(item) for _, item in record.fields)
        self.text = literal(record)


_MOST_KNOWN = 50_000
_records: dict[int, _Known] = {}
"""By the id of the record, which lives as long as its entry."""


def _known(record: Record) -> _Known:
    known = _records.get(id(record))
    if known is None:
        if len(_records) >= _MOST_KNOWN:
            _records.clear()
        known = _records[id(record)] = _Known(record)
    return known


def size(value: Argument) -> float:
    """Return how much there is to read in a value."""
    match value:
        case bool() | None:
            return 1
        case int():
            return 1 + min(abs(value), 10**6) / 10**6
        case str() | bytes():
            return 1 + len(value)
        case dict() | list() | tuple() | set() | frozenset() | Record():
            return 1 + sum(size(part) for _, _, part in places(value, ())) + isinstance(value, dict)
    return 1
