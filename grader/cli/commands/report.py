"""`grader report`: render a run's outputs again from its results.json."""

import os
from contextlib import nullcontext
from pathlib import Path

import click

from grader.cli.changed import tell_if_changed, tell_if_stale
from grader.cli.course_names import TASK_OR_FOLDER, run_of
from grader.cli.exit_code import ExitCode
from grader.cli.messages import note, tell
from grader.cli.options import released_option
from grader.cli.output import if_interrupted, tell_lines, tell_what_is_held, width_of_terminal
from grader.course.find import NamedTask
from grader.engine.output_folder import existing_store
from grader.engine.output_folder import submissions as counted
from grader.engine.record import FinishedRun, finished_run, record_gap
from grader.engine.reviews_taken import Taken, Waiting, take, waiting_reviews
from grader.intake.names import listed
from grader.model.errors import UsageError
from grader.reports.escape import plain
from grader.reports.foreign import check_ours
from grader.reports.held import is_held
from grader.reports.render import render
from grader.reports.student_files import FOLDERS
from grader.reports.terminal.cohort import by_hand_lines
from grader.reports.written_pages import INDEX, STAFF_FOLDER
from grader.runtime.cores import default_processes


@click.command()
@click.argument("folder", type=TASK_OR_FOLDER)
@released_option
def report(folder: Path | NamedTask, released: bool) -> int:
    """Render the pages, marks.csv and junit.xml in FOLDER again, from its results.json.

    Marks that people gave since come in, see grader review; nothing else is marked again, and nothing runs.

    Example: grader report reports/knights-tour --released
    """
    folder, named = run_of(folder)
    run = finished_run(folder)
    can_write = os.access(run.folder, os.W_OK)
    gap = record_gap(run) if can_write else ""
    if gap:
        note(f"{gap}: it can't be told whether results.json was changed, nor which marks by hand are new")
    else:
        tell_if_changed(run)
        tell_if_stale(run, named)
    waiting = None if gap else _waiting(run)
    with if_interrupted("interrupted while the report was written; the same command writes all of it"):
        # The open record keeps another grader from writing the pages of its run between ours.  Rendering
        # itself reports a folder that cannot be written to.
        folders = (STAFF_FOLDER,) if is_held(run.folder) else FOLDERS
        check_ours(run.folder, [each.id for each in run.results.submissions], folders, repairs=True)
        with (existing_store(run.folder) if can_write and not gap else None) or nullcontext() as store:
            if waiting is not None and store is not None:
                _tell_taken(take(waiting, store))
                run = finished_run(folder)
            elif waiting is not None:
                note("people marked by hand since, which cannot be written into these results")
            cohort = render(run.results, run.folder, released, default_processes())
    tell_lines(by_hand_lines(cohort, width_of_terminal()))
    tell(f"report: {plain(str(run.folder / INDEX))}")
    tell_what_is_held(run.folder)
    return ExitCode.DONE


def _waiting(run: FinishedRun) -> Waiting | None:
    """Return the marks by hand since the run; None where there are none, or they can't be read."""
    try:
        return waiting_reviews(run, note)
    except UsageError as error:
        fault = error.faults[0]
        hint = f" ({fault.hint})" if fault.hint else ""
        note(f"{fault.where}: {fault.message}: no marks by hand are taken in{hint}")
        return None


def _tell_taken(taken: Taken) -> None:
    if taken.ids:
        note(f"marks by hand taken in: {counted(len(taken.ids))}")
    if taken.older_spec:
        note("they go by the spec of the run; it changed since, and grader mark goes by the new one")
    if taken.moved:
        note(f"marks by hand that are others than before: {listed(taken.moved)}")
    if taken.left:
        note(f"marks by hand of {listed(taken.left)} are left to grader mark")
