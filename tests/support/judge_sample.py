"""Cases, evidence and checkers in few words, for the tests of judging."""

import re
from dataclasses import dataclass, field, replace
from fractions import Fraction
from typing import Any

from grader.judge.judge import CheckFailed, CheckResult, Expected, judge
from grader.model.case import Argument, Call, Calls, Case, Combine, Expectation, Plot, Step
from grader.model.kinds import calls_of
from grader.model.outcome import (
    Answer,
    Ending,
    Outcome,
    RaisedAnswer,
    Returned,
    WatchedCall,
)
from grader.model.own_code import Validator
from grader.model.results import CaseResult, Frame, Raised
from grader.model.values import Value


@dataclass
class StubCheckers:
    """Checkers that give prepared answers, and record the questions."""

    says: CheckResult | CheckFailed = field(default_factory=lambda: CheckResult(Fraction(1)))
    asked: list[tuple[str, Value, tuple[tuple[str, Value], ...]]] = field(default_factory=list)

    def check(self, checker: str, answer: Value, arguments: tuple[tuple[str, Value], ...]) -> CheckResult:
        self.asked.append((checker, answer, arguments))
        if isinstance(self.says, CheckFailed):
            raise self.says
        return self.says

    def validate(self, validator: Validator, stdin: str, answer: str, output: str) -> CheckResult:
        self.asked.append((validator.file, output, (("stdin", stdin), ("answer", answer))))
        if isinstance(self.says, CheckFailed):
            raise self.says
        return self.says

    def matches(self, pattern: str, text: str) -> bool | None:
        try:
            return None if pattern == "(too slow)+" else re.search(pattern, text) is not None
        except re.error as error:
            raise CheckFailed(f"the pattern is invalid: {error}") from None

    def find_in_text(self, pattern: str, text: str) -> bool | None:
        return self.matches(f"(?m:{pattern})" if pattern != "(too slow)+" else pattern, text)


def call_of(*args: Argument, **kwargs: Argument) -> Call:
    """Return a call of `f` with these arguments."""
    texts = [repr(value) for value in args] + [f"{name}={value!r}" for name, value in kwargs.items()]
    return Call("f", args, tuple(kwargs.items()), f"f({', '.join(texts)})")


def case_of(
    expect: Expectation | None, *calls: Call, combine: Combine | None = None, plot: Plot | None = None
) -> Case:
    """Return a case; without calls it makes the call `f(3)`."""
    made = calls or (call_of(3),)
    steps = tuple(Step(call, expect if combine is None else None) for call in made)
    together = expect if combine is not None else None
    what = Calls(steps=steps, combine=combine, expect=together, plot=plot)
    return Case(id="1.1", text=made[0].text, what=what)


def with_what(case: Case, **changes: Any) -> Case:
    """Return a case with other fields of its record."""
    return replace(case, what=replace(calls_of(case), **changes))


def each_of(expect: Expectation, combine: Combine, count: int) -> Case:
    """Return a case that calls `f(1)`, `f(2)` and so on."""
    return case_of(expect, *(call_of(number) for number in range(1, count + 1)), combine=combine)


def returned(*values: Value) -> Outcome:
    """Return the evidence of calls that returned these values."""
    return answered(*map(Returned, values))


def answered(*answers: Answer, watched: tuple[WatchedCall, ...] = ()) -> Outcome:
    """Return the evidence of calls with these answers."""
    return Outcome(ending=Ending.ANSWERED, answers=answers, watched=watched)


def raising(name: str, message: str = "", *bases: str) -> RaisedAnswer:
    """Return the answer of a call that raised in line 7 of knight1.py."""
    raised = Raised(name, message, (Frame("knight1.py", 7, "f"),))
    return RaisedAnswer(raised, (name, *bases, "Exception", "BaseException"))


def judged(case: Case, outcome: Outcome, expected: Expected | None = None) -> CaseResult:
    """Judge without a checker at hand."""
    return judge(case, outcome, expected, StubCheckers(CheckFailed("no checker is expected here")))


def checked(case: Case, outcome: Outcome, says: CheckResult | CheckFailed) -> CaseResult:
    """Judge with a checker that says this."""
    return judge(case, outcome, None, StubCheckers(says))


def watching(case: Case, name: str, *calls: tuple[Value, ...]) -> Case:
    """Return the case with a callback that has to be called so."""
    return with_what(case, watch=((name, calls),))


def watched_calls(name: str, *calls: tuple[Value, ...]) -> tuple[WatchedCall, ...]:
    """Return the record of a callback's calls."""
    return tuple(WatchedCall(name, args) for args in calls)
