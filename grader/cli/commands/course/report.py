"""`grader course report`: the pages of the course."""

import gc
from pathlib import Path

import click

from grader.cli.changed import tell_if_changed, tell_if_marked_since, tell_if_stale
from grader.cli.commands.course.options import course_at, course_option
from grader.cli.exit_code import ExitCode
from grader.cli.messages import note, tell
from grader.cli.options import PATH
from grader.course.course import Course, CourseTask
from grader.course.find import NamedTask
from grader.course.gathering import standing_of, words_of_unsure
from grader.course.pages.write import write_pages
from grader.engine.freshness import stale_tasks
from grader.engine.record import finished_run
from grader.intake.names import listed
from grader.model.errors import Fault, UsageError
from grader.reports.escape import plain
from grader.reports.held import are_released
from grader.reports.written_pages import INDEX
from grader.store.results_json import RESULTS_FILE


@click.command()
@course_option
@click.option(
    "-o", "--output", type=PATH, metavar="FOLDER", help="[default: reports/course beside course.yaml]"
)
def report(path: Path | None, output: Path | None) -> int:
    """Write the pages of the course: tasks by students, what waits for a person, a page for each student.

    Nothing is marked.  students/ has what can be handed out: marks of tasks with `released: true`.
    gradebook.csv has a line for each student.

    Example: grader course report
    """
    gc.disable()  # it ends soon, and a large course is a large heap to search
    write_report(course_at(path), output)
    return ExitCode.DONE


def write_report(course: Course, output: Path | None) -> None:
    """Write the pages, and say where they are.  Raises `UsageError`."""
    folder = output or course.path.parent / "reports" / "course"
    standing = standing_of(course)
    held = [task for task in course.tasks if task.released and not _are_released(task)]
    published = standing_of(course, standing.now, published=True) if held else None
    try:
        write_pages(standing, folder, stale_tasks(course), published=published)
    except OSError as error:
        reason = error.strerror or str(error)
        raise UsageError(
            Fault(f"the pages can't be written: {reason}", str(folder), hint="see -o")
        ) from error
    for sheet, names in standing.nobodies.items():
        note(f"{sheet} has people who are not in the course: {listed(names)}")
    for each in standing.unsure:
        note(words_of_unsure(*each))
    for task in held:
        what = "students' pages of the course lack what is held back since"
        note(f"{task.name}: {what}; see `grader release {task.name}`")
    for task in course.tasks:
        if (task.reports / RESULTS_FILE).exists():
            run = finished_run(task.reports)
            tell_if_changed(run, task.name)
            tell_if_stale(run, NamedTask(course, task), is_headed=True)
            tell_if_marked_since(run, task.name)
    tell(f"course: {plain(str(folder / INDEX))}")


def _are_released(task: CourseTask) -> bool:
    return not (task.reports / RESULTS_FILE).exists() or are_released(task.reports)
