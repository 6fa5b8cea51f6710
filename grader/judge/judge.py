"""Turns the evidence about a case into its verdict.

This is pure, except that it asks the oracle if the spec names a checker.  Expected answers are known here and
never near the student's code.  Claims of the student's code are treated as data only.  Missing evidence is
never a pass.
"""

import re
from dataclasses import fields, is_dataclass, replace
from typing import Any

from grader.judge.answered import expected_text, judge_answered
from grader.judge.finding import (
    UNJUDGED,
    BudgetSpent,
    CheckerRaised,
    Checkers,
    CheckFailed,
    CheckResult,
    Expected,
    Finding,
    OwnFault,
)
from grader.judge.generated import judge_generated
from grader.judge.messages import TEXT_LIMIT, ending_message, for_call, without_place
from grader.judge.program import judge_program, unlike_files, with_what_was_due
from grader.judge.scenario import judge_scenario, not_judged
from grader.judge.tests import judge_student_tests, judge_tests
from grader.judge.transcript import given_files, with_transcript
from grader.judge.values.show import safe_line
from grader.model.case import Case
from grader.model.outcome import Ending, Outcome
from grader.model.results import CaseResult, Frame
from grader.model.verdict import Verdict
from grader.wire.byte_text import legible

__all__ = ["CheckFailed", "CheckResult", "Checkers", "Expected", "judge"]

_ENDINGS: dict[Ending, Verdict] = {
    Ending.EXITED: Verdict.CRASHED,
    Ending.KILLED: Verdict.CRASHED,
    Ending.PROTOCOL: Verdict.CRASHED,
    Ending.TIME: Verdict.TIME_LIMIT,
    Ending.WALL: Verdict.WALL_LIMIT,
    Ending.MEMORY: Verdict.MEMORY_LIMIT,
    Ending.OUTPUT: Verdict.OUTPUT_LIMIT,
    Ending.ANSWER_SIZE: Verdict.OUTPUT_LIMIT,
    Ending.FORBIDDEN: Verdict.FORBIDDEN,
    Ending.LOAD_FAILED: Verdict.LOAD_ERROR,
    Ending.MISSING: Verdict.MISSING,
    Ending.STOPPED: Verdict.CRASHED,
    Ending.BUDGET: Verdict.SKIPPED,
    Ending.INTERNAL: Verdict.INTERNAL_ERROR,
}

_ADDRESS = re.compile(r" at 0x[0-9a-f]{10,16}(?=>|, file )")
_BROKEN_OFF = frozenset(_ENDINGS) - {Ending.LOAD_FAILED, Ending.MISSING, Ending.BUDGET, Ending.INTERNAL}
"""Endings before which code of the submission ran."""


def judge(case: Case, outcome: Outcome, expected: Expected | None, oracle: Checkers) -> CaseResult:
    """Return the result of a case.  It never raises: every fault becomes a verdict.

    expected: needed if the case expects the same as the reference; else None.
    """
    try:
        finding = _found(case, outcome, expected, oracle)
    except BudgetSpent as reason:
        finding = Finding(verdict=Verdict.SKIPPED, message=f"skipped: {reason}")
    except (OwnFault, CheckFailed) as fault:
        what = UNJUDGED if isinstance(fault, CheckerRaised) else "the case could not be judged"
        message = f"{what} ({safe_line(str(fault), TEXT_LIMIT)})"
        finding = Finding(verdict=Verdict.INTERNAL_ERROR, message=message)
    result = CaseResult(
        id=case.id,
        call=case.text,
        verdict=finding.verdict,
        score=finding.score,
        weight=case.weight,
        group=case.group,
        visibility=case.visibility,
        cpu_s=outcome.cpu_s,
        wall_s=outcome.wall_s,
        peak_rss_b=outcome.peak_rss_b,
        time_limit_s=case.limits.time_s,
        near_limit=is_near_limit(case, outcome.ending, outcome.cpu_s),
        message=finding.message,
        expected=finding.expected or expected_text(case, expected),
        actual=finding.actual,
        difference=finding.difference,
        stdout=outcome.stdout,
        stderr=outcome.stderr,
        raised=finding.raised,
        hint=case.hint,
        title=case.title,
        printed=finding.printed,
        expected_print=finding.expected_print,
        steps=finding.steps,
        checker_note=finding.checker_note,
        stopped_at=None if outcome.place is None else Frame(*outcome.place, ""),
    )
    if case.folder is not None:
        result = replace(result, given=given_files(case.folder.files))
    if case.program is not None:
        result = with_transcript(result, case.program, outcome, finding.wrong_turn)
    told: CaseResult = _for_people(result)
    return told


def _for_people(part: Any) -> Any:
    """Return a part of a result with bytes that are no UTF-8 as text, and without addresses.

    Addresses in Python's own texts of objects differ from run to run.
    """
    if type(part) is str:
        return legible(_ADDRESS.sub("", part) if " at 0x" in part else part)
    if type(part) is tuple:
        return tuple(map(_for_people, part)) if part else part
    if not is_dataclass(part):
        return part
    old = {field.name: getattr(part, field.name) for field in fields(part)}
    new = {name: _for_people(value) for name, value in old.items()}
    return part if new == old else replace(part, **new)  # type: ignore[type-var]


def is_near_limit(case: Case, ending: Ending, cpu_s: float) -> bool:
    """Tell whether a case that ended by itself used more than half of its limit: load could decide it."""
    return ending is not Ending.TIME and cpu_s > case.limits.time_s / 2


def _found(case: Case, outcome: Outcome, expected: Expected | None, oracle: Checkers) -> Finding:
    finding = _found_in_answers(case, outcome, expected, oracle)
    if case.folder is None or not finding.score:
        return finding
    folder, who = case.folder, "the steps" if case.steps else "the call"
    if expected is not None and expected.failure and any(text.asks_reference for _, text in folder.texts):
        raise OwnFault(expected.failure)
    of_reference = expected.files if expected is not None else None
    unlike = unlike_files(folder.keeps, folder.texts, outcome.files, of_reference, who, oracle.find_in_text)
    if unlike is None:
        return finding
    answer = unlike if unlike.expected else finding
    return replace(unlike, expected=answer.expected, actual=answer.actual, steps=finding.steps)


def _found_in_answers(case: Case, outcome: Outcome, expected: Expected | None, oracle: Checkers) -> Finding:
    if case.steps:
        return _found_in_steps(case, outcome, expected, oracle)
    if case.test is not None and outcome.ending is Ending.ANSWERED:
        return judge_tests(case, case.test, outcome, _ENDINGS)
    if case.tried is not None and outcome.ending is Ending.ANSWERED:
        return judge_student_tests(outcome)
    if case.program is not None:
        finding = judge_program(case, outcome, expected, oracle)
        if finding is not None:
            return finding
    elif outcome.ending is Ending.ANSWERED:
        return judge_answered(case, outcome, expected, oracle)
    message = ending_message(case, outcome)
    # After a failed import the answer is the import's own, not a call's.
    if 0 < len(outcome.answers) < len(case.calls) and outcome.ending is not Ending.LOAD_FAILED:
        message = for_call(case, case.calls[len(outcome.answers)], message)
    raised = without_place(outcome.raised) if outcome.raised is not None else None
    found = Finding(verdict=_ENDINGS[outcome.ending], message=message, raised=raised)
    return with_what_was_due(found, case, outcome, expected) if outcome.ending in _BROKEN_OFF else found


def _found_in_steps(case: Case, outcome: Outcome, expected: Expected | None, oracle: Checkers) -> Finding:
    steps = not_judged(case, "not judged") if case.generated is None else ()
    if len(outcome.answers) > len(case.calls):
        message = f"there is no valid answer ({len(case.calls)} steps, and {len(outcome.answers)} answers)"
        return Finding(verdict=Verdict.CRASHED, message=message, steps=steps)
    if outcome.ending is Ending.ANSWERED or (outcome.answers and outcome.ending is not Ending.LOAD_FAILED):
        ending = _ENDINGS.get(outcome.ending)
        judge_steps = judge_scenario if case.generated is None else judge_generated
        return judge_steps(case, outcome, expected, oracle, ending)
    verdict, message = _ENDINGS[outcome.ending], ending_message(case, outcome)
    if case.generated is not None and outcome.ending not in (Ending.LOAD_FAILED, Ending.MISSING):
        message = for_call(case, case.calls[0], message)
    raised = without_place(outcome.raised) if outcome.raised is not None else None
    return Finding(verdict=verdict, message=message, raised=raised, steps=steps)
