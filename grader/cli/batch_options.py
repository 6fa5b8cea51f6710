"""Options on how a batch of submissions came, and what a course says of it instead."""

import os
from collections.abc import Callable, Iterable
from dataclasses import dataclass, replace
from pathlib import Path

import click

from grader.cli.options import PATH
from grader.course.find import NamedTask
from grader.course.terms import CourseSource
from grader.course.times import times_of
from grader.intake.layouts.recognise import layout_names
from grader.intake.names import shown
from grader.model.errors import Fault, UsageError
from grader.records.beside import GivenFile, Sources
from grader.records.last_run import REVIEWS, ROSTER, TIMES

_LAYOUTS = layout_names()

layout_option = click.option(
    "--layout",
    type=click.Choice(_LAYOUTS),
    metavar="NAME",
    help=f"The layout of the submissions: {', '.join(_LAYOUTS)}.  [default: found out]",
)

roster_option = click.option(
    "--roster",
    type=PATH,
    metavar="FILE",
    help="The list of the class, CSV as the LMS gives it: names, ids, groups, extensions.",
)

times_option = click.option(
    "--times",
    type=PATH,
    multiple=True,
    metavar="FILE",
    help="When submissions came, by student: YAML, CSV, Moodle's grading worksheet, Gradescope's metadata, "
    "what Canvas's API says of submissions.  Several add up.",
)


_INSTEAD = click.option(
    "--instead",
    multiple=True,
    metavar="STUDENT=FILE",
    help="Mark FILE, or a folder, in place of what STUDENT handed in; later runs into FOLDER do so again.  "
    "STUDENT= ends it.  Can be given several times.",
)
_BY = click.option("--by", default="", metavar="NAME", help="Who gives the files of --instead.")
_REASON = click.option(
    "--reason", default="", metavar="TEXT", help="Why they are marked instead; the student's page shows it."
)


def instead_options(command: Callable[..., int]) -> Callable[..., int]:
    """Add the options on files that are marked in place of single works."""
    return _INSTEAD(_BY(_REASON(command)))


def given_instead(options: Iterable[str], by: str, reason: str) -> tuple[GivenFile, ...]:
    """Return the files of the option `--instead`.  Raises `UsageError`."""
    given, faults = [], []
    for option in options:
        student, sign, path = option.partition("=")
        if not (student.strip() and sign):
            what = f"--instead {shown(option)} does not say which file stands for whose work"
            faults.append(Fault(what, hint="write STUDENT=FILE, such as student-05=mended/leap.py"))
            continue
        file = Path(os.path.expanduser(path)) if path else None
        given.append(GivenFile(student.strip(), file, by.strip(), reason.strip()))
    needs = any(each.path is not None for each in given)
    for option, text, hint in (
        ("--by", by, "name who gives the file: --by 'A. Marker'"),
        ("--reason", reason, "say why, for the student: --reason 'the file was named hw6.py'"),
    ):
        if needs and not text.strip():
            faults.append(Fault(f"--instead needs {option}", hint=hint))
        if text.strip() and not (needs or faults):
            faults.append(Fault(f"{option} goes with --instead STUDENT=FILE"))
    if faults:
        raise UsageError(*faults)
    return tuple(given)


@dataclass(frozen=True, slots=True, kw_only=True)
class Batch:
    """A batch to mark.  folder: for the results; None for the usual one.  course: None without one."""

    spec: Path
    submissions: tuple[Path, ...]
    folder: Path | None
    sources: Sources
    course: CourseSource | None = None


def batch_of(
    named: Path | NamedTask,
    submissions: tuple[Path, ...],
    folder: Path | None,
    sources: Sources,
    note: Callable[[str], None],
) -> Batch:
    """Return the batch that a command names; a course says what the command does not.

    named: the spec, or a task of a course.  Raises `click.UsageError` where no submissions are named.
    """
    if isinstance(named, Path):
        if not submissions:
            raise click.UsageError("Missing argument 'SUBMISSIONS...'.")
        return Batch(spec=named, submissions=submissions, folder=folder, sources=sources)
    course, task = named.course, named.task
    if not (submissions or task.submissions):
        raise click.UsageError(f"the course does not say where the submissions to {task.name} are: name them")
    usual = {
        ROSTER: (course.roster,) if course.roster is not None else (),
        TIMES: times_of(task),
        REVIEWS: task.reviews,
    }
    for kind, files in usual.items():
        given = sources.named(kind)
        if given and files and given != files:
            note(f"the {kind} are not those of the course ({', '.join(map(str, files))})")
    missing = [kind for kind in usual if not sources.named(kind) and kind not in sources.without]
    taken = {kind: usual[kind] for kind in missing}
    sources = replace(
        sources,
        layout=sources.layout or task.layout,
        roster=next(iter(taken.get(ROSTER, ())), sources.roster),
        times=taken.get(TIMES) or sources.times,
        reviews=taken.get(REVIEWS) or sources.reviews,
    )
    return Batch(
        spec=task.spec,
        submissions=submissions or task.submissions,
        folder=folder or task.reports,
        sources=sources,
        course=CourseSource(course.path, task.name),
    )
