"""Turns the evidence about a case into its verdict.

This is pure, except that it asks the oracle if the spec names a checker.  Expected answers are known here and
never near the student's code.  Claims of the student's code are treated as data only.  Missing evidence is
never a pass.
"""

import re
from dataclasses import fields, is_dataclass, replace
from fractions import Fraction
from typing import Any

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
from grader.judge.messages import TEXT_LIMIT
from grader.model.case import Case
from grader.model.kinds import kind_of
from grader.model.outcome import Ending, Outcome
from grader.model.results import CaseResult, Frame
from grader.model.verdict import Verdict
from grader.registry.blame import blamed, culprit
from grader.values.show import safe_line
from grader.wire.byte_text import legible

__all__ = ["CheckFailed", "CheckResult", "Checkers", "Expected", "judge"]

_ADDRESS = re.compile(r" at 0x[0-9a-f]{10,16}(?=>|, file )")


def judge(case: Case, outcome: Outcome, expected: Expected | None, oracle: Checkers) -> CaseResult:
    """Return the result of a case.  It never raises: every fault becomes a verdict.

    expected: needed if the case expects the same as the reference; else None.
    """
    kind = kind_of(case)
    try:
        finding = kind.judge(case, outcome, expected, oracle)
        _check(finding, kind.name)
    except BudgetSpent as reason:
        finding = Finding(verdict=Verdict.SKIPPED, message=f"skipped: {reason}")
    except (OwnFault, CheckFailed) as fault:
        what = UNJUDGED if isinstance(fault, CheckerRaised) else "the case could not be judged"
        message = f"{what} ({safe_line(str(fault), TEXT_LIMIT)})"
        finding = Finding(verdict=Verdict.INTERNAL_ERROR, message=message)
    except Exception as error:
        if culprit(error) is None:
            raise
        message = f"the case could not be judged ({safe_line(blamed(error), TEXT_LIMIT)})"
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
        expected=finding.expected or kind.expected_text(case, expected),
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
    result = kind.with_given(case, result, outcome, finding)
    told: CaseResult = _for_people(result)
    return told


def _check(finding: object, kind: str) -> None:
    """Raise `OwnFault` if a kind, which can be a plugin's, gave no valid finding."""
    if type(finding) is not Finding or type(finding.verdict) is not Verdict:
        raise OwnFault(f"the kind {kind} gave no finding")
    if type(finding.score) not in (Fraction, int) or not 0 <= finding.score <= 1:
        raise OwnFault(f"the kind {kind} gave a score that is no fraction from 0 to 1")


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
