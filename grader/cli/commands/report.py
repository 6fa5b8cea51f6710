"""`grader report`: render a run's outputs again from its results.json."""

import os
from contextlib import nullcontext
from pathlib import Path

import click

from grader.cli.exit_code import ExitCode
from grader.cli.messages import tell
from grader.cli.options import PATH, released_option
from grader.cli.output import if_interrupted, tell_what_is_held
from grader.engine.output_folder import existing_store
from grader.engine.record import finished_run
from grader.reports.escape import plain
from grader.reports.render import render_all
from grader.runtime.cores import default_processes


@click.command()
@click.argument("folder", type=PATH)
@released_option
def report(folder: Path, released: bool) -> int:
    """Render the pages, marks.csv and junit.xml in FOLDER again, from its results.json.

    Nothing is marked again, and results.json stays as it is.

    Example: grader report reports/knights-tour --released
    """
    run = finished_run(folder)
    with if_interrupted("interrupted while the report was written; the same command writes all of it"):
        # The open record keeps another grader from writing the pages of its run between ours.  Rendering
        # itself reports a folder that cannot be written to.
        can_write = os.access(run.folder, os.W_OK)
        with (existing_store(run.folder) if can_write else None) or nullcontext():
            index = render_all(run.results, run.folder, released, default_processes())
    tell(f"report: {plain(str(index))}")
    tell_what_is_held(run.folder)
    return ExitCode.DONE
