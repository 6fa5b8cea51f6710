"""Judges a scenario: each step as a case of its own, then all steps together.

The steps share one process, so the evidence may end with a step that hung or crashed; the answers before it
are still there.  The student's code can claim anything about its own objects: a step is judged by its
expected answer alone.
"""

from collections.abc import Callable
from dataclasses import dataclass, replace
from fractions import Fraction

from grader.judge.checks import judge_check
from grader.judge.finding import NO_ANSWER, Checkers, Expected, Finding, OwnFault
from grader.judge.messages import call_text, ending_message
from grader.kinds.calls.answered import expected_text, judge_answered
from grader.model.case import Bound, Call, Calls, Case, Check
from grader.model.kinds import calls_of
from grader.model.outcome import Answer, Ending, Outcome, RaisedAnswer, Returned
from grader.model.results import StepResult
from grader.model.verdict import Verdict
from grader.values.show import safe_line


@dataclass(frozen=True, slots=True)
class JudgedStep:
    """A step with its finding; None: it was not judged, and `why` gives the reason.

    ends: the process ended badly at this step.
    """

    call: Call
    states: bool
    finding: Finding | None
    why: str = ""
    ends: bool = False

    @property
    def is_right(self) -> bool:
        return self.finding is not None and self.finding.verdict is Verdict.ACCEPTED


def judge_scenario(
    case: Case,
    outcome: Outcome,
    expected: Expected | None,
    oracle: Checkers,
    ending: Verdict | None,
) -> Finding:
    """Return the finding on a scenario.  Raises `OwnFault` and `CheckFailed`.

    ending: the verdict on the scenario's end; None if all steps were answered.
    """
    what = calls_of(case)
    steps = judged_steps(case, outcome, expected, oracle, ending)
    failed = next((number for number, step in enumerate(steps) if not step.is_right and step.finding), None)
    results = tuple(_result(step) for step in steps)
    if failed is None:
        if ending is not None:
            raise OwnFault("the scenario ended badly, and no step is to blame")
        if isinstance(what.expect, Check):
            return replace(_together(what, what.expect, outcome, oracle), steps=results)
        return Finding(verdict=Verdict.ACCEPTED, score=Fraction(1), steps=results)
    first = steps[failed].finding
    assert first is not None
    score = _share(steps) if what.goes_on else Fraction(0)
    message = f"step {failed + 1}, {call_text(what.steps[failed].call)}: {first.message}"
    others = sum(not step.is_right for step in steps[failed + 1 :]) if what.goes_on else 0
    if others:
        message += f"; {others} more of the {len(steps)} steps {'is' if others == 1 else 'are'} not right"
    verdict = Verdict.PARTIAL if score > 0 else first.verdict
    if verdict is Verdict.PARTIAL and not score:
        verdict = Verdict.WRONG_ANSWER
    note = first_note(steps)
    return replace(first, verdict=verdict, score=score, message=message, steps=results, checker_note=note)


def first_note(steps: list[JudgedStep]) -> str:
    """Return the first note on a checker that raised, empty for none."""
    return next(
        (step.finding.checker_note for step in steps if step.finding and step.finding.checker_note), ""
    )


def _together(what: Calls, check: Check, outcome: Outcome, oracle: Checkers) -> Finding:
    """Return what a checker says of answers that steps kept.  Raises `OwnFault` and `CheckFailed`."""
    kept = {
        call.bind: answer.value
        for call, answer in zip(what.calls, outcome.answers, strict=True)
        if isinstance(answer, Returned)
    }
    if any(isinstance(value, Bound) and value.name not in kept for _, value in check.arguments):
        return Finding(verdict=Verdict.CRASHED, message="there is no valid answer")
    arguments = [
        (name, kept[value.name] if isinstance(value, Bound) else value) for name, value in check.arguments
    ]
    return replace(judge_check(replace(check, arguments=tuple(arguments)), NO_ANSWER, oracle), actual="")


def judged_steps(
    case: Case, outcome: Outcome, expected: Expected | None, oracle: Checkers, ending: Verdict | None
) -> list[JudgedStep]:
    """Return each step with its finding.  Takes and raises the same as `judge_scenario`."""
    return _Steps(case, outcome, expected, oracle, ending).judged()


def not_judged(what: Calls, why: str) -> tuple[StepResult, ...]:
    """Return the results of the steps of a scenario that could not be judged."""
    return tuple(
        StepResult(text=call_text(call), verdict=Verdict.SKIPPED, message=why) for call in what.calls
    )


class _Steps:
    def __init__(
        self,
        case: Case,
        outcome: Outcome,
        expected: Expected | None,
        oracle: Checkers,
        ending: Verdict | None,
    ) -> None:
        self._case = case
        self._what = what = calls_of(case)
        self._outcome = outcome
        self._reference = expected_of_step(what, expected)
        self._oracle = oracle
        self._ending = ending
        self._culprit = _culprit(what, outcome) if ending is not None else -1
        self._unmade: dict[str, int] = {}

    def judged(self) -> list[JudgedStep]:
        steps: list[JudgedStep] = []
        stop = ""
        for number, step in enumerate(self._what.steps):
            call = step.call
            states = step.expect is not None or step.prints is not None
            finding, why = (None, stop) if stop else self._finding(number)
            judged = JudgedStep(call, states, finding, why, number == self._culprit)
            steps.append(judged)
            stop = stop or self._reason_to_stop(number, judged)
            if call.bind and not self._was_made(number):
                self._unmade[call.bind] = number + 1
        return steps

    def _reason_to_stop(self, number: int, judged: JudgedStep) -> str:
        if number == self._culprit and self._ending is not Verdict.FORBIDDEN:
            return f"not judged: step {number + 1} ended the program"
        if judged.finding is not None and not judged.is_right and not self._what.goes_on:
            return f"not judged: step {number + 1} failed"
        return ""

    def _finding(self, number: int) -> tuple[Finding | None, str]:
        call = self._what.steps[number].call
        if number == self._culprit:
            assert self._ending is not None
            return Finding(verdict=self._ending, message=ending_message(self._case, self._outcome)), ""
        unmade = next((name for name in _names_used(call) if name in self._unmade), "")
        if unmade:
            return None, f"not judged: {unmade} was never made, as step {self._unmade[unmade]} failed"
        if number >= len(self._outcome.answers):
            return Finding(verdict=Verdict.CRASHED, message="there is no valid answer"), ""
        answer = self._outcome.answers[number]
        step, reference = only_step(self._what, number), self._reference(number)
        outcome = Outcome(ending=Ending.ANSWERED, answers=(answer,))
        finding = judge_answered(step, outcome, reference, self._oracle)
        finding = replace(finding, expected=finding.expected or expected_text(step, reference))
        return _missing(call, answer, finding), ""

    def _was_made(self, number: int) -> bool:
        answers = self._outcome.answers
        return number < len(answers) and not isinstance(answers[number], RaisedAnswer)


def only_step(what: Calls, number: int) -> Calls:
    """Return a step, by its number from 0, alone."""
    return replace(what, steps=(what.steps[number],), apart=False, expect=None, watch=())


def expected_of_step(what: Calls, expected: Expected | None) -> Callable[[int], Expected | None]:
    """Return a function that returns the reference's answer to a step, by its number from 0."""
    if expected is None or expected.failure:
        return lambda number: expected
    if len(expected.answers) != len(what.steps):
        failure = f"the reference answered {len(expected.answers)} of {len(what.steps)} steps"
        return lambda number: Expected(failure=failure)
    return lambda number: Expected(answers=(expected.answers[number],))


def _culprit(what: Calls, outcome: Outcome) -> int:
    """Return the number, from 0, of the step at which a scenario ended badly."""
    answered = len(outcome.answers)
    if answered < len(what.steps):
        return answered
    for number, answer in enumerate(outcome.answers):
        if isinstance(answer, RaisedAnswer) and "OSError" in answer.bases:
            return number
    return len(what.steps) - 1


def _names_used(call: Call) -> list[str]:
    names = [name.partition(".")[0] for name in call.functions]
    return [*names, *(each.name for each in call.arguments if isinstance(each, Bound))]


def _missing(call: Call, answer: Answer, finding: Finding) -> Finding:
    """Distinguish a missing method or attribute from an exception inside one.

    Only the look-up raises without a line of the student's in its traceback.
    """
    if finding.verdict is not Verdict.EXCEPTION or not isinstance(answer, RaisedAnswer):
        return finding
    raised = answer.raised
    if raised.type_name != "AttributeError" or raised.frames:
        return finding
    named = (name.rpartition(".") for name in call.functions)
    found = next(((holder, name) for holder, _, name in named if f"'{name}'" in raised.message), None)
    if found is None:
        return finding
    holder, name = found
    message = f"{holder} has no {name}" if holder else f"the module has no {name}"
    message += f". {raised.suggestion}" if raised.suggestion else ""
    return replace(finding, verdict=Verdict.MISSING, message=safe_line(message, 200), raised=None)


def _share(steps: list[JudgedStep]) -> Fraction:
    """Return the share of the steps that are right.

    A step without an expectation is right if it raises nothing: it counts only if it fails.
    """
    counted = [step for step in steps if step.states or not step.is_right]
    if not any(step.states for step in steps):
        counted = steps
    earned = sum((step.finding.score for step in counted if step.finding is not None), Fraction(0))
    return earned / len(counted)


def _result(step: JudgedStep) -> StepResult:
    text = call_text(step.call)
    if step.finding is None:
        return StepResult(text=text, verdict=Verdict.SKIPPED, message=step.why)
    finding = step.finding
    return StepResult(
        text=text,
        verdict=finding.verdict,
        message=finding.message,
        expected=finding.expected,
        actual=finding.actual,
        printed=finding.printed,
        expected_print=finding.expected_print,
    )
