"""What of a course waits for a person."""

from collections.abc import Iterable, Iterator, Sequence

from grader.course.arithmetic.facts import CellState
from grader.course.pages.views import Need
from grader.course.people import Student
from grader.course.requests import remarks_on
from grader.course.standing import Standing
from grader.reports.tone import Tone
from grader.reports.words import many, say
from grader.reports.written_pages import STAFF_FOLDER, page_link

_MOST_NAMED = 8


def needs_of(standing: Standing, stale: Sequence[str]) -> list[Need]:
    """Return what waits for a person, the gravest first.  stale: names of tasks whose results are."""
    return list(_needs(standing, stale))


def _needs(standing: Standing, stale: Sequence[str]) -> Iterator[Need]:
    for task in standing.tasks:
        if task.run is None and not task.elsewhere:
            if any(_is_pending(standing, student, task.name) for student in standing.students):
                title = say("{task} was due and is not marked", task=task.title)
                yield Need(title, say("grader course mark marks it."), Tone.PART)
            continue
        pending = [student for student in standing.students if _is_pending(standing, student, task.name)]
        awaiting = [one for one in pending if standing.cells[one.id][task.name].awaiting]
        failed = [one for one in pending if one not in awaiting]
        if failed:
            what = many(
                len(failed),
                "{task}: {n} mark could not be decided",
                "{task}: {n} marks could not be decided",
                task=task.title,
            )
            yield _need(standing, what, say("The task's page says why."), Tone.OURS, failed)
        if awaiting:
            criteria = sum(standing.cells[one.id][task.name].awaiting for one in awaiting)
            what = many(
                len(awaiting),
                "{task}: a person has to mark {n} work",
                "{task}: a person has to mark {n} works",
                task=task.title,
            )
            told = many(criteria, "{n} criterion in all.", "{n} criteria in all.")
            yield _need(standing, what, told, Tone.PART, awaiting)
        unloaded = [one for one in standing.students if standing.does_not_load(one.id, task.name)]
        if unloaded:
            what = many(
                len(unloaded),
                "{task}: {n} work does not load",
                "{task}: {n} works do not load",
                task=task.title,
            )
            yield _need(standing, what, say("The task's page says why."), Tone.PART, unloaded)
    yield from _requests(standing)
    if stale:
        what = say("Changed since it was marked: {tasks}", tasks=", ".join(stale))
        yield Need(what, say("grader course mark marks what changed."), Tone.PART)
    silent = standing.silent()
    if silent:
        what = many(
            len(silent),
            "{n} student handed in nothing for the last two tasks",
            "{n} students handed in nothing for the last two tasks",
        )
        yield _need(standing, what, "", Tone.PART, silent)
    strangers = [student for student in standing.students if not student.on_roster]
    if strangers:
        what = many(
            len(strangers),
            "Not on the roster: {n} person in the results",
            "Not on the roster: {n} people in the results",
        )
        yield _need(standing, what, "", Tone.PART, strangers)
    for text in standing.notes:
        yield Need(text, "", Tone.PART)


def _requests(standing: Standing) -> Iterator[Need]:
    """Yield the requests that wait, and those that broke a rule for them."""
    asking = [
        student
        for student in standing.students
        if any(each.answer is None for each in standing.requests.get(student.id, ()))
    ]
    if asking:
        what = many(
            len(asking),
            "{n} student waits for an answer to a request to look again",
            "{n} students wait for an answer to a request to look again",
        )
        yield _need(standing, what, "", Tone.PART, asking)
    owners = {one.student: student for student, own in standing.requests.items() for one in own}
    broken = [request for request, _ in remarks_on(standing.course, lambda name: owners.get(name, name))]
    late = [student for student in asking if set(standing.requests[student.id]) & set(broken)]
    if late:
        what = say("{n} of them asked too late, or too often", n=len(late))
        yield _need(standing, what, "", Tone.IDLE, late)


def _is_pending(standing: Standing, student: Student, task: str) -> bool:
    found = standing.cells[student.id].get(task)
    return found is not None and found.cell.state is CellState.PENDING


def _need(standing: Standing, title: str, text: str, tone: Tone, students: Iterable[Student]) -> Need:
    shared = standing.shared_names
    people = [
        (f"{one.name} ({one.id})" if one.name in shared else one.name, page_link(STAFF_FOLDER, one.id))
        for one in students
    ]
    return Need(title, text, tone, tuple(people[:_MOST_NAMED]), max(0, len(people) - _MOST_NAMED))
