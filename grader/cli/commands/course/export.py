"""`grader course export`: the sheets of all tasks for the LMS, with what differs from the last ones."""

from collections.abc import Iterator, Sequence
from difflib import ndiff
from pathlib import Path

import click

from grader.cli.changed import tell_if_changed, tell_if_marked_since, tell_if_stale
from grader.cli.commands.course.options import course_at, course_option
from grader.cli.exit_code import ExitCode
from grader.cli.messages import note
from grader.cli.output import print_lines
from grader.cli.run import tell_faults
from grader.course.course import Course, CourseTask
from grader.course.find import NamedTask, named_in
from grader.course.marked import check_own
from grader.engine.record import finished_run
from grader.exports.format import Format, written_by
from grader.exports.job import Job
from grader.model.errors import Fault, UsageError
from grader.registry.groups import Group
from grader.registry.registry import registry
from grader.reports.escape import plain
from grader.reports.terminal.lines import line
from grader.reports.views.wording import counted
from grader.store.results_json import RESULTS_FILE

_FOLDER = "exports"
_MOST_TOLD = 12
_TEXTS = (".csv", ".txt", ".tsv")


@click.command()
@click.argument("names", nargs=-1, metavar="[TASK]...")
@course_option
@click.option("--to", "name", default="", metavar="FORMAT", help="[default: lms of the course]")
def export(names: tuple[str, ...], path: Path | None, name: str) -> int:
    """Write the sheets of all marked tasks for the LMS, each into exports/ beside its results.

    TASK are the tasks to export; without any, all that have results.  Prints which lines differ from the
    sheets that were written last.  The LMS's own sheet and column are `sheets` and `columns` of a task.

    Example: grader course export --to moodle
    """
    course = course_at(path)
    chosen = _format(course, name or course.lms)
    tasks = [named_in(course, each) for each in names] or [
        task for task in course.tasks if (task.reports / RESULTS_FILE).exists()
    ]
    status = ExitCode.DONE
    for task in tasks:
        try:
            written, changed = _exported(course, task, name or course.lms, chosen)
        except UsageError as error:
            note(f"{task.name} is not exported")
            status = ExitCode(tell_faults(error))
            continue
        print_lines([line(plain(text)) for text in _lines(task, written, changed)])
    return status


def _format(course: Course, name: str) -> Format:
    formats: dict[str, Format] = registry().all_of(Group.EXPORTS)
    if name in formats:
        return formats[name]
    what = f"there is no format {name!r}" if name else "the course names no `lms`"
    raise UsageError(Fault(what, str(course.path), hint=f"say --to; there are {', '.join(formats)}"))


def _exported(
    course: Course, task: CourseTask, name: str, chosen: Format
) -> tuple[list[Path], dict[Path, list[str]]]:
    """Write the export of a task; return its files, and the lines that differ, by file.

    Raises `UsageError`.
    """
    run = finished_run(task.reports)
    check_own(task, run.results)
    tell_if_changed(run, task.name)
    tell_if_stale(run, NamedTask(course, task), is_headed=True)
    tell_if_marked_since(run, task.name)
    target = run.folder / _FOLDER / chosen.file
    before = _texts(target.parent)
    sheet = task.sheets.get(name) if chosen.takes_sheet else None
    job = Job(
        results=run.results,
        folder=run.folder,
        target=target,
        tell=lambda text: note(f"{task.name}: {text}"),
        sheet=sheet,
        column=task.columns.get(name, ""),
    )
    written = written_by(name, chosen, job)
    after = _texts(target.parent)
    changed = {
        each: _differing(before[each], after[each]) for each in written if each in before and each in after
    }
    return written, changed


def _texts(folder: Path) -> dict[Path, list[str]]:
    """Return the lines of the sheets in a folder."""
    files = [path for path in folder.glob("*") if path.suffix in _TEXTS] if folder.is_dir() else []
    return {path: path.read_text("utf-8", "replace").splitlines() for path in files}


def _differing(before: Sequence[str], after: Sequence[str]) -> list[str]:
    return [text for text in ndiff(before, after) if text.startswith(("- ", "+ "))]


def _lines(task: CourseTask, written: Sequence[Path], changed: dict[Path, list[str]]) -> Iterator[str]:
    for each in written:
        if each not in changed:
            yield f"{task.name}: {each}"
            continue
        told = changed[each]
        what = f"{counted(len(told), 'line')} unlike those of the last export"
        yield f"{task.name}: {each}: {what if told else 'as in the last export'}"
        yield from (f"  {text}" for text in told[:_MOST_TOLD])
        if len(told) > _MOST_TOLD:
            yield f"  and {len(told) - _MOST_TOLD} more"
