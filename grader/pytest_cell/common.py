"""Lists, dicts and sets that a student's tests and the program have in common.

Each side has a copy of its own.  Before an operation the program's becomes as the tests have changed theirs,
and after it the tests' as the program has changed its own.  So a change is seen on both sides as within one
process.  The program is asked only about those containers that the tests have changed or still hold.

A container that lies in another one is copied with it.
"""

import sys
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, Protocol

from grader.pytest_cell.changes import update

_MUTABLE = (list, dict, set)
_MOST = 32
_MOST_ITEMS = 1_000
"""A larger container is a copy: to look through it before each operation would take long."""
_DEEPEST = 20


class Program(Protocol):
    """The way to the program."""

    def node_of_content(self, container: Any) -> list[Any] | None:
        """Return a container as a node of what it holds; None if that cannot cross."""

    def carry_out(self, operation: list[Any]) -> Any:
        """Return the result of an operation that is not the test's own."""


@dataclass(eq=False, slots=True)
class _Common:
    """A container of the tests' that the program has too.

    held: the container alone in a list, so that the references to it can be counted.
    known: what it held when both sides had the same.  number: the program's, -1 if it was not asked yet.
    place: among what the latest operation answered and was given.
    """

    held: list[Any]
    known: object
    place: int
    number: int = -1

    @property
    def has_changed(self) -> bool:
        """Whether the tests have changed it."""
        return _content(self.held[0]) != self.known

    @property
    def matters(self) -> bool:
        """Whether the tests have changed it, or still hold it and can see what the program changes."""
        return _references(self.held) > _ALONE or self.has_changed


def _references(held: list[Any]) -> int:
    return sys.getrefcount(held[0])


_ALONE = _references([[]])
"""The references to a container that nobody else holds."""


class CommonContainers:
    """The containers that one process of the program has in common with the tests."""

    def __init__(self, program: Program) -> None:
        self._program = program
        self._latest: list[_Common] = []
        """What the latest operation answered and was given."""
        self._common: list[_Common] = []

    def number_of(self, value: object) -> int:
        """Return the number under which the program knows a container, -1 if it does not."""
        return next((each.number for each in self._common if each.held[0] is value), -1)

    def before(self) -> None:
        """Tell the program what the tests have changed."""
        self._common = [each for each in self._common if each.matters]
        latest, self._latest = [each for each in self._latest if each.matters], []
        if latest and len(self._common) + len(latest) <= _MOST:
            numbers = self._program.carry_out(["keep", [each.place for each in latest]])
            for each, number in zip(latest, numbers, strict=True):
                each.number = number
            self._common += latest
        for each in self._common:
            if each.has_changed:
                node = self._program.node_of_content(each.held[0])
                if node is not None:
                    self._program.carry_out(["fill", each.number, node])
                each.known = _content(each.held[0])

    def after(self, answer: Any, given: Sequence[Any]) -> Any:
        """Take over what the program has changed.  Return the answer, or the container that it is."""
        self._latest = []
        if self._common:
            number, changed = self._program.carry_out(["kept", [each.number for each in self._common]])
            for place, content in changed:
                update(self._common[place].held[0], content)
                self._common[place].known = _content(self._common[place].held[0])
            for each in self._common:
                if each.number == number and type(each.held[0]) is type(answer):
                    answer = each.held[0]
        for place, one in enumerate((answer, *given)):
            is_new = self.number_of(one) < 0 and not any(each.held[0] is one for each in self._latest)
            if type(one) in _MUTABLE and len(one) <= _MOST_ITEMS and is_new:
                self._latest.append(_Common([one], _content(one), place))
        return answer


def _content(value: Any, depth: int = 0) -> object:
    """Return what a value holds, for a comparison: data as it is, and objects by their identity."""
    kind = type(value)
    if kind in (list, tuple, set, frozenset) and depth < _DEEPEST:
        return kind, [_content(item, depth + 1) for item in value]
    if kind is dict and depth < _DEEPEST:
        return kind, [(_content(key, depth + 1), _content(item, depth + 1)) for key, item in value.items()]
    return (kind, repr(value)) if kind in (bool, int, float, complex, str, bytes) else (kind, id(value))
