"""Looks for an input that tells a mutant from the reference, and makes it small."""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace
from time import monotonic

from grader.lab.tools import MarkingTools
from grader.model.case import Case
from grader.model.closing import Closing
from grader.model.kinds import calls_of, kind_of
from grader.model.limits import Limits, allowed
from grader.model.outcome import Ending, Outcome, RaisedAnswer
from grader.model.results import CaseResult
from grader.model.task import Question, Task
from grader.model.validation import Distinction
from grader.model.verdict import Verdict
from grader.plugins.validate.search.expectations import PosedCase
from grader.plugins.validate.search.field import Batch, InputPool, runner_for, same_answers, within
from grader.plugins.validate.search.inputs.edits import distance, nearer, smaller
from grader.plugins.validate.search.inputs.input import Input, own_inputs
from grader.plugins.validate.search.paste import pasted
from grader.plugins.validate.search.result import NotFound
from grader.plugins.validate.search.runs import CallRunner, CannotRun, ProgramRunner, bundle
from grader.spec.writing.cases import Writer
from grader.values.show import show

_LEAST_S = 0.2
_TIMES = 10
"""A mutant may take ten times the CPU time of the reference, and at least this long."""
_TIME_LIMITS_S = (0.5, 1.0, 2.0, 5.0, 10.0, 20.0, 60.0)
"""The time limits that a case can be given because the mutant does not end."""
_SHORT_LIMIT_S = 2.0
"""Under a case's own limit a mutant is run only if the limit is at most this."""
_MOST_CONFIRMED = 8
"""The most inputs of a batch that are run alone before the next batch."""
_MOST_STEPS, _STEPS_S = 60, 2.0
_SHRINK_S = 30.0
"""Bounds on making an input smaller: steps, and the program's CPU time; the clock only on a busy machine."""
_SHOWN = 200
"""The most characters of an answer that is shown in the words of the spec."""


@dataclass(frozen=True, slots=True)
class _Found:
    """An input for which the mutant, run alone, does not pass.

    time_s: the time limit that the case needs, if it is not its own.
    """

    input: Input
    posed: PosedCase
    outcome: Outcome
    result: CaseResult
    time_s: float | None


class Search(Closing):
    """Looks for inputs, question by question.  Use it as a context manager, or call `close`.

    It keeps the reference's answers, so one search should serve all mutants of a question.
    tools: the sandbox of the task; it stays open.
    """

    def __init__(self, tools: MarkingTools, task: Task) -> None:
        self._tools = tools
        self._task = task
        self._fields: dict[str, InputPool] = {}

    def distinguish(
        self, question: Question, sources: Mapping[str, str], share_s: float, *, by_heart: bool = False
    ) -> Distinction | NotFound:
        """Return an input of the question's calls for which the program differs from the reference.

        sources: the texts of the program, by module.  share_s: see `InputPool.batches`.
        by_heart: the program knows the answers of public cases, so only a hidden one catches it.
        Raises `SandboxFailure`.
        """
        begun = monotonic()
        if self._task.reference is None:
            return NotFound(inputs=0, searched_s=0.0, reason="the task names no reference")
        if not own_inputs(question):
            return NotFound(inputs=0, searched_s=0.0, reason="no case that could be changed is known")
        runner = None
        tried = 0
        try:
            field = self._field(question)
            runner = runner_for(self._tools, self._task, question, dict(sources))
            one = _Program(self._task, question, field, runner)
            for batch in field.batches(share_s):
                tried += len(batch.inputs)
                found = one.found_in(batch)
                if found is not None:
                    found = one.smallest(found, monotonic() + _SHRINK_S)
                    odd = sorted(field.regularities.broken(found.input))
                    return _distinction(found, Writer(self._task), odd, by_heart=by_heart)
        except CannotRun as failure:
            return NotFound(inputs=0, searched_s=0.0, reason=f"it cannot be imported: {failure}")
        finally:
            if runner is not None:
                runner.close()
        return NotFound(inputs=tried, searched_s=monotonic() - begun)

    def _field(self, question: Question) -> InputPool:
        if question.id not in self._fields:
            self._fields[question.id] = InputPool(self._tools, self._task, question)
        return self._fields[question.id]

    def close(self) -> None:
        for field in self._fields.values():
            field.close()
        self._fields.clear()


class _Program:
    """One program that is compared with the reference."""

    def __init__(
        self, task: Task, question: Question, field: InputPool, runner: CallRunner | ProgramRunner
    ) -> None:
        self._task = task
        self._question = question
        self._field = field
        self._runner = runner
        self._cpu_s = 0.0

    # -- batches -----------------------------------------------------------------------------------

    def found_in(self, batch: Batch) -> _Found | None:
        """Return a finding on an input of a batch: of those nearest to a case, on the smallest."""
        suspects = sorted(self._suspects(batch), key=lambda one: (one.edits, one.size()))
        for one in suspects[:_MOST_CONFIRMED]:
            found = self.tried(one)
            if found is not None:
                return found
        return None

    def _suspects(self, batch: Batch) -> Iterator[Input]:
        if isinstance(self._runner, ProgramRunner) or batch.bundle is None or batch.found is None:
            yield from batch.inputs
            return
        together, first = batch.bundle, 0
        limit_s = max(_LEAST_S, _TIMES * batch.cpu_s)
        while first < len(batch.inputs):
            found = self._runner.together(together, limit_s)
            report, known = found.report, batch.found.report
            if (report.ending, report.answer, found.calls) == (known.ending, known.answer, batch.found.calls):
                return
            outcomes = together.outcomes(found)
            for number, outcome in enumerate(outcomes, first):
                if self._is_suspect(batch, number, outcome):
                    yield batch.inputs[number]
            first += len(outcomes)
            if first < len(batch.inputs):
                # It ended the process: by itself, or at the limit.
                yield batch.inputs[first]
                first += 1
                together = bundle(self._task, self._question, batch.inputs[first:])

    def _is_suspect(self, batch: Batch, number: int, outcome: Outcome) -> bool:
        if same_answers(batch.outcomes[number], outcome):
            return False
        posed = self._field.posed(batch, number)
        return posed is not None and self._field.expectations.unlike(posed, outcome) is not None

    # -- one input ---------------------------------------------------------------------------------

    def tried(self, one: Input) -> _Found | None:
        """Run reference and program alone with one input; return the difference, if there is one."""
        reference = self._field.reference(one)
        if reference.ending is not Ending.ANSWERED:
            return None
        posed = self._field.expectations.pose(one, reference)
        if posed is None:
            return None
        limits = posed.case.limits
        most_s = max(_LEAST_S, _TIMES * reference.cpu_s)
        outcome = self._run(posed, within(allowed(limits), most_s))
        time_s = None
        if outcome.ending in (Ending.TIME, Ending.WALL) and most_s < limits.time_s <= _SHORT_LIMIT_S:
            outcome = self._run(posed, allowed(limits))
        elif outcome.ending in (Ending.TIME, Ending.WALL) and most_s < limits.time_s:
            time_s = next((limit for limit in _TIME_LIMITS_S if limit >= most_s), limits.time_s)
            time_s = time_s if time_s < limits.time_s else None
            posed = replace(posed, case=_limited(posed.case, time_s))
            outcome = self._run(posed, allowed(posed.case.limits))
        result = self._field.expectations.unlike(posed, outcome)
        if result is None:
            return None
        return _Found(one, posed, outcome, result, time_s if result.verdict is Verdict.TIME_LIMIT else None)

    def _run(self, posed: PosedCase, limits: Limits) -> Outcome:
        outcome = self._runner.alone(posed.case, limits, posed.reference)
        self._cpu_s += outcome.cpu_s
        return outcome

    # -- smaller -----------------------------------------------------------------------------------

    def smallest(self, found: _Found, until: float) -> _Found:
        """Return a finding on an input nearer to its seed, and with less in its sets."""
        seen = {found.input.key()}
        broken = self._field.regularities.broken
        odd = broken(found.input)
        most_s = self._cpu_s + _STEPS_S
        for step in (_nearer_inputs, _smaller_inputs):
            improved: _Found | None = found
            while improved is not None:
                found = improved
                improved = None
                for one in step(found.input):
                    if one.key() in seen or not broken(one) <= odd:
                        continue
                    if monotonic() > until or len(seen) > _MOST_STEPS or self._cpu_s > most_s:
                        return found
                    seen.add(one.key())
                    improved = self.tried(one) if self._field.is_valid(one) else None
                    if improved is not None:
                        break
        return found


def _nearer_inputs(one: Input) -> Iterator[Input]:
    seed = one.origin
    far = _distance(one)
    for slot, _, value in one.slots():
        for other in nearer(seed.value(slot), value):
            changed = one.with_value(slot, other, one.edits)
            near = _distance(changed)
            if near > 0 and (near, changed.size()) < (far, one.size()):
                yield replace(changed, edits=near)


def _smaller_inputs(one: Input) -> Iterator[Input]:
    for slot, _, value in one.slots():
        for other in smaller(value):
            yield one.with_value(slot, other, one.edits + 1)


def _distance(one: Input) -> int:
    return sum(distance(one.origin.value(slot), value) for slot, _, value in one.slots())


def _limited(case: Case, time_s: float | None) -> Case:
    return case if time_s is None else replace(case, limits=replace(case.limits, time_s=time_s))


# -- in words --------------------------------------------------------------------------------------


def _distinction(found: _Found, writer: Writer, odd: list[str], *, by_heart: bool) -> Distinction:
    """Return what was found.  odd: in what the input is unlike those of nearly all cases."""
    case, reference, outcome = found.posed.case, found.posed.reference, found.outcome
    number = next((n for n, step in enumerate(found.result.steps) if step.verdict is not Verdict.ACCEPTED), 0)
    wanted, actual = _did(reference, number, writer), _did(outcome, number, writer)
    if not actual or actual == wanted:
        actual = found.result.message
    if kind_of(case).each_by_itself(case):
        step = writer.call(calls_of(case).steps[number].call)
        wanted, actual = f"{step}: {wanted}", f"{step}: {actual}"
    return Distinction(
        call=kind_of(case).typed(case, writer),
        reference=wanted,
        mutant=actual,
        lines=pasted(
            case, writer, certain=found.posed.certain, time_s=found.time_s, odd=odd, hidden=by_heart
        ),
        certain=found.posed.certain,
        odd=tuple(odd),
        slow=found.time_s is not None,
    )


def _did(outcome: Outcome, number: int, writer: Writer) -> str:
    """Return what a program did as text for people; empty if it did not answer."""
    if number >= len(outcome.answers) or outcome.ending not in (Ending.ANSWERED, Ending.EXITED):
        return ""
    answer = outcome.answers[number]
    if isinstance(answer, RaisedAnswer):
        return f"raises {answer.raised.type_name}: {answer.raised.message}".rstrip(": ")
    match answer.value:
        case {"exit_code": int(code), "files": dict()} if outcome.stdout or code:
            return f"prints {show(outcome.stdout)}" + (f", exit status {code}" if code else "")
    text = writer.value(answer.value)
    return text if len(text) <= _SHOWN else show(answer.value)
