"""What a course says about one task: when it is due, and who has more time.

A run keeps these terms in its record, so that a later run into the same folder, or one that marks again from
the record, goes by the same ones.
"""

import json
from collections.abc import Callable, Iterable, Iterator
from dataclasses import asdict, dataclass, replace
from datetime import UTC, datetime
from fractions import Fraction
from pathlib import Path
from zoneinfo import ZoneInfo

from grader.course.course import Course, CourseTask
from grader.course.reading.course_file import read_course
from grader.course.requests import decisions_of
from grader.course.slipping import Slips, slips_for
from grader.course.strangers import require_known
from grader.model.errors import Fault, UsageError
from grader.model.policy import Extension
from grader.model.task import Task
from grader.records.decided import Decision
from grader.records.granted import Granted
from grader.records.last_run import LastRun
from grader.store.record_parts import KeptFile
from grader.store.run_store import RunStore

KIND = "course"
_FORMAT = "grader-terms/1"


@dataclass(frozen=True, slots=True, kw_only=True)
class Terms:
    """The terms of one task.  zone: of times that come without one; None where the course has none."""

    task: str
    due: datetime | None = None
    extensions: tuple[Extension, ...] = ()
    zone: ZoneInfo | None = None
    decisions: tuple[Decision, ...] = ()


@dataclass(frozen=True, slots=True)
class CourseSource:
    """The course, and the name of the task in it, that a command names."""

    path: Path
    task: str


def terms_of(course: Course, task: CourseTask, slips: Slips) -> Terms:
    """Return what a course says about one of its tasks.  slips: see `slips_for`."""
    extensions = (*course.granted(task), *slips.get(task.name, ()))
    return Terms(
        task=task.name,
        due=task.due,
        extensions=extensions,
        zone=course.zone,
        decisions=decisions_of(course, task),
    )


def terms_beside(
    named: CourseSource | None, last: LastRun, note: Callable[[str], None], *, goes_without: bool
) -> KeptFile | None:
    """Return the terms of a run as its record keeps them; None without a course.

    named: the course that the marker names.  last: what the last run into the folder was made with.
    goes_without: they shall not count.  Raises `UsageError`.
    """
    before = next((file for file in last.files if file.kind == KIND), None)
    if goes_without:
        if before is not None:
            note(f"without the terms of the course ({before.path}), as --without says")
        return None
    if named is not None:
        return _kept(named)
    if before is None:
        for file in last.lost:
            if file.kind == KIND:
                what = f"the results here were made by a course ({file.name}), and their record is gone"
                hint = f"name the task as the course does, or say --without {KIND}"
                raise UsageError(Fault(what, hint=hint))
        return None
    task = terms_in(before).task
    if not before.path.is_file():
        note(f"{before.path} is gone, so the due time and extensions in the record count")
        return before
    now = _kept(CourseSource(before.path, task))
    changed = " (changed since)" if now.content != before.content else ""
    what = f"due time and extensions of {task} come from {before.path}{changed}"
    note(f"{what}; --without {KIND} leaves them out")
    return now


def decided_since(before: KeptFile) -> list[str]:
    """Return the students, as answers name them, about whom a course decides otherwise than a record says.

    before: the terms in the record.  Raises `UsageError` for a course that cannot be read.
    """
    if not before.path.is_file():
        return []
    was = terms_in(before)
    now = terms_in(_kept(CourseSource(before.path, was.task)))
    return list(dict.fromkeys(each.student for each in {*was.decisions} ^ {*now.decisions}))


def terms_named(named: CourseSource | None) -> KeptFile | None:
    """Return the terms of the task that a command names; None without a course.  Raises `UsageError`."""
    return _kept(named) if named is not None else None


def _kept(source: CourseSource) -> KeptFile:
    course = read_course(source.path)
    task = course.task(source.task)
    if task is None:
        raise UsageError(Fault(f"the course has no task {source.task!r} any more", str(source.path)))
    require_known(course)
    return kept_terms(course, task, slips_for(course, task))


def kept_terms(course: Course, task: CourseTask, slips: Slips) -> KeptFile:
    """Return what a course says about one of its tasks, as a record keeps it."""
    return KeptFile(KIND, course.path.absolute(), content_of(terms_of(course, task, slips)))


def terms_of_last_run(folder: Path) -> KeptFile | None:
    """Return what a course said of the last run into a folder; None for none.  Raises `UsageError`."""
    with RunStore.reading(folder) as store:
        return next((file for file in store.files_of_last_run() if file.kind == KIND), None)


def moved_since(course: Course, task: CourseTask, slips: Slips) -> Iterator[tuple[str, str]]:
    """Yield whose slip days for a task give another deadline than in its last run, and the words for that."""
    try:
        kept = terms_of_last_run(task.reports)
        was = terms_in(kept) if kept is not None else None
    except UsageError:
        return
    if was is None or task.due is None or was.due != task.due:
        return
    before = _deadlines(course, task, was.extensions)
    after = _deadlines(course, task, slips.get(task.name, ()))
    for student in sorted(before.keys() | after.keys()):
        then, now = (each.get(student, task.due).astimezone(UTC) for each in (before, after))
        if then != now:
            yield (
                student,
                f"is due at {now:%Y-%m-%d %H:%M} UTC, not {then:%Y-%m-%d %H:%M} as in its last run.",
            )


def _deadlines(course: Course, task: CourseTask, given: Iterable[Extension]) -> dict[str, datetime]:
    """Return the deadlines that slip days give, by student; what the course grants is left out."""
    granted = course.granted(task)
    return {each.student: each.deadline for each in given if each.deadline and each not in granted}


def content_of(terms: Terms) -> bytes:
    """Return terms as a record keeps them."""
    content = {
        "schema": _FORMAT,
        "task": terms.task,
        "due": terms.due.isoformat() if terms.due is not None else "",
        "extensions": [
            [each.student, each.deadline.isoformat() if each.deadline else "", each.extra_s]
            for each in terms.extensions
        ],
        "zone": terms.zone.key if terms.zone is not None else "",
        "decisions": [{**asdict(each), "marks": str(each.marks)} for each in terms.decisions],
    }
    return json.dumps(content, ensure_ascii=False).encode()


def terms_in(file: KeptFile) -> Terms:
    """Return the terms that a record keeps.  Raises `UsageError` where it is damaged."""
    try:
        content = json.loads(file.content)
        if content["schema"] != _FORMAT:
            raise ValueError
        return Terms(
            task=str(content["task"]),
            due=_moment(content["due"]),
            extensions=tuple(
                Extension(str(student), _moment(until), int(extra_s))
                for student, until, extra_s in content["extensions"]
            ),
            zone=ZoneInfo(content["zone"]) if content["zone"] else None,
            decisions=tuple(
                Decision(**{**each, "marks": Fraction(each["marks"])}) for each in content["decisions"]
            ),
        )
    except (ValueError, KeyError, TypeError):
        raise UsageError(Fault("the record of the course's terms is damaged", str(file.path))) from None


def _moment(text: str) -> datetime | None:
    return datetime.fromisoformat(text) if text else None


def with_terms(task: Task, file: KeptFile | None) -> tuple[Task, Granted]:
    """Return a task with its deadline from a course, and what the course grants.

    file: the terms as a record keeps them; None without a course.  Raises `UsageError` where spec and course
    contradict each other, and where no one says when the task is due.
    """
    terms, where = (terms_in(file), str(file.path)) if file is not None else (Terms(task=task.id), "")
    late = task.late or task.undated
    if late is None:
        return task, Granted(zone=terms.zone, decisions=terms.decisions)
    deadline = terms.due if task.late is None else task.late.deadline
    if deadline is None:
        what = "`late` has no deadline, and no course says when the task is due"
        hint = "add `deadline`; or add `due` to the task in a course's file, and mark by the task's name"
        raise UsageError(Fault(what, str(task.spec_path), hint=hint))
    if terms.due is not None and terms.due != deadline:
        what = f"{terms.task} is due {terms.due.isoformat()}, but its spec says {deadline.isoformat()}"
        raise UsageError(Fault(what, where, hint=f"say it here, or in {task.spec_path}"))
    for one in terms.extensions:
        if one.deadline is not None and one.deadline < deadline:
            what = f"the extension of {one.student} for {terms.task} ends before the deadline of all"
            raise UsageError(Fault(what, where, hint=f"that is {deadline.isoformat()}"))
    granted = Granted(terms.extensions, terms.zone, terms.decisions)
    return replace(task, late=replace(late, deadline=deadline), undated=None), granted
