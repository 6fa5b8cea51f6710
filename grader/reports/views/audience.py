"""What a student may see: the one place that decides it.

Every output that a student can get is rendered from what `for_student` returns, never from
the results themselves.  It copies what is allowed, field by field, so a field that a later
version adds stays with the staff until it is named here.
"""

from collections.abc import Iterable

from grader.model.case import Visibility
from grader.model.verdict import Verdict
from grader.store.document_types import (
    CaseDocument,
    CriterionDocument,
    FindingDocument,
    OverrideDocument,
    QuestionDocument,
    RuleDocument,
    SubmissionDocument,
)

HIDDEN_CASE = "Hidden case"
"""Shown in place of a withheld case's call."""

REASON_WITHHELD = "Did not run; the reason would give a hidden case away."
"""Shown in place of a message that quotes a withheld case's call."""

_QUOTE_LENGTH = 12
"""This many characters in common with a hidden call count as a quotation of it."""


def for_student(submission: SubmissionDocument, released: bool = False) -> SubmissionDocument:
    """Return a view of the submission that is safe to hand to its student.

    released: the marks are out, so cases that are hidden until then are shown.
    The shape stays the same.  A withheld case keeps its id, verdict, score and weight, is
    called `HIDDEN_CASE`, has `withheld` set, and all its other fields are empty.
    """
    hidden_calls = [
        case["call"]
        for question in submission["questions"]
        for case in question["cases"]
        if _is_withheld(case, released)
    ]
    shown: SubmissionDocument = {
        "id": submission["id"],
        "name": submission["name"],
        "mark": submission["mark"],
        "max_mark": submission["max_mark"],
        "status": submission["status"],
        "sha256": submission["sha256"],
        "late_s": submission["late_s"],
        "penalties": [
            {"reason": penalty["reason"], "amount": penalty["amount"]} for penalty in submission["penalties"]
        ],
        "overrides": [_override(override) for override in submission["overrides"]],
        "problems": list(submission["problems"]),
        "notes": list(submission["notes"]),
        "questions": [_question(question, hidden_calls, released) for question in submission["questions"]],
    }
    if "awaiting" in submission:
        shown["awaiting"] = list(submission["awaiting"])
    if "deadline" in submission:
        shown["deadline"] = submission["deadline"]
        shown["submitted"] = submission.get("submitted", "")
    if "rules" in submission:
        shown["rules"] = [_rule(rule) for rule in submission["rules"]]
    return shown


def _rule(rule: RuleDocument) -> RuleDocument:
    return {
        "rule": rule["rule"],
        "broken": rule["broken"],
        "effect": rule["effect"],
        "findings": [_finding(finding) for finding in rule["findings"]],
        "hint": rule["hint"],
        "note": rule["note"],
    }


def _finding(finding: FindingDocument) -> FindingDocument:
    return {
        "file": finding["file"],
        "line": finding["line"],
        "message": finding["message"],
        "excerpt": finding["excerpt"],
    }


def _override(override: OverrideDocument) -> OverrideDocument:
    return {
        "question": override["question"],
        "before": override["before"],
        "after": override["after"],
        "reason": override["reason"],
        "by": override["by"],
        "date": override["date"],
    }


def _is_withheld(case: CaseDocument, released: bool) -> bool:
    visibility = case["visibility"]
    if visibility == Visibility.PUBLIC:
        return False
    # An unknown visibility is withheld too.
    return not (released and visibility == Visibility.AFTER_DUE)


def _question(question: QuestionDocument, hidden_calls: list[str], released: bool) -> QuestionDocument:
    shown: QuestionDocument = {
        "id": question["id"],
        "title": question["title"],
        "mark": question["mark"],
        "max_mark": question["max_mark"],
        "verdict": question["verdict"],
        "award": question["award"],
        "cases": [
            _withheld(case) if _is_withheld(case, released) else _shown(case, hidden_calls)
            for case in question["cases"]
        ],
    }
    if "criteria" in question:
        shown["criteria"] = [_criterion(criterion) for criterion in question["criteria"]]
    return shown


def _criterion(criterion: CriterionDocument) -> CriterionDocument:
    return {
        "id": criterion["id"],
        "title": criterion["title"],
        "description": criterion["description"],
        "mark": criterion["mark"],
        "max_mark": criterion["max_mark"],
        "comment": criterion["comment"],
        "by": criterion["by"],
        "date": criterion["date"],
    }


def _withheld(case: CaseDocument) -> CaseDocument:
    return {
        "id": case["id"],
        "call": HIDDEN_CASE,
        "verdict": case["verdict"],
        "visibility": Visibility.HIDDEN.value,
        "score": case["score"],
        "weight": case["weight"],
        "group": "",
        "cpu_s": 0.0,
        "wall_s": 0.0,
        "peak_rss_b": 0,
        "time_limit_s": 0.0,
        "message": "",
        "expected": "",
        "actual": "",
        "difference": None,
        "stdout": "",
        "stderr": "",
        "raised": None,
        "hint": "",
        "withheld": True,
    }


def _shown(case: CaseDocument, hidden_calls: list[str]) -> CaseDocument:
    message = case["message"]
    if case["verdict"] == Verdict.SKIPPED and _quotes(message, hidden_calls):
        message = REASON_WITHHELD
    shown: CaseDocument = {
        "id": case["id"],
        "call": case["call"],
        "verdict": case["verdict"],
        "visibility": case["visibility"],
        "score": case["score"],
        "weight": case["weight"],
        "group": case["group"],
        "cpu_s": case["cpu_s"],
        "wall_s": case["wall_s"],
        "peak_rss_b": case["peak_rss_b"],
        "time_limit_s": case["time_limit_s"],
        "message": message,
        "expected": case["expected"],
        "actual": case["actual"],
        "difference": case["difference"],
        "stdout": case["stdout"],
        "stderr": case["stderr"],
        "raised": case["raised"],
        "hint": case["hint"],
    }
    if "printed" in case:
        shown["printed"] = case["printed"]
    if "expected_print" in case:
        shown["expected_print"] = case["expected_print"]
    if "steps" in case:
        shown["steps"] = case["steps"]
    if "given" in case:
        shown["given"] = case["given"]
    if "dialogue" in case:
        shown["dialogue"] = case["dialogue"]
    if "timing" in case:
        shown["timing"] = case["timing"]
    if "pictures" in case:
        shown["pictures"] = case["pictures"]
    if "findings" in case:
        shown["findings"] = [_finding(finding) for finding in case["findings"]]
    return shown


def _quotes(message: str, calls: Iterable[str]) -> bool:
    """Tell whether the message quotes a call, whole or in part.

    The reason for a skip may name the case that was needed.  Its id is public, its call may
    not be, and a long call may be quoted in a shortened form.
    """
    pieces = [message[start : start + _QUOTE_LENGTH] for start in range(len(message) - _QUOTE_LENGTH + 1)]
    return any((call and call in message) or any(piece in call for piece in pieces) for call in calls)
