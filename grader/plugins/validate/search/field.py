"""The inputs that are tried for one question: inputs near its cases, with the reference's answers.

The inputs are the same for each mutant, so the reference answers once, when the first mutant needs it.
"""

from collections import deque
from collections.abc import Iterator
from dataclasses import dataclass, field, replace
from functools import cached_property
from itertools import islice
from time import monotonic

from grader.lab.tools import MarkingTools
from grader.model.case import Check
from grader.model.kinds import calls_of, kind_of
from grader.model.limits import Limits, allowed
from grader.model.outcome import Ending, Outcome, RaisedAnswer, Returned
from grader.model.task import Question, Task
from grader.plugins.validate.search.bindings import CheckedInput
from grader.plugins.validate.search.expectations import Expectations, PosedCase
from grader.plugins.validate.search.inputs.input import (
    Input,
    inputs_elsewhere,
    own_inputs,
    raised_in,
)
from grader.plugins.validate.search.inputs.parts import frozen
from grader.plugins.validate.search.inputs.regularities import Regularities
from grader.plugins.validate.search.inputs.stream import near_inputs
from grader.plugins.validate.search.runs import Bundle, CallRunner, ProgramRunner, bundle
from grader.plugins.validate.search.validity import Validity
from grader.sandbox.evidence import Evidence

_FIRST, _LARGEST = 16, 256
_SHORT_S, _LONG_S = 0.03, 0.1
"""Batches grow while the reference needs less CPU time for one, and shrink when it needs more."""
_SLOW_S = 0.5
"""An input for which the reference needs more is not tried."""
_MOST = 20_000
"""The most inputs of a question, with the answers that are kept in memory."""
_PROGRAM_S = 5.0
_CALLS_PER_SECOND, _PROGRAMS_PER_SECOND = 250, 15
"""So many inputs a mutant is tried with on a quiet machine."""
_ASKED_TIMES, _DRAWN_TIMES = 4, 4
"""The reference is asked about so many times more, since it refuses some; and so many are made, since only
some are valid or of the kind that is wanted."""
_CPU_TIMES, _AT_MOST = 3, 30
"""A search ends where the reference needs so many times the search's share for its inputs, in CPU time; and
by the clock, on a busy machine."""


@dataclass
class Batch:
    """Inputs with the reference's answers.

    found: as the box gave them; equal bytes are equal answers.  bundle: None for programs, which run alone.
    """

    inputs: tuple[Input, ...]
    outcomes: list[Outcome]
    found: Evidence | None = None
    bundle: Bundle | None = None
    posed: dict[int, PosedCase | None] = field(default_factory=dict)

    @property
    def cpu_s(self) -> float:
        return self.found.report.cpu_s if self.found is not None else self.outcomes[0].cpu_s


class _Queue:
    """Inputs that wait for the reference, and those that it answered.

    size: of the next batch.  asked: the number of inputs that the reference was asked about.
    """

    def __init__(self) -> None:
        self.waiting: deque[Input] = deque()
        self.batches: list[Batch] = []
        self.size = _FIRST
        self.asked = 0

    @property
    def inputs(self) -> int:
        return sum(len(batch.inputs) for batch in self.batches)

    def take(self) -> list[Input]:
        """Return the next inputs that have one seed."""
        chosen: list[Input] = []
        others: list[Input] = []
        while self.waiting and len(chosen) < self.size:
            one = self.waiting.popleft()
            has_seed = not chosen or one.template.seed == chosen[0].template.seed
            (chosen if has_seed else others).append(one)
        self.put_back(others)
        return chosen

    def put_back(self, inputs: list[Input]) -> None:
        self.waiting.extendleft(reversed(inputs))


class InputPool:
    """The inputs of a question.  Call `close` in the end.  Raises `CannotRun` and `SandboxFailure`."""

    def __init__(self, tools: MarkingTools, task: Task, question: Question) -> None:
        assert task.reference is not None
        self._tools = tools
        self._task = task
        self._question = question
        self._runner = runner_for(tools, task, question, reference_sources(task))
        self._validity = Validity(tools, task)
        self._raised = raised_in(question)
        own = own_inputs(question)
        self.regularities = Regularities([*own, *inputs_elsewhere(task, question, own)])
        self._stream = near_inputs(task, question)
        self._has_more = True
        self._drawn = 0
        self._regular = _Queue()
        self._odd = _Queue()
        self._alone: dict[object, Outcome] = {}

    @cached_property
    def expectations(self) -> Expectations:
        judged: list[CheckedInput] = []
        for one in own_inputs(self._question):
            expects = calls_of(one.template).expects
            if kind_of(one.template).as_main or not any(isinstance(expect, Check) for expect in expects):
                continue
            outcome = self.reference(one)
            for expect, answer in zip(expects, outcome.answers, strict=False):
                if isinstance(expect, Check) and isinstance(answer, Returned):
                    judged.append(CheckedInput(one, answer.value, expect))
        return Expectations(self._task, self._question, self._tools.oracle, judged)

    def reference(self, one: Input) -> Outcome:
        """Return what the reference does with one input by itself."""
        key = one.key()
        if key not in self._alone:
            case = one.template
            self._alone[key] = self._runner.alone(case, allowed(case.limits))
        return self._alone[key]

    def batches(self, share_s: float) -> Iterator[Batch]:
        """Yield batches, the known ones first, with as many inputs as a quiet machine tries in a time.

        The number is the same on a busy one, so what is found does not depend on the load.  They are fewer
        if the reference is slow.  Inputs unlike those of all cases come in the second half.
        """
        per_second = _PROGRAMS_PER_SECOND if isinstance(self._runner, ProgramRunner) else _CALLS_PER_SECOND
        most, until = max(2, round(share_s * per_second)), monotonic() + _AT_MOST * share_s
        tried, cpu_s = 0, 0.0
        for queue, part in ((self._regular, 0.5), (self._odd, 1.0)):
            for batch in self._batches(queue, most, until):
                yield batch
                tried += len(batch.inputs)
                cpu_s += batch.cpu_s
                if tried >= round(part * most) or cpu_s >= part * _CPU_TIMES * share_s:
                    break

    def _batches(self, queue: "_Queue", most: int, until: float) -> Iterator[Batch]:
        known = 0
        while known < len(queue.batches) or self._extend(queue, most, until):
            if monotonic() >= until:
                return
            yield queue.batches[known]
            known += 1

    def is_valid(self, one: Input) -> bool:
        """Tell whether an input makes sense, as far as the spec says."""
        return bool(self._validity.valid([one]))

    def posed(self, batch: Batch, number: int) -> PosedCase | None:
        """Return the case that an input of a batch makes, if the reference passes it."""
        if number not in batch.posed:
            batch.posed[number] = self.expectations.pose(batch.inputs[number], batch.outcomes[number])
        return batch.posed[number]

    def _extend(self, queue: "_Queue", most: int, until: float) -> bool:
        """Ask the reference about further inputs; return whether there is a new batch.

        most: the number of inputs that a search tries.
        """
        asked, drawn = max(_FIRST, _ASKED_TIMES * most), max(_LARGEST, _DRAWN_TIMES * most)
        while monotonic() < until and queue.inputs < _MOST and queue.asked < asked:
            while self._has_more and len(queue.waiting) < queue.size and self._drawn < drawn:
                self._sort(list(islice(self._stream, _FIRST)))
            before = len(queue.waiting)
            chosen = queue.take()
            if not chosen:
                return False
            is_new = self._add(queue, chosen)
            queue.asked += before - len(queue.waiting)
            if is_new:
                return True
        return False

    def _sort(self, inputs: list[Input]) -> None:
        """Put new inputs where they wait, by whether they are like those of all cases."""
        self._has_more = bool(inputs)
        self._drawn += len(inputs)
        for one in self._validity.valid(inputs):
            queue = self._odd if self.regularities.broken(one) else self._regular
            if len(queue.waiting) < _MOST:
                queue.waiting.append(one)

    def _add(self, queue: "_Queue", chosen: list[Input]) -> bool:
        if isinstance(self._runner, ProgramRunner):
            return self._add_program(queue, chosen)
        together = bundle(self._task, self._question, chosen)
        found = self._runner.together(together, _SLOW_S)
        outcomes = together.outcomes(found)
        if len(outcomes) < len(chosen):
            # The next one ended the process: it is too slow, or worse.
            queue.put_back(chosen[len(outcomes) + 1 :])
            queue.size = max(1, queue.size // 4)
        elif found.report.cpu_s < _SHORT_S:
            queue.size = min(_LARGEST, queue.size * 2)
        elif found.report.cpu_s > _LONG_S:
            queue.size = max(1, queue.size // 2)
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
        queue.batches.append(Batch(together.inputs, outcomes, found, together))
        return True

    def _add_program(self, queue: "_Queue", chosen: list[Input]) -> bool:
        queue.put_back(chosen[1:])
        one = chosen[0]
        outcome = self._runner.alone(one.template, within(one.template.limits, _PROGRAM_S))
        if outcome.ending is not Ending.ANSWERED:
            return False
        batch = Batch((one,), [outcome])
        if self.posed(batch, 0) is None:
            return False
        queue.batches.append(batch)
        return True

    def _is_answered(self, one: Input, outcome: Outcome) -> bool:
        """Tell whether the reference raises nothing but what some case of the question expects."""
        for call, answer in zip(one.calls, outcome.answers, strict=True):
            if isinstance(answer, RaisedAnswer):
                expected = self._raised.get(call.own_name, set())
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
    if any(kind_of(case).as_main for case in question.cases):
        return ProgramRunner(tools, task, texts)
    return CallRunner(tools, task, question, texts)


def reference_sources(task: Task) -> dict[str, str]:
    """Return the modules of the reference, by their names in the task."""
    assert task.reference is not None
    return dict(task.reference.texts)


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
