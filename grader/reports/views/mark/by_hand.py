"""Marks by hand that a person should look at again, in words."""

from collections.abc import Iterator
from fractions import Fraction

from grader.model.results import SubmissionResult
from grader.reports.views.wording import short_number


def outdated(submission: SubmissionResult) -> Iterator[str]:
    """Yield the marks by hand that were given for another work than was marked."""
    for override in submission.overrides:
        if override.work:
            yield _mark(_what(override.question), override.after, override.by)
    for question in submission.questions:
        for criterion in question.criteria:
            if criterion.work and criterion.mark is not None:
                yield _mark(f"criterion {criterion.id}", criterion.mark, criterion.by)


def lowered(submission: SubmissionResult) -> Iterator[str]:
    """Yield the overrides that are below what the cases give."""
    has_cases = {question.id for question in submission.questions if question.cases}
    for override in submission.overrides:
        counts = override.question in has_cases if override.question else bool(has_cases)
        if counts and override.after < override.before:
            mark = _mark(_what(override.question), override.after, override.by)
            yield f"{mark}, instead of {short_number(override.before)}"


def _what(question: str) -> str:
    return f"question {question}" if question else "the whole mark"


def _mark(what: str, mark: Fraction, by: str) -> str:
    return f"{what}: {short_number(mark)} by {by}"
