"""Runs inputs in boxes: many at once, as steps of one long scenario, or one alone, as marking runs it.

The reference and its mutants are the instructor's own code.  A mutant may loop, change what it is given or
keep a state, so each request runs in a fork of its own, which is ended at its limit.
"""

from collections.abc import Sequence
from dataclasses import dataclass, replace

from grader.kinds.program.dialogue import Programs
from grader.lab.boxes import import_limits
from grader.lab.requests import captured_modules, request_of, watched_in
from grader.lab.tools import MarkingTools
from grader.model.case import Argument, Bound, Call, Case, Watched
from grader.model.kinds import calls_of, kind_of
from grader.model.limits import Limits
from grader.model.outcome import Answer, Ending, Outcome, WatchedCall
from grader.model.task import Question, Task
from grader.model.values import Value
from grader.plugins.validate.search.inputs.input import Input, program_of
from grader.sandbox.box import Box, CallbackFailed, Job, Program, loaded
from grader.sandbox.budget import UNBILLED
from grader.sandbox.evidence import Evidence
from grader.sandbox.request import encode_request

_ANSWERS_B = 32 << 20
_LONGEST_S = 60.0
"""The CPU time that a box's processes can have at most; each request has a limit of its own."""


class CannotRun(Exception):
    """A program cannot be imported."""


@dataclass(frozen=True, slots=True)
class Bundle:
    """Inputs of one seed that run in one process, one after another."""

    inputs: tuple[Input, ...]
    request: bytes
    callbacks: tuple[tuple[str, str], ...]
    """The source of each watched callback, by its name in the request."""

    def outcomes(self, found: Evidence) -> list[Outcome]:
        """Return the outcome of each input that was answered whole, up to the first that was not."""
        outcome = found.outcome()
        answers: tuple[Answer, ...] = outcome.answers
        split: list[Outcome] = []
        at = 0
        for number, one in enumerate(self.inputs):
            end = at + len(one.calls)
            if end > len(answers):
                break
            watched = _own_calls(outcome.watched, number)
            split.append(Outcome(ending=Ending.ANSWERED, answers=answers[at:end], watched=watched))
            at = end
        return split


class CallRunner:
    """Runs calls of one program, which is imported once for each seed that its question's cases name.

    Raises `CannotRun` and `SandboxFailure`.
    """

    def __init__(self, tools: MarkingTools, task: Task, question: Question, sources: dict[str, str]) -> None:
        self._tools = tools
        self._task = task
        self._memory_b = max((case.limits.memory_b for case in question.cases), default=task.limits.memory_b)
        captures = question.module in captured_modules(task)
        self._program = Program(question.module, sources, captures=captures)
        self._boxes: dict[int, Box] = {}

    def _box(self, case: Case) -> Box:
        """Return the box with the seed of a case."""
        seed = self._task.seed_of(case)
        if seed not in self._boxes:
            limits = import_limits(self._memory_b)
            zygote, program = self._tools.zygote, self._program
            box = Box(zygote, program, self._memory_b, limits, _LONGEST_S, seed, purse=UNBILLED)
            self._boxes[seed] = box
            outcome, _ = box.load()
            if not loaded(outcome):
                raise CannotRun(outcome.detail or str(outcome.ending))
        return self._boxes[seed]

    def together(self, bundle: Bundle, time_s: float) -> Evidence:
        """Run a bundle.  time_s: the CPU time of all of it."""
        limits = Limits(time_s=time_s, wall_s=3 * time_s + 1, answer_b=_ANSWERS_B)
        sources = dict(bundle.callbacks)

        def answer(called: WatchedCall) -> Value:
            return self._call_back(sources, called)

        box = self._box(bundle.inputs[0].template)
        (found,) = box.gather([Job(bundle.request, limits, answer if sources else None)])
        return found

    def alone(self, case: Case, limits: Limits, reference: Outcome | None = None) -> Outcome:
        """Run one input by itself, as marking runs it."""
        sources = {watched.name: watched.source for watched in watched_in(case)}

        def answer(called: WatchedCall) -> Value:
            return self._call_back(sources, called)

        job = Job(request_of(self._task, case), limits, answer if sources else None)
        (outcome,) = self._box(case).run([job])
        return outcome

    def _call_back(self, sources: dict[str, str], called: WatchedCall) -> Value:
        if called.name not in sources:
            raise CallbackFailed("there is no such callback")
        return self._tools.oracle.call_back(sources[called.name], called.args)

    def close(self) -> None:
        for box in self._boxes.values():
            box.close()


class ProgramRunner:
    """Runs a module as a program, each time from its start."""

    def __init__(self, tools: MarkingTools, task: Task, sources: dict[str, str]) -> None:
        self._programs = Programs(tools.zygote, sources, tools.oracle, _LONGEST_S, task.seed, purse=UNBILLED)

    def alone(self, case: Case, limits: Limits, reference: Outcome | None = None) -> Outcome:
        """Run the program; without a reference its words do not end its dialogue."""
        run = program_of(case)
        assert run is not None, "a question with a program has programs alone"
        conversation = self._programs.conversation(run, reference, lenient=reference is None)
        return self._programs.outcome(case, run, limits, conversation)

    def close(self) -> None:
        self._programs.close()


def bundle(task: Task, question: Question, inputs: Sequence[Input]) -> Bundle:
    """Return inputs as one request; all names of objects and callbacks get the input's number."""
    calls: list[Call] = []
    for number, one in enumerate(inputs):
        bound = {call.bind for call in one.calls if call.bind}
        calls += [_numbered(call, number, bound) for call in one.calls]
    request = encode_request(
        calls,
        Limits(answer_b=_ANSWERS_B),
        unchanged=any(calls_of(case).unchanged for case in question.cases),
        types=task.types,
        prints=any(kind_of(case).captures(case) for case in question.cases),
        stepwise=True,
    )
    callbacks = {
        value.name: value.source for call in calls for value in call.args if isinstance(value, Watched)
    }
    callbacks |= {v.name: v.source for call in calls for _, v in call.kwargs if isinstance(v, Watched)}
    return Bundle(tuple(inputs), request, tuple(callbacks.items()))


def _numbered(call: Call, number: int, bound: set[str]) -> Call:
    first, dot, rest = call.function.partition(".")
    return replace(
        call,
        function=f"{_name(first, number)}{dot}{rest}" if first in bound else call.function,
        formula=call.formula and call.formula.renamed(lambda name: _name(name, number)),
        args=tuple(_renamed(value, number) for value in call.args),
        kwargs=tuple((name, _renamed(value, number)) for name, value in call.kwargs),
        bind=_name(call.bind, number) if call.bind else "",
    )


def _renamed(value: Argument, number: int) -> Argument:
    if isinstance(value, Bound | Watched):
        return replace(value, name=_name(value.name, number))
    return value


def _name(name: str, number: int) -> str:
    return f"{name}__{number}"


def _own_calls(watched: Sequence[WatchedCall], number: int) -> tuple[WatchedCall, ...]:
    end = f"__{number}"
    return tuple(
        replace(called, name=called.name.removesuffix(end)) for called in watched if called.name.endswith(end)
    )
