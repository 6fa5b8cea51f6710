"""The work that was handed in: the candidates of a batch with their records, before anything runs.

`grader mark` and `grader intake` use this one function, so what is shown is what is marked.
"""

from collections.abc import Callable, Iterable, Sequence
from dataclasses import replace
from datetime import UTC, datetime, timedelta, tzinfo
from pathlib import Path

from grader.intake import Candidate, discover
from grader.intake.attempts import latest_only, with_attempts
from grader.intake.layouts.commits import as_clones, with_commits
from grader.model.submission import Record
from grader.model.task import Task
from grader.records.attach import check_outside
from grader.records.attach_roster import with_roster
from grader.records.beside import NO_RUN, RunFiles, Sources, files_beside
from grader.records.of_batch import known_times, with_extensions, with_records_of_batch
from grader.records.roster import roster_in
from grader.records.teams import with_first_members
from grader.records.whose import Whose

__all__ = ["Sources", "handed_in"]


def handed_in(
    task: Task,
    paths: Sequence[Path],
    sources: Sources,
    note: Callable[[str], None],
    files: RunFiles | None = None,
) -> list[Candidate]:
    """Return the candidates behind the paths, one for each student, with their records.

    files: those that go with the batch; None for those that the sources name.
    Raises `UsageError`, after which nothing was noted if the submissions themselves are at fault.
    """
    files = files or files_beside(task, sources, NO_RUN, note)
    notes: list[str] = []
    candidates = discover(paths, task.asked, notes.append, sources.layout)
    for text in notes:
        note(text)
    # The reviews may be about more submissions than the few that are named one by one.
    whole_batch = len(candidates) != len(paths)
    clones = as_clones(candidates, sources.layout, note) if task.late is not None else None
    candidates = clones or _with_zones(_one_each(task, candidates, note), task, note)
    times = known_times(task, candidates, files.times, note)
    if files.roster is not None:
        check_outside(files.roster.path, candidates, "the roster")
        roster = roster_in(files.roster.path, files.roster.content)
        candidates = with_first_members(candidates, roster)
        candidates = with_roster(candidates, roster, task.late is not None, note)
    candidates = with_extensions(task, candidates, note, whole_batch=whole_batch)
    if clones is not None:
        whose = Whose(candidates)
        pushed = {each.id for name in times for each in whose.of(name)}
        several = task.attempts is not None
        candidates = with_commits(candidates, _end_for(task), pushed, every_attempt=several)
        candidates = _one_each(task, candidates, note)
    candidates = with_records_of_batch(task, candidates, times, files.reviews, note, whole_batch=whole_batch)
    _note_late(candidates, task, note)
    return candidates


def _one_each(task: Task, candidates: Iterable[Candidate], note: Callable[[str], None]) -> list[Candidate]:
    """Return a candidate for each student, with the attempts that the task wants."""
    if task.attempts is not None:
        return with_attempts(candidates, task.asked, note)
    return latest_only(candidates, note)


def _end_for(task: Task) -> Callable[[Candidate], datetime]:
    late = task.late
    assert late is not None

    def end(candidate: Candidate) -> datetime:
        extension = candidate.record.extension if candidate.record is not None else None
        return late.deadline_of(candidate.id, extension) + timedelta(seconds=late.grace_s)

    return end


def _with_zones(candidates: Iterable[Candidate], task: Task, note: Callable[[str], None]) -> list[Candidate]:
    """Return the candidates with their times in a zone: that of the deadline, where a download has none."""
    zone = (task.late.deadline.tzinfo if task.late is not None else None) or UTC
    found = [_with_zone(candidate, zone) for candidate in candidates]
    if task.late is not None and any(_is_naive(each) for one in candidates for each in (one, *one.attempts)):
        note(f"the download's times have no zone; they were taken for the deadline's, {_shown(zone)}")
    return found


def _with_zone(candidate: Candidate, zone: tzinfo) -> Candidate:
    attempts = tuple(_with_zone(each, zone) for each in candidate.attempts)
    record = candidate.record
    if record is not None and record.submitted is not None and _is_naive(candidate):
        record = replace(record, submitted=record.submitted.replace(tzinfo=zone))
    return replace(candidate, record=record, attempts=attempts)


def _is_naive(candidate: Candidate) -> bool:
    record = candidate.record or Record()
    return record.submitted is not None and record.submitted.tzinfo is None


def _shown(zone: tzinfo) -> str:
    return datetime(2000, 1, 1, tzinfo=zone).strftime("UTC%z")


def _note_late(candidates: Iterable[Candidate], task: Task, note: Callable[[str], None]) -> None:
    count = sum(each.is_late and (each.record or Record()).submitted is None for each in candidates)
    if count and task.late is not None:
        be = "student is" if count == 1 else "students are"
        note(f"{count} {be} late, as the download says, but it has no times; give them with --times")
