"""Turns the evidence about a case into its verdict.

This is pure, except that it asks the oracle if the spec names a checker.  Expected answers are known here and
never near the student's code.  Claims of the student's code are treated as data only.  Missing evidence is
never a pass.
"""

import re
from dataclasses import fields, is_dataclass, replace
from fractions import Fraction
from typing import Any

from grader.judge.endings import judge_ending
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
from grader.registry.blame import blamed, is_plugins
from grader.registry.groups import Group
from grader.registry.registry import registry
from grader.registry.shapes import misfit
from grader.values.pairing import Undecided
from grader.values.show import safe_line
from grader.wire.byte_text import legible

__all__ = ["CheckFailed", "CheckResult", "Checkers", "Expected", "judge"]

_LONGEST_FINDING = 1_000_000
_MARKED_BY = ("id", "verdict", "score", "weight", "group", "visibility")
"""What a mark depends on, and who may see it."""
_ADDRESS = re.compile(r" at 0x[0-9a-f]{10,16}(?=>|, file )")


def judge(case: Case, outcome: Outcome, expected: Expected | None, oracle: Checkers) -> CaseResult:
    """Return the result of a case.  It never raises: every fault becomes a verdict.

    expected: needed if the case expects the same as the reference; else None.
    """
    try:
        finding = _finding(case, outcome, expected, oracle)
        return _for_people(_told(case, outcome, expected, finding))
    except OwnFault as fault:
        reason = str(fault)
    except BaseException as error:
        if not is_plugins(error):
            raise
        reason = blamed(error)
    # Nothing more is asked of a kind that failed.
    return _for_people(_result(case, outcome, _unjudged(reason)))


def _finding(case: Case, outcome: Outcome, expected: Expected | None, oracle: Checkers) -> Finding:
    kind = kind_of(case)
    is_foreign = registry().is_foreign(Group.KINDS, kind.name)
    if is_foreign and outcome.ending in (Ending.INTERNAL, Ending.BUDGET):
        return judge_ending(case, outcome)  # there is no evidence: no kind is to say otherwise
    try:
        finding = kind.judge(case, outcome, expected, oracle)
        _check(finding, kind.name, is_foreign=is_foreign)
    except BudgetSpent as reason:
        finding = Finding(verdict=Verdict.SKIPPED, message=f"skipped: {reason}")
    except CheckerRaised as fault:
        finding = _unjudged(str(fault), UNJUDGED)
    except CheckFailed as fault:
        finding = replace(_unjudged(str(fault)), checker_note=safe_line(fault.note, TEXT_LIMIT))
    except (OwnFault, Undecided) as fault:
        finding = _unjudged(str(fault))
    return finding


def _unjudged(reason: str, what: str = "the case could not be judged") -> Finding:
    return Finding(verdict=Verdict.INTERNAL_ERROR, message=f"{what} ({safe_line(reason, TEXT_LIMIT)})")


def _told(case: Case, outcome: Outcome, expected: Expected | None, finding: Finding) -> CaseResult:
    """Return the result with what the kind tells of the case.  Raises `OwnFault`, and what a plugin does."""
    kind = kind_of(case)
    if not finding.expected:
        finding = replace(finding, expected=kind.expected_text(case, expected))
    result = _result(case, outcome, finding)
    told = kind.with_given(case, result, outcome, finding)
    if registry().is_foreign(Group.KINDS, kind.name):
        _check(finding, kind.name, is_foreign=True)
        is_same = type(told) is CaseResult and all(
            getattr(told, name) == getattr(result, name) for name in _MARKED_BY
        )
        if not is_same or misfit(told):
            raise OwnFault(f"{_plugin_of(kind.name)} gave another result than it found")
    return told


def _result(case: Case, outcome: Outcome, finding: Finding) -> CaseResult:
    return CaseResult(
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
        expected=finding.expected,
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


def _check(finding: object, kind: str, *, is_foreign: bool) -> None:
    """Raise `OwnFault` if a kind, which can be a plugin's, gave no valid finding."""
    who = f"{_plugin_of(kind)} gave" if is_foreign else f"the kind {kind} gave"
    if type(finding) is not Finding or type(finding.verdict) is not Verdict:
        raise OwnFault(f"{who} no finding")
    if type(finding.score) not in (Fraction, int) or not 0 <= finding.score <= 1:
        raise OwnFault(f"{who} a score that is no fraction from 0 to 1")
    if not is_foreign:
        return
    problem = misfit(finding)
    if problem:
        raise OwnFault(f"{who} no valid finding: {problem}")
    if len(repr(finding)) > _LONGEST_FINDING:
        raise OwnFault(f"{who} a finding of more than {_LONGEST_FINDING:,} characters")
    earned = {Verdict.ACCEPTED: finding.score == 1, Verdict.PARTIAL: 0 < finding.score < 1}
    if not earned.get(finding.verdict, finding.score == 0):
        raise OwnFault(f"{who} the score {finding.score} with the verdict {finding.verdict}")


def _plugin_of(kind: str) -> str:
    return f"plugin {registry().plugin_of(Group.KINDS, kind)}: its kind {kind}"


def _for_people(result: CaseResult) -> CaseResult:
    told: CaseResult = _legible(result)
    return told


def _legible(part: Any) -> Any:
    """Return a part of a result with bytes that are no UTF-8 as text, and without addresses.

    Addresses in Python's own texts of objects differ from run to run.
    """
    if type(part) is str:
        return legible(_ADDRESS.sub("", part) if " at 0x" in part else part)
    if type(part) is tuple:
        return tuple(map(_legible, part)) if part else part
    if not is_dataclass(part):
        return part
    old = {field.name: getattr(part, field.name) for field in fields(part)}
    new = {name: _legible(value) for name, value in old.items()}
    return part if new == old else replace(part, **new)  # type: ignore[type-var]


def is_near_limit(case: Case, ending: Ending, cpu_s: float) -> bool:
    """Tell whether a case that ended by itself used more than half of its limit: load could decide it."""
    return ending is not Ending.TIME and cpu_s > case.limits.time_s / 2
