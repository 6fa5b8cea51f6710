"""The expectation for an input that no case has: the reference's answer, or a checker's judgement."""

from collections.abc import Hashable, Iterator
from dataclasses import dataclass, replace

from grader.judge.judge import Expected, judge
from grader.lab.oracle import Oracle
from grader.model.case import (
    Call,
    Case,
    Check,
    Combine,
    Comparison,
    Expectation,
    Raises,
    Returns,
    SameAsReference,
    Step,
    Text,
)
from grader.model.kinds import calls_of, kind_of
from grader.model.outcome import Answer, Ending, Outcome, RaisedAnswer, Returned
from grader.model.results import CaseResult
from grader.model.task import Question, Task
from grader.model.values import Value
from grader.model.verdict import Verdict
from grader.plugins.validate.search.bindings import Bindings, CheckedInput
from grader.plugins.validate.search.inputs.input import Input, program_of, raised_in
from grader.plugins.validate.search.inputs.parts import frozen
from grader.values.show import type_name
from grader.values.walk import first_non_data

_NO_JUDGEMENT = frozenset({Verdict.INTERNAL_ERROR, Verdict.SKIPPED})


@dataclass(frozen=True, slots=True)
class PosedCase:
    """An input as a case that the reference passes.

    reference: the reference's outcome.
    certain: False if many answers may be right and no checker of the spec could be applied; then only an
        exception, an end of the process, a None and another type count as differences.
    """

    case: Case
    reference: Outcome
    certain: bool


class _Invalid(Exception):
    """The reference does not answer such an input as any case expects it to."""


class Expectations:
    """Makes cases of inputs.

    judged: inputs of the spec's cases with checkers, and the reference's answers.
    """

    def __init__(self, task: Task, question: Question, oracle: Oracle, judged: list[CheckedInput]) -> None:
        self._task = task
        self._oracle = oracle
        self._bindings = Bindings(judged)
        self._raised = raised_in(question)
        self._checked: set[str] = set()
        self._same: dict[str, Comparison] = {}
        self._literals: dict[str, set[Hashable]] = {}
        self._posed: dict[Hashable, tuple[Outcome, PosedCase | None]] = {}
        for other in task.questions:
            if other.module == question.module:
                for case in other.cases:
                    self._learn(case)

    def _learn(self, case: Case) -> None:
        """Note how a case judges the answers of its functions."""
        what = calls_of(case)
        for number, (call, expect) in enumerate(zip(what.calls, what.expects, strict=True)):
            name = _name(call)
            match expect:
                case Check():
                    self._checked.add(name)
                case SameAsReference(comparison=comparison):
                    self._same.setdefault(name, comparison)
                case Returns(value=value):
                    if what.combine is Combine.EACH and isinstance(value, list):
                        value = value[number]
                    if what.combine in (None, Combine.EACH):
                        self._literals.setdefault(name, set()).add(frozen(value))

    def pose(self, one: Input, reference: Outcome) -> PosedCase | None:
        """Return the case that tries this input; None if the reference itself would not pass it."""
        key = one.key()
        known = self._posed.get(key)
        # Where the reference draws numbers, it answers otherwise alone than after other inputs.
        if known is None or known[0] is not reference:
            known = self._posed[key] = reference, self._accepted(one, reference)
        return known[1]

    def _accepted(self, one: Input, reference: Outcome) -> PosedCase | None:
        try:
            for case, certain in self._cases(one, reference):
                posed = PosedCase(case, reference, certain)
                if self._judge(posed, reference).verdict is Verdict.ACCEPTED:
                    return posed
        except _Invalid:
            pass
        return None

    def unlike(self, posed: PosedCase, outcome: Outcome) -> CaseResult | None:
        """Return the result of a program that does not pass a case; None if it does."""
        result = self._judge(posed, outcome)
        if result.verdict in _NO_JUDGEMENT:
            return None
        if result.verdict is not Verdict.ACCEPTED:
            return result
        return None if posed.certain or _kinds(outcome) == _kinds(posed.reference) else result

    def _judge(self, posed: PosedCase, outcome: Outcome) -> CaseResult:
        reference = posed.reference
        return judge(posed.case, outcome, Expected(reference.answers, outcome=reference), self._oracle)

    # -- cases -------------------------------------------------------------------------------------

    def _cases(self, one: Input, reference: Outcome) -> Iterator[tuple[Case, bool]]:
        """Yield cases that may judge this input, the strictest first.  Raises `_Invalid`."""
        template = one.template
        if kind_of(template).as_main:
            yield _program_case(template, reference), True
            return
        if reference.ending is not Ending.ANSWERED or len(reference.answers) != len(one.calls):
            raise _Invalid
        what = calls_of(template)
        watch = tuple(
            (name, tuple(called.args for called in reference.watched if called.name == name))
            for name, _ in what.watch
        )
        if not one.is_apart:
            (step,), answer = what.steps, reference.answers[0]
            prints = _printed(step.prints, answer)
            for expect, certain in self._expects(one, step, answer):
                steps = (replace(step, expect=expect, prints=prints),)
                yield replace(template, what=replace(what, steps=steps, watch=watch)), certain
            return
        posed: list[Step] = []
        is_certain = True
        for step, answer in zip(what.steps, reference.answers, strict=True):
            # All checkers of a scenario's steps must hold, so the first that may judge one is taken.
            expect, certain = next(self._expects(one, step, answer))
            posed.append(replace(step, expect=expect, prints=_printed(step.prints, answer)))
            is_certain &= certain
        yield replace(template, what=replace(what, steps=tuple(posed))), is_certain

    def _expects(self, one: Input, step: Step, answer: Answer) -> Iterator[tuple[Expectation | None, bool]]:
        """Yield what can be expected of one answer, and whether that decides.  Raises `_Invalid`."""
        call, like = step.call, step.expect
        name = _name(call)
        if isinstance(answer, RaisedAnswer):
            for exception in sorted(self._raised.get(name, ())):
                if exception in answer.bases:
                    yield Raises(exception), True
                    return
            raise _Invalid
        if call.bind or (like is None and one.is_apart):
            yield None, True
            return
        if first_non_data(answer.value, self._task.types):
            raise _Invalid
        if like is None and step.prints is not None and name not in self._checked:
            yield None, True
            return
        comparison = self._comparison(name, like, answer.value)
        if comparison is not None:
            yield Returns(answer.value, comparison), True
            return
        own = like if isinstance(like, Check) else None
        for check in self._bindings.checks(one, answer.value, own):
            yield check, True
        yield None, False

    def _comparison(self, name: str, like: Expectation | None, value: Value) -> Comparison | None:
        """Return how an answer is compared with the reference's; None if others may be right as well."""
        own = like.comparison if isinstance(like, Returns | SameAsReference) else Comparison()
        if isinstance(like, SameAsReference) or name not in self._checked:
            return own
        if name in self._same:
            return self._same[name]
        return own if frozen(value) in self._literals.get(name, ()) else None


def _name(call: Call) -> str:
    """Return the name of a function, or of a method without its object's."""
    return call.own_name


def _printed(wanted: Text | None, answer: Answer) -> Text | None:
    return None if wanted is None else replace(wanted, value=answer.printed or "")


def _program_case(template: Case, reference: Outcome) -> Case:
    """Return the case with what the reference's program did in the places of the texts."""
    run = program_of(template)
    if run is None:
        raise _Invalid
    wanted = run.expect
    produces = replace(
        wanted,
        stdout=_same(wanted.stdout),
        stderr=_same(wanted.stderr),
        exit_code=None if wanted.exit_code is None else _exit_code(reference),
        files=tuple((name, same) for name, text in wanted.files if (same := _same(text)) is not None),
    )
    dialogue = tuple(replace(turn, says=_same(turn.says)) for turn in run.dialogue)
    return replace(template, what=replace(run, dialogue=dialogue, expect=produces))


def _same(text: Text | None) -> Text | None:
    """Return the same comparison with the reference's words; None for parts of a text, which are its own."""
    return None if text is None or not text.is_whole else replace(text, value=None)


def _exit_code(outcome: Outcome) -> int:
    """Return the exit status of the reference's program.  Raises `_Invalid` if it did not end by itself."""
    match outcome.answers:
        case (Returned(value={"exit_code": int(code)}),):
            return code
    raise _Invalid


def _kinds(outcome: Outcome) -> tuple[str, ...]:
    """Return for each answer an exception's class, or the type of what was returned."""
    return tuple(
        type_name(answer.value) if isinstance(answer, Returned) else answer.raised.type_name
        for answer in outcome.answers
    )
