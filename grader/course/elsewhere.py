"""The marks of a task that is marked elsewhere, such as an exam: a column of a sheet."""

from collections.abc import Callable, Iterable, Iterator, Mapping
from fractions import Fraction

from grader.course.arithmetic.wording import names_of
from grader.course.course import ElsewhereTask, Request
from grader.intake.names import listed
from grader.model.errors import Fault, UsageError
from grader.records.roster import RosterEntry, roster_of
from grader.records.sheet import heading, read_sheet
from grader.reports.words import say
from grader.yamlfile.quantities import decimal
from grader.yamlfile.source import shown

_MOST_FAULTS = 200


def above_most(task: ElsewhereTask, marks: Mapping[str, Fraction]) -> Iterator[str]:
    """Yield a sentence about marks above the most, such as after a comma was lost."""
    above = [student for student, mark in marks.items() if mark > task.marks]
    if above:
        most = f"{float(task.marks):g}"
        yield say("{task} has marks above {most}: {names}", task=task.name, most=most, names=names_of(above))


def untrue_answers(
    task: ElsewhereTask,
    marks: Mapping[str, Fraction],
    requests: Iterable[Request],
    id_of: Callable[[str], str],
) -> Iterator[Fault]:
    """Yield a fault for each answer to a request that names another mark than the sheet.

    The sheet alone has the marks of such a task, and a page would tell a change that is none.  Of several
    answers to a person the latest counts.  id_of: tells the id of a name.
    """
    latest: dict[str, tuple[str, Fraction, Request]] = {}
    for request in requests:
        answer = request.answer
        if request.task != task.name or request.question or answer is None or answer.marks is None:
            continue
        student = id_of(request.student)
        if student not in latest or latest[student][0] <= answer.date:
            latest[student] = answer.date, answer.marks, request
    for student, (_, changed, request) in latest.items():
        if marks.get(student) != changed:
            has = f"{float(marks[student]):g}" if student in marks else "no mark"
            what = f"the answer to {request.student} changes {task.name} to {float(changed):g}"
            hint = f"write the mark into {task.sheet.name}: it alone has the marks of {task.name}"
            yield Fault(f"{what}, and the sheet has {has}", request.place, hint=hint)


def marks_elsewhere(
    task: ElsewhereTask, id_of: Callable[[RosterEntry], str]
) -> tuple[dict[str, Fraction], list[str]]:
    """Return the marks in a sheet by student, and the people in it who are not in the course.

    An empty cell, or one with a hyphen, is no mark.  id_of: returns an id, empty for nobody of the course.
    Raises `UsageError` with every mistake in it.
    """
    what = f"the marks of {task.name}"
    sheet = read_sheet(task.sheet, what)
    headings = [heading(text) for text in sheet.headings]
    if heading(task.column) not in headings:
        hint = f"it has {listed([text for text in sheet.headings if text.strip()] or ['nothing'], 12)}"
        raise UsageError(
            Fault(f"{what}: there is no column `{shown(task.column)}`", f"{sheet.where}:1", hint=hint)
        )
    column = headings.index(heading(task.column))
    sheet.needs_one(column, what)
    found: dict[str, Fraction] = {}
    strangers, faults = [], []
    for entry in roster_of(sheet, what).entries:
        text = sheet.cell(entry.row, column).strip()
        if text in ("", "-"):
            continue
        mark = decimal(text.replace(",", ".")) if text.count(",") <= 1 else None
        student = id_of(entry)
        if mark is None:
            faults.append(
                Fault(f"`{shown(text)}` is not a mark", sheet.place(entry.row), hint="such as 7 or 7.5")
            )
        elif not student:
            strangers.append(entry.person.name or entry.person.id or entry.person.mail)
        elif student in found:
            faults.append(Fault(f"{student} has a mark in an earlier line already", sheet.place(entry.row)))
        else:
            found[student] = mark
    if faults:
        raise UsageError(*faults[:_MOST_FAULTS])
    return found, strangers
