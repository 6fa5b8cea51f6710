"""The containers that the program and the tests have in common, from the program's side.

See `grader.plugins.tests.cell.containers.common` for the other side, and for what this is good for.
"""

from collections.abc import Callable, Container, Sequence
from typing import Any

from grader.wire.containers import Path, Twin, all_in, at, fill, is_mutable, twins_among, within
from grader.worker.box.live.given import Given
from grader.worker.box.live.snapshot import Snapshot


class _Known:
    """What a container held when both sides had the same.

    parts: those within it that are kept, each of which is known for itself.
    """

    def __init__(self, parts: list[tuple[Path, int]], snapshot: Snapshot) -> None:
        self.parts = parts
        self.is_told = True
        """Whether the tests know what lies in it."""
        self.inner: frozenset[int] | None = None
        """The identities of what lies in it, once they were asked for."""
        self._snapshot = snapshot

    def is_now(self) -> bool:
        return self.is_told and self._snapshot.is_now()


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
        """Return the numbers of containers; -1 for one that a refused operation was never given.

        ways: to each of them the number of one that is kept already, or else its place in the latest, and the
        path from there.  others: those that are kept on.
        """
        self._drop_all_but(others)
        found = [self._found(latest, *way) for way in ways]
        for container in filter(is_mutable, found):
            number = self._number_of(container)
            self._by_number[number], self._numbers[id(container)] = container, number
        for number in self._by_number:
            self._note_again(number)
        return [self._numbers.get(id(container), -1) for container in found]

    def _found(self, latest: Sequence[object], number: int, place: int, path: Path) -> object:
        try:
            return at(self._kept(number) if number >= 0 else latest[place], path)
        except LookupError:
            return None

    def _drop_all_but(self, others: Container[int]) -> bool:
        """Keep no others; return whether there were some."""
        gone = [each for each in self._by_number if each not in others]
        for number in gone:
            del self._numbers[id(self._by_number.pop(number))], self._known[number]
        return bool(gone)

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
        And where a container that is not kept lies in one that is, and at another place before, see `_twins`.
        """
        if self._drop_all_but(numbers):
            for number in self._by_number:
                self._note_again(number)
        kept = [*map(self._kept, numbers)]
        # The tests can have two copies of one.
        new = {number for number in numbers if not self._is_as_known(number)}
        for number in new:
            self._note(number)
        changed: list[object] = [
            [place, held, self._parts_of(held)]
            for place, (number, held) in enumerate(zip(numbers, kept, strict=True))
            if number in new
        ]
        return [self._latest(latest), changed, self._twins(latest, kept)]

    def _twins(self, latest: Sequence[object], kept: Sequence[object]) -> list[Twin]:
        """Return the places of containers that are not kept, by the numbers of the latest and then the kept.

        The latest come first: what lies in them is judged by the way by which it comes now.
        """
        values = [*(None if self._is_kept(one) else one for one in latest), *kept]
        found = (each for each in all_in(values, self._is_kept) if not self._is_kept(each[2]))
        return [twin for twin in twins_among(found) if twin[0] >= len(latest)]

    def told(
        self, answers: Sequence[object], given: Given, unchanged: Container[int] = ()
    ) -> list[object] | None:
        """Return what `changed` says of what is answered, and whether to ask it; None for nothing.

        It is to be asked if some have changed, or one that came now lies in them or was given one of them.
        given: to the operation.  unchanged: identities of containers that were looked at just now.
        """
        if not self._by_number:
            return None
        latest = self._latest(answers)
        has_changed = not all(
            self._known[number].is_told if id(held) in unchanged else self._is_as_known(number)
            for number, held in self._by_number.items()
        )
        is_to_ask = has_changed or self._is_any_new(answers, given)
        return [latest, is_to_ask] if is_to_ask or any(n >= 0 or parts for n, parts in latest) else None

    def _is_any_new(self, answers: Sequence[object], given: Given) -> bool:
        """Tell whether what is answered, or new in what was given, has one that is kept or lies in one."""
        in_given, in_answers = (
            {id(one) for _, _, one in all_in(values, self._is_kept) if not given.had(one)}
            for values in (given.changed or (), answers)
        )
        found = (in_given | in_answers) - self._numbers.keys()
        if found and not all(map(found.isdisjoint, map(self._inner, self._by_number))):
            return True
        return not in_given.isdisjoint(self._numbers)

    def _inner(self, number: int) -> frozenset[int]:
        known = self._known[number]
        if known.inner is None:
            held = self._by_number[number]
            known.inner = frozenset(id(one) for _, one in within(held, self._is_kept))
        return known.inner

    def _latest(self, latest: Sequence[object]) -> list[tuple[int, list[tuple[Path, int]]]]:
        return [(self._numbers.get(id(one), -1), self._parts_of(one)) for one in latest]

    def _is_as_known(self, number: int) -> bool:
        return self._known[number].is_now()

    def _kept(self, number: int) -> Any:
        if number not in self._by_number:
            raise NoContainer
        return self._by_number[number]

    def _note(self, number: int) -> None:
        held = self._by_number[number]
        parts = self._parts_of(held, with_theirs=False)
        self._known[number] = _Known(parts, Snapshot([held], self._encoded, self._is_kept))

    def _note_again(self, number: int) -> None:
        """Note what a container holds after others began or ceased to be kept.

        The tests learn of each that lies in it: they may have two copies of one.
        """
        before = self._known.get(number)
        self._note(number)
        if before is not None:
            now = self._known[number]
            now.is_told = before.parts == now.parts and before.is_now()

    def _parts_of(self, value: object, *, with_theirs: bool = True) -> list[tuple[Path, int]]:
        """Return the paths to those that are kept within a value, with their numbers, the innermost first.

        with_theirs: with those that lie in these.
        """
        seen: set[int] = set()

        def is_end(container: object) -> bool:
            was_seen = id(container) in seen
            seen.add(id(container))
            return self._is_kept(container) and (was_seen or not with_theirs)

        found = [
            (path, self._numbers[id(inner)]) for path, inner in within(value, is_end) if self._is_kept(inner)
        ]
        return sorted(found, key=lambda part: -len(part[0]))

    def _is_kept(self, value: object) -> bool:
        return id(value) in self._numbers
