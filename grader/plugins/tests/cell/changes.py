"""Brings what the program changed in its copies of a test's containers back to the test."""

from collections.abc import Iterable, Sequence
from contextlib import suppress
from typing import Any

from grader.plugins.tests.cell.proxies import ProxyWithValue, plain_of, renew
from grader.wire.containers import MUTABLE, Path, Twin, Ways, brought, content_of, joined

_MOST_ITEMS = 200_000
Move = tuple[int, Path, int, Path]
"""Where a container is and where it was; 0 is the answer, the rest are what was given."""


def take_over(
    answer: Any,
    given: Sequence[Any],
    after: Sequence[Any] | None,
    moved: Sequence[Move],
    twins: Sequence[Twin],
) -> Any:
    """Bring what the program has changed and moved to what the test gave; return the answer.

    after: what was given as the program has it now, None if it has not changed.
    moved: the test's containers, where the program has them now.  twins: see `joined`.
    """
    values = joined([answer, *(after or ())], twins)
    for one, new in zip(given, values[1:], strict=False):
        if isinstance(one, ProxyWithValue) and type(one) is type(new):
            renew(one, plain_of(new))
    ways, pairs = Ways(), []
    # One that holds itself comes whole at its shortest path alone.  The answer comes last: what lies in it is
    # judged by the way to it.
    for number, path, other, way in sorted(moved, key=lambda move: (move[0] == 0, -len(move[1]))):
        # There is no such place where it does not come whole, or a callback has changed what was given.
        with suppress(LookupError):
            new, old = ways.at(values[number], path), ways.at(given[other - 1], way)
            if type(new) is type(old) and type(old) in MUTABLE:
                pairs.append((new, old))
    return brought(values, pairs)[0]


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
