"""`grader export`: the results in the form that an LMS, a forge or another tool takes."""

import os
from difflib import get_close_matches
from pathlib import Path

import click

from grader.cli.changed import tell_if_changed, tell_if_marked_since, tell_if_stale
from grader.cli.course_names import TASK_OR_FOLDER, run_of
from grader.cli.exit_code import ExitCode
from grader.cli.messages import note, tell
from grader.cli.options import PATH, released_option
from grader.course.find import NamedTask
from grader.engine.record import finished_run
from grader.exports.format import Format, written_by
from grader.exports.job import Job
from grader.model.errors import Fault, UsageError
from grader.registry.groups import Group
from grader.registry.registry import registry
from grader.reports.escape import plain

_FOLDER = "exports"
FORMATS: dict[str, Format] = registry().all_of(Group.EXPORTS)
_OUR_FILES = ("results.json", "run.sqlite", "pages.txt")


@click.command()
@click.argument("folder", type=TASK_OR_FOLDER)
@click.option("--to", "name", type=str, required=True, metavar="FORMAT", help="One of those above.")
@click.option("--sheet", type=PATH, metavar="FILE", help="The sheet of the LMS, as it was downloaded.")
@click.option(
    "-o", "--output", type=PATH, metavar="PATH", help="What to write.  [default: in FOLDER/exports]"
)
@click.option(
    "--column", default="", metavar="NAME", help="The sheet's column, by title or id.  [default: the task]"
)
@click.option(
    "--missing",
    type=click.Choice(["empty", "zero"]),
    default="empty",
    show_default=True,
    help="The cell of those who handed in nothing.",
)
@click.option("--starter", type=PATH, metavar="PATH", help="The code that students were given, for jplag.")
@released_option
def export(
    folder: Path | NamedTask,
    name: str,
    sheet: Path | None,
    output: Path | None,
    column: str,
    missing: str,
    starter: Path | None,
    released: bool,
) -> int:
    """Write the results in FOLDER for an LMS or another tool.

    A sheet of the LMS is copied with the marks in it; the sheet itself is never changed, and
    nothing is uploaded.  A pending mark is an empty cell.

    \b
    Formats:
    {formats}

    Example: grader export reports/leap --to moodle --sheet worksheet.csv
    """
    if name not in FORMATS:
        near = get_close_matches(name, FORMATS, 1)
        choice = f"did you mean {near[0]}?" if near else f"there are {', '.join(FORMATS)}"
        raise click.UsageError(f"there is no format {name!r}; {choice}")
    place, named = run_of(folder)
    run, chosen = finished_run(place), FORMATS[name]
    tell_if_changed(run)
    tell_if_stale(run, named)
    tell_if_marked_since(run)
    if sheet is not None and not chosen.takes_sheet:
        raise click.UsageError(f"{name} takes no --sheet")
    target = output or run.folder / _FOLDER / chosen.file
    _check_target(target, sheet, run.folder)
    job = Job(
        results=run.results,
        folder=run.folder,
        target=target,
        tell=note,
        sheet=sheet,
        column=column,
        zeros=missing == "zero",
        released=released,
        starter=starter,
    )
    written = written_by(name, chosen, job, hint="choose another with -o")
    for each in written:
        tell(f"written: {plain(str(each))}")
    return ExitCode.DONE


assert export.help is not None
export.help = export.help.format(
    formats="\n    ".join(f"  {name:<23}{plain(each.title)}" for name, each in FORMATS.items())
)


def _check_target(target: Path, sheet: Path | None, folder: Path) -> None:
    """Raise `UsageError` where the export would take the place of its source."""
    sources = [folder / each for each in _OUR_FILES] + ([sheet] if sheet is not None else [])
    for source in sources:
        try:
            is_same = os.path.samefile(target, source)
        except OSError:
            is_same = target.resolve() == source.resolve()
        if is_same:
            hint = "choose another with -o"
            raise UsageError(
                Fault("the export would take the place of what it is made from", str(target), hint=hint)
            )
