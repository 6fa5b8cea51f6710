"""`grader intake`: shows what would be marked, before anything runs."""

from pathlib import Path

import click

from grader.cli.batch_options import layout_option, roster_option, times_option
from grader.cli.exit_code import ExitCode
from grader.cli.messages import note
from grader.cli.options import PATH
from grader.cli.output import print_json, print_lines, width_of_terminal
from grader.cli.taken import table, taken_of
from grader.intake import discover
from grader.intake.attempts import latest_only
from grader.records.beside import Sources
from grader.records.handed_in import handed_in
from grader.spec import load_task


@click.command()
@click.argument("paths", metavar="[SPEC] SUBMISSIONS...", nargs=-1, required=True, type=PATH)
@layout_option
@roster_option
@times_option
@click.option("--json", "as_json", is_flag=True, help="Print JSON instead of a table.")
def intake(
    paths: tuple[Path, ...], layout: str | None, roster: Path | None, times: Path | None, as_json: bool
) -> int:
    """Show what would be taken from SUBMISSIONS, and what would be left out and why.

    Nothing is run and nothing is written.  `grader mark` takes the same.  With SPEC, files are
    matched with those that the task asks for, and lateness is told.

    Example: grader intake specs/knights-tour.yaml submissions.zip
    """
    first, *rest = paths
    if first.suffix in (".yaml", ".yml"):
        if not rest:
            raise click.UsageError("name the submissions behind the spec")
        task = load_task(first)
        candidates = handed_in(task, rest, Sources(layout or "", roster, times), note)
    else:
        if times is not None or roster is not None:
            raise click.UsageError("--times and --roster need the spec, which comes first")
        task = None
        candidates = latest_only(discover(paths, {}, note, layout or ""), note)
    rows = list(taken_of(candidates, task))
    if as_json:
        print_json({"schema": "grader-intake/1", "submissions": [row.as_json() for row in rows]})
    else:
        print_lines(table(rows, task, width_of_terminal()))
    return ExitCode.DONE
