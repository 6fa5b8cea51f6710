"""The inputs that are tried, in order: what other questions try, then one change and several in turns.

The order is the same in every process, so the reference answers once for all mutants.
"""

import random
from collections.abc import Hashable, Iterator
from dataclasses import replace
from itertools import chain

from grader.model.case import Argument, Bound, Call
from grader.model.task import Question, Task
from grader.plugins.validate.search.inputs.edits import SeenValues, edits, random_edit, thinned
from grader.plugins.validate.search.inputs.input import Input, Slot, inputs_elsewhere, own_inputs
from grader.plugins.validate.search.inputs.links import ArgumentLink, linked_changes, links_of, mended
from grader.plugins.validate.search.inputs.parts import frozen

_TURNS_WITHOUT_NEWS = 2_000
"""After so many inputs that were made before, all are taken to have been made."""
_TWICE = 4
"""Of so many inputs of the second part, all but one have two changes."""


def seen_in(task: Task, inputs: list[Input]) -> SeenValues:
    """Return the values that the inputs have, by role."""
    seen = SeenValues({each.name: each for each in task.types})
    for one in inputs:
        for _, role, value in one.slots():
            seen.add(value, role)
    return seen


def near_inputs(task: Task, question: Question) -> Iterator[Input]:
    """Yield inputs near those of the question's cases, each once, and none that a case has."""
    own = own_inputs(question)
    elsewhere = inputs_elsewhere(task, question, own)
    seeds = [*own, *elsewhere]
    seen = seen_in(task, seeds)
    rng = random.Random(0)
    made: set[Hashable] = {one.key() for one in own}
    first = chain(elsewhere, _with_other_calls(own))
    near = _in_turns([_once(seeds, seen, rng), _several(seeds, seen, rng)])
    in_vain = 0
    for one in chain(first, near):
        key = one.key()
        in_vain += 1
        if key not in made:
            made.add(key)
            in_vain = 0
            yield one
        if in_vain > _TURNS_WITHOUT_NEWS:
            return


def _with_other_calls(own: list[Input]) -> Iterator[Input]:
    """Yield scenarios in which one step has all its arguments from another case's.

    Arguments that belong together, such as a board and its size, are changed together.
    """
    known: dict[str, dict[Hashable, Call]] = {}
    for one in own:
        for call in one.calls:
            if not any(isinstance(value, Bound) for value in call.args):
                known.setdefault(call.own_name, {}).setdefault(_given(call), call)
    for one in own:
        for number, call in enumerate(one.calls if one.is_apart else ()):
            for other in known.get(call.own_name, {}).values():
                if _given(other) != _given(call):
                    changed = replace(call, args=other.args, kwargs=other.kwargs)
                    calls = (*one.calls[:number], changed, *one.calls[number + 1 :])
                    yield one.with_calls(calls, 1)


def _given(call: Call) -> Hashable:
    return tuple(map(frozen, call.args)), tuple((name, frozen(value)) for name, value in call.kwargs)


def _once(seeds: list[Input], seen: SeenValues, rng: random.Random) -> Iterator[Input]:
    """Yield inputs with one change, from all seeds in turns."""
    return _in_turns([_once_from(seed, seen, rng) for seed in seeds])


def _once_from(seed: Input, seen: SeenValues, rng: random.Random) -> Iterator[Input]:
    running = [linked_changes(seed, link, seen, rng) for link in links_of(seed)]
    running += [_with_edits(seed, slot, edits(value, role, seen, rng)) for slot, role, value in seed.slots()]
    return _in_turns(running)


def _with_edits(seed: Input, slot: Slot, values: Iterator[Argument]) -> Iterator[Input]:
    return (seed.with_value(slot, value, 1) for value in values)


def _in_turns(running: list[Iterator[Input]]) -> Iterator[Input]:
    while running:
        left = []
        for changed in running:
            one = next(changed, None)
            if one is not None:
                left.append(changed)
                yield one
        running = left


def _several(seeds: list[Input], seen: SeenValues, rng: random.Random) -> Iterator[Input]:
    """Yield inputs with two or three changes, without end."""
    linked = [(seed, links_of(seed)) for seed in seeds if any(seed.slots())]
    while linked:
        yield _changed(*rng.choice(linked), seen, rng)


def _changed(seed: Input, links: list[ArgumentLink], seen: SeenValues, rng: random.Random) -> Input:
    """Return the input with two or three changes; half of the time its sets lose members first.

    Less stands in the way in a smaller set, and functions take less time for it.
    """
    slots = list(seed.slots())
    changed = seed
    if rng.randrange(2):
        for slot, _, value in slots:
            changed = changed.with_value(slot, thinned(value, rng), 1)
    times = 2 if rng.randrange(_TWICE) else 3
    for number in range(times):
        slot, role, _ = rng.choice(slots)
        value = changed.value(slot)
        changed = changed.with_value(slot, random_edit(value, role, seen, rng), number + 1)
    return mended(changed, links, rng)
