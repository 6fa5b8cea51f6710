"""Writes the pages of a course: one of everything, two for each student, and the sheet of the gradebook."""

import csv
from collections.abc import Sequence
from pathlib import Path

from jinja2 import Environment

from grader.course.arithmetic.facts import Cell, CellState
from grader.course.arithmetic.passing import PassState
from grader.course.arithmetic.term import TermResult
from grader.course.pages.needs import needs_of
from grader.course.pages.times import time_in
from grader.course.pages.views import costliest, row_view, task_views, term_of
from grader.course.standing import Standing
from grader.marking.rounding import csv_number
from grader.model.errors import Fault, UsageError
from grader.reports.escape import csv_cell
from grader.reports.html.parts import parts, rows_of
from grader.reports.html.templating import templates
from grader.reports.views.wording import TONE_SYMBOLS, counted
from grader.reports.words import speaking
from grader.reports.written_pages import INDEX, STAFF_FOLDER, STUDENT_FOLDER, is_further, page_file, page_path
from grader.store.whole_file import replace_text, replacing

SHEET = "gradebook.csv"
ROWS = 500
"""Students on one page of the course: more keep a browser busy for a second."""
_MARKER = ".course-pages"


def write_pages(
    standing: Standing,
    folder: Path,
    stale: Sequence[str],
    rows: int = ROWS,
    *,
    published: Standing | None = None,
) -> None:
    """Write the pages of a course into a folder.

    stale: names of tasks whose results are.  rows: the students on one page of the course.
    published: what students may know, where that is another standing.

    Raises `OSError`, and `UsageError` where others' files lie there.
    """
    _claim(folder)
    for name in (STAFF_FOLDER, STUDENT_FOLDER):
        (folder / name).mkdir(exist_ok=True)
        _remove_others(folder / name, {page_file(student.id) for student in standing.students})
    with speaking(standing.course.language):
        terms = {student.id: term_of(standing, student) for student in standing.students}
        _write_pages(standing, published or standing, folder, stale, terms, rows)
    _write_sheet(standing, folder / SHEET, terms)


def _write_pages(
    standing: Standing,
    published: Standing,
    folder: Path,
    stale: Sequence[str],
    terms: dict[str, TermResult],
    rows: int,
) -> None:
    environment = templates("index.css", "course.css")
    environment.globals.update(course=standing.course, symbols=TONE_SYMBOLS)
    environment.globals.update(tasks=task_views(standing, folder, stale))
    _write_index(environment, standing, folder, stale, terms, rows)
    template = environment.get_template("course_student.html.j2")
    for student in standing.students:
        for name, for_staff in ((STAFF_FOLDER, True), (STUDENT_FOLDER, False)):
            shown = standing if for_staff else published
            if student.id not in shown.cells:
                continue
            term = terms[student.id] if for_staff else term_of(shown, student, released_only=True)
            row = row_view(shown, student, term, folder / name, for_staff=for_staff)
            with replacing(folder / page_path(name, student.id)) as file:
                file.write(template.render(row=row, staff=for_staff, at=_now(standing)))


def _claim(folder: Path) -> None:
    """Make the folder ours.  Raises `UsageError` where files lie in it that the grader did not write."""
    ours = folder / _MARKER
    if not ours.exists():
        names = (INDEX, SHEET, STAFF_FOLDER, STUDENT_FOLDER)
        foreign = [folder / name for name in names if (folder / name).exists()] + _further_pages(folder)
        if foreign:
            what = "grader course report did not write what is here, and would write over it"
            raise UsageError(Fault(what, str(foreign[0]), hint="choose another folder with -o"))
        folder.mkdir(parents=True, exist_ok=True)
        replace_text(ours, "The pages of a course: grader course report writes over them.\n")


def _remove_others(folder: Path, current: set[str]) -> None:
    """Remove the pages of people who are no more in the course."""
    for path in folder.glob("*.html"):
        if path.name not in current:
            path.unlink()


def _further_pages(folder: Path) -> list[Path]:
    return [path for path in folder.glob("index-*.html") if is_further(path.name)]


def _now(standing: Standing) -> str:
    return time_in(standing.now, standing.course.zone)


def _write_index(
    environment: Environment,
    standing: Standing,
    folder: Path,
    stale: Sequence[str],
    terms: dict[str, TermResult],
    each: int,
) -> None:
    """Write the page of the course, after its further pages of students: it leads to them."""
    shown = parts(len(standing.students), each)
    on_first = {
        "needs": needs_of(standing, stale),
        "costliest": costliest(standing),
        "figures": f"{counted(len(standing.tasks), 'task')}, {counted(len(standing.students), 'student')}",
        "at": _now(standing),
    }
    for part in reversed(shown):
        template = environment.get_template(
            "course.html.j2" if part is shown[0] else "course_further.html.j2"
        )
        rows = [
            row_view(standing, student, terms[student.id], folder, for_staff=True)
            for student in standing.students[rows_of(part, each)]
        ]
        with replacing(folder / part.file) as file:
            own = on_first if part is shown[0] else {}
            file.writelines(template.generate(rows=rows, parts=shown, part=part, **own))
    for path in _further_pages(folder):
        if path.name not in {part.file for part in shown}:
            path.unlink()


def _write_sheet(standing: Standing, path: Path, terms: dict[str, TermResult]) -> None:
    """Write a line for each student.  An empty cell is no mark; what it is else is told by the word in it."""
    columns = standing.course.gradebook.columns
    with replacing(path, encoding="utf-8-sig") as file:
        writer = csv.writer(file)
        tasks = [csv_cell(task.name) for task in standing.tasks]
        readings = ("", " if nothing more comes")
        shares = [csv_cell(f"{column.id} %{reading}") for column in columns for reading in readings]
        writer.writerow(["student", "name", "mail", "group", *tasks, *shares, "grade", "passed"])
        for student in standing.students:
            term = terms[student.id]
            cells = standing.cells[student.id]
            marks = [_mark(cells[task.name].cell) if task.name in cells else "" for task in standing.tasks]
            values = [
                csv_number(value * 100) if value is not None else ""
                for column in term.columns
                for value in (column.so_far.value, column.worst)
            ]
            grade = term.grade.grade if term.grade is not None and term.grade.grade is not None else ""
            who = map(csv_cell, (student.id, student.name, student.mail, student.group))
            writer.writerow([*who, *marks, *values, csv_cell(grade), _passed(term.passed)])


_WORDS = {CellState.EXCUSED: "excused", CellState.PENDING: "pending", CellState.NOTHING: "nothing"}


def _mark(cell: Cell) -> str:
    return csv_number(cell.mark) if cell.mark is not None else _WORDS.get(cell.state, "")


def _passed(state: PassState | None) -> str:
    return {PassState.REACHED: "yes", PassState.NOT_REACHED: "no"}.get(state, "") if state is not None else ""
