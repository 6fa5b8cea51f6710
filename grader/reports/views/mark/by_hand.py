"""Marks by hand that a person should look at again, in words."""

from collections.abc import Iterator
from fractions import Fraction

from grader.judge.messages import needed_by
from grader.model.results import SubmissionResult
from grader.model.verdict import Verdict
from grader.reports.views.wording import short_number

_MOST_NAMED = 8


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


def still_skipped(submission: SubmissionResult) -> Iterator[str]:
    """Yield the questions to which a person gave more marks, and for want of which cases were skipped."""
    waits_for = {
        case.id: needed_by(case.message) for case in submission.cases if case.verdict == Verdict.SKIPPED
    }
    for override in submission.overrides:
        question = next((each for each in submission.questions if each.id == override.question), None)
        if question is None or override.after <= override.before:
            continue
        reached = {case.id for case in question.cases}
        found: list[str] = []
        # A case may wait for one that waits itself.
        for _ in waits_for:
            found = [case for case, needed in waits_for.items() if needed in reached | {*found}]
        skipped = [case for case in found if case not in reached]
        if skipped:
            mark = _mark(_what(question.id), override.after, override.by)
            shown = ", ".join(skipped[:_MOST_NAMED]) + (" and more" if len(skipped) > _MOST_NAMED else "")
            yield f"{mark}; skipped, since they need it: {shown}"


def _what(question: str) -> str:
    return f"question {question}" if question else "the whole mark"


def _mark(what: str, mark: Fraction, by: str) -> str:
    return f"{what}: {short_number(mark)} by {by}"
