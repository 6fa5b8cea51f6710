"""Judges a value by a checker of the spec."""

from fractions import Fraction

from grader.judge.answers import for_checker
from grader.judge.finding import CheckerRaised, Checkers, Finding, OwnFault
from grader.judge.messages import TEXT_LIMIT
from grader.model.case import Check
from grader.model.values import Value
from grader.model.verdict import Verdict
from grader.values.show import safe_line, show


def judge_check(check: Check, value: Value, oracle: Checkers) -> Finding:
    """Ask a checker about a value.  Raises `OwnFault` and `CheckFailed`."""
    try:
        said = oracle.check(
            check.checker, for_checker(value) if check.any_sequence else value, check.arguments
        )
    except CheckerRaised as fault:
        if not check.proven:
            raise
        message = f"{safe_line(check.text, TEXT_LIMIT)} could not take the answer, which counts as wrong; "
        return Finding(
            verdict=Verdict.WRONG_ANSWER,
            message=message + "the staff is told",
            actual=show(value),
            checker_note=safe_line(str(fault), TEXT_LIMIT),
        )
    if not 0 <= said.score <= 1:
        raise OwnFault(f"checker {check.checker} gave a score of {said.score}, not from 0 to 1")
    message = safe_line(said.message, TEXT_LIMIT)
    if said.score == 1:
        return Finding(verdict=Verdict.ACCEPTED, score=said.score, message=message, actual=show(value))
    return Finding(
        verdict=Verdict.PARTIAL if said.score else Verdict.WRONG_ANSWER,
        score=said.score,
        message=message or _unsatisfied(check, said.score),
        actual=show(value),
    )


def _unsatisfied(check: Check, score: Fraction) -> str:
    text = safe_line(check.text, TEXT_LIMIT)
    return f"the answer satisfies {text} in part" if score else f"the answer does not satisfy {text}"
