"""The containers that the program and a student's tests have in common, from the program's side.

See `grader.plugins.tests.cell.common` for the other side, and for what this is good for.
"""

from collections.abc import Callable, Sequence
from typing import Any

from grader.wire.containers import Path, at, fill, is_mutable, within


class NoContainer(Exception):
    """There is no such container."""


class KeptContainers:
    """The containers that the tests have too, each known by the number of its handle.

    number_of: returns the number of an object's handle.  encoded: returns a value as bytes.
    """

    def __init__(self, number_of: Callable[[object], int], encoded: Callable[[object], bytes]) -> None:
        self._number_of = number_of
        self._encoded = encoded
        self._by_number: dict[int, Any] = {}
        self._numbers: dict[int, int] = {}
        """By identity."""
        self._known: dict[int, tuple[bytes, list[tuple[Path, int]]]] = {}
        """What they held when both sides had the same."""

    def keep(self, ways: Sequence[tuple[int, int, Path]], latest: Sequence[object]) -> list[int]:
        """Return the numbers of containers.

        ways: to each of them the number of one that is kept already, or else its place in the latest, and the
        path from there.
        """
        found = [at(self._kept(n) if n >= 0 else latest[place], path) for n, place, path in ways]
        if not all(map(is_mutable, found)):
            raise NoContainer
        for container in found:
            number = self._number_of(container)
            self._by_number[number], self._numbers[id(container)] = container, number
        for container in found:
            self._note(self._numbers[id(container)])
        return [self._numbers[id(container)] for container in found]

    def fill(self, number: int, content: object) -> None:
        """Make a container what the tests have made of theirs."""
        held = self._kept(number)
        if type(held) is type(content):
            fill(held, content)
        self._note(number)

    def changed(self, numbers: Sequence[int], latest: Sequence[object]) -> list[object]:
        """Return what the tests need to know after an operation.

        For each of the latest its number, -1 if it is not kept, and which of those that are kept lie in it.
        For each that has changed its place in the numbers, its content, and which lie in it.
        """
        before = dict(self._known)
        changed = []
        for place, number in enumerate(numbers):
            held = self._kept(number)
            self._note(number)
            if self._known[number] != before[number]:
                changed.append([place, held, self._known[number][1]])
        return [[[self._numbers.get(id(one), -1), self._parts_of(one)] for one in latest], changed]

    def _kept(self, number: int) -> Any:
        if number not in self._by_number:
            raise NoContainer
        return self._by_number[number]

    def _note(self, number: int) -> None:
        held = self._by_number[number]
        self._known[number] = self._encoded(held), self._parts_of(held)

    def _parts_of(self, value: object) -> list[tuple[Path, int]]:
        """Return the paths to those that are kept within a value, with their numbers."""
        found = within(value, self._is_kept)
        return [(path, self._numbers[id(inner)]) for path, inner in found if self._is_kept(inner)]

    def _is_kept(self, value: object) -> bool:
        return id(value) in self._numbers
