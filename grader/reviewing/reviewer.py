"""Prepares marks by hand: which works, which criteria, which files."""

import re
import sqlite3
from collections.abc import Callable, Collection, Iterator, Sequence
from dataclasses import dataclass
from fractions import Fraction
from pathlib import Path
from shlex import quote

from grader.engine.record import FinishedRun, unknown
from grader.intake.discovery import ignore
from grader.intake.names import safe_id
from grader.marking.rounding import format_mark
from grader.marking.totals import second_of
from grader.model.errors import Fault, UsageError
from grader.model.results import RunInfo, TaskHead
from grader.model.submission import MarkRole
from grader.model.task import Task
from grader.records.file_text import is_there
from grader.records.last_run import REVIEWS, WITHOUT, as_they_lie, from_here
from grader.records.owners.of_results import People
from grader.records.reviews.files import (
    as_it_is,
    is_lost,
    lies_as_usual,
    meant_by,
    refuse_lost,
    reviews_again,
    usual_reviews,
    were_named,
)
from grader.reviewing.desk import Desk
from grader.reviewing.own_file import OwnFile
from grader.reviewing.view import Share
from grader.reviewing.works import Files, Work, works_of
from grader.store.reading import with_texts
from grader.store.record_parts import KeptFile
from grader.store.run_store import RunStore
from grader.yamlfile.source import CONTROL

_SHARE = re.compile(r"([1-9][0-9]{0,3})/([1-9][0-9]{0,3})")


@dataclass(frozen=True, slots=True)
class Wanted:
    """What a marker asks for.  reviews: files; the first is the own one.  The rest is empty for all.

    share: `2/3` for the second of three parts.  role: of the marks that are given.
    """

    by: str
    reviews: tuple[Path, ...] = ()
    criteria: tuple[str, ...] = ()
    groups: tuple[str, ...] = ()
    only: tuple[str, ...] = ()
    share: str = ""
    role: MarkRole = MarkRole.FIRST


@dataclass(frozen=True, slots=True)
class Reviewer:
    """All that is needed to mark.  path: the file that is written.  files: of a work, by its number."""

    desk: Desk
    run: RunInfo
    head: TaskHead
    works: tuple[Work, ...]
    path: Path
    files: Callable[[int], Files]

    def left(self) -> Iterator[int]:
        """Yield of each work the number of criteria that await a person."""
        found = self.desk.whole()["works"]
        assert isinstance(found, list)
        yield from (len(each["open"]) for each in found)

    def weighted_anew(self) -> Iterator[str]:
        """Yield the marks that the next run changes, since their level has other marks in the spec now."""
        for number in sorted(self.desk.works):
            work = self.desk.works[number]
            for question in work.result(blind=False).questions:
                for criterion in question.criteria:
                    now = self.desk.given(work.id, criterion.id)
                    if now.level and now.marks is not None and criterion.mark not in (None, now.marks):
                        before, after = format_mark(criterion.mark or Fraction(0)), format_mark(now.marks)
                        yield f"{work.label}: {criterion.id} {before} to {after}"


def reviewer(task: Task, run: FinishedRun, wanted: Wanted, note: Callable[[str], None]) -> Reviewer:
    """Return what a marker asks for.  Raises `UsageError`."""
    head = run.results.task
    if head.id != task.id:
        what = f"the folder holds the results of the task {head.id!r}, not of {task.id!r}"
        raise UsageError(Fault(what, str(run.folder)))
    if wanted.role is not MarkRole.FIRST and task.second is None:
        hint = "say `second` in the spec: which share of the works, and what counts"
        raise UsageError(Fault(f"{task.id} has no second marking", str(task.spec_path), hint=hint))
    if not wanted.by or CONTROL.search(wanted.by):
        raise UsageError(Fault("--by needs a name, without control characters", hint="--by 'A. Marker'"))
    known = [each.id for question in task.questions for each in question.criteria]
    faults = [unknown("criterion", name, known) for name in wanted.criteria if name not in known]
    people = People()
    works = works_of(people.noted(with_texts(run.results.submissions)), task.id, task.blind)
    ids = {work.id for work in works}
    faults += [unknown("work of", name, sorted(ids)) for name in wanted.only if name not in ids]
    groups = {work.group for work in works} - {""}
    faults += [unknown("group", name, sorted(groups)) for name in wanted.groups if name not in groups]
    if faults:
        raise UsageError(*faults)
    recorded = _files_of_run(run)
    next_run = _taken_next(recorded, task, wanted) if recorded or not wanted.reviews else ()
    goes_without = any(file.kind == WITHOUT and file.path.name == REVIEWS for file in recorded)
    if goes_without and not wanted.reviews:
        note("the last run went without reviews, so what is marked here counts when --reviews names it")
    own = _own_file(task, recorded, wanted)
    there = [file.path for file in next_run if is_there(file.path, "the reviews")]
    taken = {file.path.resolve() for file in next_run}
    joins = not were_named(recorded, task.id) and lies_as_usual(own, task.spec_path, task.id)
    if wanted.reviews and recorded and not joins and own.resolve() not in taken:
        names = " ".join(f"--reviews {quote(str(from_here(path)))}" for path in (*there, own))
        note(f"what is marked here counts when grader mark names it: {names}")
    if wanted.criteria:
        known = [name for name in known if name in wanted.criteria]
    if not known:
        note(f"{task.id} has no criteria: what can be set here are overrides and remarks")
    shown = tuple(_in_share([work for work in works if _is_wanted(work, wanted, task)], wanted.share))
    share = Share(tuple(known), frozenset(work.number for work in shown))
    id_of = people.id_of(recorded)
    file = OwnFile(own, task, ids, wanted.by, role=wanted.role, id_of=id_of)

    def others() -> list[Path]:
        return _others(own, task, wanted, recorded)

    desk = Desk(task, works, file, others, share, blind=task.blind)
    if wanted.role is MarkRole.AGREED:
        # What is agreed already can be looked at again.
        differing = [work for work in shown if any(desk.differs(work.id, each) for each in known)]
        desk.share = Share(tuple(known), frozenset(work.number for work in differing))
        shown = tuple(differing)
    origins = _origins(run)

    def files(number: int) -> Files:
        work = desk.works[number]
        return Files(task, origins.get(work.id), work.digest)

    return Reviewer(desk, run.results.run, head, shown, own, files)


def _is_wanted(work: Work, wanted: Wanted, task: Task) -> bool:
    if (
        wanted.role is not MarkRole.FIRST
        and second_of(task, work.id, work.result(blind=False).person) is None
    ):
        return False
    is_of_group = not wanted.groups or work.group in wanted.groups
    return is_of_group and (not wanted.only or work.id in wanted.only)


def _in_share(works: Sequence[Work], share: str) -> Sequence[Work]:
    """Return the works of a share such as `2/3`: every third, from the second on."""
    if not share:
        return works
    found = _SHARE.fullmatch(share)
    if found is None or int(found[1]) > int(found[2]):
        hint = "2/3 is the second of three parts; each marker takes another"
        raise UsageError(Fault(f"--share {share} is no share", hint=hint))
    # By the id and not by the place: another download must not move works from marker to marker.
    order = sorted(works, key=lambda work: work.id)
    mine = {work.id for work in order[int(found[1]) - 1 :: int(found[2])]}
    return [work for work in works if work.id in mine]


def _taken_next(recorded: Collection[KeptFile], task: Task, wanted: Wanted) -> Collection[KeptFile]:
    """Return the files of reviews that the next run takes, if it names none.

    Raises `UsageError` where one that is gone is to be read or written, and marks of the last run are in it.
    """
    named = {path.resolve() for path in wanted.reviews}
    found = reviews_again(
        recorded, task.spec_path, task.id, ignore, tells_all=False, keeps_lost=bool(wanted.reviews)
    )
    gone = [file.path for file in found if file.path.resolve() in named and is_lost(file)]
    of_run = [file for file in recorded if file.kind == REVIEWS]
    gone += [
        path
        for path in wanted.reviews
        if path not in gone and not is_there(path, "the reviews") and meant_by(path, wanted.reviews, of_run)
    ]
    if gone:
        hint = "put it back; grader mark … --reviews FILE writes it again as the last run read it"
        what = "this file of reviews is gone or empty, and marks of the last run stood in it"
        raise UsageError(*(Fault(what, str(path), hint=hint) for path in gone))
    if wanted.reviews:
        refuse_lost([file for file in of_run if is_lost(file)], [*map(as_it_is, wanted.reviews)])
    return found


def _own_file(task: Task, recorded: Collection[KeptFile], wanted: Wanted) -> Path:
    """Return the file that the marker writes.  recorded: the files of the last run."""
    if wanted.reviews:
        return wanted.reviews[0]
    before = [each.path for each in recorded if each.kind == REVIEWS]
    if before and were_named(recorded, task.id):
        # The next run takes those of the last one again.
        return before[0]
    usual = usual_reviews(task.spec_path, task.id)[0]
    folder = usual.with_suffix("")
    return folder / f"{safe_id(wanted.by)}.yaml" if folder.is_dir() else usual


def _others(own: Path, task: Task, wanted: Wanted, recorded: Collection[KeptFile]) -> list[Path]:
    """Return the files of reviews that are read beside the marker's own."""
    before = [each for each in recorded if each.kind == REVIEWS]
    # One that can't be read any more counts no longer where others are named.
    others = [*wanted.reviews[1:], *(each.path for each in before if not (wanted.reviews and is_lost(each)))]
    if not wanted.reviews and not were_named(recorded, task.id):
        others += usual_reviews(task.spec_path, task.id)
    seen = {own.resolve()}
    found = []
    for path in others:
        if path.resolve() not in seen and is_there(path, "the reviews"):
            seen.add(path.resolve())
            found.append(path)
    return found


def _files_of_run(run: FinishedRun) -> tuple[KeptFile, ...]:
    """Return the files beside the submissions of the last run, where they lie now; none without a record."""
    try:
        with RunStore.reading(run.folder) as store:
            return as_they_lie(store.files_of_last_run(), run.folder)
    except UsageError:
        return ()


def _origins(run: FinishedRun) -> dict[str, Path]:
    """Return where each work was read from, as the record of the run says; none without a record."""
    try:
        with run.record() as record:
            return {
                student: record.work(entry, student).origin
                for student, entry in record.entries().items()
                if entry.work
            }
    except (UsageError, sqlite3.Error):
        return {}
