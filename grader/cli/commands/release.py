"""`grader release`: students' pages, all at once, after a person has seen what changes."""

from contextlib import nullcontext
from pathlib import Path

import click

from grader.cli.asking import agreed
from grader.cli.changed import tell_if_changed, tell_if_marked_since, tell_if_stale
from grader.cli.course_names import TASK_OR_FOLDER, run_of
from grader.cli.exit_code import ExitCode
from grader.cli.messages import tell
from grader.cli.options import PATH, note_if_none_opens, released_option
from grader.cli.output import if_interrupted, print_lines, tell_lines, width_of_terminal
from grader.course.find import NamedTask
from grader.engine.output_folder import RESULTS, existing_store, submissions
from grader.engine.record import finished_run
from grader.engine.release import Release, prepared
from grader.model.errors import Fault, UsageError
from grader.model.results import RunResults, Status
from grader.reports.diff.lines import change_lines
from grader.reports.escape import plain
from grader.reports.terminal.cohort import by_hand_lines
from grader.reports.terminal.lines import line
from grader.reports.views.cohort.cohort import cohort_of
from grader.reports.written_pages import STUDENT_FOLDER
from grader.runtime.cores import default_processes

_INTERRUPTED = "interrupted; students see the pages that they saw before, or all of the new ones"


@click.command()
@click.argument("folder", type=TASK_OR_FOLDER)
@click.option(
    "--from",
    "earlier",
    type=PATH,
    metavar="FOLDER",
    help="Compare with the results in this other folder.  [default: those that were released last]",
)
@released_option
@click.option("--pending", is_flag=True, help="Release although marks are pending; their pages say so.")
@click.option("-y", "--yes", is_flag=True, help="Release without a question.")
def release(folder: Path | NamedTask, earlier: Path | None, released: bool, pending: bool, yes: bool) -> int:
    """Write the students' pages of FOLDER, and hold later ones back.

    Prints which marks differ from those that were released before, and asks.  Then all pages are replaced at
    once: students see those before or those after, and never some of both.

    Example: grader mark SPEC.yaml FOLDER -o out --hold; grader release out
    """
    folder, named = run_of(folder)
    folder = folder.parent if folder.name == RESULTS else folder
    run = finished_run(folder / RESULTS)
    tell_if_changed(run)
    tell_if_stale(run, named)
    tell_if_marked_since(run)
    # The open record keeps another grader from writing into the folder meanwhile.
    with if_interrupted(_INTERRUPTED), existing_store(folder) or nullcontext(), prepared(folder) as due:
        waiting = _pending(due.results)
        if waiting and not pending:
            such = f"{submissions(len(waiting))} pending, such as {plain(waiting[0])}'s"
            hint = "mark them, or release all the same with --pending"
            tell(f"error: nothing is released: {such}\nhint: {hint}")
            return ExitCode.PENDING
        _show(due, earlier)
        tell_lines(by_hand_lines(cohort_of(due.results), width_of_terminal()))
        if not (yes or agreed("Release these pages to students?")):
            tell("nothing is released")
            return ExitCode.NOT_MET
        if released:
            results = due.results.submissions
            note_if_none_opens(case.visibility for one in results for q in one.questions for case in q.cases)
        count = due.carry_out(released, default_processes())
    tell(f"released: {count} pages in {plain(str(folder / STUDENT_FOLDER))}")
    return ExitCode.DONE


def _pending(results: RunResults) -> list[str]:
    return [one.id for one in results.submissions if one.status is Status.PENDING]


def _show(due: Release, earlier: Path | None) -> None:
    """Print what changes for students."""
    before = due.published
    if earlier is not None:
        before = finished_run(earlier).results
    if before is None:
        count = sum(1 for _ in due.results.submissions)
        print_lines([line(f"{submissions(count)}; none was released from this folder before.")])
        return
    if before.task.id != due.results.task.id:
        what = f"these are results of different tasks: {before.task.id} and {due.results.task.id}"
        raise UsageError(Fault(what))
    print_lines(change_lines(before, due.results, width_of_terminal()))
