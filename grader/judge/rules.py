"""Turns the findings of a rule on source into verdicts and results.  Pure."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, replace
from fractions import Fraction
from typing import TypeAlias

from grader.model.case import Case
from grader.model.kinds import kind_of
from grader.model.policy import Deduction
from grader.model.results import CaseResult, RuleEffect, RuleFinding, RuleResult
from grader.model.rule import Rule, TaskRule
from grader.model.submission import SourceFile
from grader.model.verdict import Verdict
from grader.wire.notebook import cell_file, place_of

Place: TypeAlias = tuple[str, int, str]
"""Module, line and message."""

TOO_COMPLEX = "the source is too complex for this rule to be checked, which counts as broken"

UNDECIDED = "not decidable here"

_MAX_EXCERPT = 160
_MAX_NOTES = 3
"""The most undecided places that a note lists."""


@dataclass(frozen=True, slots=True)
class RuleFindings:
    """The findings of one rule on one submission.

    findings: in the order of modules and lines.
    missing: files of the rule that were not handed in.
    invalid: files that are not Python, so they can't run either, each with the parser's words.
    undecided: the places where the source does not show whether the rule is broken.
    count: the number of findings, each with its weight.
    unexamined: some file could not be looked at, so that nobody knows how many findings it has.
    """

    findings: tuple[RuleFinding, ...] = ()
    missing: tuple[str, ...] = ()
    invalid: tuple[str, ...] = ()
    undecided: tuple[RuleFinding, ...] = ()
    count: Fraction = Fraction(0)
    unexamined: bool = False


def finding(file: SourceFile, line: int, message: str) -> RuleFinding:
    """Return a finding with the student's line; a line that does not exist stands for the whole file."""
    if not 1 <= line <= file.line_count:
        return RuleFinding(file.name, 0, message)
    excerpt = file.line(line).strip()[:_MAX_EXCERPT]
    cell, own_line = place_of(file.text, line)
    return RuleFinding(cell_file(file.name, cell) if cell else file.name, own_line, message, excerpt)


def seen_of(
    rule: Rule,
    files: Mapping[str, SourceFile],
    names: Mapping[str, str],
    places: Iterable[Place],
    undecided: Iterable[Place],
    too_complex: Iterable[str],
    invalid: Mapping[str, str],
) -> RuleFindings:
    """Return the findings of a rule, in order.

    files: the files that were handed in, by module.  names: the names of all files of the task, by module.
    places: where the rule is broken.  undecided: where the source does not show it; a strict rule is broken
    there.
    too_complex, invalid: modules.
    """
    order = {module: number for number, module in enumerate(rule.modules)}

    def findings(found: Iterable[Place]) -> tuple[RuleFinding, ...]:
        # The modules of the rule itself come first, then the modules that these import.
        ordered = sorted(set(found), key=lambda place: (order.get(place[0], len(order)), *place))
        return tuple(finding(files[module], line, text) for module, line, text in ordered if module in files)

    places, count = tuple(set(places)), Fraction(0)
    if rule.weights:
        weighed = [(place, rule.weight_of(place[2].partition(":")[0])) for place in places]
        count = sum((weight for _, weight in weighed), count)
        places = tuple((*place[:2], f"{place[2]}{_counts(weight)}") for place, weight in weighed)
    unclear = [(module, line, f"{UNDECIDED}: {text}") for module, line, text in undecided]
    complex_ones = [(module, 0, TOO_COMPLEX) for module in too_complex]
    told = findings([*places, *complex_ones, *(unclear if rule.strict else ())])
    return RuleFindings(
        findings=told,
        count=count if rule.weights else Fraction(len(told)),
        unexamined=bool(complex_ones),
        undecided=() if rule.strict else findings(unclear),
        missing=tuple(names[module] for module in rule.modules if module not in files),
        invalid=tuple(
            f"{files[module].name} is not valid Python: {invalid[module]}"
            for module in rule.modules
            if module in invalid and module in files
        ),
    )


def _counts(weight: Fraction) -> str:
    return "" if weight == 1 else " (costs nothing)" if not weight else f" (counts {float(weight):g} times)"


def cost_of(rule: TaskRule, seen: RuleFindings) -> Deduction | None:
    """Return the cost of a broken rule; None if it is only told."""
    if rule.takes is None or rule.each is None or seen.unexamined:
        return rule.takes
    return replace(rule.takes, amount=min(rule.takes.amount, rule.each.amount * seen.count))


def case_result(case: Case, seen: RuleFindings) -> CaseResult:
    """Return the result of a case with a rule.  A file that could not be examined is never a pass."""
    rule = kind_of(case).rule(case.what)
    each = rule.each if rule is not None else None
    if seen.findings and each is not None and not (seen.missing or seen.invalid or seen.unexamined):
        score = max(1 - each * seen.count, Fraction(0))
        verdict = Verdict.PARTIAL if score else Verdict.RULE_BROKEN
        verdict = Verdict.ACCEPTED if score == 1 else verdict
        return replace(_result(case, verdict, _told(seen.findings), seen.findings), score=score)
    if seen.findings:
        verdict, message = Verdict.RULE_BROKEN, _told(seen.findings)
    elif seen.missing:
        verdict, message = Verdict.LOAD_ERROR, f"there is no {seen.missing[0]} in the submission"
    elif seen.invalid:
        verdict, message = Verdict.LOAD_ERROR, seen.invalid[0]
    else:
        verdict, message = Verdict.ACCEPTED, "; ".join(_notes(seen.undecided))
    return _result(case, verdict, message, seen.findings)


def failed_case(case: Case, reason: str) -> CaseResult:
    """Return the result of a case that our own side failed to examine."""
    return _result(case, Verdict.INTERNAL_ERROR, f"the rule could not be checked ({reason})", ())


def skipped_case(case: Case, reason: str) -> CaseResult:
    """Return the result of a case of a rejected submission."""
    return _result(case, Verdict.SKIPPED, reason, None)


def rule_result(rule: TaskRule, seen: RuleFindings) -> RuleResult:
    """Return the result of a rule of the task.

    A file that is missing or not Python breaks no rule: it can't run, and so loses the marks of its cases.
    """
    effect = RuleEffect.PENALTY if rule.takes is not None else RuleEffect.TOLD
    return RuleResult(
        rule=rule.rule.text,
        effect=RuleEffect.REJECTED if rule.rejects else effect,
        findings=seen.findings,
        hint=rule.rule.hint,
        note="; ".join(
            (*(f"there is no {file}" for file in seen.missing), *seen.invalid, *_notes(seen.undecided))
        ),
    )


def reason_of(result: RuleResult) -> str:
    """Return the reason for the cost of a broken rule: the rule and the first place."""
    return f"rule broken: {result.rule} ({_place(result.findings[0])})"


def _told(findings: tuple[RuleFinding, ...]) -> str:
    more = f", and {len(findings) - 1} more" if len(findings) > 1 else ""
    return f"{_place(findings[0])}: {findings[0].message}{more}"


def _notes(undecided: tuple[RuleFinding, ...]) -> list[str]:
    notes = [f"{_place(each)}: {each.message}" for each in undecided[:_MAX_NOTES]]
    more = len(undecided) - len(notes)
    return [*notes, f"and {more} more"] if more > 0 else notes


def _place(finding: RuleFinding) -> str:
    return f"{finding.file} line {finding.line}" if finding.line else finding.file


def _result(
    case: Case, verdict: Verdict, message: str, findings: tuple[RuleFinding, ...] | None
) -> CaseResult:
    return CaseResult(
        id=case.id,
        call=case.text,
        verdict=verdict,
        score=Fraction(verdict is Verdict.ACCEPTED),
        weight=case.weight,
        group=case.group,
        visibility=case.visibility,
        message=message,
        hint=case.hint,
        title=case.title,
        findings=findings,
    )
