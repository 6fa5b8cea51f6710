"""`grader intake`: shows what would be marked, before anything runs."""

from pathlib import Path

import click

from grader.cli.batch_options import batch_of, layout_option, roster_option, times_option
from grader.cli.course_names import TASK_OR_FOLDER
from grader.cli.exit_code import ExitCode
from grader.cli.messages import note
from grader.cli.output import print_json, print_lines, width_of_terminal
from grader.cli.taken import table, taken_of
from grader.course.find import NamedTask
from grader.course.terms import terms_named, with_terms
from grader.intake import discover
from grader.intake.attempts import latest_only
from grader.records.beside import Sources
from grader.records.granted import NOTHING_GRANTED
from grader.records.handed_in import handed_in
from grader.spec import load_task


@click.command()
@click.argument("paths", metavar="[SPEC] SUBMISSIONS...", nargs=-1, required=True, type=TASK_OR_FOLDER)
@layout_option
@roster_option
@times_option
@click.option("--json", "as_json", is_flag=True, help="Print JSON instead of a table.")
def intake(
    paths: tuple[Path | NamedTask, ...],
    layout: str | None,
    roster: Path | None,
    times: tuple[Path, ...],
    as_json: bool,
) -> int:
    """Show what would be taken from SUBMISSIONS, and what would be left out and why.

    Nothing is run and nothing is written.  `grader mark` takes the same.  With SPEC, files are
    matched with those that the task asks for, and lateness is told.  In the folder of a course, SPEC can be
    the name of a task.

    Example: grader intake specs/knights-tour.yaml submissions.zip
    """
    first, *others = paths
    rest = tuple(path for path in others if isinstance(path, Path))
    if len(rest) < len(others):
        raise click.UsageError("one task at a time: its name comes first, then submissions")
    if isinstance(first, NamedTask) or first.suffix in (".yaml", ".yml"):
        if isinstance(first, Path) and not rest:
            raise click.UsageError("name the submissions behind the spec")
        batch = batch_of(first, rest, None, Sources(layout or "", roster, times), note)
        task = load_task(batch.spec)
        granted = NOTHING_GRANTED
        if batch.course is not None:
            task, granted = with_terms(task, terms_named(batch.course))
        candidates = handed_in(task, batch.submissions, batch.sources, note, granted=granted)
    else:
        if times or roster is not None:
            raise click.UsageError("--times and --roster need the spec, which comes first")
        task = None
        candidates = latest_only(discover([first, *rest], {}, note, layout or ""), note)
    rows = list(taken_of(candidates, task))
    if as_json:
        print_json({"schema": "grader-intake/1", "submissions": [row.as_json() for row in rows]})
    else:
        print_lines(table(rows, task, width_of_terminal()))
    return ExitCode.DONE
