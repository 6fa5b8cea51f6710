"""Chooses among the results of a student's attempts.  Each has its own penalties already."""

from collections.abc import Sequence
from dataclasses import replace
from fractions import Fraction

from grader.marking.lateness import in_utc
from grader.marking.totals import failed_internally, seconds_late
from grader.model.policy import Attempts
from grader.model.results import AttemptResult, Status, SubmissionResult
from grader.model.submission import Instead, Submission
from grader.model.task import Task


def result_of_attempts(
    task: Task, submission: Submission, results: Sequence[SubmissionResult]
) -> SubmissionResult:
    """Return the result of a student: that of the attempt that counts, with a line for each attempt.

    results: of the attempts, in their order.  If the best one counts and we failed on any, the mark is
    pending, since that one could be the best; not where nothing is above the best of the others.
    """
    policy = task.attempts or Attempts.LATEST
    late_s = [seconds_late(task, attempt) for attempt in submission.attempts]
    place = _counting(policy, results, [task.late is None or each <= task.late.grace_s for each in late_s])
    chosen = results[place]
    attempts = tuple(
        AttemptResult(
            id=attempt.attempt,
            mark=_own_mark(result),
            status=result.status,
            submitted=_submitted(attempt),
            late_s=late_s[number],
            counts=number == place,
        )
        for number, (attempt, result) in enumerate(zip(submission.attempts, results, strict=True))
    )
    may_be_better = _own_mark(chosen) < task.most and any(map(failed_internally, results))
    if policy is Attempts.BEST and chosen.status is Status.MARKED and may_be_better:
        chosen = replace(chosen, status=Status.PENDING)
    return replace(
        chosen,
        id=submission.id,
        name=submission.name,
        sha256=submission.sha256,
        content_sha256=submission.content_sha256,
        notes=tuple(dict.fromkeys((*submission.notes, *chosen.notes))),
        attempts=attempts,
        counting=policy.value,
        instead=_instead(attempts, results),
        person=submission.person,
    )


def _instead(attempts: Sequence[AttemptResult], results: Sequence[SubmissionResult]) -> Instead | None:
    """Return the file that was marked in place of an attempt, whether that attempt counts or not."""
    for attempt, result in zip(attempts, results, strict=True):
        if result.instead is not None:
            return replace(result.instead, attempt=attempt.id)
    return None


def last_in_time(in_time: Sequence[bool]) -> int:
    """Return the place of the latest attempt that came in time; if none did, of the first of all."""
    return max((place for place in range(len(in_time)) if in_time[place]), default=0)


def _counting(policy: Attempts, results: Sequence[SubmissionResult], in_time: Sequence[bool]) -> int:
    """Return the place of the attempt that counts.  in_time: for each; also where its time is unknown."""
    places = range(len(results))
    match policy:
        case Attempts.LATEST:
            return places[-1]
        case Attempts.BEST:
            # Of equal marks an attempt without any file comes last: a person may have to mark the others.
            return max(places, key=lambda place: (*_worth(results[place]), place))
        case Attempts.LAST_BEFORE_DEADLINE:
            return last_in_time(in_time)


def _submitted(attempt: Submission) -> str:
    time = attempt.record.submitted if attempt.record is not None else None
    return in_utc(time) if time is not None else ""


def _worth(result: SubmissionResult) -> tuple[Fraction, bool]:
    return _own_mark(result), result.status is not Status.NO_SUBMISSION


def _own_mark(result: SubmissionResult) -> Fraction:
    """Return the mark of an attempt without a person's mark for the whole, which all attempts share."""
    whole = [override.before for override in result.overrides if not override.question]
    return whole[0] if whole else result.mark


def counting(work: Submission, result: SubmissionResult) -> Submission:
    """Return the attempt that the result is about, or the work itself where there is one alone."""
    counts = {attempt.id for attempt in result.attempts if attempt.counts}
    return next((attempt for attempt in work.attempts if attempt.attempt in counts), work)
