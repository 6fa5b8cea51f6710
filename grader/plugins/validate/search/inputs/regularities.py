"""Regularities of the inputs of nearly all cases, and so probably of all inputs that make sense.

A piece is on the board that it is looked for on; no two squares of a path are the same; an energy is 1 to 4.
A spec does not state such things, so they are read off the cases.  Inputs that keep all are tried first.
"""

from collections.abc import Hashable, Iterable, Iterator
from dataclasses import dataclass

from grader.model.case import Argument
from grader.model.values import Record
from grader.plugins.validate.search.inputs.input import Input
from grader.plugins.validate.search.inputs.links import inside
from grader.plugins.validate.search.inputs.parts import frozen, places
from grader.values.sort import Role, sort_of

_ENOUGH = 3
"""A regularity of fewer inputs than this may be an accident."""
_NEARLY_ALL = 0.9
"""Single cases may be about just that: a piece that is not on the board."""


@dataclass(frozen=True, slots=True)
class Regularity:
    """Something that holds for nearly all cases.  text: what it means where it does not hold."""

    kind: str
    where: Hashable
    text: str


class Regularities:
    """The regularities of some inputs of the same functions."""

    def __init__(self, inputs: Iterable[Input]) -> None:
        self._seen: dict[Role, set[int]] = {}
        self._holding: dict[Hashable, set[Regularity]] = {}
        groups: dict[Hashable, list[Input]] = {}
        for one in inputs:
            groups.setdefault(one.functions, []).append(one)
            for role, number in _numbers(one):
                self._seen.setdefault(role, set()).add(number)
        for functions, members in groups.items():
            told = [dict(_told(one)) for one in members]
            known = set().union(*told)
            self._holding[functions] = {
                each for each in known if _holds([one[each] for one in told if each in one])
            }

    def broken(self, one: Input) -> frozenset[str]:
        """Return in words what holds for nearly all cases and not for this input."""
        told = dict(_told(one))
        found = {each.text for each in self._holding.get(one.functions, ()) if not told.get(each, True)}
        for role, number in _numbers(one):
            seen = self._seen.get(role, ())
            if len(seen) >= _ENOUGH and not min(seen) <= number <= max(seen):
                found.add(f"{number} is not from {min(seen)} to {max(seen)}")
        return frozenset(found)


def _holds(told: list[bool]) -> bool:
    return len(told) >= _ENOUGH and sum(told) >= _NEARLY_ALL * len(told)


def _told(one: Input) -> Iterator[tuple[Regularity, bool]]:
    """Yield what can be said of an input, and whether it holds."""
    slots = [(slot, value) for slot, _, value in one.slots()]
    held = [
        (
            slot,
            {frozen(part) for part in inside(value)} if sort_of(value).is_open else None,
        )
        for slot, value in slots
    ]
    for number, (slot, value) in enumerate(slots, 1):
        if not isinstance(value, Record | tuple | list):
            continue
        for place, (other, parts) in enumerate(held, 1):
            if other != slot and parts is not None:
                is_in = frozen(value) in parts
                where = slot, other
                yield Regularity("in", where, f"argument {number} is not in argument {place}"), is_in
                yield Regularity("out", where, f"argument {number} is in argument {place}"), not is_in
    told: dict[Regularity, bool] = {}
    for _, role, value in one.slots():
        for each, holds in _distinct(value, role):
            told[each] = told.get(each, True) and holds
    yield from told.items()


def _distinct(value: Argument, role: Role) -> Iterator[tuple[Regularity, bool]]:
    parts = list(places(value, role))
    items = [part for _, _, part in parts]
    sort = sort_of(value)
    if sort.is_alike and len(items) > 1:
        keys = [frozen(item) for item in items]
        if not sort.is_unordered:
            yield Regularity("distinct", role, "two items of a list are the same"), _differ(keys)
        names = {name for item in items if isinstance(item, Record) for name, _ in item.fields}
        for name in sorted(names):
            fields = [frozen(dict(item.fields).get(name)) for item in items if isinstance(item, Record)]
            text = f"two of the items have the same {name}"
            yield Regularity("distinct", (role, name), text), _differ(fields)
    for _, inner, part in parts:
        yield from _distinct(part, inner)


def _differ(keys: list[Hashable]) -> bool:
    return len(set(keys)) == len(keys)


def _numbers(one: Input) -> Iterator[tuple[Role, int]]:
    """Yield the whole numbers inside arguments; an argument itself may be one more or less than any seen."""
    for _, role, value in one.slots():
        yield from _numbers_in(value, role)


def _numbers_in(value: Argument, role: Role) -> Iterator[tuple[Role, int]]:
    for _, inner, part in places(value, role):
        if type(part) is int:
            yield inner, part
        else:
            yield from _numbers_in(part, inner)
