"""What was handed in: the candidates of a batch with their records, before anything runs.

`grader mark` and `grader intake` use this one function, so what is shown is what is marked.
"""

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, replace
from datetime import UTC, datetime, timedelta, tzinfo
from pathlib import Path

from grader.intake import Candidate, discover
from grader.intake.attempts import latest_only, with_attempts
from grader.intake.layouts.commits import with_commits
from grader.model.submission import Record
from grader.model.task import Task
from grader.records.attach import names_in_times
from grader.records.of_batch import known_times, with_records_of_batch


@dataclass(frozen=True, slots=True)
class Sources:
    """What the marker names beside the submissions.

    layout: the layout that they must have; empty to find out.
    times, reviews: files; see `with_records_of_batch`.
    """

    layout: str = ""
    times: Path | None = None
    reviews: Path | None = None


def handed_in(
    task: Task, paths: Sequence[Path], sources: Sources, note: Callable[[str], None]
) -> list[Candidate]:
    """Return the candidates behind the paths, one for each student, with their records.

    Raises `UsageError`, after which nothing was noted if the submissions themselves are at fault.
    """
    notes: list[str] = []
    modules = dict(task.modules)
    candidates = discover(paths, modules, notes.append, sources.layout)
    for text in notes:
        note(text)
    # The reviews may be about more submissions than the few that are named one by one.
    whole_batch = len(candidates) != len(paths)
    times = known_times(task, candidates, sources.times, note)
    if task.late is not None:
        pushed = {each.id for each in candidates if any(name in times for name in names_in_times(each))}
        candidates = with_commits(
            candidates, _end_for(task), pushed, sources.layout, note, every_attempt=task.attempts is not None
        )
    candidates = _with_zones(candidates, task, note)
    if task.attempts is not None:
        candidates = with_attempts(candidates, modules, note)
    else:
        candidates = latest_only(candidates, note)
    candidates = with_records_of_batch(
        task, candidates, times, sources.reviews, note, whole_batch=whole_batch
    )
    _note_late(candidates, task, note)
    return candidates


def _end_for(task: Task) -> Callable[[str], datetime]:
    late = task.late
    assert late is not None
    return lambda student: late.deadline_of(student) + timedelta(seconds=late.grace_s)


def _with_zones(candidates: Iterable[Candidate], task: Task, note: Callable[[str], None]) -> list[Candidate]:
    """Return the candidates with their times in a zone: that of the deadline, where a download has none."""
    zone = (task.late.deadline.tzinfo if task.late is not None else None) or UTC
    found, count = [], 0
    for candidate in candidates:
        submitted = candidate.record.submitted if candidate.record is not None else None
        if submitted is not None and submitted.tzinfo is None:
            count += 1
            candidate = replace(candidate, record=Record(submitted.replace(tzinfo=zone)))
        found.append(candidate)
    if count and task.late is not None:
        note(f"the download's times have no zone; they were taken for the deadline's, {_shown(zone)}")
    return found


def _shown(zone: tzinfo) -> str:
    return datetime(2000, 1, 1, tzinfo=zone).strftime("UTC%z")


def _note_late(candidates: Iterable[Candidate], task: Task, note: Callable[[str], None]) -> None:
    count = sum(
        each.is_late and (each.record is None or each.record.submitted is None) for each in candidates
    )
    if count and task.late is not None:
        be = "student is" if count == 1 else "students are"
        note(f"{count} {be} late, as the download says, but it has no times; give them with --times")
