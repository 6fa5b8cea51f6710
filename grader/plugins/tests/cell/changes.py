"""Brings what the program changed in its copies of a test's containers back to the test."""

from collections import deque
from collections.abc import Iterable, Sequence
from typing import Any

from grader.plugins.tests.cell.proxies import Proxy, ProxyWithValue, plain_of, renew
from grader.wire.containers import MUTABLE, Path, at, content_of, fill, placed

_MOST_ITEMS = 200_000
Move = tuple[int, Path, int, Path]
"""Where a container is and where it was; 0 is the answer, the rest are what was given."""


def joined_twins(answer: Any, twins: Sequence[Move]) -> Any:
    """Return an answer with one container wherever the program has one.

    twins: places in it at which a container lies that lies at another one before.
    """
    for _, path, _, way in twins:
        try:
            one, other = at(answer, path), at(answer, way)
            if type(one) is type(other) and type(one) in MUTABLE:
                answer = placed(answer, path, other)
        except LookupError:
            # What an honest program sends has these places.
            continue
    return answer


def take_over(answer: Any, given: Sequence[Any], after: Sequence[Any] | None, moved: Sequence[Move]) -> Any:
    """Bring what the program has changed and moved to what the test gave; return the answer.

    after: what was given as the program has it now, None if it has not changed.
    moved: all containers of the test's that it has, if any lies elsewhere than before.
    """
    try:
        olds = [(number, path, at(given[other - 1], way)) for number, path, other, way in moved]
    except LookupError:
        # A callback of the test's has changed it meanwhile.
        olds = []
    if not olds:
        for one, new in zip(given, after or (), strict=False):
            update(one, new)
        return answer
    values = [answer, *(after or ())]
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


def update(old: Any, new: Any) -> None:
    """Change the containers that a call was given as it changed its copies."""
    if isinstance(old, Proxy) or type(old) is not type(new):
        return
    if isinstance(old, ProxyWithValue):
        renew(old, plain_of(new))
        return
    if type(old) in (list, tuple, deque):
        if len(old) == len(new):
            new = [_kept(one, other) for one, other in zip(old, new, strict=True)]
    elif isinstance(old, dict):
        new = {key: _kept(old[key], value) if key in old else value for key, value in new.items()}
    if type(old) in MUTABLE:
        fill(old, new)


def _kept(old: Any, new: Any) -> Any:
    """Return the old container, updated, where both are of one kind; else the new value."""
    if type(old) is type(new) and (type(old) in MUTABLE or type(old) is tuple):
        if type(old) is tuple and len(old) != len(new):
            return new
        update(old, new)
        return new if type(old) is tuple and old != new else old
    return new
