"""Judges a generated case: each input by itself, then all of them together.

The inputs share one process, as the calls of `each` do.  What is told is one input that fails: the one at
which the process ended, or else the smallest.
"""

from collections.abc import Sequence
from dataclasses import replace
from fractions import Fraction

from grader.judge.finding import Checkers, Expected, Finding, OwnFault
from grader.judge.messages import call_text
from grader.kinds.calls.answered import expected_text
from grader.kinds.calls.scenario import JudgedStep, expected_of_step, first_note, judged_steps, only_step
from grader.model.case import Calls, Case
from grader.model.kinds import calls_of
from grader.model.outcome import Ending, Outcome
from grader.model.results import CaseResult
from grader.model.verdict import Verdict


def judge_generated(
    case: Case, outcome: Outcome, expected: Expected | None, oracle: Checkers, ending: Verdict | None
) -> Finding:
    """Return the finding on a case with many inputs.  Raises `OwnFault` and `CheckFailed`.

    ending: the verdict on the end of the process; None if all calls were answered.
    """
    what = calls_of(case)
    inputs = judged_steps(_going_on(case), outcome, expected, oracle, ending)
    failing = _failing(inputs)
    if not failing:
        if ending is not None:
            raise OwnFault("the case ended badly, and no input is to blame")
        return Finding(verdict=Verdict.ACCEPTED, score=Fraction(1))
    shown = min(failing, key=lambda number: size_of_input(what, number))
    if ending is not None and inputs[failing[-1]].ends:
        shown = failing[-1]
    finding = inputs[shown].finding
    assert finding is not None
    score = Fraction(0)
    if what.goes_on:
        earned = sum((each.finding.score for each in inputs if each.finding is not None), Fraction(0))
        score = earned / len(inputs)
    untried = sum(each.finding is None for each in inputs)
    others = _others(len(failing), len(inputs), untried)
    message = f"{call_text(what.steps[shown].call)}: {finding.message}; {others}"
    verdict = Verdict.PARTIAL if score else finding.verdict
    if verdict is Verdict.PARTIAL and not score:
        verdict = Verdict.WRONG_ANSWER
    wanted = finding.expected or expected_text(
        only_step(what, shown), expected_of_step(what, expected)(shown)
    )
    note = first_note(inputs)
    return replace(finding, verdict=verdict, score=score, message=message, expected=wanted, checker_note=note)


def failing_inputs(case: Case, outcome: Outcome, expected: Expected | None, oracle: Checkers) -> list[int]:
    """Return the numbers of the inputs that fail, the smallest one first.

    Raises `OwnFault` and `CheckFailed`.
    """
    what = calls_of(case)
    if outcome.ending is Ending.ANSWERED:
        inputs = judged_steps(_going_on(case), outcome, expected, oracle, None)
        return sorted(_failing(inputs), key=lambda number: size_of_input(what, number))
    # The process ended at this input, and it decides the verdict.
    number = len(outcome.answers)
    return [number] if number < len(what.steps) else []


def _going_on(case: Case) -> Case:
    """Return a case all inputs of which are judged."""
    return replace(case, what=replace(calls_of(case), goes_on=True))


def _failing(inputs: Sequence[JudgedStep]) -> list[int]:
    return [number for number, each in enumerate(inputs) if not each.is_right and each.finding is not None]


def size_of_input(what: Calls, number: int) -> tuple[int, int]:
    """Return what sorts inputs: those with short texts come first, of equal ones those drawn first."""
    assert what.generated is not None
    return len(repr(what.generated.rows[number])), number


def _others(failing: int, count: int, untried: int) -> str:
    """Return how many inputs fail, as the end of a message."""
    if untried:
        return (
            f"this is one of {failing} failing inputs; {untried} of {count} were not tried after that"
            if (failing > 1)
            else f"{untried} of {count} inputs were not tried after that"
        )
    if failing == 1:
        return f"the only failing input of {count}" if count > 1 else "the only input"
    return f"the smallest of {failing} failing inputs, of {count}"


def with_smaller(
    what: Calls, result: CaseResult, smaller: CaseResult, calls: str, failing: int
) -> CaseResult:
    """Return the result with a smaller input that fails than those that were drawn; its mark stays.

    smaller: the result of the case with that input alone.  calls: its call.
    """
    drawn = f"{failing} of the {len(what.steps)} drawn inputs fail{'s' if failing == 1 else ''}"
    return replace(
        result,
        message=f"{calls}: {smaller.message}; the smallest input found that fails; {drawn}",
        expected=smaller.expected,
        actual=smaller.actual,
        difference=smaller.difference,
        raised=smaller.raised,
        printed=smaller.printed,
        expected_print=smaller.expected_print,
    )


def not_again(result: CaseResult) -> CaseResult:
    """Return the result of a case whose failing input is right when it is called alone."""
    message = f"{result.message}; not seen again: called alone in a new process, the answer is right"
    return replace(result, message=message)
