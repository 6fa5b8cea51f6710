"""The work that was handed in: the candidates of a batch with their records, before anything runs.

`grader mark` and `grader intake` use this one function, so what is shown is what is marked.
"""

from collections.abc import Callable, Iterable, Sequence
from dataclasses import replace
from datetime import UTC, datetime, tzinfo
from pathlib import Path

from grader.intake import Candidate, SourceKind, are_named_singly, discover
from grader.intake.layouts.commits import as_clones
from grader.intake.names import listed
from grader.model.submission import Record
from grader.model.task import Task
from grader.records.attach import check_outside
from grader.records.beside import RunFiles, Sources, files_beside
from grader.records.decided import with_decisions
from grader.records.granted import NOTHING_GRANTED, Granted, with_granted
from grader.records.groups.joining import Joining, one_each
from grader.records.groups.works_before import last_roster, with_works_before
from grader.records.last_run import GROUPS, NO_RUN, TIMES, LastRun
from grader.records.of_batch import known_times, with_records_of_batch
from grader.records.owners.roster_ids import ids_of_others
from grader.records.roster import Roster, roster_in, without_groups
from grader.records.worksheet_people import people_of_worksheets, with_people

__all__ = ["Sources", "handed_in"]


def handed_in(
    task: Task,
    paths: Sequence[Path],
    sources: Sources,
    note: Callable[[str], None],
    files: RunFiles | None = None,
    granted: Granted = NOTHING_GRANTED,
    last: LastRun = NO_RUN,
) -> list[Candidate]:
    """Return the candidates behind the paths, one for each student, with their records.

    files: those that go with the batch; None for those that the sources name.
    granted: by a course.  last: the run before, whose groups stay for the works that it marked.
    Raises `UsageError`, after which nothing was noted if the submissions themselves are at fault.
    """
    files = files or files_beside(task, sources, NO_RUN, note)
    notes: list[str] = []
    candidates = discover(paths, task.asked, notes.append, sources.layout)
    for text in notes:
        note(text)
    # The reviews may be about more submissions than the few that are named one by one.
    whole_batch = not are_named_singly(paths, candidates)
    has_deadline = task.late is not None
    clones = as_clones(candidates, sources.layout, note, has_deadline=has_deadline)
    if clones is None or not has_deadline:
        candidates = _with_zones(one_each(task, clones or candidates, note), task, granted, note)
    else:
        candidates = clones
    times = known_times(task, candidates, files, granted, note, of_roster=TIMES not in files.without)
    candidates = with_people(candidates, people_of_worksheets(files.times))
    extensions = granted.extensions
    roster: Roster | None = None
    if files.roster is not None:
        check_outside(files.roster.path, candidates, "the roster")
        roster = roster_in(files.roster.path, files.roster.content)
        if task.late is not None:
            roster, extensions = with_granted(roster, extensions, task.late.deadline)
        if task.alone:
            roster = without_groups(roster)
    joining = Joining(
        task,
        candidates,
        files,
        times,
        extensions,
        has_clones=clones is not None and has_deadline,
        whole_batch=whole_batch,
    )
    if roster is None:
        candidates = joining.finished(candidates, note)
    else:
        without = GROUPS in sources.without or task.alone
        candidates = with_works_before(roster, last, joining, note, goes_without=without)
    then = last_roster(last)
    candidates = with_records_of_batch(
        task,
        candidates,
        times,
        files.reviews,
        note,
        whole_batch=whole_batch,
        results=last.results,
        others=ids_of_others(then, roster) if then is not None and roster is not None else {},
    )
    candidates = with_decisions(task, candidates, roster, granted.decisions, note, whole_batch=whole_batch)
    if task.late is not None:
        _note_late(candidates, note)
        _note_untimed(candidates, note)
    return candidates


def _with_zones(
    candidates: Iterable[Candidate], task: Task, granted: Granted, note: Callable[[str], None]
) -> list[Candidate]:
    """Return the candidates with their times in a zone, where a download has none."""
    zone = granted.zone_for(task)
    found = [_with_zone(candidate, zone) for candidate in candidates]
    if task.late is not None and any(_is_naive(each) for one in candidates for each in (one, *one.attempts)):
        note(f"the download's times have no zone; they were taken for {granted.zone_shown(task)}")
    return found


def _with_zone(candidate: Candidate, zone: tzinfo) -> Candidate:
    attempts = tuple(_with_zone(each, zone) for each in candidate.attempts)
    record = candidate.record
    if record is not None and record.submitted is not None and _is_naive(candidate):
        record = replace(record, submitted=record.submitted.replace(tzinfo=zone).astimezone(UTC))
    return replace(candidate, record=record, attempts=attempts)


def _is_naive(candidate: Candidate) -> bool:
    record = candidate.record or Record()
    return record.submitted is not None and record.submitted.tzinfo is None


def _note_late(candidates: Iterable[Candidate], note: Callable[[str], None]) -> None:
    count = sum(each.is_late and _time_of(each) is None for each in candidates)
    if count:
        be = "student is" if count == 1 else "students are"
        note(f"{count} {be} late, as the download says, but it has no times; give them with --times")


def _note_untimed(candidates: Iterable[Candidate], note: Callable[[str], None]) -> None:
    """Name those of whom nobody knows when they handed in, before a mark stands."""
    handed_in = [each for each in candidates if each.kind is not SourceKind.ABSENT]
    untimed = [each for each in handed_in if _time_of(each) is None and not each.is_late]
    if untimed and len(untimed) == len(handed_in):
        note("no submission has a time, so nothing is taken off for lateness; give the times with --times")
    elif untimed:
        what = "1 submission has" if len(untimed) == 1 else f"{len(untimed)} submissions have"
        names = listed(each.name for each in untimed)
        note(f"{what} no time, so nothing is taken off for lateness there: {names}")


def _time_of(candidate: Candidate) -> datetime | None:
    times = ((each.record or Record()).submitted for each in (candidate, *candidate.attempts))
    return next(filter(None, times), None)
