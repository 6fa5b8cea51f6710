"""Checks a course against what it names: specs, people, sheets, submissions."""

from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from fractions import Fraction
from pathlib import Path

from grader.course.course import Course, CourseTask, Short
from grader.course.elsewhere import above_most, marks_elsewhere
from grader.course.people import People
from grader.course.reading.course_file import read_course
from grader.course.requests import decisions_of, remarks_on
from grader.course.strangers import strangers
from grader.intake.names import folded, listed
from grader.model.errors import Fault, UsageError
from grader.model.policy import Attempts, Deduction, Late
from grader.model.task import Task
from grader.records.decided import unfit
from grader.records.roster import Roster, RosterEntry, read_roster
from grader.registry.groups import Group
from grader.registry.registry import registry
from grader.spec import load_task


@dataclass(frozen=True, slots=True)
class CheckedTask:
    """A task of the course whose spec is well.  notes: what a person should know before it is marked."""

    task: CourseTask
    spec: Task
    notes: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Checked:
    """A course that is well.  people: the number on its roster; None without one."""

    tasks: tuple[CheckedTask, ...]
    people: int | None
    notes: tuple[str, ...]


def checked(course: Course) -> Checked:
    """Return what a course names, all of it read.  Raises `UsageError` with every mistake."""
    faults: list[Fault] = []
    roster: Roster | None = None
    try:
        roster = read_roster(course.roster) if course.roster is not None else None
    except UsageError as error:
        faults += error.faults
    faults += strangers(course, roster) if roster is not None else ()
    faults += _formats(course)
    tasks = []
    for task in course.tasks:
        try:
            spec = load_task(task.spec)
        except UsageError as error:
            faults += error.faults
            continue
        faults += _due(course, task, spec)
        faults += (fault for each in decisions_of(course, task) for fault in unfit(spec, each))
        tasks.append(CheckedTask(task, spec, tuple(_notes(course, task, spec))))
    notes = [] if roster is not None else ["without a roster nobody knows who has handed in nothing"]
    id_of = _ids_by(roster)
    for other in course.elsewhere:
        try:
            marks, nobodies = marks_elsewhere(other, id_of)
            notes += above_most(other, marks)
        except UsageError as error:
            faults += error.faults
            continue
        if nobodies:
            notes.append(f"{other.sheet} has people who are not on the roster: {listed(nobodies)}")
    faults += _same_folders(course.tasks)
    notes += _requests(course, roster)
    if faults:
        raise UsageError(*faults)
    return Checked(tuple(tasks), len(roster.entries) if roster is not None else None, tuple(notes))


def _ids_by(roster: Roster | None) -> Callable[[RosterEntry], str]:
    """Return what gives the id of a person of a sheet; empty for who is not on the roster."""
    if roster is None:
        return lambda entry: entry.person.id or entry.person.mail or entry.person.name
    people = People(roster)
    for _ in people.students(()):
        pass
    return people.id_of_entry


def _requests(course: Course, roster: Roster | None) -> Iterator[str]:
    """Yield what a person should know of the requests to look again."""
    rules = course.requests
    if rules is None:
        return
    waiting = [request for request in course.asked if request.answer is None]
    if waiting:
        count = "1 request waits" if len(waiting) == 1 else f"{len(waiting)} requests wait"
        yield f"{count} for an answer: {listed(one.student for one in waiting)}"

    def who(name: str) -> str:
        found = roster.named(name) if roster is not None else ()
        return f"line {found[0].line}" if len(found) == 1 else folded(name)

    for request, words in remarks_on(course, who):
        yield f"{request.place}: the request of {request.student} about {request.task}: {words}"
    untold = [task.name for task in course.tasks if task.released and task.told is None]
    if rules.within_s is not None and untold:
        yield f"no one says when marks were `told`, so no request is too late: {listed(untold)}"


def _formats(course: Course) -> Iterator[Fault]:
    known = registry().names(Group.EXPORTS)
    named = [course.lms, *(name for task in course.tasks for name in (*task.columns, *task.sheets))]
    for name in dict.fromkeys(filter(None, named)):
        if name not in known:
            hint = f"there are {', '.join(known)}"
            yield Fault(f"there is no format of exports {name!r}", str(course.path), hint=hint)


def _due(course: Course, task: CourseTask, spec: Task) -> Iterator[Fault]:
    """Yield a fault where spec and course contradict each other."""
    where = str(course.path)
    own = spec.late.deadline if spec.late is not None else None
    if spec.undated is not None and task.due is None:
        what = f"nobody says when {task.name} is due, and its spec has `late`"
        yield Fault(what, where, hint="add `due` to the task, or `deadline` to the spec")
    if own is not None and task.due is not None and own != task.due:
        what = f"{task.name} is due {task.due.isoformat()}, but its spec says {own.isoformat()}"
        yield Fault(what, task.due_place, hint=f"say it here, or in {task.spec}")
    yield from _slip(course, task, spec)
    deadline = task.due or own
    for each in course.granted(task):
        if each.deadline is not None and deadline is not None and each.deadline < deadline:
            what = f"the extension of {each.student} for {task.name} ends before the deadline of all"
            yield Fault(what, where, hint=f"that is {deadline.isoformat()}")


def require_slip_days(path: Path, name: str, spec: Task) -> None:
    """Raise `UsageError` if slip days can't be counted for a task of the course at a path."""
    course = read_course(path)
    task = course.task(name)
    faults = list(_slip(course, task, spec)) if task is not None else []
    if faults:
        raise UsageError(*faults)


def _slip(course: Course, task: CourseTask, spec: Task) -> Iterator[Fault]:
    """Yield a fault where slip days can't be counted."""
    if not task.slip:
        return
    where, late = str(course.path), spec.late or spec.undated
    if course.slip_days is None:
        yield Fault(f"{task.name} has `slip`, and the course has no `slip days`", where)
    if task.due is None:
        what = f"{task.name} has `slip`, and the course does not say when it is due"
        yield Fault(what, where, hint="add `due`")
    if late is None:
        yield Fault(f"{task.name} has `slip`, and its spec has no `late`", str(task.spec), hint="add `late`")
    else:
        yield from _of_late(course, task, spec, late)
    if spec.attempts not in (None, Attempts.LATEST):
        what = f"{task.name} has `slip`, and its spec `attempts: {spec.attempts}`"
        hint = "write `attempts: latest`: else the attempt that counts hangs on the days, and they on it"
        yield Fault(what, str(task.spec), hint=hint)


def _of_late(course: Course, task: CourseTask, spec: Task, late: Late) -> Iterator[Fault]:
    """Yield a fault where the spec's `late` says what slip days need from the course."""
    slip = course.slip_days
    if late.extensions:
        what = f"{task.name} has `slip`, and its spec has extensions, which slip days do not know"
        yield Fault(what, str(task.spec), hint="write them into the roster, or into the course")
    if slip is not None and late.grace_s and late.grace_s != slip.grace_s:
        what = f"{task.name} has `slip`, and its spec another grace than the course's slip days"
        yield Fault(what, str(task.spec), hint="write `grace` below `slip days`, and none into the spec")
    if slip is not None and slip.short is Short.ZERO and not _is_zero(late):
        what = f"`short: zero` needs a spec in which all lateness costs everything, and {task.name} has steps"
        yield Fault(what, str(task.spec), hint="write `late: {then: 100%}`, or `short: penalty`")


def _is_zero(late: Late) -> bool:
    return not late.steps and late.then == Deduction(Fraction(1), late.then.of) and late.then.of is not None


def _notes(course: Course, task: CourseTask, spec: Task) -> Iterator[str]:
    is_extended = any(task.name in grant.tasks for grant in course.grants)
    if is_extended and spec.late is None and spec.undated is None:
        yield "its spec has no `late`, so extensions change no marks"
    missing = [str(path) for path in task.submissions if not path.exists()]
    if missing:
        yield f"not there yet: {', '.join(missing)}"
    elif not task.submissions:
        yield "the course does not say where its submissions are"


def _same_folders(tasks: Iterable[CourseTask]) -> Iterator[Fault]:
    """Yield a fault where two tasks have their results in one folder."""
    folders: dict[str, str] = {}
    for task in tasks:
        first = folders.setdefault(str(task.reports.resolve()), task.name)
        if first != task.name:
            what = f"{first} and {task.name} have their results in one folder, {task.reports}"
            yield Fault(what, hint="give one of them another `reports`")
