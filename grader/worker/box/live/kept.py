"""The containers that the program and the tests have in common, from the program's side.

See `grader.plugins.tests.cell.common` for the other side, and for what this is good for.
"""

from collections.abc import Callable, Container, Sequence
from operator import is_
from types import NoneType
from typing import Any

from grader.wire.containers import Path, at, content_of, fill, is_mutable, within

_FLAT = frozenset({bool, int, float, complex, str, bytes, NoneType})
"""Types of what never changes: a container of these alone is as it was where each of them is the same."""


class _Known:
    """What a container held when both sides had the same.

    parts: those within it that are kept.  encoded: all of it as bytes; none where its items tell enough.
    """

    def __init__(self, held: Any, parts: list[tuple[Path, int]], encoded: Callable[[object], bytes]) -> None:
        self.parts = parts
        self._content = content_of(held)
        self._encode = encoded
        self._encoded = None if _FLAT.issuperset(map(type, self._content)) else encoded(held)

    def is_now(self, held: Any) -> bool:
        if self._encoded is not None:
            return self._encode(held) == self._encoded
        content = content_of(held)
        return len(content) == len(self._content) and all(map(is_, content, self._content))


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
        self._known: dict[int, _Known] = {}

    def keep(
        self, ways: Sequence[tuple[int, int, Path]], latest: Sequence[object], others: Container[int]
    ) -> list[int]:
        """Return the numbers of containers.

        ways: to each of them the number of one that is kept already, or else its place in the latest, and the
        path from there.  others: those that are kept on.
        """
        for number in [each for each in self._by_number if each not in others]:
            del self._numbers[id(self._by_number.pop(number))], self._known[number]
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
        changed = []
        for place, number in enumerate(numbers):
            held = self._kept(number)
            if not self._is_as_known(number):
                self._note(number)
                changed.append([place, held, self._known[number].parts])
        return [[[self._numbers.get(id(one), -1), self._parts_of(one)] for one in latest], changed]

    def differ(self, answers: Sequence[object]) -> bool:
        """Tell whether some have changed, or are in what is answered."""
        if not self._by_number:
            return False
        if any(self._is_kept(each) or self._parts_of(each) for each in answers):
            return True
        return not all(map(self._is_as_known, self._by_number))

    def _is_as_known(self, number: int) -> bool:
        held, known = self._by_number[number], self._known[number]
        return known.is_now(held) and known.parts == self._parts_of(held)

    def _kept(self, number: int) -> Any:
        if number not in self._by_number:
            raise NoContainer
        return self._by_number[number]

    def _note(self, number: int) -> None:
        held = self._by_number[number]
        self._known[number] = _Known(held, self._parts_of(held), self._encoded)

    def _parts_of(self, value: object) -> list[tuple[Path, int]]:
        """Return the paths to those that are kept within a value, with their numbers."""
        found = within(value, self._is_kept)
        return [(path, self._numbers[id(inner)]) for path, inner in found if self._is_kept(inner)]

    def _is_kept(self, value: object) -> bool:
        return id(value) in self._numbers
