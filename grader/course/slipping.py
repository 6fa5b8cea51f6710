"""The slip days of everybody, from the times in the results, and what they give as extensions.

Nothing is stored: each marking computes them again from the facts.  A mark that changes an older task can so
change a later one, and the next `grader course mark` marks that too.
"""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace
from datetime import datetime
from pathlib import Path

from grader.course.arithmetic.slip import AttemptState, SlipFact, SlipLedger, slip_ledger
from grader.course.course import Course, CourseTask, SlipDays
from grader.course.marked import results_of
from grader.course.people import People
from grader.course.strangers import require_known
from grader.model.errors import UsageError
from grader.model.policy import Extension
from grader.model.results import Status
from grader.records.granted import with_granted
from grader.records.roster import Roster
from grader.store.summaries import Summary, summaries

Slips = Mapping[str, tuple[Extension, ...]]
"""The extensions that slip days give, by task."""


def slips_for(course: Course, task: CourseTask, found: Path | None = None) -> Slips:
    """Return the extensions that slip days give for a task that is being marked.

    found: a file with its results so far, which count in place of the earlier ones in its folder.
    Damaged results of its own count as none, so that it can be marked again.  Raises `UsageError`.
    """
    return slips_of(course, task, found) if task.slip else {}


def slips_of(course: Course, about_to_mark: CourseTask | None = None, own: Path | None = None) -> Slips:
    """Return the extensions that slip days give.

    about_to_mark: its results may be damaged.  own: a file that counts for them.  Raises `UsageError`.
    """
    if course.slip_days is None:
        return {}
    results = _all_results(course, about_to_mark, own)
    roster, people, students = _people(course, results)
    given = {name: people.by_student(each) for name, each in results.items()}
    found: dict[str, list[Extension]] = {}
    for student, ledger in ledgers(course, roster, people, students, results).items():
        for entry in ledger.entries:
            result = _only(given[entry.task].get(student, ()))
            # Grace moves the deadline, too, and uses no day.
            if entry.deadline > entry.due and result is not None:
                # An LMS can call a person otherwise in each task.
                found.setdefault(entry.task, []).append(Extension(result.id, entry.deadline))
    return {task: tuple(each) for task, each in found.items()}


def ledgers_of(course: Course) -> dict[str, SlipLedger]:
    """Return the slip days of each student of whom there are results, by id.  Raises `UsageError`."""
    if course.slip_days is None:
        return {}
    results = _all_results(course)
    return ledgers(course, *_people(course, results), results)


def _people(
    course: Course, results: Mapping[str, Sequence[Summary]]
) -> tuple[Roster | None, People, list[str]]:
    roster = require_known(course)
    people = People(roster)
    return roster, people, [one.id for one in people.students(results.values())]


def _all_results(
    course: Course, about_to_mark: CourseTask | None = None, own: Path | None = None
) -> dict[str, list[Summary]]:
    return {
        task.name: list(summaries(own)[1])
        if own is not None and task == about_to_mark
        else _results(task, may_be_damaged=task == about_to_mark)
        for task in _with_days(course)
    }


def ledgers(
    course: Course,
    roster: Roster | None,
    people: People,
    students: Iterable[str],
    results: Mapping[str, Sequence[Summary]],
) -> dict[str, SlipLedger]:
    """Return the slip days of each student, by id.  Raises `UsageError`.

    people: they have seen the results.  students: their ids.  results: by task, at least of those with days.
    """
    if course.slip_days is None:
        return {}
    tasks, students = _with_days(course), tuple(students)
    slip = _by_id(course.slip_days, people, str(course.path))
    excused = {(people.id_named(one.student, str(course.path)), one.task) for one in course.excuses}
    facts: dict[str, list[SlipFact]] = {student: [] for student in students}
    for task in tasks:
        own = _deadlines(course, task, roster, people)
        by_student = people.by_student(results[task.name])
        for student in students:
            is_excused = (student, task.name) in excused
            fact = _fact(task, _only(by_student.get(student, ())), own.get(student), is_excused=is_excused)
            facts[student].append(fact)
    return {student: slip_ledger(slip, student, found) for student, found in facts.items()}


def _with_days(course: Course) -> list[CourseTask]:
    return [task for task in course.tasks if task.slip and task.due is not None]


def _only(found: Sequence[Summary]) -> Summary | None:
    """Return a person's result; of several nobody knows which one counts, so no day is spent."""
    return found[0] if len(found) == 1 else None


def _results(task: CourseTask, *, may_be_damaged: bool) -> list[Summary]:
    try:
        marked = results_of(task)
        return marked[1] if marked is not None else []
    except UsageError:
        if may_be_damaged:
            return []
        raise


def _by_id(slip: SlipDays, people: People, where: str) -> SlipDays:
    """Return the slip days with the ids of people instead of the names that the file has."""
    return replace(
        slip,
        budgets={people.id_named(name, where): days for name, days in slip.budgets.items()},
        added=tuple(replace(each, student=people.id_named(each.student, where)) for each in slip.added),
    )


def _deadlines(
    course: Course, task: CourseTask, roster: Roster | None, people: People
) -> dict[str, datetime]:
    """Return the deadlines of those who were granted more time, before any slip day."""
    assert task.due is not None
    granted: Iterable[Extension] = course.granted(task)
    found: dict[str, datetime] = {}
    if roster is not None:
        roster, granted = with_granted(roster, tuple(granted), task.due)
        for entry in roster.entries:
            own = entry.extension(entry.person.id)
            if own is not None:
                found[people.id_of_entry(entry)] = own.ends(task.due)
    for each in granted:
        student = people.id_named(each.student, str(course.path))
        ends = each.ends(task.due)
        found[student] = max(ends, found.get(student, ends))
    return found


def _fact(task: CourseTask, found: Summary | None, own: datetime | None, *, is_excused: bool) -> SlipFact:
    assert task.due is not None
    submitted = datetime.fromisoformat(found.submitted) if found is not None and found.submitted else None
    state = AttemptState.TIMED if submitted is not None else AttemptState.NO_TIME
    if is_excused:
        state = AttemptState.EXCUSED
    elif found is None or found.status is Status.NO_SUBMISSION:
        state = AttemptState.NOTHING
    elif found.is_set_to_zero:
        state = AttemptState.ZERO
    return SlipFact(
        task=task.name,
        due=task.due,
        extension=own,
        submitted=submitted if state is AttemptState.TIMED else None,
        state=state,
    )
