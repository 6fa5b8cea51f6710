"""Printed text and the steps of a scenario as `results.json` has them: only where there are any."""

from typing import TYPE_CHECKING

from grader.model.results import CaseResult
from grader.store.document_types import CaseDocument, StepDocument
from grader.store.people_document import encodable

if TYPE_CHECKING:
    from grader.model.results import StepResult


def add_steps(document: CaseDocument, case: CaseResult) -> None:
    """Add to a case's document what was printed, what should have been, and its steps."""
    if case.printed:
        document["printed"] = encodable(case.printed)
    if case.expected_print:
        document["expected_print"] = encodable(case.expected_print)
    if case.steps:
        document["steps"] = [_step(step) for step in case.steps]


def _step(step: "StepResult") -> StepDocument:
    document: StepDocument = {
        "text": encodable(step.text),
        "verdict": step.verdict.value,
        "message": encodable(step.message),
        "expected": encodable(step.expected),
        "actual": encodable(step.actual),
    }
    if step.printed:
        document["printed"] = encodable(step.printed)
    if step.expected_print:
        document["expected_print"] = encodable(step.expected_print)
    return document
