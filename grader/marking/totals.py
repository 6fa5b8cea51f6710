"""The mark of a submission, from its questions."""

from collections.abc import Iterator, Sequence
from fractions import Fraction

from grader.marking.rounding import rounded
from grader.model.results import QuestionResult, Status, SubmissionResult
from grader.model.submission import Submission
from grader.model.task import Task
from grader.model.verdict import Verdict


def submission_result(
    task: Task, submission: Submission, questions: Sequence[QuestionResult]
) -> SubmissionResult:
    """Return what became of a submission.

    Its mark is the sum over its questions, rounded once, and never above the task's marks even
    where the step of the rounding would take it there.
    """
    total = sum((question.mark for question in questions), Fraction(0))
    return SubmissionResult(
        id=submission.id,
        name=submission.name,
        mark=min(rounded(total, task.rounding), task.marks),
        max_mark=task.marks,
        status=_status(submission, questions),
        sha256=submission.sha256,
        problems=submission.problems,
        notes=(*submission.notes, *_repairs(submission)),
        questions=tuple(questions),
    )


def _repairs(submission: Submission) -> Iterator[str]:
    """Say what intake mended, file by file; it costs nothing, and its student should know."""
    for _, file in sorted(submission.files.items()):
        for repair in file.repairs:
            yield f"{file.name}: {repair}"


def _status(submission: Submission, questions: Sequence[QuestionResult]) -> Status:
    """Nothing to mark outranks the rest: without a file no failure of ours can cost a mark."""
    if not submission.files:
        return Status.NO_SUBMISSION
    verdicts = (case.verdict for question in questions for case in question.cases)
    return Status.PENDING if Verdict.INTERNAL_ERROR in verdicts else Status.MARKED
