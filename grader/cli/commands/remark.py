"""`grader remark`: marks a finished run again from its record alone, and compares the marks."""

from pathlib import Path

import click

from grader.cli.changed import tell_missing_plugins
from grader.cli.course_names import RUN
from grader.cli.exit_code import ExitCode
from grader.cli.messages import note, tell
from grader.cli.options import PATH, require_option
from grader.cli.output import if_interrupted, print_lines, tell_lines, tell_what_is_held, width_of_terminal
from grader.cli.progress.marking import preparing, progress
from grader.engine.batch import ThisMachine
from grader.engine.output_folder import RESULTS
from grader.engine.record import finished_run, recorded_candidates, recorded_python, recorded_task
from grader.engine.session import Options, Session
from grader.model.errors import Fault, UsageError
from grader.reports.diff.changes import changes
from grader.reports.diff.lines import change_lines
from grader.reports.escape import plain
from grader.reports.held import is_held
from grader.reports.terminal.cohort import by_hand_lines
from grader.reports.written_pages import INDEX
from grader.sandbox.driver import Driver


@click.command()
@click.argument("run", type=RUN)
@click.option(
    "-o", "--output", type=PATH, metavar="FOLDER", help="Where the new results go.  [default: RUN-again]"
)
@click.option("-j", "--jobs", type=click.IntRange(1), metavar="N", help="Submissions marked at a time.")
@click.option("--python", default="", metavar="PYTHON", help="Another Python.  [default: that of the run]")
@require_option("The weakest sandbox to mark with.")
@click.option("-q", "--quiet", is_flag=True, help="No progress on stderr.")
def remark(run: Path, output: Path | None, jobs: int | None, python: str, require: str, quiet: bool) -> int:
    """Mark a finished RUN again, from its record alone.

    RUN is the folder of its results, or results.json in it.  The record has the spec, the reference, the
    submissions, their times and the reviews, so their folders may be gone.  All cases run again.

    Prints the differences as `grader diff` does.  Exits with 0 if no mark and no verdict differs, with 1 if
    any does.

    Example: grader remark reports/knights-tour
    """
    before = finished_run(run)
    tell_missing_plugins(before)
    here = before.folder if before.folder.name else before.folder.absolute()
    folder = output or here.with_name(f"{here.name}-again")
    if folder.resolve() == before.folder.resolve():
        raise UsageError(Fault("the new results need a folder of their own", str(folder), hint="see -o"))
    with before.record() as record:
        task = recorded_task(record)
        candidates, unread = recorded_candidates(record)
        begun = record.run()
        python = python or recorded_python(begun, task)
    if not candidates:
        raise UsageError(Fault("the record has no submission to mark", str(record.path)))
    if unread:
        note(f"left out, since the run never read their work: {', '.join(unread)}")
    # The marks of a spec that was marked with its faults are the ones to compare with.
    anyway = bool(before.results.run.spec_faults)
    holds = is_held(before.folder)
    options = Options(
        folder=folder, python=python, required=Driver(require), jobs=jobs or 0, anyway=anyway, holds=holds
    )
    session = Session(
        task,
        (),
        options,
        note,
        recorded=candidates,
        recorded_files=begun.files,
        recorded_results=before.folder / RESULTS,
    )
    with if_interrupted(session.interruption), session:
        with progress(session.total, task.budget_s, quiet=quiet) as display:
            with preparing(quiet=quiet) as tell_phase:
                events = session.begin(ThisMachine(options.jobs, display.note), tell_phase)
            session.record(events, display)
        after, cohort = session.render()
    print_lines(change_lines(before.results, after, width_of_terminal()))
    tell_lines(by_hand_lines(cohort, width_of_terminal()))
    if not quiet:
        tell(f"report: {plain(str(folder / INDEX))}")
        tell_what_is_held(folder)
    differs = any(True for _ in changes(before.results.submissions, after.submissions))
    return ExitCode.NOT_MET if differs else ExitCode.DONE
