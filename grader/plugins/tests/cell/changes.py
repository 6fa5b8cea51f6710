"""Brings what the program changed in its copies of a test's containers back to the test."""

from collections.abc import Iterable, Sequence
from typing import Any

from grader.plugins.tests.cell.proxies import ProxyWithValue, plain_of, renew
from grader.wire.containers import MUTABLE, Path, at, content_of, fill, placed

_MOST_ITEMS = 200_000
Move = tuple[int, Path, int, Path]
"""Where a container is and where it was; 0 is the answer, the rest are what was given."""


def joined_twins(values: Sequence[Any], twins: Sequence[Move]) -> list[Any]:
    """Return values with one container wherever the program has one.

    twins: places in them at which a container lies that lies at another one before.
    """
    values = [*values]
    for number, path, other, way in twins:
        try:
            one, first = at(values[number], path), at(values[other], way)
            if one is not first and type(one) is type(first) and type(one) in MUTABLE:
                values[number] = placed(values[number], path, first)
        except LookupError:
            # What an honest program sends has these places.
            continue
    return values


def take_over(
    answer: Any,
    given: Sequence[Any],
    after: Sequence[Any] | None,
    moved: Sequence[Move],
    twins: Sequence[Move],
) -> Any:
    """Bring what the program has changed and moved to what the test gave; return the answer.

    after: what was given as the program has it now, None if it has not changed.
    moved: the test's containers, where the program has them now.  twins: see `joined_twins`.
    """
    values = joined_twins([answer, *(after or ())], twins)
    for one, new in zip(given, values[1:], strict=False):
        if isinstance(one, ProxyWithValue) and type(one) is type(new):
            renew(one, plain_of(new))
    olds = [(number, path, old) for number, path, other, way in moved for old in _given_at(given, other, way)]
    # What lies in another one comes first, so that each is filled with what belongs there.  The answer comes
    # last: what lies in it is judged by the way to it.
    for number, path, old in sorted(olds, key=lambda each: (each[0] == 0, -len(each[1]))):
        try:
            if type(new := at(values[number], path)) is type(old):
                if after is not None or number == 0:
                    fill(old, new)
                values[number] = placed(values[number], path, old)
        except LookupError:
            # One that holds itself does not come as deep as it is.
            continue
    return values[0]


def _given_at(given: Sequence[Any], number: int, path: Path) -> list[Any]:
    """Return what was given at a place, in a list; none where a callback has changed that meanwhile."""
    try:
        return [at(given[number - 1], path)]
    except LookupError:
        return []


def is_large(values: Iterable[Any]) -> bool:
    """Tell whether values have more items than an answer may have, each counted wherever it lies.

    What a program moves can lie at many places at once, and whoever looks through it would never end.
    """
    waiting, count = [*values], 0
    while waiting and count <= _MOST_ITEMS:
        one = waiting.pop()
        if type(one) in MUTABLE or type(one) is tuple:
            count += len(one)
            waiting += content_of(one)
    return count > _MOST_ITEMS
