"""`grader mark`: a batch, from the spec and the submissions to marks and pages."""

import sys
from fractions import Fraction
from pathlib import Path
from typing import TYPE_CHECKING

import click

from grader.cli.cluster_options import cluster_at, cluster_options
from grader.cli.options import mark_or_share, python_option, released_option
from grader.sandbox.driver import LADDER, Driver

if TYPE_CHECKING:
    from grader.reports.views.cohort import Cohort


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
@click.option(
    "--only",
    multiple=True,
    metavar="STUDENT",
    help="Mark this submission alone; the others keep their results.  Can be given several times.",
)
@click.option("--no-cache", is_flag=True, help="Mark everything anew, whatever earlier runs found out.")
@click.option(
    "--times",
    type=click.Path(path_type=Path),
    metavar="FILE",
    help="When submissions came, by student: YAML, CSV, or a Gradescope export's metadata.",
)
@click.option(
    "--reviews",
    type=click.Path(path_type=Path),
    metavar="FILE",
    help="Marks that people give, and their overrides.  [default: reviews/TASK.yaml]",
)
@released_option
@cluster_options
@click.option("-q", "--quiet", is_flag=True, help="No progress on stderr.")
def mark(
    spec: Path,
    submissions: tuple[Path, ...],
    output: Path | None,
    jobs: int | None,
    python: str,
    require: str,
    fail_under: tuple[Fraction, bool] | None,
    only: tuple[str, ...],
    no_cache: bool,
    times: Path | None,
    reviews: Path | None,
    released: bool,
    cluster: str,
    quiet: bool,
    **tls: str | None,
) -> int:
    """Mark SUBMISSIONS by SPEC.

    SUBMISSIONS are folders of students' folders, zips, or single files, in any mixture.

    Prints a table of marks; writes results.json, marks.csv, junit.xml, a page for each student
    (students/) and for the marker (staff/), and index.html.

    Example: grader mark specs/knights-tour.yaml submissions/knights-tour
    """
    from grader.sandbox import zygote_process

    _not_the_other_way_round(spec, submissions)
    if not (python or cluster):
        # Most specs leave the choice to us: then the second Python starts while this one imports.
        zygote_process.prepare(sys.executable)
    from grader.cli import ExitCode
    from grader.cli.earlier_results import (
        check_task,
        existing_store,
        new_store,
        tell_absent,
        tell_unmarked,
        without,
    )
    from grader.cli.output import print_lines, tell, width_of_terminal
    from grader.cli.output_folder import check_apart, check_writable, make_folder
    from grader.cli.people import recorded, tell_awaited
    from grader.cli.progress import preparing, progress
    from grader.cli.recording import Tally, counted, record
    from grader.engine.cache.keys import nothing_known
    from grader.engine.run import mark_batch
    from grader.intake import discover
    from grader.reports.escape import plain
    from grader.reports.render import render
    from grader.reports.terminal.cohort import summary_lines
    from grader.reports.written_pages import INDEX
    from grader.runtime.cores import default_processes
    from grader.spec import load_task
    from grader.store.reading import stream_results

    task = load_task(spec)
    notes: list[str] = []
    candidates = discover(submissions, dict(task.modules), on_note=notes.append)
    for note in notes:
        tell(f"note: {plain(note)}")
    # Submissions that are named one by one may be a few of those that the reviews are about.
    whole_batch = len(candidates) != len(submissions)
    batch = recorded(task, candidates, times, reviews, whole_batch=whole_batch)
    folder = output or Path("reports", task.id)
    # Before the sandbox and the reference take their time; made once nothing can be refused any more.
    check_apart(folder, submissions)
    check_writable(folder)
    check_task(folder, task.id)
    tally = Tally(len(candidates), starts_anew=no_cache)
    store = existing_store(folder)
    try:
        known: dict[str, str] = {}
        if store is not None:
            store.claim(task.id)
            known = store.keys()
        tell_unmarked(folder, candidates, only, known)
        tell_absent(folder, candidates, known)
        with (
            progress(len(candidates), task.budget_s, quiet=quiet) as shown,
            cluster_at(cluster, tls, jobs, shown.note) as workers,
        ):
            with preparing(quiet=quiet) as tell_phase:
                events = mark_batch(
                    task,
                    batch.candidates,
                    python=python,
                    required=Driver(require),
                    processes=jobs or 0,
                    known=without(known, only) if no_cache else known,
                    evidence=store.evidence if store is not None and not no_cache else nothing_known,
                    only=only,
                    machines=workers,
                    tell=tell_phase,
                )
            if store is None:
                make_folder(folder)
                store = new_store(folder, task.id)
            record(events, store, task, folder, tally, shown)
        if tally.kept and not quiet:
            tell(f"{tally.kept} of {counted(tally.done)} unchanged since an earlier run (see --no-cache)")
        results = stream_results(folder / "results.json")
        # With the record still open: another grader must not write the files of its run between ours.
        cohort = render(results, folder, released, jobs or default_processes())
    except KeyboardInterrupt:
        tell(tally.interrupted())
        # In its own words an interrupt makes click print an empty line.
        raise click.Abort from None
    finally:
        if store is not None:
            store.close()
    print_lines(summary_lines(results, width_of_terminal(), cohort))
    if not quiet:
        tell(f"report: {plain(str(folder / INDEX))}")
    awaiting = {row.id: row.awaiting for row in cohort.rows if row.awaiting}
    tell_awaited(task, batch.reviews, awaiting, [candidate.id for candidate in candidates])
    if any(row.failed for row in cohort.rows):
        return ExitCode.PENDING
    if fail_under is not None and _lowest(cohort) < _threshold(task.marks, *fail_under):
        return ExitCode.NOT_MET
    return ExitCode.DONE


def _lowest(cohort: "Cohort") -> Fraction:
    """Return the lowest of the marks that wait for nobody."""
    from grader.marking.rounding import parse_mark

    return min((parse_mark(row.mark) for row in cohort.rows if not row.awaiting), default=cohort.max_mark)


def _threshold(maximum: Fraction, number: Fraction, is_share: bool) -> Fraction:
    return maximum * number / 100 if is_share else number


def _not_the_other_way_round(spec: Path, submissions: tuple[Path, ...]) -> None:
    """Tell the commonest slip for what it is.  Raises `click.UsageError`."""
    if spec.suffix in (".yaml", ".yml"):
        return
    for path in submissions:
        if path.suffix in (".yaml", ".yml"):
            raise click.UsageError(f"{path} looks like the spec; it comes first, before the submissions")
