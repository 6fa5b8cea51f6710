"""What an operation is given: whether it changes that, and where it puts what lies in it.

The tests have copies of what they give.  From this they learn which of their containers is which afterwards.
"""

from collections.abc import Callable, Sequence
from typing import Any

from grader.wire.containers import MUTABLE, Path, all_in, at, is_mutable, placed
from grader.wire.encoder import mro
from grader.worker.box.live.snapshot import Snapshot

Place = tuple[int, Path]
"""A value by its number, and the path within it.  0 is the answer, the rest are what was given."""

Twin = tuple[int, Path, int, Path]
"""A place, counted from 0, at which the same container lies as at another place."""


class Given:
    """What one operation is given.

    encoded: returns a value as bytes.
    """

    def __init__(self, encoded: Callable[[object], bytes]) -> None:
        self._encoded = encoded
        self._before: Snapshot | None = None
        """What they held when the tests had the same."""
        self._places: dict[int, list[Place]] = {}
        """Where each container was then, by its identity."""
        self._alive: list[Any] = []
        """These containers, so that no new one gets the identity of one of them."""
        self._containers: frozenset[int] = frozenset()
        self.unchanged: frozenset[int] = frozenset()
        """The identities of those containers that were found to hold the same at the latest look."""
        self.values: list[Any] = []
        self.answer: object = None

    def take(
        self, values: Sequence[Any], twins: Sequence[Twin] = (), *, may_change: Callable[[object], bool]
    ) -> list[Any]:
        """Note what an operation is given, before it is carried out; return it.

        may_change: tells whether a value, or what lies in it, may change so that the tests see it.
        """
        self.values = [*values]
        for number, path, other, way in twins:
            self.values[number] = placed(self.values[number], path, at(self.values[other], way))
        if any(map(may_change, self.values)):
            self._begin()
        return self.values

    def _begin(self) -> None:
        self._before = Snapshot(self.values, self._encoded)
        self._containers = self._before.containers()
        self._places, self._alive = {}, []
        for number, path, container in all_in([None, *self.values]):
            self._places.setdefault(id(container), []).append((number, path))
            self._alive.append(container)

    def go_on(self) -> None:
        """Note it anew where the tests have changed it."""
        if self._before is not None and not self._before.is_now():
            self._begin()

    def meanwhile(self, handed: tuple[object, ...]) -> tuple[list[Any] | None, list[list[object]]]:
        """Return what `after` does, with what a callback is handed as the answer, and note it anew."""
        told = self.after(handed)
        if told[0] is not None:
            self._begin()
        return told

    def after(self, answer: object = None) -> tuple[list[Any] | None, list[list[object]]]:
        """Return what was given, if it has changed, and what lies at another place than before.

        For the latter it tells of each container where it is and where it was; of those in the answer alone
        if nothing has changed.  It tells nothing if each is where it was and nowhere else.
        """
        if self._before is None:
            return None, []
        is_same = self._before.is_now()
        self.unchanged = self._containers if is_same else frozenset()
        if is_same:
            return None, self._moved([answer])
        now = {
            (number, *path, id(container))
            for number, path, container in all_in([answer, *self.values])
            if id(container) in self._places
        }
        before = {(number, *path, each) for each, places in self._places.items() for number, path in places}
        return self.values, self._moved([answer, *self.values]) if now != before else []

    def _moved(self, values: Sequence[object]) -> list[list[object]]:
        return [
            [number, path, *self._places[id(container)][0]]
            for number, path, container in all_in(values)
            if id(container) in self._places
        ]


def holds_container(value: object) -> bool:
    """Tell whether a value is a container, or a tuple with one in it."""
    return is_mutable(value) or (type(value) is tuple and any(map(holds_container, value)))


def is_like_container(value: object) -> bool:
    """Tell the same, also of an object whose class derives from a container's."""
    if any(base is each for base in mro(type(value)) for each in MUTABLE):
        return True
    return type(value) is tuple and any(map(is_like_container, value))
