"""The containers that the program and the tests have in common, from the program's side.

See `grader.plugins.tests.cell.common` for the other side, and for what this is good for.
"""

from collections.abc import Callable, Container, Sequence
from itertools import chain
from operator import is_
from types import NoneType
from typing import Any

from grader.wire import library_values
from grader.wire.containers import Path, at, content_of, fill, is_mutable, items_of, within
from grader.wire.encoder import mro
from grader.worker.box import arrays

_FLAT = frozenset({bool, int, float, complex, str, bytes, NoneType})
"""Types of what never changes."""
_HEAP_TYPE = 1 << 9
"""`Py_TPFLAGS_HEAPTYPE` of CPython: classes that a program made have it, and those of data have not."""
_flags_of: Callable[[type], int] = type.__dict__["__flags__"].__get__


class _Known:
    """What a container held when both sides had the same.

    parts: those within it that are kept, each with a copy of its own here.  encoded: returns bytes.

    A test's callback can be asked thousands of times, and each time all is compared.  So this goes by the
    identity of what lies in the container; it goes by bytes only where something in it can change otherwise.
    """

    def __init__(
        self,
        held: Any,
        parts: list[tuple[Path, int]],
        is_kept: Callable[[object], bool],
        encoded: Callable[[object], bytes],
    ) -> None:
        self.parts = parts
        self.is_told = True
        """Whether the tests know what lies in it."""
        self._contents = _contents(held, is_kept)
        self._encode = encoded
        self._encoded = encoded(held) if self._contents is None else None

    def is_now(self, held: Any) -> bool:
        if not self.is_told:
            return False
        if self._contents is None:
            return self._encode(held) == self._encoded
        for each, content in self._contents:
            if len(each) != len(content[0]) or not all(map(is_, chain(*items_of(each)), chain(*content))):
                return False
        return True


def _contents(held: Any, is_kept: Callable[[object], bool]) -> list[tuple[Any, list[list[Any]]]] | None:
    """Return a container and those within it that are not kept, each with what it holds.

    None where something in them can change without another one taking its place.
    """
    found = []
    seen: set[int] = set()
    waiting = [held]
    while waiting:
        outer = waiting.pop()
        if is_mutable(outer):
            found.append((outer, [[*part] for part in items_of(outer)]))
        content = content_of(outer)
        if _FLAT.issuperset(map(type, content)):
            continue
        for one in content:
            if type(one) is tuple or is_mutable(one):
                if id(one) not in seen and not is_kept(one):
                    seen.add(id(one))
                    waiting.append(one)
            elif type(one) not in _FLAT and not _is_told_by_number(one):
                return None
    return found


def _is_told_by_number(value: object) -> bool:
    """Tell whether the tests have a value as a handle, whatever becomes of it: an object of a plain class."""
    return (
        all(base is object or _flags_of(base) & _HEAP_TYPE for base in mro(type(value)))
        and not library_values.is_data(value)
        and arrays.plain(value) is arrays.NOT_PLAIN
    )


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
        for number in self._by_number:
            self._note_again(number)
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
        return [self._latest(latest), changed]

    def told(self, answers: Sequence[object]) -> list[object] | None:
        """Return what `changed` says of what is answered, and whether some have changed; None for nothing."""
        if not self._by_number:
            return None
        latest, has_changed = self._latest(answers), not all(map(self._is_as_known, self._by_number))
        return [latest, has_changed] if has_changed or any(n >= 0 or parts for n, parts in latest) else None

    def _latest(self, latest: Sequence[object]) -> list[tuple[int, list[tuple[Path, int]]]]:
        return [(self._numbers.get(id(one), -1), self._parts_of(one)) for one in latest]

    def _is_as_known(self, number: int) -> bool:
        return self._known[number].is_now(self._by_number[number])

    def _kept(self, number: int) -> Any:
        if number not in self._by_number:
            raise NoContainer
        return self._by_number[number]

    def _note(self, number: int) -> None:
        held = self._by_number[number]
        self._known[number] = _Known(held, self._parts_of(held), self._is_kept, self._encoded)

    def _note_again(self, number: int) -> None:
        """Note what a container holds after others began or ceased to be kept.

        The tests learn of each that lies in it: they may have two copies of one.
        """
        known = self._known.get(number)
        self._note(number)
        if known is not None and known.parts != self._known[number].parts:
            self._known[number].is_told = False

    def _parts_of(self, value: object) -> list[tuple[Path, int]]:
        """Return the paths to those that are kept within a value, with their numbers."""
        found = within(value, self._is_kept)
        return [(path, self._numbers[id(inner)]) for path, inner in found if self._is_kept(inner)]

    def _is_kept(self, value: object) -> bool:
        return id(value) in self._numbers
