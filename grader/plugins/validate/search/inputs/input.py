"""The inputs of a question: those of its own cases, and what can be changed in them.

An input is one call, all steps of a scenario, or what a program is given.  It has a template: the case of the
question that says how its answer is judged.
"""

from collections.abc import Hashable, Iterator
from dataclasses import dataclass, replace
from typing import TypeAlias

from grader.model.case import (
    Argument,
    Bound,
    Call,
    Case,
    Check,
    Combine,
    Player,
    ProgramRun,
    Raises,
    Returns,
    SameAsReference,
    Step,
)
from grader.model.kinds import calls_of, kind_of
from grader.model.task import Question, Task
from grader.plugins.validate.search.inputs.parts import frozen, size
from grader.values.sort import Role

Slot: TypeAlias = tuple[Hashable, ...]
"""Which argument of an input a value is."""

_MOST_OF_A_CASE = 40
"""The most calls of one case that are changed; the others only show what there is to put in."""


@dataclass(frozen=True, slots=True)
class Input:
    """One input.

    template: the case of the question that it is judged like; it makes exactly these calls.
    seed: the input of a case of the spec that it was made from; None for such an input itself.
    edits: the number of changes.
    """

    template: Case
    seed: "Input | None" = None
    edits: int = 0

    @property
    def calls(self) -> tuple[Call, ...]:
        return calls_of(self.template).calls

    @property
    def is_apart(self) -> bool:
        """Tell whether each of its calls has an expectation of its own, as in a scenario."""
        return kind_of(self.template).each_by_itself(self.template)

    @property
    def functions(self) -> tuple[str, ...]:
        return tuple(call.function for call in self.calls)

    @property
    def origin(self) -> "Input":
        """Return the input of a case of the spec that this one was made from."""
        return self.seed or self

    def slots(self) -> Iterator[tuple[Slot, Role, Argument]]:
        """Yield what can be changed: arguments of calls, and input of a program."""
        for number, call in enumerate(self.calls):
            name = call.own_name
            named: list[tuple[Hashable, Argument]] = [*enumerate(call.args), *call.kwargs]
            for key, value in named:
                if not isinstance(value, Bound):
                    yield ("call", number, key), ("argument", name, key), value
        run = program_of(self.template)
        if run is not None:
            yield from _program_slots(run)

    def value(self, slot: Slot) -> Argument:
        return next(value for key, _, value in self.slots() if key == slot)

    def with_value(self, slot: Slot, value: Argument, edits: int) -> "Input":
        """Return the input with another value in a slot."""
        template = self.template
        if slot[0] == "call":
            _, number, key = slot
            assert isinstance(number, int)
            call = _with_argument(self.calls[number], key, value)
            return self.with_calls((*self.calls[:number], call, *self.calls[number + 1 :]), edits)
        run = program_of(template)
        assert run is not None
        return Input(replace(template, what=_with_program_value(run, slot, value)), self.origin, edits)

    def with_calls(self, calls: tuple[Call, ...], edits: int) -> "Input":
        """Return the input with other calls."""
        what = calls_of(self.template)
        steps = tuple(replace(step, call=call) for step, call in zip(what.steps, calls, strict=True))
        return Input(replace(self.template, what=replace(what, steps=steps)), self.origin, edits)

    def key(self) -> Hashable:
        """Return a key that inputs with the same calls and seed have in common."""
        return self.template.seed, self.functions, tuple(frozen(value) for _, _, value in self.slots())

    def size(self) -> float:
        return sum(size(value) for _, _, value in self.slots())


def _with_argument(call: Call, key: Hashable, value: Argument) -> Call:
    if isinstance(key, int):
        return replace(call, args=(*call.args[:key], value, *call.args[key + 1 :]))
    return replace(call, kwargs=tuple((name, value if name == key else old) for name, old in call.kwargs))


def _program_slots(run: ProgramRun) -> Iterator[tuple[Slot, Role, Argument]]:
    role = ("program", run.main)
    if run.validator is not None:
        # The answer that it is given belongs to this input.
        return
    if run.stdin or not run.talks:
        yield ("stdin",), (*role, "stdin"), run.stdin.split("\n")
    yield ("arguments",), (*role, "arguments"), list(run.arguments)
    for number, (name, content) in enumerate(run.files):
        try:
            yield ("file", number), (*role, "file", name), content.decode().split("\n")
        except UnicodeDecodeError:
            continue
    if run.player is not None:
        for name, value in run.player.arguments:
            yield ("player", name), (*role, "player", name), value


def _with_program_value(run: ProgramRun, slot: Slot, value: Argument) -> ProgramRun:
    lines = [part for part in value if isinstance(part, str)] if isinstance(value, list) else []
    match slot:
        case ("stdin",):
            return replace(run, stdin="\n".join(lines))
        case ("arguments",):
            return replace(run, arguments=tuple(lines))
        case ("file", int(number)):
            files = [*run.files]
            files[number] = files[number][0], "\n".join(lines).encode()
            return replace(run, files=tuple(files))
        case ("player", name) if run.player is not None:
            arguments = tuple((key, value if key == name else old) for key, old in run.player.arguments)
            return replace(run, player=Player(run.player.function, arguments))
    raise ValueError(f"a program has no {slot}")


def own_inputs(question: Question) -> list[Input]:
    """Return the inputs of a question's own cases."""
    found: list[Input] = []
    for case in question.cases:
        found += _inputs_of(case)
    return found


def program_of(case: Case) -> ProgramRun | None:
    """Return the program that a case runs; None for a case that makes calls."""
    return case.what if isinstance(case.what, ProgramRun) else None


def inputs_elsewhere(task: Task, question: Question, own: list[Input]) -> list[Input]:
    """Return the inputs that other questions give to the same functions, judged as in this question."""
    like: dict[str, Case] = {}
    for known in own:
        if known.calls and not known.is_apart:
            like.setdefault(known.calls[0].function, known.template)
    found: list[Input] = []
    for other in task.questions:
        if other.id == question.id or other.module != question.module:
            continue
        for case in other.cases:
            for one in _inputs_of(case):
                if one.calls and not one.is_apart and one.calls[0].function in like:
                    template = Input(like[one.calls[0].function]).with_calls(one.calls, 0).template
                    what = replace(calls_of(template), watch=calls_of(one.template).watch)
                    found.append(Input(replace(template, what=what)))
    return found


def _inputs_of(case: Case) -> list[Input]:
    what = calls_of(case)
    if not kind_of(case).runs or what.own_code or what.folder is not None:
        return []
    if kind_of(case).each_by_itself(case) or kind_of(case).as_main:
        return [Input(case)]
    every = -(-len(what.steps) // _MOST_OF_A_CASE) or 1
    return [Input(_single(case, step)) for step in what.steps[::every]]


def _single(case: Case, step: Step) -> Case:
    """Return a case that makes one of the calls of a case.

    A checker that looks at the answers of all calls cannot judge one of them.
    """
    what = calls_of(case)
    expect = what.decides
    if what.combine is not None:
        if isinstance(expect, Check):
            expect = None
        elif isinstance(expect, Returns | SameAsReference):
            plain = replace(expect.comparison, unordered=False)
            exact = what.combine in (Combine.COUNT, Combine.EACH) or expect.comparison
            expect = SameAsReference(plain if exact else expect.comparison)
    what = replace(what, steps=(replace(step, expect=expect),), combine=None, expect=None)
    return replace(case, text=step.call.text, what=what)


def raised_in(question: Question) -> dict[str, set[str]]:
    """Return the exceptions that cases of a question expect, by function or method."""
    found: dict[str, set[str]] = {}
    for case in question.cases:
        what = calls_of(case)
        for call, expect in zip(what.calls, what.expects, strict=True):
            if isinstance(expect, Raises):
                found.setdefault(call.own_name, set()).add(expect.exception)
    return found
