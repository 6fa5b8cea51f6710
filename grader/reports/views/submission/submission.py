"""One submission as its page shows it: the mark in words, where to start, its arithmetic, its questions."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace

from grader.marking.totals import failed_internally
from grader.model.results import Status, SubmissionResult
from grader.model.submission import NO_WORK
from grader.model.verdict import Verdict
from grader.reports.tone import Tone
from grader.reports.views.anchor import case_anchor
from grader.reports.views.case.causes import sentence
from grader.reports.views.case.rules import RuleView, rules_view
from grader.reports.views.case.source import Lines, SaidView, SourceView, said_view, sources_view
from grader.reports.views.case.times import near_limit
from grader.reports.views.handed_in import of_files
from grader.reports.views.mark.by_hand import outdated
from grader.reports.views.mark.instead import InsteadView, for_other_work, instead_view, other_file
from grader.reports.views.mark.mark_breakdown import (
    SO_FAR,
    AccountView,
    BreakdownLine,
    account_view,
    mark_breakdown,
    time_unknown,
)
from grader.reports.views.mark.policy import AttemptsView, attempts_view
from grader.reports.views.submission.question import ExplainedCauses, QuestionView, question_view
from grader.reports.views.submission.start import StartView, start_view
from grader.reports.views.wording import is_unjudged, share_tone, short_number
from grader.reports.words import many, say, word
from grader.reports.written_pages import question_anchor

NAMELESS = word("Your submission")
"""Shown to a student whose name is not known: an id stays with the staff."""

_FLAG_LIMIT = 200
_MOST_FLAGS = 8


@dataclass(frozen=True, slots=True)
class FlagView:
    """One thing that a person of the staff should look at; `anchor` is empty where it has no place."""

    tone: Tone
    text: str
    anchor: str = ""


@dataclass(frozen=True, slots=True)
class SubmissionView:
    """One submission.

    mark: the mark, or "pending", or with "so far" where a person has yet to mark some of it, or "—"
        where nothing was handed in.
    remark: a sentence or two where the mark needs an explanation; else empty.
    further_problems: those that the box under the mark does not tell already.
    questions: in the order of the task.
    mark_breakdown: the lines that explain the mark, where it is not simply the sum of the questions.
    account: the same for a page, also of a plain sum; None for full marks.
    rules: the task's rules on the source.
    flags: for the staff.
    handed_in: the digest of what was handed in.  sha256: of what was marked.
    instead: what was marked in its place; None for nothing.
    said: what people wrote about the whole, and about lines that are not here.
    """

    id: str
    name: str
    mark: str
    max_mark: str
    tone: Tone
    remark: str
    sha256: str
    problems: tuple[str, ...]
    further_problems: tuple[str, ...]
    notes: tuple[str, ...]
    questions: tuple[QuestionView, ...]
    mark_breakdown: tuple[BreakdownLine, ...] = ()
    account: AccountView | None = None
    start: StartView | None = None
    rules: tuple[RuleView, ...] = ()
    attempts: AttemptsView | None = None
    sources: tuple[SourceView, ...] = ()
    flags: tuple[FlagView, ...] = ()
    handed_in: str = ""
    instead: InsteadView | None = None
    said: tuple[SaidView, ...] = ()

    @property
    def in_reading_order(self) -> list[QuestionView]:
        """The questions that lose marks, then those that wait for a decision, then the right ones."""
        return sorted(self.questions, key=lambda view: 0 if view.loses else 1 if view.waits else 2)


def submission_view(submission: SubmissionResult, *, staff: bool = False) -> SubmissionView:
    """Return the view of a submission, or of a student's view of it.

    staff: add all measurements, and what a person should look at.
    """
    mark, maximum = submission.mark, submission.max_mark
    lines = Lines(submission.sources)
    told = ExplainedCauses()
    shown, tone, remark = short_number(mark), share_tone(mark, maximum), ""
    if failed_internally(submission):
        failed = [case for case in submission.cases if case.verdict == Verdict.INTERNAL_ERROR]
        if failed and all(map(is_unjudged, failed)):
            remark = say(
                "A checker could not judge some answers. By the others it is {n}, which can change.",
                n=shown,
            )
        else:
            remark = say(
                "The grader itself failed on some cases. By the others it is {n}, which can change.",
                n=shown,
            )
        shown, tone = say("pending"), Tone.OURS
    elif submission.status == Status.PENDING:
        remark = _awaited(submission)
        shown, tone = f"{shown} {say(SO_FAR)}", Tone.IDLE
    elif submission.status == Status.NO_SUBMISSION:
        shown, tone, remark = "—", Tone.IDLE, say("Nothing was handed in.")
    by_hand = {override.question for override in submission.overrides}
    questions = tuple(
        replace(
            question_view(question, told, staff, number, lines, by_hand=question.id in by_hand),
            said=tuple(said_view(each) for each in submission.remarks if each.question == question.id),
        )
        for number, question in enumerate(submission.questions, 1)
    )
    start = start_view(submission, questions)
    boxed = [load.title for load in start.loads] if start else []
    further = [
        problem
        for problem in submission.problems
        if not any(
            problem.removesuffix(" is missing") in title or of_files(problem) in title for title in boxed
        )
    ]
    return SubmissionView(
        id=submission.id,
        name=submission.name or (submission.id if staff else say(NAMELESS)),
        mark=shown,
        max_mark=short_number(maximum),
        tone=tone,
        remark=remark,
        sha256=submission.content_sha256,
        problems=tuple(map(of_files, submission.problems)),
        further_problems=tuple(map(of_files, further)),
        notes=tuple(map(of_files, submission.notes)),
        questions=questions,
        mark_breakdown=mark_breakdown(submission),
        account=account_view(submission),
        start=start,
        rules=rules_view(submission, lines),
        attempts=attempts_view(submission),
        sources=sources_view(submission, lines),
        flags=_flags(submission, questions) if staff else (),
        handed_in=_handed_in(submission),
        instead=instead_view(submission),
        said=tuple(_said(submission, lines)),
    )


def _said(submission: SubmissionResult, lines: Lines) -> Iterator[SaidView]:
    """Yield what people wrote that has no place of its own on the page."""
    for remark in submission.remarks:
        if remark.file and not lines.place_of(remark):
            yield said_view(remark, say("On line {n} of {file}:", n=remark.line, file=remark.file))
        elif not (remark.file or remark.question):
            yield said_view(remark)


def _handed_in(submission: SubmissionResult) -> str:
    if submission.instead is None:
        return submission.content_sha256
    return submission.instead.work if submission.instead.work != NO_WORK else ""


# -- for the staff -----------------------------------------------------------------------------------


def _flags(submission: SubmissionResult, questions: Sequence[QuestionView]) -> tuple[FlagView, ...]:
    """Return what a person should look at, the most pressing first; many of a kind are counted."""
    kinds = (
        list(_own_faults(submission)),
        list(_awaiting(submission, questions)),
        list(_near_limits(submission)),
        [FlagView(Tone.BAD, f"given for another work: {text}", "account") for text in outdated(submission)],
        list(_about_instead(submission)),
        [FlagView(Tone.IDLE, "a person set the mark", "account")] if submission.overrides else [],
        [FlagView(Tone.IDLE, "the time of handing in is not known")] if time_unknown(submission) else [],
    )
    shown: list[FlagView] = []
    for flags in kinds:
        shown += flags[:_MOST_FLAGS]
        if len(flags) > _MOST_FLAGS:
            shown.append(FlagView(flags[0].tone, f"and {len(flags) - _MOST_FLAGS} more like these"))
    return tuple(shown)


def _about_instead(submission: SubmissionResult) -> Iterator[FlagView]:
    if for_other_work(submission):
        text = f"marked in place of a work that changed since: {for_other_work(submission)}"
        yield FlagView(Tone.BAD, text, "instead")
    if other_file(submission):
        yield FlagView(Tone.PART, f"what was given was marked: {other_file(submission)}", "instead")


def _awaiting(submission: SubmissionResult, questions: Sequence[QuestionView]) -> Iterator[FlagView]:
    for view in questions:
        if view.waits and view.criteria and submission.awaiting:
            yield FlagView(Tone.IDLE, _awaited(submission), question_anchor(view.number))
            return


def _awaited(submission: SubmissionResult) -> str:
    return many(
        len(submission.awaiting), "Awaiting the marker: {n} criterion.", "Awaiting the marker: {n} criteria."
    )


def _own_faults(submission: SubmissionResult) -> Iterator[FlagView]:
    for case in submission.cases:
        if case.verdict == Verdict.INTERNAL_ERROR:
            text = f"our own fault in {case.id}: {sentence(case) or 'the grader failed there'}"
            yield FlagView(Tone.OURS, text[:_FLAG_LIMIT], case_anchor(case.id))


def _near_limits(submission: SubmissionResult) -> Iterator[FlagView]:
    for case in submission.cases:
        near = near_limit(case)
        if near:
            yield FlagView(Tone.PART, f"{case.id} {near}", case_anchor(case.id))
