"""Computes the mark of a submission from its questions.

In this order: the marks and overrides that people gave to questions, their sum, the caps, the penalties one
after another, one rounding.  A person's mark for the whole submission replaces all that.
"""

from collections.abc import Iterator, Sequence
from fractions import Fraction

from grader.marking.caps import caps
from grader.marking.criteria import awaited, criteria_result, overridden_questions, overridden_whole
from grader.marking.lateness import in_utc, late_due, late_s
from grader.marking.penalties import INSTEAD, DuePenalty, penalties, smoke_due
from grader.marking.rounding import rounded
from grader.model.person import Person
from grader.model.policy import Second
from grader.model.results import Override, Penalty, QuestionResult, Status, SubmissionResult
from grader.model.submission import Instead, Record, Replacement, Submission
from grader.model.task import Task
from grader.model.verdict import Verdict

NO_TIME = "The time of submission is unknown, so nothing was taken off for lateness."


def submission_result(
    task: Task, submission: Submission, questions: Sequence[QuestionResult], broken: Sequence[DuePenalty] = ()
) -> SubmissionResult:
    """Return the result of a submission.

    questions: all of them; those that people mark are filled in here.  broken: the penalties for broken
    rules. The mark is never above the task's cap, even where the rounding would take it there.
    """
    record = submission.record or Record()
    review = record.review
    of_task = {question.id: question for question in task.questions if question.criteria}
    second = second_of(task, submission.id, submission.person)
    marked = [criteria_result(of_task[q.id], review, second) if q.id in of_task else q for q in questions]
    results, overrides = overridden_questions(marked, review)
    above = caps(task, results)
    total = sum((question.mark for question in results), Fraction(0))
    total -= sum((cap.amount for cap in above), Fraction(0))
    handed_in = bool(submission.files or submission.found or review.marks or review.overrides)
    seconds = seconds_late(task, submission)
    taken = (
        penalties(total, task.marks, _dues(task, broken, results, submission, seconds)) if handed_in else ()
    )
    mark = _rounded(task, total, taken)
    whole = overridden_whole(mark, review)
    missing = awaited(results, overrides) if handed_in and whole is None else ()
    late = task.late if submission.record is not None else None
    return SubmissionResult(
        id=submission.id,
        name=submission.name,
        mark=whole.after if whole is not None else mark,
        max_mark=task.marks,
        status=_status(handed_in, whole, missing, results, overrides),
        sha256=submission.sha256,
        content_sha256=submission.content_sha256,
        problems=submission.problems,
        notes=(*submission.notes, *_repairs(submission), *_about_time(late, record, handed_in)),
        questions=results,
        penalties=taken,
        overrides=(*overrides, whole) if whole is not None else overrides,
        awaiting=missing,
        submitted=in_utc(record.submitted) if record.submitted is not None else "",
        deadline=in_utc(late.deadline_of(submission.id, record.extension)) if late is not None else "",
        late_s=seconds,
        caps=above,
        person=submission.person,
        instead=_instead(submission.instead),
        remarks=review.remarks,
    )


def second_of(task: Task, student: str, person: Person | None) -> Second | None:
    """Return the rule of the second marking for a work; None where it has none.

    All who handed in one work are drawn together.
    """
    work = (person.work if person is not None else "") or student
    return task.second if task.second is not None and task.second.draws(task.seed, task.id, work) else None


def _instead(given: Replacement | None) -> Instead | None:
    if given is None:
        return None
    return Instead(
        file=given.file,
        by=given.by,
        reason=given.reason,
        work=given.work,
        given_for=given.given_for if given.given_for != given.work else "",
        state=given.state,
    )


def seconds_late(task: Task, submission: Submission) -> int:
    """Return the seconds by which a submission is late; 0 where its time is unknown."""
    record = submission.record or Record()
    if task.late is None or record.submitted is None:
        return 0
    return late_s(task.late.deadline_of(submission.id, record.extension), record.submitted)


def _dues(
    task: Task,
    broken: Sequence[DuePenalty],
    questions: Sequence[QuestionResult],
    submission: Submission,
    seconds: int,
) -> Iterator[DuePenalty]:
    """Yield the penalties, in the order in which they are taken."""
    yield from broken
    smoke = smoke_due(task.smoke, questions) if task.smoke is not None else None
    if smoke is not None:
        yield smoke
    if task.instead is not None and submission.instead is not None:
        yield DuePenalty(INSTEAD, task.instead)
    late = late_due(task.late, seconds) if task.late is not None else None
    if late is not None:
        yield late


def _rounded(task: Task, total: Fraction, taken: Sequence[Penalty]) -> Fraction:
    rest = total - sum((penalty.amount for penalty in taken), Fraction(0))
    return min(rounded(rest, task.rounding), task.most)


def _about_time(late: object, record: Record, handed_in: bool) -> tuple[str, ...]:
    return (NO_TIME,) if late is not None and record.submitted is None and handed_in else ()


def _repairs(submission: Submission) -> Iterator[str]:
    """Yield the repairs that intake made, file by file; they cost nothing, and the student should know."""
    for _, file in sorted(submission.files.items()):
        for repair in file.repairs:
            yield f"{file.name}: {repair}"


def _status(
    handed_in: bool,
    whole: Override | None,
    missing: Sequence[str],
    questions: Sequence[QuestionResult],
    overrides: Sequence[Override],
) -> Status:
    """Return the status.  An override of the whole mark settles it, whatever failed."""
    if not handed_in:  # without a file, no failure of ours can cost a mark
        return Status.NO_SUBMISSION
    if whole is not None:
        return Status.MARKED
    return Status.PENDING if missing or _failed_internally(questions, overrides) else Status.MARKED


def _failed_internally(questions: Sequence[QuestionResult], overrides: Sequence[Override]) -> bool:
    settled = {override.question for override in overrides}
    return any(
        case.verdict is Verdict.INTERNAL_ERROR
        for question in questions
        if question.id not in settled
        for case in question.cases
    )


def equal_by(result: SubmissionResult) -> str:
    """Return the digest by which the files of a result are equal to another's; empty if none could be read.

    A file that could not be read counts in the digest by its name alone.
    """
    return "" if result.problems and not result.sources else result.content_sha256


def failed_internally(result: SubmissionResult) -> bool:
    """Tell whether a mark is pending through a failure of ours, so that the next run marks it again."""
    return result.status is Status.PENDING and (
        not result.awaiting or _failed_internally(result.questions, result.overrides)
    )
