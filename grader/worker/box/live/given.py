"""What an operation is given: whether it changes that, and where it puts what lies in it.

The tests have copies of what they give.  From this they learn which of their containers is which afterwards.
"""

from collections.abc import Callable, Sequence
from typing import Any

from grader.wire.containers import MUTABLE, Path, Twin, all_in, is_mutable, joined, twins_among
from grader.wire.encoder import mro
from grader.worker.box.live.snapshot import Snapshot

Place = tuple[int, Path]
"""A value by its number, and the path within it.  0 is the answer, the rest are what was given."""

Told = tuple[list[Any] | None, list[list[object]], list[Twin]]
"""What was given, if it has changed.  Then of the containers in the answer, and in what was given if that has
changed: where each lies that was given, and where it lay; and where a new one lies twice."""


class Given:
    """What one operation is given.

    encoded: returns a value as bytes.
    """

    def __init__(self, encoded: Callable[[object], bytes]) -> None:
        self._encoded = encoded
        self._before: Snapshot | None = None
        """What they held when the tests had the same."""
        self._places: dict[int, Place] = {}
        """Where each container was then first, by its identity."""
        self._alive: list[Any] = []
        """These containers, so that no new one gets the identity of one of them."""
        self._containers: frozenset[int] = frozenset()
        self.changed: list[Any] | None = None
        """What was given, if it was found changed at the latest look."""
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
        self.values = joined(values, twins)
        if any(map(may_change, self.values)):
            self._begin()
        return self.values

    def _begin(self) -> None:
        self._before = Snapshot(self.values, self._encoded)
        self._containers = self._before.containers()
        self._places, self._alive = {}, []
        for number, path, container in all_in([None, *self.values]):
            self._places.setdefault(id(container), (number, path))
            self._alive.append(container)

    def go_on(self) -> None:
        """Note it anew after a callback, in which the tests and what they asked for can have changed it."""
        if self._before is not None and not self._before.is_now():
            self._begin()

    def meanwhile(self, handed: tuple[object, ...]) -> Told:
        """Return what `after` does, with what a callback is handed as the answer, and note it anew."""
        told = self.after(handed)
        if told[0] is not None:
            self._begin()
        return told

    def after(self, answer: object = None) -> Told:
        """Return what the tests need to know of what was given.

        Of each container that was given it tells where it is and where it was; of those in the answer alone
        if nothing has changed.
        """
        is_same = self._before is None or self._before.is_now()
        self.changed = None if is_same else self.values
        self.unchanged = self._containers if is_same else frozenset()
        found = [*all_in([answer] if is_same else [answer, *self.values])]
        moved = [[number, path, *self._places[id(one)]] for number, path, one in found if self.had(one)]
        return self.changed, moved, twins_among(each for each in found if not self.had(each[2]))

    def had(self, container: object) -> bool:
        """Tell whether a container was among what was given, or in it."""
        return id(container) in self._places


def holds_container(value: object) -> bool:
    """Tell whether a value is a container, or a tuple with one in it."""
    return is_mutable(value) or (type(value) is tuple and any(map(holds_container, value)))


def is_like_container(value: object) -> bool:
    """Tell the same, also of an object whose class derives from a container's."""
    if any(base is each for base in mro(type(value)) for each in MUTABLE):
        return True
    return type(value) is tuple and any(map(is_like_container, value))
