"""What is tried for one question: inputs near its cases, with the reference's answers.

The inputs are the same for each mutant, so the reference answers once, when the first mutant needs it.
"""

from collections.abc import Iterator
from dataclasses import dataclass, field, replace
from functools import cached_property
from itertools import islice
from time import monotonic

from grader.engine.submission.tools import MarkingTools
from grader.model.case import Check
from grader.model.limits import Limits, allowed
from grader.model.outcome import Ending, Outcome, RaisedAnswer, Returned
from grader.model.task import Question, Task
from grader.sandbox.evidence import Evidence
from grader.validation.search.bindings import Judged
from grader.validation.search.expectations import Expectations, Posed
from grader.validation.search.inputs import Input, own_inputs, raised_in
from grader.validation.search.parts import frozen
from grader.validation.search.runs import Bundle, CallRunner, ProgramRunner, bundle
from grader.validation.search.stream import near_inputs
from grader.validation.search.validity import Validity

_FIRST, _LARGEST = 16, 256
_SHORT_S, _LONG_S = 0.03, 0.1
"""Batches grow while the reference needs less CPU time for one, and shrink when it needs more."""
_SLOW_S = 0.5
"""An input for which the reference needs more is not tried."""
_MOST = 20_000
"""The most inputs of a question, with the answers that are kept in memory."""
_PROGRAM_S = 5.0


@dataclass
class Batch:
    """Inputs with the reference's answers.

    found: as the box gave them; equal bytes are equal answers.  bundle: None for programs, which run alone.
    """

    inputs: tuple[Input, ...]
    outcomes: list[Outcome]
    found: Evidence | None = None
    bundle: Bundle | None = None
    posed: dict[int, Posed | None] = field(default_factory=dict)

    @property
    def cpu_s(self) -> float:
        return self.found.report.cpu_s if self.found is not None else self.outcomes[0].cpu_s


class Field:
    """The inputs of a question.  Call `close` in the end.  Raises `CannotRun` and `SandboxFailure`."""

    def __init__(self, tools: MarkingTools, task: Task, question: Question) -> None:
        assert task.reference is not None
        self._tools = tools
        self._task = task
        self._question = question
        self._runner = runner_for(tools, task, question, reference_sources(task))
        self._validity = Validity(tools, task)
        self._raised = raised_in(question)
        self._stream = near_inputs(task, question)
        self._waiting: list[Input] = []
        self._size = _FIRST
        self._batches: list[Batch] = []
        self._alone: dict[object, Outcome] = {}

    @cached_property
    def expectations(self) -> Expectations:
        judged: list[Judged] = []
        for one in own_inputs(self._question):
            expects = [step.expect for step in one.template.steps] or [one.template.expect]
            if one.template.program is not None or not any(isinstance(expect, Check) for expect in expects):
                continue
            outcome = self.reference(one)
            for expect, answer in zip(expects, outcome.answers, strict=False):
                if isinstance(expect, Check) and isinstance(answer, Returned):
                    judged.append(Judged(one, answer.value, expect))
        return Expectations(self._task, self._question, self._tools.oracle, judged)

    def reference(self, one: Input) -> Outcome:
        """Return what the reference does with one input by itself."""
        key = one.key()
        if key not in self._alone:
            case = one.template
            self._alone[key] = self._runner.alone(case, allowed(case.limits))
        return self._alone[key]

    def batches(self, until: float) -> Iterator[Batch]:
        """Yield batches, the known ones first, until a time by the monotonic clock."""
        known = 0
        while monotonic() < until:
            if known == len(self._batches) and not self._extend(until):
                return
            yield self._batches[known]
            known += 1

    def posed(self, batch: Batch, number: int) -> Posed | None:
        """Return the case that an input of a batch makes, if the reference passes it."""
        if number not in batch.posed:
            batch.posed[number] = self.expectations.pose(batch.inputs[number], batch.outcomes[number])
        return batch.posed[number]

    def _extend(self, until: float) -> bool:
        """Ask the reference about further inputs; return whether there is a new batch."""
        while monotonic() < until and sum(len(batch.inputs) for batch in self._batches) < _MOST:
            chosen = self._waiting[: self._size]
            del self._waiting[: self._size]
            if not chosen:
                chosen = self._validity.valid(list(islice(self._stream, self._size)))
                if not chosen and next(self._stream, None) is None:
                    return False
            if chosen and self._add(chosen):
                return True
        return False

    def _add(self, chosen: list[Input]) -> bool:
        if isinstance(self._runner, ProgramRunner):
            return self._add_program(chosen)
        together = bundle(self._task, self._question, chosen)
        found = self._runner.together(together, _SLOW_S)
        outcomes = together.outcomes(found)
        if len(outcomes) < len(chosen):
            # The next one ended the process: it is too slow, or worse.
            self._waiting = chosen[len(outcomes) + 1 :] + self._waiting
            self._size = max(1, self._size // 4)
        elif found.report.cpu_s < _SHORT_S:
            self._size = min(_LARGEST, self._size * 2)
        elif found.report.cpu_s > _LONG_S:
            self._size = max(1, self._size // 2)
        valid = [
            one for one, outcome in zip(chosen, outcomes, strict=False) if self._is_answered(one, outcome)
        ]
        if len(valid) < len(chosen):
            if not valid:
                return False
            together = bundle(self._task, self._question, valid)
            found = self._runner.together(together, 2 * _SLOW_S)
            outcomes = together.outcomes(found)
            if len(outcomes) < len(valid):
                return False
        self._batches.append(Batch(together.inputs, outcomes, found, together))
        return True

    def _add_program(self, chosen: list[Input]) -> bool:
        self._waiting = chosen[1:] + self._waiting
        one = chosen[0]
        limits = one.template.limits
        outcome = self._runner.alone(one.template, within(limits, _PROGRAM_S))
        if outcome.ending is not Ending.ANSWERED:
            return False
        batch = Batch((one,), [outcome])
        if self.posed(batch, 0) is None:
            return False
        self._batches.append(batch)
        return True

    def _is_answered(self, one: Input, outcome: Outcome) -> bool:
        """Tell whether the reference raises nothing but what some case of the question expects."""
        for call, answer in zip(one.calls, outcome.answers, strict=True):
            if isinstance(answer, RaisedAnswer):
                expected = self._raised.get(call.function.rpartition(".")[2], set())
                if expected.isdisjoint(answer.bases):
                    return False
        return True

    def close(self) -> None:
        self._validity.close()
        self._runner.close()


def runner_for(
    tools: MarkingTools, task: Task, question: Question, sources: dict[str, str]
) -> CallRunner | ProgramRunner:
    """Return the runner of a program for a question.  Raises `CannotRun` and `SandboxFailure`."""
    texts = sources | {name: reference_sources(task)[name] for name in question.beside}
    if any(case.program is not None for case in question.cases):
        return ProgramRunner(tools, task, texts)
    return CallRunner(tools, task, question, texts)


def reference_sources(task: Task) -> dict[str, str]:
    """Return the modules of the reference, by their names in the task."""
    assert task.reference is not None
    texts = task.reference.texts
    named = {name: texts[file.removesuffix(".py")] for name, file in task.modules}
    return {**texts, **named}


def same_answers(one: Outcome, other: Outcome) -> bool:
    """Tell whether two outcomes are the same in all that a judge looks at."""
    return _answers_key(one) == _answers_key(other)


def _answers_key(outcome: Outcome) -> object:
    return (
        outcome.ending,
        tuple(
            (frozen(answer.value), answer.printed, frozen(answer.args_after))
            if isinstance(answer, Returned)
            else (answer.raised.type_name, answer.raised.message, answer.printed, frozen(answer.args_after))
            for answer in outcome.answers
        ),
        tuple((called.name, frozen(called.args)) for called in outcome.watched),
    )


def within(limits: Limits, time_s: float) -> Limits:
    """Return the limits with at most that much CPU time."""
    return replace(limits, time_s=min(limits.time_s, time_s))
