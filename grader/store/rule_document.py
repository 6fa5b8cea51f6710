"""Rules on source as `results.json` has them: only for tasks and cases that have any."""

from grader.model.results import RuleFinding, RuleResult
from grader.store.document_types import FindingDocument, RuleDocument
from grader.store.people_document import encodable


def finding_document(finding: RuleFinding) -> FindingDocument:
    """Return one place where a rule is broken."""
    return {
        "file": encodable(finding.file),
        "line": finding.line,
        "message": encodable(finding.message),
        "excerpt": encodable(finding.excerpt),
    }


def rule_document(rule: RuleResult) -> RuleDocument:
    """Return what became of one rule of the task."""
    return {
        "rule": encodable(rule.rule),
        "broken": bool(rule.findings),
        "effect": rule.effect.value,
        "findings": [finding_document(finding) for finding in rule.findings],
        "hint": encodable(rule.hint),
        "note": encodable(rule.note),
    }
