"""Containers that can change: what lies in them, and how one becomes as another one is.

A path is a list of places, each counted in the container that the places before it lead to.  A dict's values
are counted in its order.
"""

from collections import Counter, OrderedDict, defaultdict, deque
from collections.abc import Callable, Collection, Iterable, Iterator, Sequence
from contextlib import suppress
from itertools import islice
from operator import is_
from typing import Any

MUTABLE = frozenset({list, dict, set, bytearray, deque, defaultdict, OrderedDict, Counter})
"""The types by their identity; a class that derives from one of them is another type."""
_HOLDING = MUTABLE | {tuple}
"""The types of what containers can lie in."""
_WITH_KEYS = frozenset({dict, defaultdict, OrderedDict, Counter})
_ATOMS = frozenset({bool, int, float, complex, str, bytes})
_MOST_PLACES = 10_000
_DEEPEST = 20

Path = list[int]
Twin = tuple[int, Path, int, Path]
"""A place at which the same container lies as at another one: of each the number of a value, and the path."""


def is_mutable(value: object) -> bool:
    return type(value) in MUTABLE


def content_of(container: Any) -> list[Any]:
    """Return what a container holds, in a list: a dict's keys and then its values."""
    return [*container, *container.values()] if type(container) in _WITH_KEYS else [*container]


def views_of(container: Any) -> tuple[Collection[Any], ...]:
    """Return views of what a container holds: a dict's keys and its values, or any other itself."""
    return (container, container.values()) if type(container) in _WITH_KEYS else (container,)


def _places(container: Any) -> Sequence[Any]:
    """Return what lies in a container by its place, if other containers can lie in it."""
    kind = type(container)
    if kind in _WITH_KEYS:
        return [*container.values()]
    return container if kind is list or kind is tuple or kind is deque else ()


def within(container: Any, is_end: Callable[[object], bool]) -> Iterator[tuple[Path, Any]]:
    """Yield the containers that lie in one, also in tuples, each with its path.

    is_end: tells of which to leave out what lies in them.  No more than so many places are looked at.
    """
    waiting: list[tuple[Path, Any]] = [([], container)]
    looked_at = 0
    while waiting:
        path, outer = waiting.pop()
        places = _places(outer)
        if _HOLDING.isdisjoint(map(type, places)):
            continue
        for place, inner in enumerate(places):
            looked_at += 1
            if looked_at > _MOST_PLACES:
                return
            here = [*path, place]
            found = type(inner) in MUTABLE
            if found:
                yield here, inner
            if (type(inner) is tuple or (found and not is_end(inner))) and len(here) < _DEEPEST:
                waiting.append((here, inner))


def all_in(
    values: Iterable[Any], is_end: Callable[[object], bool] = lambda _: False
) -> Iterator[tuple[int, Path, Any]]:
    """Yield the containers among values and in them, each with the place of its value and its path.

    is_end: as in `within`.
    """
    for number, value in enumerate(values):
        if type(value) in MUTABLE:
            yield number, [], value
        for path, inner in within(value, is_end):
            yield number, path, inner


def twins_in(values: Iterable[Any]) -> list[Twin]:
    """Return the places in values at which a container lies that lies at another place before."""
    return twins_among(all_in(values))


def twins_among(found: Iterable[tuple[int, Path, Any]]) -> list[Twin]:
    """Return the same of containers with their places, in their order."""
    first: dict[int, tuple[int, Path]] = {}
    twins = []
    for number, path, container in found:
        other, way = first.setdefault(id(container), (number, path))
        if (other, way) != (number, path):
            twins.append((number, path, other, way))
    return twins


def at(container: Any, path: Path) -> Any:
    """Return what a path leads to.  Raises `LookupError`."""
    for place in path:
        if type(container) not in _WITH_KEYS:
            container = _places(container)[place]
        elif 0 <= place < len(container):
            container = next(islice(container.values(), place, None))
        else:
            raise IndexError(place)
    return container


class Ways:
    """Follows many paths in containers that do not change meanwhile: lists the values of each dict once."""

    def __init__(self) -> None:
        self._listed: dict[int, list[Any]] = {}

    def at(self, container: Any, path: Path) -> Any:
        """Return what a path leads to.  Raises `LookupError`."""
        for place in path:
            if type(container) not in _WITH_KEYS:
                container = _places(container)[place]
                continue
            if id(container) not in self._listed:
                self._listed[id(container)] = [*container.values()]
            container = self._listed[id(container)][place]
        return container


def _are_one(one: Any, _: int, other: Any, __: int) -> bool:
    return type(one) is type(other) and type(one) in MUTABLE


def joined(
    values: Sequence[Any],
    twins: Iterable[Twin],
    are_one: Callable[[Any, int, Any, int], bool] = _are_one,
) -> list[Any]:
    """Return values with one container wherever twins say that one lies.  Places can be missing.

    are_one: tells whether that may be, of two containers with the numbers of their values.
    """
    ways, pairs = Ways(), []
    for number, path, other, way in twins:
        with suppress(LookupError):
            one, first = ways.at(values[number], path), ways.at(values[other], way)
            if number >= 0 <= other and are_one(one, number, first, other):
                pairs.append((one, first))
    return exchanged(values, pairs)


def brought(values: Sequence[Any], pairs: Iterable[tuple[Any, Any]]) -> list[Any]:
    """Return the same as `exchanged`; fill the second container of each pair with what the first holds."""
    once = {id(new): (new, held) for new, held in pairs}
    found = exchanged(values, once.values())
    for new, held in once.values():
        fill(held, new)
    return found


def exchanged(values: Sequence[Any], pairs: Collection[tuple[Any, Any]]) -> list[Any]:
    """Return values with the second container of each pair in place of the first, also in what lies in them.

    Each container is looked through once, however many pairs there are.
    """
    found = [*values]
    others = {id(one): other for one, other in pairs if one is not other}
    if not others:
        return found
    waiting: list[Any] = [found]
    seen = set()

    def instead_of(value: Any) -> Any:
        if type(value) is tuple and not _HOLDING.isdisjoint(map(type, value)):
            inner = (*map(instead_of, value),)
            return value if all(map(is_, inner, value)) else inner
        if type(value) not in MUTABLE:
            return value
        if id(value) not in seen:
            seen.add(id(value))
            waiting.append(value)
        return others.get(id(value), value)

    while waiting:
        outer = waiting.pop()
        old = _places(outer)
        if _HOLDING.isdisjoint(map(type, old)):
            continue
        new = [*map(instead_of, old)]
        if not all(map(is_, old, new)):
            keys = [*outer] if type(outer) in _WITH_KEYS else range(len(new))
            for key, was, now in zip(keys, old, new, strict=True):
                if now is not was:
                    outer[key] = now
    return found


def fill(held: Any, content: Any) -> None:
    """Give a container the content of another one of its type.

    Somebody may loop over it, so what stays where it was is not taken out.
    """
    kind = type(held)
    if kind is list or kind is bytearray:
        held[:] = content
        return
    if _has_same_places(held, content):
        new_values = zip(held, content.values(), strict=True) if kind in _WITH_KEYS else enumerate(content)
        for place, value in new_values:
            held[place] = value
        return
    new = [*content.items()] if kind in _WITH_KEYS else [*content]
    held.clear()
    if kind in _WITH_KEYS:
        # `Counter.update` adds, and `dict.update` leaves an `OrderedDict` without order.
        for key, value in new:
            held[key] = value
    elif kind is deque:
        held.extend(new)
    else:
        held.update(new)


def _has_same_places(held: Any, content: Any) -> bool:
    """Tell whether the values of a dict or deque stand at the places of another one's."""
    if type(held) is deque:
        return len(held) == len(content)
    is_dict = type(held) in _WITH_KEYS and len(held) == len(content)
    return is_dict and all(map(_is_same_key, held, content))


def _is_same_key(one: Any, other: Any) -> bool:
    """Tell whether two keys are one, without asking an object."""
    if one is other:
        return True
    if type(one) is not type(other):
        return False
    if type(one) is tuple:
        return len(one) == len(other) and all(map(_is_same_key, one, other))
    return type(one) in _ATOMS and bool(one == other)
