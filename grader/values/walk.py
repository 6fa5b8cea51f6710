"""Walks over all parts of a value, whatever its sort."""

from collections.abc import Callable, Iterable, Iterator

from grader.model.values import DeclaredType, Value
from grader.values.sort import sort_of


def parts(value: Value) -> Iterator[Value]:
    """Yield a value and all that is in it: items, keys, fields; in no particular order."""
    waiting = [value]
    while waiting:
        part = waiting.pop()
        yield part
        waiting.extend(sort_of(part).parts(part))


def rebuilt(value: Value, change: Callable[[Value], Value]) -> Value:
    """Return a value with each of its parts changed; the value itself if none is.

    `change` is called for the parts one level down, and walks further down by itself.
    """
    sort = sort_of(value)
    before = list(sort.parts(value))
    after = [change(part) for part in before]
    if all(one is other for one, other in zip(before, after, strict=True)):
        return value
    made: Value = sort.made(value, after)
    return made


def names_in(value: Value) -> Iterator[str]:
    """Yield the names that a module must have for a value: classes, and members as `Class.member`."""
    for part in parts(value):
        yield from sort_of(part).names(part)


def first_non_data(value: Value, types: Iterable[DeclaredType] = ()) -> str:
    """Return words for the first part of `value` that is not plain data, or "".

    Records and enum members are plain data where they are as one of `types` says.
    """
    known = {each.name: each for each in types}
    return next(filter(None, (sort_of(part).non_data(part, known) for part in parts(value))), "")
