"""The inputs that are tried, in order: what other questions try, then one change, then two, then three.

The order is the same in every process, so the reference answers once for all mutants.
"""

import random
from collections.abc import Hashable, Iterator
from dataclasses import replace
from itertools import chain

from grader.model.case import Bound, Call
from grader.model.task import Question, Task
from grader.validation.search.edits import Seen, edits, random_edit
from grader.validation.search.inputs import Input, inputs_elsewhere, own_inputs
from grader.validation.search.parts import frozen

_TURNS_WITHOUT_NEWS = 2_000
"""After so many inputs that were made before, all are taken to have been made."""
_TWICE = 4
"""Of so many inputs of the second part, all but one have two changes."""


def seen_in(task: Task, inputs: list[Input]) -> Seen:
    """Return the values that the inputs have, by role."""
    seen = Seen({each.name: each for each in task.types})
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
    for one in chain(elsewhere, _with_other_calls(own), _once(seeds, seen, rng)):
        key = one.key()
        if key not in made:
            made.add(key)
            yield one
    in_vain = 0
    while seeds and in_vain < _TURNS_WITHOUT_NEWS:
        changed = _several(rng.choice(seeds), seen, rng)
        in_vain += 1
        if changed is not None and (key := changed.key()) not in made:
            made.add(key)
            in_vain = 0
            yield changed


def _with_other_calls(own: list[Input]) -> Iterator[Input]:
    """Yield scenarios in which one step has all its arguments from another case's.

    Arguments that belong together, such as a board and its size, are changed together.
    """
    known: dict[str, dict[Hashable, Call]] = {}
    for one in own:
        for call in one.calls:
            if not any(isinstance(value, Bound) for value in call.args):
                known.setdefault(call.function.rpartition(".")[2], {}).setdefault(_given(call), call)
    for one in own:
        for number, call in enumerate(one.calls if one.template.steps else ()):
            for other in known.get(call.function.rpartition(".")[2], {}).values():
                if _given(other) != _given(call):
                    changed = replace(call, args=other.args, kwargs=other.kwargs)
                    calls = (*one.calls[:number], changed, *one.calls[number + 1 :])
                    yield Input(replace(one.template, calls=calls), one, 1)


def _given(call: Call) -> Hashable:
    return tuple(map(frozen, call.args)), tuple((name, frozen(value)) for name, value in call.kwargs)


def _once(seeds: list[Input], seen: Seen, rng: random.Random) -> Iterator[Input]:
    """Yield inputs with one change, from all seeds in turns."""
    running = [_once_from(seed, seen, rng) for seed in seeds]
    while running:
        left = []
        for changed in running:
            one = next(changed, None)
            if one is not None:
                left.append(changed)
                yield one
        running = left


def _once_from(seed: Input, seen: Seen, rng: random.Random) -> Iterator[Input]:
    running = [(slot, edits(value, role, seen, rng)) for slot, role, value in seed.slots()]
    while running:
        left = []
        for slot, changed in running:
            value = next(changed, _END)
            if value is not _END:
                left.append((slot, changed))
                yield seed.with_value(slot, value, 1)
        running = left


_END = object()


def _several(seed: Input, seen: Seen, rng: random.Random) -> Input | None:
    slots = list(seed.slots())
    if not slots:
        return None
    changed = seed
    times = 2 if rng.randrange(_TWICE) else 3
    for number in range(times):
        slot, role, _ = rng.choice(slots)
        value = changed.value(slot)
        changed = changed.with_value(slot, random_edit(value, role, seen, rng), number + 1)
    return changed
