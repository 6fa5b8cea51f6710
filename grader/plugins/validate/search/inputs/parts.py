"""The parts of a value: where each stands, and the value with one of them replaced.

Both are folds over what the sort of a value says of its places and its parts.
"""

from collections.abc import Hashable, Iterator

from grader.model.case import Argument
from grader.model.values import Record, Value
from grader.values.python_text import literal
from grader.values.sort import Place, Role, sort_of


def places(value: Argument, role: Role) -> Iterator[tuple[Place, Role, Value]]:
    """Yield the direct parts of a value, each with its role, in the same order in every process."""
    sort = sort_of(value)
    found = sort.places(value)
    own = sort.role(value, role)
    for place, part in sorted(found, key=lambda pair: _text(pair[1])) if sort.is_unordered else found:
        yield place, (*own, place.step), part


def replaced(value: Value, place: Place, part: Value) -> Value:
    """Return the value with another part in that place.  Raises `TypeError` where a set cannot hold it."""
    made: Value = sort_of(value).replaced(value, place, part)
    return made


def members(value: set[Value] | frozenset[Value]) -> list[Value]:
    """Return the members of a set in an order that does not depend on hashes."""
    return sorted(value, key=_text)


def _text(value: Value) -> str:
    return _known(value).text if isinstance(value, Record) else literal(value)


def frozen(value: Argument) -> Hashable:
    """Return a key that is equal for the same values alone: True is not 1, and 1 is not 1.0."""
    return _known(value).key if isinstance(value, Record) else _frozen(value)


def _frozen(value: Argument) -> Hashable:
    sort = sort_of(value)
    inner = map(frozen, sort.parts(value))
    return type(value), sort.shape(value), frozenset(inner) if sort.is_unordered else tuple(inner)


class _Known:
    """The key and the text of a record, which many inputs have in common, as one and the same object."""

    __slots__ = ("key", "record", "text")

    def __init__(self, record: Record) -> None:
        self.record = record
        self.key = _frozen(record)
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
    if type(value) is int:
        return 1 + min(abs(value), 10**6) / 10**6
    if isinstance(value, str | bytes):
        return 1 + len(value)
    return 1 + isinstance(value, dict) + sum(size(part) for _, _, part in places(value, ()))
