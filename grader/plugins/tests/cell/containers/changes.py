"""Brings what the program changed in its copies of a test's containers back to the test."""

from collections.abc import Callable, Iterable, Sequence
from contextlib import suppress
from dataclasses import dataclass
from typing import Any

from grader.plugins.tests.cell.book import Book, Sources
from grader.plugins.tests.cell.containers.alike import Alike
from grader.plugins.tests.cell.proxies import ProxyWithValue, plain_of, renew
from grader.wire.containers import MUTABLE, Twin, Ways, brought, content_of, exchanged, joined

_MOST_ITEMS = 200_000


@dataclass(frozen=True)
class Belief:
    """What is believed of what an operation brings.

    ways: by which the answer came.  into: by which that came which was given.
    ways_of: returns those by which a container came that the tests have already.
    """

    book: Book
    ways: Sources
    into: Sources
    ways_of: Callable[[object], Sources]

    def ways_at(self, number: int) -> Sources:
        """Return the ways to a value: 0 is the answer."""
        return self.into if number else self.ways

    def of(self, container: object) -> Sources:
        """Return the ways by which to believe what a container holds that was given."""
        return self.book.by_all(self.ways_of(container), self.into)

    def differ(self, container: object) -> bool:
        """Tell whether a container that was given cannot be what is answered, nor lie in that."""
        return self.book.differ(self.ways, self.of(container))


def take_over(
    answer: Any,
    given: Sequence[Any],
    after: Sequence[Any] | None,
    belief: Belief,
    moved: Sequence[Twin],
    twins: Sequence[Twin],
) -> Any:
    """Bring what the program has changed and moved to what the test gave; return the answer.

    after: what was given as the program has it now, None if it has not changed.
    moved: where the program has the test's containers now, and where they were.  twins: see `joined`.
    Of the numbers in both 0 is the answer, and the rest are what was given.
    """
    alike = Alike(belief.book)

    def are_one(one: Any, number: int, other: Any, other_number: int) -> bool:
        return alike.are_one(one, belief.ways_at(number), other, belief.ways_at(other_number))

    values = joined([answer, *(after or ())], twins, are_one)
    for one, new in zip(given, values[1:], strict=False):
        if isinstance(one, ProxyWithValue) and type(one) is type(new):
            renew(one, plain_of(new))
    ways = Ways()
    in_answer: list[tuple[Any, Any]] = []
    in_given: list[tuple[Any, Any]] = []
    # One that holds itself comes whole at its shortest path alone.
    for number, path, other, way in sorted(moved, key=lambda move: -len(move[1])):
        # There is no such place where it does not come whole, or a callback has changed what was given.
        with suppress(LookupError):
            new, old = ways.at(values[number], path), ways.at(given[other - 1], way)
            if number >= 0 and type(new) is type(old) and type(old) in MUTABLE:
                (in_given if number else in_answer).append((new, old))
    values = brought(values, in_given)
    filled = {id(old) for _, old in in_given}
    # Of what the program took out of what was given only the answer tells what it holds.
    taken = [(new, old) for new, old in in_answer if after is not None and id(old) not in filled]
    values = brought(values, [pair for pair in taken if not belief.differ(pair[1])])
    alike = Alike(belief.book)
    same = [(new, old) for new, old in in_answer if alike.are_one(new, belief.ways, old, belief.of(old))]
    return exchanged(values, same)[0]


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
