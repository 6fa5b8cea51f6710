"""One submission as its page shows it: the mark in words, its questions, which cases start unfolded."""

from dataclasses import dataclass
from fractions import Fraction
from typing import TypeAlias

from grader.model.results import CriterionResult, QuestionResult, Status, SubmissionResult
from grader.model.verdict import Verdict
from grader.reports.views.case import CaseView, case_view
from grader.reports.views.mark_breakdown import SO_FAR, BreakdownLine, failed_internally, mark_breakdown
from grader.reports.views.policy import AttemptsView, GroupView, attempts_view, groups_view
from grader.reports.views.rules import RuleView, rules_view
from grader.reports.views.source import Lines, SourceView, sources_view
from grader.reports.views.wording import (
    TONE_SYMBOLS,
    Tone,
    Wording,
    award_sentence,
    counted,
    share_tone,
    short_number,
    verdict_wording,
)

AWAITING = "awaiting the marker"
NAMELESS = "Your submission"
"""Shown to a student whose name is not known: an id stays with the staff."""

_SAME_CAUSE = frozenset({Verdict.LOAD_ERROR, Verdict.MISSING, Verdict.SKIPPED, Verdict.INTERNAL_ERROR})
"""Verdicts that one cause often gives to many cases; the cause is shown unfolded once."""

Cause: TypeAlias = tuple[str, str]
"""A verdict and its message."""


@dataclass(frozen=True, slots=True)
class CriterionView:
    """One criterion.  mark: a short number, or "awaiting the marker".  by: a person and a date."""

    id: str
    title: str
    description: str
    mark: str
    max_mark: str
    tone: Tone
    comment: str
    by: str


@dataclass(frozen=True, slots=True)
class QuestionView:
    """One question.

    mark: a short number, or "pending", or with "so far" where a person has yet to mark some of it.
    tenths: the share of the mark that was earned, in tenths; a share above zero is at least one.
    """

    id: str
    title: str
    mark: str
    max_mark: str
    tone: Tone
    tenths: int
    wording: Wording
    award: str
    count: str
    cases: tuple[CaseView, ...]
    criteria: tuple[CriterionView, ...] = ()
    groups: tuple[GroupView, ...] = ()
    bonus: bool = False


@dataclass(frozen=True, slots=True)
class SubmissionView:
    """One submission.

    mark: the mark, or "pending", or with "so far" where a person has yet to mark some of it, or "—"
        where nothing was handed in.
    remark: a sentence or two where the mark needs an explanation; else empty.
    mark_breakdown: the lines that explain the mark, where it is not simply the sum of the questions.
    rules: the task's rules on the source.
    """

    id: str
    name: str
    mark: str
    max_mark: str
    tone: Tone
    remark: str
    sha256: str
    problems: tuple[str, ...]
    notes: tuple[str, ...]
    questions: tuple[QuestionView, ...]
    mark_breakdown: tuple[BreakdownLine, ...] = ()
    rules: tuple[RuleView, ...] = ()
    attempts: AttemptsView | None = None
    sources: tuple[SourceView, ...] = ()


def submission_view(submission: SubmissionResult, *, staff: bool = False) -> SubmissionView:
    """Return the view of a submission, or of a student's view of it.

    staff: add all measurements.
    """
    mark, maximum = submission.mark, submission.max_mark
    told: set[Cause] = set()
    lines = Lines(submission.sources)
    shown, tone, remark = short_number(mark), share_tone(mark, maximum), ""
    waiting = submission.awaiting
    if failed_internally(submission):
        remark = f"The grader itself failed on some cases. {shown} of the marks are certain so far."
        shown, tone = "pending", Tone.OURS
    elif submission.status == Status.PENDING:
        remark = f"Awaiting the marker: {counted(len(waiting), 'criterion', 'criteria')}."
        shown, tone = f"{shown} {SO_FAR}", Tone.IDLE
    elif submission.status == Status.NO_SUBMISSION:
        shown, tone, remark = "—", Tone.IDLE, "Nothing was handed in."
    return SubmissionView(
        id=submission.id,
        name=submission.name or (submission.id if staff else NAMELESS),
        mark=shown,
        max_mark=short_number(maximum),
        tone=tone,
        remark=remark,
        sha256=submission.content_sha256,
        problems=tuple(submission.problems),
        notes=tuple(submission.notes),
        questions=tuple(question_view(question, told, staff, lines) for question in submission.questions),
        mark_breakdown=mark_breakdown(submission),
        rules=rules_view(submission, lines),
        attempts=attempts_view(submission),
        sources=sources_view(submission, lines),
    )


def question_view(question: QuestionResult, told: set[Cause], staff: bool, lines: Lines) -> QuestionView:
    """Return the view of a question.

    told: causes that are already shown unfolded on this page; those of this question are added.
    lines: that the page shows.
    """
    if question.criteria:
        return _for_people(question)
    mark, maximum = question.mark, question.max_mark
    is_pending = question.verdict == Verdict.INTERNAL_ERROR
    cases = question.cases
    accepted = sum(case.verdict == Verdict.ACCEPTED for case in cases)
    return QuestionView(
        id=question.id,
        title=question.title,
        mark="pending" if is_pending else short_number(mark),
        max_mark=short_number(maximum),
        tone=Tone.OURS if is_pending else share_tone(mark, maximum),
        tenths=tenths(mark, maximum),
        wording=verdict_wording(question.verdict),
        award=award_sentence(question.award) if len(cases) > 1 and not question.groups else "",
        count=f"{accepted} of {counted(len(cases), 'case')} accepted",
        cases=tuple(
            case_view(case, folded=folded, staff=staff, lines=lines)
            for case, folded in zip(cases, _folded(question, told), strict=True)
        ),
        groups=groups_view(question),
        bonus=question.bonus,
    )


def _for_people(question: QuestionResult) -> QuestionView:
    criteria = question.criteria
    mark, maximum = question.mark, question.max_mark
    marked = sum(criterion.mark is not None for criterion in criteria)
    waits = marked < len(criteria)
    tone = Tone.IDLE if waits else share_tone(mark, maximum)
    shown = short_number(mark)
    return QuestionView(
        id=question.id,
        title=question.title,
        mark=f"{shown} {SO_FAR}" if waits else shown,
        max_mark=short_number(maximum),
        tone=tone,
        tenths=tenths(mark, maximum),
        wording=Wording(AWAITING if waits else "marked by hand", TONE_SYMBOLS[tone], tone),
        award="",
        count=f"{marked} of {counted(len(criteria), 'criterion', 'criteria')} marked",
        cases=(),
        criteria=tuple(_criterion_view(criterion) for criterion in criteria),
        bonus=question.bonus,
    )


def _criterion_view(criterion: CriterionResult) -> CriterionView:
    mark = criterion.mark
    by = ", ".join(filter(None, (criterion.by, criterion.date)))
    return CriterionView(
        id=criterion.id,
        title=criterion.title,
        description=criterion.description,
        mark=AWAITING if mark is None else short_number(mark),
        max_mark=short_number(criterion.max_mark),
        tone=Tone.IDLE if mark is None else share_tone(mark, criterion.max_mark),
        comment=criterion.comment,
        by=by,
    )


def tenths(mark: Fraction, maximum: Fraction) -> int:
    """Return the length of a mark's bar in tenths; 0 and 10 mean exactly none and all."""
    if maximum <= 0 or mark >= maximum:
        return 10
    if mark <= 0:
        return 0
    return min(9, max(1, round(10 * mark / maximum)))


def _folded(question: QuestionResult, told: set[Cause]) -> list[bool]:
    folded = []
    for case in question.cases:
        verdict = case.verdict
        cause = (verdict, case.message)
        folded.append(verdict == Verdict.ACCEPTED or cause in told)
        if verdict in _SAME_CAUSE:
            told.add(cause)
    return folded
