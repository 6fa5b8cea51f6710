"""What is taken off and what people decided, as parts of the document `results.json`."""

from grader.marking.rounding import format_mark
from grader.model.results import CriterionResult, Override, Penalty
from grader.store.document_types import CriterionDocument, OverrideDocument, PenaltyDocument


def penalty_document(penalty: Penalty) -> PenaltyDocument:
    """Return the part of the document that tells of one penalty."""
    return {"reason": encodable(penalty.reason), "amount": format_mark(penalty.amount)}


def override_document(override: Override) -> OverrideDocument:
    """Return the part of the document that tells of one override."""
    return {
        "question": override.question,
        "before": format_mark(override.before),
        "after": format_mark(override.after),
        "reason": encodable(override.reason),
        "by": encodable(override.by),
        "date": override.date,
    }


def criterion_document(criterion: CriterionResult) -> CriterionDocument:
    """Return the part of the document that tells of one criterion."""
    return {
        "id": criterion.id,
        "title": encodable(criterion.title),
        "description": encodable(criterion.description),
        "mark": format_mark(criterion.mark) if criterion.mark is not None else None,
        "max_mark": format_mark(criterion.max_mark),
        "comment": encodable(criterion.comment),
        "by": encodable(criterion.by),
        "date": criterion.date,
    }


def encodable(text: str) -> str:
    """Return a text that strict readers of JSON take: half a surrogate pair is shown as text."""
    return text if text.isascii() else text.encode("utf-8", "backslashreplace").decode()
