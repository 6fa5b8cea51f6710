"""What an operation is given: whether it changes that, and where it puts what lies in it.

The tests have copies of what they give.  From this they learn which of their containers is which afterwards.
"""

from collections.abc import Callable, Sequence
from typing import Any

from grader.wire.containers import MUTABLE, Path, all_in, at, is_mutable, placed
from grader.wire.encoder import mro

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
        self._before: bytes | None = None
        self._places: dict[int, list[Place]] = {}
        """Where each container was, by its identity."""
        self._alive: list[Any] = []
        """These containers, so that no new one gets the identity of one of them."""
        self.values: list[Any] = []
        self.answer: object = None
        self._is_told = False

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
            self._before = self._encoded(self.values)
            for number, path, container in all_in([None, *self.values]):
                self._places.setdefault(id(container), []).append((number, path))
                self._alive.append(container)
        return self.values

    def after(self, answer: object = None) -> tuple[list[Any] | None, list[list[object]]]:
        """Return what was given, if it has changed, and what lies at another place than before.

        For the latter it tells of each container where it is and where it was.
        It tells nothing if each is where it was and nowhere else.
        """
        if self._before is None:
            return None, []
        found = [
            (number, path, id(container))
            for number, path, container in all_in([answer, *self.values])
            if id(container) in self._places
        ]
        before = {(number, *path, each) for each, places in self._places.items() for number, path in places}
        moved: list[list[object]] = []
        if {(number, *path, each) for number, path, each in found} != before:
            moved = [[number, path, *self._places[each][0]] for number, path, each in found]
        return self.values if self._encoded(self.values) != self._before else None, moved

    def meanwhile(self, handed: tuple[object, ...]) -> tuple[list[Any] | None, list[list[object]]]:
        """Return the same for the first callback, with what it is handed as the answer.

        Later ones are told by what is kept.
        """
        if self._is_told:
            return None, []
        self._is_told = True
        return self.after(handed)


def holds_container(value: object) -> bool:
    """Tell whether a value is a container, or a tuple with one in it."""
    return is_mutable(value) or (type(value) is tuple and any(map(holds_container, value)))


def is_like_container(value: object) -> bool:
    """Tell the same, also of an object whose class derives from a container's."""
    if any(base is each for base in mro(type(value)) for each in MUTABLE):
        return True
    return type(value) is tuple and any(map(is_like_container, value))
