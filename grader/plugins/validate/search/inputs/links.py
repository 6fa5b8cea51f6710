"""Arguments that are part of another argument: a piece, and the board that it is on.

If one of them changes and the other does not, most functions get an input that makes no sense.
"""

import random
from collections.abc import Iterator
from dataclasses import dataclass

from grader.model.case import Argument
from grader.model.values import Record, Value
from grader.plugins.validate.search.inputs.edits import SeenValues, edits
from grader.plugins.validate.search.inputs.input import Input, Slot
from grader.plugins.validate.search.inputs.parts import frozen, places, replaced
from grader.values.sort import Role


@dataclass(frozen=True, slots=True)
class ArgumentLink:
    """An argument, with its role, whose value is inside another one's."""

    slot: Slot
    role: Role
    holder: Slot


def links_of(seed: Input) -> list[ArgumentLink]:
    """Return which arguments of an input are inside others."""
    slots = list(seed.slots())
    return [
        ArgumentLink(slot, role, holder)
        for slot, role, value in slots
        if isinstance(value, Record | tuple)
        for holder, _, other in slots
        if holder != slot and any(frozen(part) == frozen(value) for part in inside(other))
    ]


def linked_changes(seed: Input, link: ArgumentLink, seen: SeenValues, rng: random.Random) -> Iterator[Input]:
    """Yield the input with another part of the holder as the argument, then with both changed alike."""
    value, holder = seed.value(link.slot), seed.value(link.holder)
    for other in _kin(value, holder):
        yield seed.with_value(link.slot, other, 1)
    for other in edits(value, link.role, seen, rng):
        try:
            changed = _exchanged(holder, value, other)
        except TypeError:
            continue
        yield seed.with_value(link.slot, other, 1).with_value(link.holder, changed, 1)


def mended(one: Input, links: list[ArgumentLink], rng: random.Random) -> Input:
    """Return the input with arguments that are inside the others again."""
    for link in links:
        value, holder = one.value(link.slot), one.value(link.holder)
        if any(frozen(part) == frozen(value) for part in inside(holder)):
            continue
        others = _kin(value, holder)
        if others:
            one = one.with_value(link.slot, rng.choice(others), one.edits)
    return one


def inside(value: Argument) -> Iterator[Value]:
    """Yield all parts of a value, at any depth, but not the value itself."""
    for _, _, part in places(value, ()):
        yield part
        yield from inside(part)


def _kin(value: Argument, holder: Argument) -> list[Value]:
    """Return the other parts of a holder that have the same shape."""
    return [
        part for part in inside(holder) if _shape(part) == _shape(value) and frozen(part) != frozen(value)
    ]


def _shape(value: Argument) -> object:
    if isinstance(value, Record):
        return tuple(name for name, _ in value.fields)
    return tuple(map(type, value)) if isinstance(value, tuple) else None


def _exchanged(holder: Value, old: Argument, new: Argument) -> Value:
    """Return the holder with a part replaced wherever it is.  Raises `TypeError` if a set cannot hold it."""
    if frozen(holder) == frozen(old):
        return new
    for place, _, part in list(places(holder, ())):
        if any(frozen(inner) == frozen(old) for inner in (part, *inside(part))):
            holder = replaced(holder, place, _exchanged(part, old, new))
    return holder
