"""`grader course check`: reads all that a course names, and marks nothing."""

from collections.abc import Sequence
from datetime import datetime
from pathlib import Path

import click

from grader.cli.commands.course.options import course_at, course_option
from grader.cli.exit_code import ExitCode
from grader.cli.messages import note
from grader.cli.output import print_lines, width_of_terminal
from grader.course.checking import Checked, checked
from grader.course.course import Course
from grader.reports.escape import plain
from grader.reports.terminal.lines import cells, fit, line
from grader.reports.views.wording import counted, short_number


@click.command()
@course_option
def check(path: Path | None) -> int:
    """Read all that the course names, and tell every mistake in it.

    Specs, roster, dates, people and sheets are looked at; nothing is marked and nothing is written.

    Example: grader course check
    """
    course = course_at(path)
    found = checked(course)
    for text in found.notes:
        note(text)
    for one in found.tasks:
        for text in one.notes:
            note(f"{one.task.name}: {text}")
    print_lines([line(plain(text)) for text in _lines(course, found)])
    return ExitCode.DONE


def _lines(course: Course, found: Checked) -> list[str]:
    people = "" if found.people is None else f", {counted(found.people, 'person', 'people')}"
    rows = [("task", "marks", "due", "")]
    for one in found.tasks:
        due = one.task.due or (one.spec.late.deadline if one.spec.late is not None else None)
        rows.append((one.task.name, short_number(one.spec.marks), _shown(due), one.spec.title))
    for other in course.elsewhere:
        where = f"marked elsewhere: {other.sheet}"
        rows.append((other.name, short_number(other.marks), _shown(other.due), where))
    widths = [max(cells(row[at]) for row in rows) for at in range(3)]
    table = [fit(_padded(row, widths), width_of_terminal()) for row in rows]
    total = counted(len(rows) - 1, "task")
    return [f"{course.title} ({course.name}): {total}{people}", "", *table, "", "All that it names is well."]


def _shown(due: datetime | None) -> str:
    return due.strftime("%Y-%m-%d %H:%M %z") if due is not None else "-"


def _padded(row: Sequence[str], widths: Sequence[int]) -> str:
    """Return the cells of a row; all but the last are as wide as their column."""
    padded = [text + " " * (width - cells(text)) for text, width in zip(row, widths, strict=False)]
    return "  ".join([*padded, *row[len(widths) :]])
