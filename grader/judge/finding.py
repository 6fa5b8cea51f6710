"""The finding of judging before it is written into a `CaseResult`, and the evidence from outside."""

from dataclasses import dataclass
from fractions import Fraction
from typing import Protocol

from grader.model.outcome import Answer, Outcome
from grader.model.own_code import Validator
from grader.model.results import Difference, Raised, StepResult
from grader.model.values import Cycle, Value
from grader.model.verdict import Verdict

PATTERN_S = 1.0
"""The most CPU seconds of the search for a regular expression."""


@dataclass(frozen=True, slots=True)
class Expected:
    """The reference's answers to a case.

    answers: its answers to the calls of the case, in order.
    failure: the reason for missing answers, in words; empty if there are answers.
    outcome: for a program, the whole outcome of the reference's program.
    files: those that its calls left, of the names that the case asks for.
    """

    answers: tuple[Answer, ...] = ()
    failure: str = ""
    outcome: Outcome | None = None
    files: dict[str, bytes] | None = None


def answers_of(expected: Expected | None) -> tuple[Answer, ...]:
    """Return the reference's answers, at least one.  Raises `OwnFault`."""
    if expected is None or expected.failure or not expected.answers:
        raise OwnFault((expected and expected.failure) or "there is no answer of the reference")
    return expected.answers


@dataclass(frozen=True, slots=True)
class CheckResult:
    """A checker's score, from 0 to 1, and its message about the fault, if there is one."""

    score: Fraction
    message: str = ""


class CheckFailed(Exception):
    """A checker gave no valid judgement: it raised, took too long or returned nonsense.

    note: more about it, for the staff alone: it may quote what students must not see.
    """

    def __init__(self, text: str = "", note: str = "") -> None:
        super().__init__(text)
        self.note = note


UNJUDGED = "the checker could not judge this answer; marking will decide about it"
"""Told where a checker raised and no reference shows whose fault that is, as in a handout."""


class CheckerRaised(CheckFailed):
    """A checker raised on an answer; the text says what and where."""


class BudgetSpent(CheckFailed):
    """A checker could not be asked, since the submission's budget is used up; the text says what for."""


NO_ANSWER: Value = Cycle(0)
"""Stands for the answer where a checker gets all that it looks at by the names of its parameters."""


class Checkers(Protocol):
    """The spec's checkers, which run in a sandbox of their own."""

    def check(self, checker: str, answer: Value, arguments: tuple[tuple[str, Value], ...]) -> CheckResult:
        """Return the judgement of a checker on `answer`, which may be any hostile value, or `NO_ANSWER`.

        Raises `CheckFailed` if our own side failed.
        """
        ...

    def validate(self, validator: Validator, stdin: str, answer: str, output: str) -> CheckResult:
        """Return the judgement of a validator on what a program printed, given its input and a right answer.

        Raises `CheckFailed`, as `check` does.
        """
        ...

    def matches(self, pattern: str, text: str) -> bool | None:
        """Tell whether a regular expression of the spec is found in a hostile text.

        None if the search takes longer than `PATTERN_S`.  Raises `CheckFailed`, as `check` does.
        """
        ...

    def find_in_text(self, pattern: str, text: str) -> bool | None:
        """Tell the same about a printed text, in which `^` and `$` match at every line."""
        ...


class OwnFault(Exception):
    """The spec, the reference or the sandbox is at fault, not the submission; the text says how."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Finding:
    """The part of a `CaseResult` that is judged rather than measured."""

    verdict: Verdict
    message: str = ""
    score: Fraction = Fraction(0)
    expected: str = ""
    actual: str = ""
    difference: Difference | None = None
    raised: Raised | None = None
    printed: str = ""
    expected_print: str = ""
    steps: tuple[StepResult, ...] = ()
    checker_note: str = ""
    wrong_turn: int | None = None
    """Index of the turn of a dialogue that differs from the expected one."""
