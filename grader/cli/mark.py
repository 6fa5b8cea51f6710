"""`grader mark`: a batch, from the spec and the submissions to marks and pages."""

import os
from collections.abc import Generator, Iterator
from contextlib import closing, contextmanager
from dataclasses import dataclass
from fractions import Fraction
from pathlib import Path
from typing import TYPE_CHECKING, NoReturn

import click

from grader.cli.options import mark_or_share, python_option, released_option
from grader.sandbox.driver import LADDER, Driver

if TYPE_CHECKING:
    from grader.cli.progress import Progress
    from grader.model.events import Event
    from grader.model.results import SubmissionResult
    from grader.model.task import Task


@click.command(short_help="Mark a batch: a table of marks, and a page for each student.")
@click.argument("spec", type=click.Path(path_type=Path))
@click.argument("submissions", nargs=-1, required=True, type=click.Path(path_type=Path))
@click.option(
    "-o",
    "--output",
    type=click.Path(path_type=Path),
    metavar="FOLDER",
    help="Where the results go.  [default: reports/TASK]",
)
@click.option(
    "-j",
    "--jobs",
    type=click.IntRange(1),
    metavar="N",
    help="Submissions marked at a time.  [default: one a core]",
)
@python_option
@click.option(
    "--require",
    type=click.Choice([str(driver) for driver in LADDER]),
    default="landlock",
    show_default=True,
    metavar="DRIVER",
    help="The weakest sandbox to mark with: namespaces, landlock, seccomp or posix; see grader doctor.",
)
@click.option(
    "--fail-under",
    type=mark_or_share,
    metavar="MARK",
    help="Exit with 1 if any mark is below this: a mark such as 6.5, or a share such as 60%.",
)
@released_option
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

    Example: grader mark specs/knights-tour.yaml submissions/knights-tour
    """
    from grader.cli import ExitCode
    from grader.cli.output import print_lines, tell, width_of_terminal
    from grader.cli.progress import progress
    from grader.engine.run import mark_batch
    from grader.intake import discover
    from grader.reports.escape import plain
    from grader.reports.render import render_all
    from grader.reports.terminal import summary_lines
    from grader.spec import load_task
    from grader.store.reading import stream_document

    _not_the_other_way_round(spec, submissions)
    task = load_task(spec)
    notes: list[str] = []
    candidates = discover(submissions, dict(task.modules), on_note=notes.append)
    for note in notes:
        tell(f"note: {plain(note)}")
    folder = output or Path("reports", task.id)
    # Before the sandbox and the reference take their time; made once nothing can be refused any more.
    _check_apart(folder, submissions)
    _check_writable(folder)
    tally = _Tally(len(candidates), lowest=task.marks)
    try:
        with progress(len(candidates), quiet=quiet) as shown:
            events = mark_batch(
                task, candidates, python=python, required=Driver(require), processes=jobs or 0
            )
            _record(events, task, folder, tally, shown)
    except KeyboardInterrupt:
        tell(f"interrupted: {tally.done} of {_counted(tally.total)} marked, no results written")
        # In its own words an interrupt makes click print an empty line.
        raise click.Abort from None
    document = stream_document(folder / "results.json")
    index = render_all(document, folder, released)
    print_lines(summary_lines(document, width_of_terminal()))
    if not quiet:
        tell(f"report: {plain(str(index))}")
    if tally.pending:
        return ExitCode.PENDING
    if fail_under is not None and tally.lowest < _threshold(task.marks, *fail_under):
        return ExitCode.NOT_MET
    return ExitCode.DONE


@dataclass(slots=True)
class _Tally:
    """What the exit status and the last words depend on."""

    total: int
    lowest: Fraction
    done: int = 0
    pending: int = 0

    def add(self, result: "SubmissionResult") -> None:
        self.done += 1
        self.pending += result.status == "pending"
        self.lowest = min(self.lowest, result.mark)


def _record(
    events: "Generator[Event, None, None]", task: "Task", folder: Path, tally: _Tally, shown: "Progress"
) -> None:
    """Follow a run to its end, keeping each result as it comes; then write results.json."""
    from grader.engine.run import finished
    from grader.model.events import RunFinished, RunStarted, SubmissionMarked
    from grader.model.results import RunInfo
    from grader.store.document import TaskHead, submission_document, to_document, write_json
    from grader.store.run_store import RunStore

    _make_folder(folder)
    run: RunInfo | None = None
    with closing(events), RunStore(folder) as store:
        for event in events:
            match event:
                case RunStarted(run=run, submissions=count):
                    shown.say(f"marking {_counted(count)} with Python {run.python}; sandbox: {run.driver}")
                case SubmissionMarked(result=result):
                    with _refusing_to_write(folder):
                        store.append(submission_document(result))
                    tally.add(result)
                    shown.advance(result.name)
                case RunFinished(finished=time):
                    assert run is not None
                    document = to_document(finished(run, time), TaskHead.of(task), [])
                    document["submissions"] = store.submissions()
                    with _refusing_to_write(folder):
                        write_json(folder / "results.json", document)


def _counted(number: int) -> str:
    return f"{number} submission" + ("s" if number != 1 else "")


def _threshold(maximum: Fraction, number: Fraction, is_share: bool) -> Fraction:
    return maximum * number / 100 if is_share else number


def _not_the_other_way_round(spec: Path, submissions: tuple[Path, ...]) -> None:
    """Tell the commonest slip for what it is.  Raises `click.UsageError`."""
    if spec.suffix in (".yaml", ".yml"):
        return
    for path in submissions:
        if path.suffix in (".yaml", ".yml"):
            raise click.UsageError(f"{path} looks like the spec; it comes first, before the submissions")


def _check_apart(folder: Path, submissions: tuple[Path, ...]) -> None:
    """Raises `UsageError` where the next run would take the results for a student's work."""
    place = folder.resolve()
    if any(place.is_relative_to(path.resolve()) for path in submissions):
        _refuse(folder, "they would lie among the submissions")


def _check_writable(folder: Path) -> None:
    """Raises `UsageError` where the folder could not be made, or not be written to."""
    try:
        existing = next(place for place in (folder, *folder.absolute().parents) if place.exists())
    except OSError as error:
        _refuse(folder, error.strerror or str(error))
    if not existing.is_dir():
        _refuse(folder, f"{existing} is a file" if existing != folder else "there is a file of that name")
    if not os.access(existing, os.W_OK | os.X_OK):
        _refuse(folder, "permission denied")


def _make_folder(folder: Path) -> None:
    try:
        folder.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        _refuse(folder, error.strerror or str(error))


@contextmanager
def _refusing_to_write(folder: Path) -> Iterator[None]:
    """Turn a full disk in the middle of a run into one message."""
    import sqlite3

    try:
        yield
    except (OSError, sqlite3.Error) as error:
        _refuse(folder, str(getattr(error, "strerror", None) or error))


def _refuse(folder: Path, reason: str) -> NoReturn:
    from grader.model.errors import Fault, UsageError

    hint = "choose another folder with -o"
    raise UsageError(Fault(f"cannot write the results: {reason}", str(folder), hint=hint)) from None
