"""`grader course new`: starts the file of a course."""

from pathlib import Path

import click

from grader.cli.exit_code import ExitCode
from grader.cli.messages import note
from grader.cli.options import PATH
from grader.cli.output import print_lines
from grader.course.starting import start_course
from grader.reports.escape import plain
from grader.reports.terminal.lines import line
from grader.reports.views.wording import counted


@click.command()
@click.argument("folder", type=PATH, default=Path())
@click.option("--zone", default="", metavar="ZONE", help="The time zone, such as Europe/Zurich.")
def new(folder: Path, zone: str) -> int:
    """Write course.yaml into FOLDER, from the specs, the roster and the downloads that are there.

    Submissions are looked for in in/, submissions/, downloads/ and batches/, by the name of the task.
    Nothing is overwritten.

    Example: grader course new . --zone Europe/Zurich
    """
    started = start_course(folder, zone)
    for text in started.notes:
        note(text)
    print_lines(
        [
            line(f"new: {plain(str(started.path))}, with {counted(len(started.tasks), 'task')}"),
            line(),
            line("Now: say when each task is due, and then grader course check && grader course mark"),
        ]
    )
    return ExitCode.DONE
