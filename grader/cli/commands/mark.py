"""`grader mark`: a batch, from the spec and the submissions to marks and pages."""

import sys
from collections.abc import Mapping
from contextlib import nullcontext
from dataclasses import dataclass, replace
from pathlib import Path

import click

from grader.cli.batch_options import (
    Batch,
    batch_of,
    given_instead,
    instead_options,
    layout_option,
    roster_option,
    times_option,
)
from grader.cli.cluster_options import cluster_at, cluster_options
from grader.cli.course_names import TASK, of_course_option
from grader.cli.course_run import CourseRun
from grader.cli.exit_code import ExitCode
from grader.cli.messages import note, tell
from grader.cli.options import (
    PATH,
    Least,
    check_order,
    mark_or_share,
    note_if_none_opens,
    python_option,
    released_option,
    require_option,
)
from grader.cli.output import (
    if_interrupted,
    print_lines,
    tell_lines,
    tell_what_is_held,
    width_of_terminal,
)
from grader.cli.progress.marking import preparing, progress
from grader.cli.watching import Watch
from grader.course.checking import require_slip_days
from grader.course.find import NamedTask
from grader.course.terms import KIND as COURSE
from grader.engine.batch import ThisMachine
from grader.engine.output_folder import submissions as counted
from grader.engine.session import Options, Session
from grader.model.results import RunResults, TaskHead
from grader.model.task import Task
from grader.records.beside import Sources
from grader.records.last_run import GROUPS, INSTEAD, KINDS
from grader.reports.escape import plain
from grader.reports.terminal.cohort import alarm_lines, summary_lines
from grader.reports.views.cohort.cohort import Cohort
from grader.reports.views.wording import short_number
from grader.reports.written_pages import INDEX
from grader.sandbox import zygote_process
from grader.sandbox.driver import Driver
from grader.spec import load_spec
from grader.spec.places import Places

_MOST_BELOW = 10


@click.command()
@click.argument("spec", type=TASK)
@click.argument("submissions", nargs=-1, type=PATH)
@click.option(
    "-o", "--output", type=PATH, metavar="FOLDER", help="Where the results go.  [default: reports/TASK]"
)
@of_course_option
@click.option(
    "-j",
    "--jobs",
    type=click.IntRange(1),
    metavar="N",
    help="Submissions marked at a time.  [default: one a core]",
)
@python_option
@require_option(
    "The weakest sandbox to mark with: namespaces, landlock, seccomp or posix; see grader doctor."
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
@click.option(
    "--from",
    "earlier",
    type=PATH,
    metavar="FOLDER",
    help="Take over what still holds from the results in this other folder, which stays as it is.",
)
@click.option("--no-cache", is_flag=True, help="Mark everything again, and use nothing of earlier runs.")
@click.option(
    "--again",
    multiple=True,
    metavar="MACHINE",
    help="Throw away what this machine made, and mark it again: its name, or a worker's address.",
)
@roster_option
@times_option
@click.option(
    "--reviews",
    type=PATH,
    multiple=True,
    metavar="FILE",
    help="Marks that people give, and their overrides.  Several add up.  "
    "[default: reviews/TASK.yaml beside the spec]",
)
@click.option(
    "--without",
    multiple=True,
    type=click.Choice((*KINDS, GROUPS, INSTEAD, COURSE)),
    metavar="KIND",
    help="Mark without roster, times, reviews, groups, instead or course.  "
    "[default: those of the last run into FOLDER count]",
)
@instead_options
@layout_option
@released_option
@click.option(
    "--hold",
    "holds",
    is_flag=True,
    help="Write no students' pages into FOLDER, now and later, until grader release does.",
)
@click.option(
    "--anyway",
    is_flag=True,
    help="Mark although the reference does not pass its own spec; every page says so.",
)
@cluster_options
@click.option(
    "--watch",
    is_flag=True,
    help="Show the pages in a browser on this machine while the run goes on; stderr says where.",
)
@click.option("-q", "--quiet", is_flag=True, help="No progress on stderr.")
def mark(
    spec: Path | NamedTask,
    submissions: tuple[Path, ...],
    output: Path | None,
    jobs: int | None,
    python: str,
    require: str,
    fail_under: Least | None,
    only: tuple[str, ...],
    earlier: Path | None,
    no_cache: bool,
    again: tuple[str, ...],
    roster: Path | None,
    times: tuple[Path, ...],
    reviews: tuple[Path, ...],
    without: tuple[str, ...],
    instead: tuple[str, ...],
    by: str,
    reason: str,
    layout: str | None,
    released: bool,
    holds: bool,
    anyway: bool,
    cluster: str,
    watch: bool,
    quiet: bool,
    **tls: str | None,
) -> int:
    """Mark SUBMISSIONS by SPEC.

    SUBMISSIONS are downloads of an LMS, folders of students' folders, zips, or single files, in any mixture;
    `grader intake` shows what would be taken from them.

    Prints a table of marks; writes results.json, marks.csv, junit.xml, a page for each student
    (students/) and for the marker (staff/), and index.html.

    In the folder of a course, SPEC can be the name of a task; course.yaml says the rest, and what is
    given here counts instead.

    Example: grader mark specs/knights-tour.yaml submissions/knights-tour
    """
    given = given_instead(instead, by, reason)
    sources = Sources(layout or "", roster, times, reviews, without, given)
    batch = batch_of(spec, submissions, output, sources, note)
    check_order(batch.spec, batch.submissions, "the submissions")
    if earlier is not None and no_cache:
        raise click.UsageError(
            "--no-cache uses nothing of earlier runs, and --from takes one over: give one of them"
        )
    if again and (only or no_cache):
        other, why = ("--only", "marks no others") if only else ("--no-cache", "marks everything again")
        raise click.UsageError(f"--again marks all that a machine made, and {other} {why}: give one of them")
    if not (python or cluster):
        # Most specs leave the choice to us.  Then the second Python starts while this one reads the spec.
        zygote_process.prepare(sys.executable)
    task, places = load_spec(batch.spec)
    if fail_under is not None and fail_under.of(task.marks) > task.marks:
        most = short_number(task.marks)
        share = "" if fail_under.text.endswith("%") else f"; a share is {fail_under.text}%"
        raise click.UsageError(
            f"--fail-under {fail_under.text} is more than the {most} marks of the task{share}"
        )
    if released:
        note_if_none_opens(case.visibility for question in task.questions for case in question.cases)
    options = Options(
        folder=batch.folder or Path("reports", task.id),
        python=python,
        required=Driver(require),
        jobs=jobs or 0,
        only=only,
        starts_over=no_cache,
        sources=batch.sources,
        released=released,
        anyway=anyway,
        again=again,
        earlier=earlier,
        holds=holds,
        course=batch.course,
    )
    on = _Cluster(cluster, tls)
    if batch.course is not None:
        require_slip_days(batch.course.path, batch.course.task, task)
    of_course: CourseRun | None = None
    if isinstance(spec, NamedTask) and COURSE not in without:
        others = (submissions, output, python, only, again, roster, times, reviews, without, instead, layout)
        keeps_stamp = not any((*others, released, anyway, cluster, watch))
        of_course = CourseRun(spec, keeps_stamp=keeps_stamp)
    while True:
        options = replace(options, terms=of_course.terms if of_course is not None else None)
        found = _marked(task, places, batch, options, on, jobs, of_course, watch=watch, quiet=quiet)
        if found is not None:
            break
        note("what was handed in late uses slip days: the marks are computed again")
        options, watch = replace(options, starts_over=False, again=(), earlier=None), False
    session, results, cohort = found
    print_lines(summary_lines(results, width_of_terminal(), cohort))
    tell_lines(alarm_lines(cohort, width_of_terminal()))
    if not quiet:
        tell(f"report: {plain(str(options.folder / INDEX))}")
        tell_what_is_held(options.folder)
    session.add_what_awaits(cohort)
    status = ExitCode.PENDING if any(row.failed for row in cohort.rows) else ExitCode.DONE
    if of_course is not None:
        of_course.keep(status)
    if status is not ExitCode.DONE:
        return status
    return ExitCode.DONE if fail_under is None or _is_met(cohort, fail_under) else ExitCode.NOT_MET


@dataclass(frozen=True, slots=True)
class _Cluster:
    """The cluster to mark on.  address: empty for none.  tls: its options, by name."""

    address: str
    tls: Mapping[str, str | None]


def _marked(
    task: Task,
    places: Places,
    batch: Batch,
    options: Options,
    on: _Cluster,
    jobs: int | None,
    of_course: CourseRun | None,
    *,
    watch: bool,
    quiet: bool,
) -> tuple[Session, RunResults, Cohort] | None:
    """Mark once; return the session, which has ended, the results, and the cohort.

    None where nothing is published yet, since the course has other terms by these results.
    """
    is_settled = of_course.settling(options.folder) if of_course is not None else None
    session = Session(task, batch.submissions, options, note, places=places)
    head = TaskHead.of(session.task)
    seen = Watch(head, options.folder, session.text_of, released=options.released) if watch else None
    with if_interrupted(session.interruption), session, seen or nullcontext():
        with (
            progress(session.total, task.budget_s, quiet=quiet) as display,
            cluster_at(on.address, on.tls, jobs, display.note) as workers,
        ):
            with preparing(quiet=quiet) as tell_phase:
                events = session.begin(workers or ThisMachine(options.jobs, display.note), tell_phase)
            told = seen.beside(display, tell if quiet else display.say) if seen else display
            is_published = session.record(events, told, is_settled)
        if not is_published:
            return None
        if session.kept and not quiet:
            kept = f"{session.kept} of {counted(session.done)}"
            tell(f"{kept} unchanged since an earlier run (see --no-cache)")
        results, cohort = session.render()
    return session, results, cohort


def _is_met(cohort: Cohort, wanted: Least) -> bool:
    """Tell whether every mark that awaits no person is high enough; say on stderr who is below."""
    least = wanted.of(cohort.max_mark)
    below = [row for row in cohort.rows if not row.awaiting and row.mark < least]
    if below:
        below.sort(key=lambda row: row.mark)
        names = [f"{plain(row.id)} by {short_number(least - row.mark)}" for row in below[:_MOST_BELOW]]
        more = f", and {len(below) - _MOST_BELOW} more" if len(below) > _MOST_BELOW else ""
        count = counted(len(below))
        tell(f"{count} below --fail-under {wanted.text} ({short_number(least)}): {', '.join(names)}{more}")
    return not below
