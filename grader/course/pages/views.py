"""What the pages of a course show, as plain data for their templates."""

import os
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, replace
from datetime import tzinfo
from fractions import Fraction
from functools import lru_cache
from pathlib import Path
from urllib.parse import quote

from grader.course.arithmetic.facts import CellState
from grader.course.arithmetic.passing import PassState
from grader.course.arithmetic.results import ColumnResult
from grader.course.arithmetic.term import TermResult, term_result
from grader.course.arithmetic.wording import percent
from grader.course.pages.requests import RequestView, request_views
from grader.course.pages.slips import SlipsView, slips_view
from grader.course.pages.times import time_in
from grader.course.people import Student
from grader.course.standing import Standing, StudentTask, TaskStanding
from grader.reports.tone import Tone
from grader.reports.views.mark.policy import late_in_words
from grader.reports.views.wording import share_tone, short_mean, short_number
from grader.reports.words import say, word
from grader.reports.written_pages import INDEX, STAFF_FOLDER, page_link

_MOST_QUESTIONS = 12
_STATES = {
    CellState.NOT_DUE: ("·", word("not due yet"), Tone.IDLE),
    CellState.NOTHING: ("—", word("nothing handed in"), Tone.BAD),
    CellState.PENDING: ("?", word("pending"), Tone.OURS),
    CellState.EXCUSED: (word("exc."), word("excused"), Tone.IDLE),
}
_HANDED_IN = (CellState.MARKED, CellState.PENDING)
_PASSED = {
    PassState.REACHED: (word("passed"), Tone.GOOD),
    PassState.NOT_REACHED: (word("not passed"), Tone.BAD),
    PassState.OPEN: (word("open"), Tone.IDLE),
}


@dataclass(frozen=True, slots=True)
class CellView:
    """One task of one student.

    words: what the text stands for, and all that a person should know.
    about: whose task it is, for who hears the link alone.
    """

    text: str
    words: str
    tone: Tone
    link: str = ""
    about: str = ""


@dataclass(frozen=True, slots=True)
class TaskView:
    """A task of the course.  stale: its results are older than what they are made from."""

    name: str
    title: str
    link: str
    due: str
    most: str
    mean: str
    handed_in: str
    pending: int
    stale: bool
    released: bool


@dataclass(frozen=True, slots=True)
class ColumnView:
    """A column of the gradebook.  so_far, nothing_more: steps, for the student's page."""

    title: str
    value: str
    least: str
    open: bool
    so_far: tuple[str, ...] = ()
    nothing_more: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class RowView:
    """A student of the course."""

    id: str
    name: str
    told_apart: str
    link: str
    cells: tuple[CellView, ...]
    columns: tuple[ColumnView, ...]
    grade: str
    passed: str
    passed_tone: Tone
    rules: tuple[str, ...]
    grade_line: str
    slips: SlipsView | None
    requests: tuple[RequestView, ...]


@dataclass(frozen=True, slots=True)
class Need:
    """Something that waits for a person.  people: names with links to their pages; more: others."""

    title: str
    text: str
    tone: Tone
    people: tuple[tuple[str, str], ...] = ()
    more: int = 0


def term_of(standing: Standing, student: Student, *, released_only: bool = False) -> TermResult:
    """Return the term of a student.  released_only: marks that are not released count as pending."""
    known = {task.name: task for task in standing.tasks}
    cells = [one.cell for one in standing.of(student.id)]
    if released_only:
        cells = [
            replace(cell, state=CellState.PENDING, mark=None)
            if cell.state is CellState.MARKED and not known[cell.task].released
            else cell
            for cell in cells
        ]
    return term_result(standing.course.gradebook, cells)


def task_views(standing: Standing, folder: Path, stale: Iterable[str]) -> tuple[TaskView, ...]:
    """Return the tasks in the order of the course.  folder: of the page that links to them."""
    zone, old = standing.course.zone, set(stale)
    return tuple(_task_view(standing, task, folder, zone, task.name in old) for task in standing.tasks)


def _task_view(
    standing: Standing, task: TaskStanding, folder: Path, zone: tzinfo | None, is_stale: bool
) -> TaskView:
    cells = [found[task.name].cell for found in standing.cells.values() if task.name in found]
    marks = [cell.mark for cell in cells if cell.mark is not None]
    own = standing.course.task(task.name)
    has_page = own is not None and task.run is not None
    return TaskView(
        name=task.name,
        title=task.title,
        link=relative(own.reports / INDEX, folder) if own is not None and has_page else "",
        due=time_in(task.due, zone),
        most=short_number(task.most) if task.most is not None else "",
        mean=short_mean(sum(marks, Fraction(0)) / len(marks)) if marks else "",
        handed_in=str(sum(cell.state in _HANDED_IN for cell in cells)) if cells else "",
        pending=sum(cell.state is CellState.PENDING for cell in cells),
        stale=is_stale,
        released=task.released,
    )


@lru_cache(256)
def relative(path: Path, folder: Path) -> str:
    """Return a link from a page in a folder; a large class asks for few of them often."""
    return quote(os.path.relpath(path.absolute(), folder.absolute()).replace(os.sep, "/"))


def row_view(
    standing: Standing, student: Student, term: TermResult, folder: Path, *, for_staff: bool
) -> RowView:
    """Return a student's row.  folder: of the page that has it."""
    cells = tuple(_cell_view(standing, student, task, folder, for_staff=for_staff) for task in standing.tasks)
    passed, tone = _PASSED[term.passed] if term.passed is not None else ("", Tone.IDLE)
    return RowView(
        id=student.id,
        name=student.name,
        told_apart=_told_apart(standing, student),
        link=page_link(STAFF_FOLDER, student.id),
        cells=cells,
        columns=tuple(map(_column_view, term.columns)),
        grade=(term.grade.grade or "") if term.grade is not None else "",
        passed=say(passed),
        passed_tone=tone,
        rules=tuple(str(rule.line) for rule in term.rules),
        grade_line=str(term.grade.line) if term.grade is not None else "",
        slips=slips_view(standing, student.id, for_staff=for_staff),
        requests=request_views(standing, student.id, for_staff=for_staff),
    )


def _told_apart(standing: Standing, student: Student) -> str:
    """Return the id of a student whose name another one has; else nothing."""
    return student.id if student.name in standing.shared_names else ""


def _cell_view(
    standing: Standing, student: Student, task: TaskStanding, folder: Path, *, for_staff: bool
) -> CellView:
    found = standing.cells[student.id].get(task.name)
    if found is None:
        return CellView("", say("no results yet"), Tone.IDLE)
    if not for_staff and found.cell.state is CellState.MARKED and not task.released:
        return CellView("·", say("not released yet"), Tone.IDLE)
    link = about = ""
    own = standing.course.task(task.name)
    if for_staff and own is not None and found.id:
        about = f"{task.name}, {student.name} {_told_apart(standing, student)}".rstrip()
        link = f"{relative(own.reports, folder)}/{page_link(STAFF_FOLDER, found.id)}"
    if found.cell.mark is None:
        text, words, tone = _STATES[found.cell.state]
        told = "; ".join([say(words), *_remarks(found, for_staff=for_staff)])
        return CellView(say(text), told, tone, link, about)
    mark, most = found.cell.mark, found.cell.most
    words = say("{mark} of {most}", mark=short_number(mark), most=short_number(most))
    remarks = [words, *_remarks(found, for_staff=for_staff)]
    return CellView(short_number(mark), "; ".join(remarks), share_tone(mark, most), link, about)


def _remarks(found: StudentTask, *, for_staff: bool) -> Iterator[str]:
    if found.reason and (for_staff or found.cell.state is CellState.EXCUSED):
        yield found.reason
    if found.late_s:
        yield say("{time} late", time=late_in_words(found.late_s))
    if found.overridden:
        yield say("a person set the mark")


def _column_view(column: ColumnResult) -> ColumnView:
    return ColumnView(
        title=column.title,
        value=percent(column.so_far.value) if column.so_far.value is not None else "",
        least=percent(column.worst) if column.worst is not None else "",
        open=bool(column.open),
        so_far=tuple(map(str, column.so_far.lines)),
        nothing_more=tuple(map(str, column.if_nothing_more.lines)),
    )


def costliest(standing: Standing) -> list[tuple[str, str, str]]:
    """Return the questions that cost the class most: the task, the question, and the share that was lost."""
    found = [question for task in standing.tasks for question in task.questions if question.lost > 0]
    found.sort(key=lambda question: (-question.lost, question.task, question.id))
    return [
        (each.task, f"{each.id} {each.title}", f"{round(float(each.lost) * 100)} %")
        for each in found[:_MOST_QUESTIONS]
    ]
