"""Changes of one part of an input, to what the spec's own cases have seen in such a place.

A spec does not say which inputs a function is made for: that a position is on the board, that two pieces are
not on one field.  So an input is a case's own with a few parts changed at most, and the new part is near to
the old one, or was seen in the same role elsewhere.
"""

import random
from collections.abc import Iterable, Iterator, Mapping
from contextlib import suppress
from dataclasses import dataclass, field
from math import isfinite
from typing import TypeAlias

from grader.model.case import Argument, Bound, Shipped, Watched
from grader.model.values import DeclaredType, EnumMember, EnumType, Record, RecordType, Value
from grader.plugins.validate.search.inputs.parts import frozen, members, places, replaced
from grader.values.sort import Place, Role, sort_of

_MOST_SEEN = 12
"""The most seen values that are tried in one place."""
_LARGE_SET = 4
_MOST_AT_ONCE = 24
"""The most places of one list or text in which something is changed."""


@dataclass
class SeenValues:
    """The values that cases have in each role."""

    types: Mapping[str, DeclaredType] = field(default_factory=dict)
    _values: dict[Role, dict[object, Argument]] = field(default_factory=dict)
    _lengths: dict[Role, set[int]] = field(default_factory=dict)

    def add(self, value: Argument, role: Role) -> None:
        """Remember a value and all its parts."""
        self._values.setdefault(role, {}).setdefault(frozen(value), value)
        if isinstance(value, tuple):
            self._lengths.setdefault(role, set()).add(len(value))
        for _, inner, part in places(value, role):
            self.add(part, inner)
        if isinstance(value, dict):
            for key in value:
                self.add(key, (*role, "key"))

    def in_role(self, role: Role) -> list[Argument]:
        return list(self._values.get(role, {}).values())

    def some(self, role: Role) -> list[Argument]:
        """Return a few values of a role, spread over all."""
        values = self.in_role(role)
        step = max(1, len(values) // _MOST_SEEN)
        return values[::step][:_MOST_SEEN]

    def items(self, role: Role) -> list[Argument]:
        """Return the values that a list, tuple or set in this role could have one more of."""
        values = self.in_role((*role, "*"))
        step = max(1, len(values) // _MOST_AT_ONCE)
        return values[::step][:_MOST_AT_ONCE]

    def bounds(self, role: Role) -> tuple[int, int]:
        """Return the least and the largest int seen, with one more on either side."""
        numbers = [value for value in self.in_role(role) if type(value) is int]
        return min(numbers, default=0) - 1, max(numbers, default=0) + 1

    def is_fixed(self, role: Role) -> bool:
        """Tell whether all tuples in a role have one length, so that each index means something else."""
        return len(self._lengths.get(role, ())) <= 1


Way: TypeAlias = tuple[tuple[Value, Place], ...]
"""The containers around a part, from the outside in, each with the place of the next."""


def edits(value: Argument, role: Role, seen: SeenValues, rng: random.Random) -> Iterator[Argument]:
    """Yield the value with one part changed, one part after another in turns; each change once.

    A large value has thousands of changes, so they are made as they are asked for.
    """
    nodes = list(_nodes(value, role, ()))
    rng.shuffle(nodes)
    waiting = [(where, variants(part, inner, seen)) for where, inner, part in nodes]
    while waiting:
        left = []
        for where, others in waiting:
            other = next(others, _END)
            if other is _END:
                continue
            left.append((where, others))
            with suppress(TypeError):
                yield _put_back(other, where)
        waiting = left


def random_edit(value: Argument, role: Role, seen: SeenValues, rng: random.Random) -> Argument:
    """Return the value with one part changed, each part with the same chance."""
    nodes = list(_nodes(value, role, ()))
    for where, inner, part in rng.sample(nodes, min(len(nodes), 8)):
        found = list(variants(part, inner, seen))
        if found:
            with suppress(TypeError):
                return _put_back(rng.choice(found), where)
    return value


def thinned(value: Argument, rng: random.Random) -> Argument:
    """Return the value with only some of the members of its large sets."""
    if isinstance(value, set | frozenset) and len(value) >= _LARGE_SET:
        return type(value)(rng.sample(members(value), rng.randint(2, len(value) // 2)))
    for place, _, part in list(places(value, ())):
        other = thinned(part, rng)
        if other is not part:
            with suppress(TypeError):
                value = replaced(value, place, other)
    return value


_END = object()


def _put_back(part: Value, where: Way) -> Value:
    """Return the outermost container with another part.  Raises `TypeError` if a set cannot hold it."""
    for holder, place in reversed(where):
        part = replaced(holder, place, part)
    return part


def _nodes(value: Argument, role: Role, where: Way) -> Iterator[tuple[Way, Role, Argument]]:
    yield where, role, value
    for place, inner, part in places(value, role):
        yield from _nodes(part, inner, (*where, (value, place)))


def variants(value: Argument, role: Role, seen: SeenValues) -> Iterator[Argument]:
    """Yield other values for one place, the nearest first; parts of a container are left as they are."""
    own = frozen(value)
    told = {own}
    for other in (*_near(value, role, seen), *seen.some(role)):
        key = frozen(other)
        if key not in told:
            told.add(key)
            yield other


def _near(value: Argument, role: Role, seen: SeenValues) -> Iterable[Argument]:
    match value:
        case bool():
            return [not value]
        case int():
            return _ints(value, *seen.bounds(role))
        case float():
            whole = [float(round(value))] if isfinite(value) else []
            return [0.0, 1.0, value + 1, value - 1, value / 2, value * 2, -value + 0.0, *whole]
        case complex():
            return _complexes(value)
        case str():
            return _texts(value, seen.some(role))
        case bytes():
            return [value[:-1], value[1:], value + value[-1:], b""]
        case list():
            return map(list, _sequences(value, seen.items(role)))
        case tuple() if seen.is_fixed(role):
            return [value[::-1]] if len({type(item) for item in value}) == 1 else []
        case tuple():
            return map(tuple, _sequences(value, seen.items(role)))
        case set() | frozenset():
            return _sets(value, seen.items(role))
        case dict():
            return _dicts(value, role, seen)
        case Record():
            return _records(value, seen)
        case EnumMember(type_name=name):
            kind = seen.types.get(name)
            return [EnumMember(name, other) for other in (kind.members if isinstance(kind, EnumType) else ())]
        case Shipped() | Watched() | Bound():
            return []
    return []


def _ints(value: int, least: int, most: int) -> Iterator[int]:
    for other in (
        value - 1,
        value + 1,
        0,
        1,
        least,
        most,
        least + 1,
        most - 1,
        value // 2,
        value * 2,
        -value,
    ):
        if min(least, value - 1) <= other <= max(most, value + 1):
            yield other


def _complexes(value: complex) -> Iterator[complex]:
    # A negative zero could not be written in a spec.
    for part in (1, -1, 0.5, -0.5, 0.125, -0.125):
        yield value + part
        yield value + complex(0, part)
    yield from (0j, complex(value.real, 0), complex(0, value.imag), value / 2, value * 2)
    yield complex(value.real, -value.imag + 0.0)
    yield complex(-value.real + 0.0, value.imag)


def _texts(value: str, others: Iterable[Argument]) -> Iterator[str]:
    letters = dict.fromkeys("".join([value, *(other for other in others if isinstance(other, str))]))
    for index in range(min(len(value), _MOST_AT_ONCE)):
        yield value[:index] + value[index + 1 :]
    for letter in list(letters)[:_MOST_AT_ONCE]:
        yield letter + value
        yield value + letter
    for index in range(1, min(len(value), _MOST_AT_ONCE)):
        yield value[: index - 1] + value[index] + value[index - 1] + value[index + 1 :]
    yield from ("", value * 2, value[::-1], value.swapcase(), f" {value}", f"{value} ")


def _sequences(value: list[Value] | tuple[Value, ...], others: Iterable[Argument]) -> Iterator[list[Value]]:
    items = list(value)
    for index in range(min(len(items), _MOST_AT_ONCE)):
        yield items[:index] + items[index + 1 :]
    for other in others:
        yield [other, *items]
        yield [*items, other]
    for index in range(1, min(len(items), _MOST_AT_ONCE)):
        yield [*items[: index - 1], items[index], items[index - 1], *items[index + 1 :]]
    if items:
        yield from (items[::-1], [], [*items, items[-1]], [items[0], *items])


def _sets(
    value: set[Value] | frozenset[Value], others: Iterable[Argument]
) -> Iterator[set[Value] | frozenset[Value]]:
    for member in members(value):
        yield type(value)(item for item in value if item is not member)
    for other in others:
        with suppress(TypeError):  # a set cannot hold it
            if other not in value:
                yield type(value)([*value, other])


def _dicts(value: dict[Value, Value], role: Role, seen: SeenValues) -> Iterator[dict[Value, Value]]:
    for key in value:
        yield {name: item for name, item in value.items() if name is not key}
    items = seen.in_role((*role, "of"))
    for number, key in enumerate(seen.some((*role, "key"))):
        if items and key not in value:
            yield {**value, key: items[number % len(items)]}


def _records(value: Record, seen: SeenValues) -> Iterator[Record]:
    names = tuple(name for name, _ in value.fields)
    for other in seen.types.values():
        if isinstance(other, RecordType) and other.fields == names and other.name != value.type_name:
            yield Record(other.name, value.fields)


# -- back to the seed ------------------------------------------------------------------------------


def distance(seed: Argument, value: Argument) -> int:
    """Return the number of parts in which a value differs from the seed's."""
    if frozen(seed) == frozen(value):
        return 0
    if isinstance(value, set | frozenset) and type(seed) is type(value):
        missing, more = len(seed - value), len(value - seed)
        return max(missing, more)
    pairs = _pairs(seed, value)
    return sum(distance(one, other) for _, one, other in pairs) if pairs else 1


def nearer(seed: Argument, value: Argument) -> Iterator[Argument]:
    """Yield values between the seed's and this one, the nearest to the seed's first."""
    if frozen(seed) == frozen(value):
        return
    yield seed
    if isinstance(value, set | frozenset) and type(seed) is type(value):
        for member in members(seed - value):
            yield type(value)([*value, member])
        for member in members(value - seed):
            yield type(value)(item for item in value if item is not member)
    elif type(value) is int and type(seed) is int:
        way = 1 if value > seed else -1
        yield from (other for other in (seed + way, (seed + value) // 2, value - way) if other != value)
    else:
        for place, one, other in _pairs(seed, value):
            for between in nearer(one, other):
                try:
                    yield replaced(value, place, between)
                except TypeError:
                    continue


def _pairs(seed: Argument, value: Argument) -> list[tuple[Place, Value, Value]]:
    """Return the parts of two values that stand in the same places; none if the values have other places."""
    sort = sort_of(value)
    if type(seed) is not type(value) or sort.is_unordered or sort.shape(seed) != sort.shape(value):
        return []
    ours, theirs = list(places(value, ())), list(places(seed, ()))
    if [place.key for place, _, _ in ours] != [place.key for place, _, _ in theirs]:
        return []
    return [(place, one, other) for (place, _, other), (_, _, one) in zip(ours, theirs, strict=True)]


def smaller(value: Argument) -> Iterator[Argument]:
    """Yield the value with one member less in one of its sets or dicts.

    The order of a list means something, so a list keeps its items.
    """
    found = list(places(value, ()))
    sort = sort_of(value)
    if sort.is_unordered:
        for left, _, _ in found:
            yield sort.made(value, [part for _, _, part in found if part is not left.key])
    elif isinstance(value, dict):
        for key in value:
            yield {name: item for name, item in value.items() if name is not key}
    for place, _, part in found:
        for other in smaller(part):
            try:
                yield replaced(value, place, other)
            except TypeError:
                continue
