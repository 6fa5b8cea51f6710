"""`grader report`: render a run's outputs again from its results.json."""

import os
from contextlib import nullcontext
from pathlib import Path

import click

from grader.cli.changed import tell_if_changed, tell_if_reviewed
from grader.cli.course_names import RUN
from grader.cli.exit_code import ExitCode
from grader.cli.messages import tell
from grader.cli.options import released_option
from grader.cli.output import if_interrupted, tell_lines, tell_what_is_held, width_of_terminal
from grader.engine.output_folder import existing_store
from grader.engine.record import finished_run
from grader.reports.escape import plain
from grader.reports.foreign import check_ours
from grader.reports.held import is_held
from grader.reports.render import render
from grader.reports.student_files import FOLDERS
from grader.reports.terminal.cohort import by_hand_lines
from grader.reports.written_pages import INDEX, STAFF_FOLDER
from grader.runtime.cores import default_processes


@click.command()
@click.argument("folder", type=RUN)
@released_option
def report(folder: Path, released: bool) -> int:
    """Render the pages, marks.csv and junit.xml in FOLDER again, from its results.json.

    Nothing is marked again, and results.json stays as it is.  Marks by hand come in by grader mark.

    Example: grader report reports/knights-tour --released
    """
    run = finished_run(folder)
    tell_if_changed(run)
    tell_if_reviewed(run)
    with if_interrupted("interrupted while the report was written; the same command writes all of it"):
        # The open record keeps another grader from writing the pages of its run between ours.  Rendering
        # itself reports a folder that cannot be written to.
        folders = (STAFF_FOLDER,) if is_held(run.folder) else FOLDERS
        check_ours(run.folder, [each.id for each in run.results.submissions], folders, repairs=True)
        can_write = os.access(run.folder, os.W_OK)
        with (existing_store(run.folder) if can_write else None) or nullcontext():
            cohort = render(run.results, run.folder, released, default_processes())
    tell_lines(by_hand_lines(cohort, width_of_terminal()))
    tell(f"report: {plain(str(run.folder / INDEX))}")
    tell_what_is_held(run.folder)
    return ExitCode.DONE
