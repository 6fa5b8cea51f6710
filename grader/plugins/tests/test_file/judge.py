"""Judges the tests of a test file.  Pure.

An assertion that fails, an exception that the program raised, and a bad end of its process are the
program's.  Whatever else a test raises comes from the test's own code.  Where the reference is known to pass
the test, and the program had answered something, the answers are the cause; else a person has to look.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from fractions import Fraction

from grader.judge.finding import Finding, OwnFault
from grader.judge.messages import TEXT_LIMIT, ending_message, place_of, raised_text
from grader.model.case import Case, TestFunction
from grader.model.outcome import Ending, Outcome, TestEnd, TestOutcome
from grader.model.results import Raised, StepResult
from grader.model.verdict import Verdict
from grader.values.show import safe_line

_MESSAGE = 600
_VALUE = 2_000
_OPERATIONS = "operations"


@dataclass(frozen=True, slots=True)
class _Judged:
    verdict: Verdict
    message: str = ""
    expected: str = ""
    actual: str = ""
    raised: Raised | None = None


def judge_tests(
    case: Case, test: TestFunction, outcome: Outcome, verdicts: Mapping[Ending, Verdict]
) -> Finding:
    """Return the finding on a test function.  Raises `OwnFault`."""
    if not outcome.tests:
        raise OwnFault(f"pytest does not find the test {test.name}")
    judged = _all_judged(case, test, outcome, verdicts)
    steps = tuple(
        StepResult(
            text=safe_line(each.name, TEXT_LIMIT),
            verdict=one.verdict,
            message=one.message,
            expected=one.expected,
            actual=one.actual,
        )
        for each, one in zip(outcome.tests, judged, strict=True)
    )
    failed = [number for number, one in enumerate(judged) if one.verdict is not Verdict.ACCEPTED]
    score = Fraction(len(judged) - len(failed), len(judged))
    if len(judged) == 1:
        steps = ()
    if not failed:
        return Finding(verdict=Verdict.ACCEPTED, score=Fraction(1), steps=steps)
    first = judged[failed[0]]
    message = first.message
    if steps:
        message = f"{steps[failed[0]].text}: {message}"
        if len(failed) > 1:
            message += f"; {len(failed)} of {len(judged)} do not pass"
    return Finding(
        verdict=Verdict.PARTIAL if score else first.verdict,
        score=score,
        message=message,
        expected=first.expected,
        actual=first.actual,
        raised=first.raised,
        steps=steps,
    )


def _all_judged(
    case: Case, test: TestFunction, outcome: Outcome, verdicts: Mapping[Ending, Verdict]
) -> list[_Judged]:
    """Judge each row of a test.  Raises `OwnFault`, which says how many rows could be judged."""
    judged: list[_Judged] = []
    faults: list[str] = []
    for each in outcome.tests:
        try:
            judged.append(_judged(case, test, each, verdicts))
        except OwnFault as fault:
            faults.append(f"{safe_line(each.name, TEXT_LIMIT)}: {fault}")
    if not faults:
        return judged
    if len(outcome.tests) == 1:
        raise OwnFault(f"test {test.name}: {faults[0].partition(': ')[2]}")
    passed = sum(one.verdict is Verdict.ACCEPTED for one in judged)
    raise OwnFault(
        f"test {faults[0]}; {len(judged)} of {len(outcome.tests)} rows could be judged, {passed} pass"
    )


def _judged(
    case: Case, test: TestFunction, found: TestOutcome, verdicts: Mapping[Ending, Verdict]
) -> _Judged:
    """Judge one test.  Raises `OwnFault`."""
    message = safe_line(found.message, _MESSAGE)
    match found.end:
        case TestEnd.PASSED:
            return _Judged(Verdict.ACCEPTED)
        case TestEnd.FAILED:
            expected, actual = safe_line(found.expected, _VALUE), safe_line(found.actual, _VALUE)
            return _Judged(Verdict.WRONG_ANSWER, message, expected, actual)
        case TestEnd.RAISED if found.raised is not None:
            verdict = Verdict.MEMORY_LIMIT if found.raised.type_name == "MemoryError" else Verdict.EXCEPTION
            text = f"raised {raised_text(found.raised)}{place_of(found.raised)}"
            return _Judged(verdict, text, raised=found.raised)
        case TestEnd.MISSING:
            module, _, name = message.partition(".")
            return _Judged(Verdict.MISSING, f"the module {module} has no {name}")
        case TestEnd.OVER if found.ending is not None:
            ending = found.ending
            if _OPERATIONS in ending.detail:
                text = f"stopped after {ending.detail} in one test: does something here never end?"
            else:
                text = ending_message(case, ending)
            return _Judged(verdicts[ending.ending], text, raised=ending.raised)
        case TestEnd.STOPPED if test.proven and found.answered:
            return _Judged(Verdict.WRONG_ANSWER, f"with what was answered the test cannot go on: {message}")
        case TestEnd.SKIPPED:
            return _Judged(Verdict.SKIPPED, f"the test was skipped: {message}")
    raise OwnFault(message)
