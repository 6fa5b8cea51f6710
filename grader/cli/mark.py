"""`grader mark`: a batch, from the spec and the submissions to marks and pages."""

import sys
from fractions import Fraction
from pathlib import Path

import click

from grader.cli.options import DRIVERS, MarkOrPercent, python_option, width_of_terminal


@click.command()
@click.argument("spec", type=click.Path(path_type=Path))
@click.argument("submissions", nargs=-1, required=True, type=click.Path(path_type=Path))
@click.option(
    "-o",
    "--output",
    type=click.Path(path_type=Path, file_okay=False),
    help="Folder for the results.  [default: reports/TASK]",
)
@click.option(
    "-j", "--jobs", type=click.IntRange(1), help="Submissions marked at a time.  [default: one a core]"
)
@python_option
@click.option(
    "--require",
    type=click.Choice(DRIVERS),
    default="landlock",
    show_default=True,
    help="The weakest sandbox to mark with; see `grader doctor`.",
)
@click.option(
    "--fail-under",
    type=MarkOrPercent(),
    metavar="MARK",
    help="Exit with 1 if any mark is below this: a mark such as 6.5, or a share such as 60%.",
)
@click.option(
    "--released", is_flag=True, help="Students may see the cases that are hidden until the due date."
)
@click.option("-q", "--quiet", is_flag=True, help="No progress on stderr.")
def mark(
    spec: Path,
    submissions: tuple[Path, ...],
    output: Path | None,
    jobs: int | None,
    python: str,
    require: str,
    fail_under: tuple[Fraction, bool] | None,
    released: bool,
    quiet: bool,
) -> int:
    """Mark SUBMISSIONS by SPEC.

    SUBMISSIONS are folders of students' folders, zips, or single files, in any mixture.

    Prints a table of marks; writes results.json, marks.csv, junit.xml, a page for each student
    (students/) and for the marker (staff/), and index.html.

    Example: grader mark specs/knights-tour.yaml submissions/knights-tour -o reports/first
    """
    from grader.cli import ExitCode
    from grader.cli.progress import progress
    from grader.engine.run import finished, mark_batch
    from grader.intake import discover
    from grader.model.events import RunFinished, RunStarted, SubmissionMarked
    from grader.model.results import RunInfo
    from grader.reports.render import render_all
    from grader.reports.terminal import summary_lines
    from grader.reports.terminal_lines import write_lines
    from grader.sandbox.driver import Driver
    from grader.spec import load_task
    from grader.store.document import TaskHead, submission_document, to_document, write_json
    from grader.store.reading import read_document
    from grader.store.run_store import RunStore

    task = load_task(spec)
    notes: list[str] = []
    candidates = discover(submissions, dict(task.modules), on_note=notes.append)
    _tell_notes(notes, quiet)
    folder = output or Path("reports", task.id)
    _make_folder(folder)
    run: RunInfo | None = None
    with RunStore(folder) as store, progress(len(candidates), quiet=quiet) as shown:
        events = mark_batch(task, candidates, python=python, required=Driver(require), processes=jobs or 0)
        for event in events:
            match event:
                case RunStarted(run=run):
                    pass
                case SubmissionMarked(result=result):
                    store.append(submission_document(result))
                    shown.advance(result.name)
                case RunFinished(finished=time):
                    assert run is not None
                    document = to_document(finished(run, time), TaskHead.of(task), [])
                    document["submissions"] = store.submissions()
                    write_json(folder / "results.json", document)
    document = read_document(folder / "results.json")
    render_all(document, folder, released)
    write_lines(summary_lines(document, width_of_terminal()), sys.stdout)
    if not quiet:
        click.echo(f"report: {folder / 'index.html'}", err=True)
    if any(submission["status"] == "pending" for submission in document["submissions"]):
        return ExitCode.PENDING
    if fail_under is not None and _below(document["submissions"], task.marks, *fail_under):
        return ExitCode.NOT_MET
    return ExitCode.DONE


def _tell_notes(notes: list[str], quiet: bool) -> None:
    from grader.reports.escape import plain

    for note in [] if quiet else notes:
        click.echo("note: " + plain(note), err=True)


def _make_folder(folder: Path) -> None:
    from grader.model.errors import Fault, UsageError

    try:
        folder.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        raise UsageError(Fault(f"cannot make the folder {folder}: {error.strerror}")) from error


def _below(submissions: object, maximum: Fraction, number: Fraction, is_percent: bool) -> bool:
    """Whether any mark is under the threshold."""
    threshold = maximum * number / 100 if is_percent else number
    return any(Fraction(submission["mark"]) < threshold for submission in submissions)  # type: ignore[attr-defined]
