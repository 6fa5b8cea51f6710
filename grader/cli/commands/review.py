"""`grader review`: marks by hand, in a browser on this machine or in a sheet."""

import asyncio
import webbrowser
from collections.abc import Sequence
from pathlib import Path

import click

from grader.cli.asking import agreed
from grader.cli.course_names import TASK, of_course_option
from grader.cli.exit_code import ExitCode
from grader.cli.messages import note, tell
from grader.cli.options import PATH
from grader.course.find import NamedTask
from grader.engine.record import finished_run
from grader.model.errors import Fault, UsageError
from grader.model.submission import MarkRole
from grader.reports.escape import plain
from grader.reports.views.wording import counted
from grader.reviewing.reviewer import Reviewer, Wanted, reviewer
from grader.reviewing.sheet import take_sheet, write_sheet
from grader.serving.needed import need_tornado
from grader.spec import load_task

_MOST_CHANGES = 12


@click.command()
@click.argument("spec", type=TASK)
@click.argument("folder", type=PATH, required=False)
@of_course_option
@click.option("--by", required=True, metavar="NAME", help="Who marks; it stands beside each mark.")
@click.option(
    "--reviews",
    type=PATH,
    multiple=True,
    metavar="FILE",
    help="Your file; further ones are read and not written.  [default: reviews/TASK.yaml beside the spec; "
    "where there is a folder reviews/TASK, a file of your name in it]",
)
@click.option("--criterion", "criteria", multiple=True, metavar="ID", help="Mark this criterion alone.")
@click.option("--group", "groups", multiple=True, metavar="GROUP", help="Mark this group alone.")
@click.option("--only", multiple=True, metavar="STUDENT", help="Mark this student alone.")
@click.option(
    "--share", default="", metavar="N/OF", help="Mark this share of the works, such as 2/3: the second third."
)
@click.option("--second", is_flag=True, help="Mark a second time the works that the spec's `second` draws.")
@click.option("--agree", is_flag=True, help="Agree on the marks that differ between the two.")
@click.option("--to", "into", type=PATH, metavar="FILE", help="Write a sheet (CSV) instead, to mark in it.")
@click.option("--from", "sheet", type=PATH, metavar="FILE", help="Take the marks of such a sheet.")
@click.option("-y", "--yes", is_flag=True, help="Take them without asking.")
@click.option("--no-browser", is_flag=True, help="Open no browser; stderr says where the page is.")
def review(
    spec: Path | NamedTask,
    folder: Path | None,
    by: str,
    reviews: tuple[Path, ...],
    criteria: tuple[str, ...],
    groups: tuple[str, ...],
    only: tuple[str, ...],
    share: str,
    second: bool,
    agree: bool,
    into: Path | None,
    sheet: Path | None,
    yes: bool,
    no_browser: bool,
) -> int:
    """Mark by hand what a person has to mark: on a page in your browser, which this machine alone can see.

    FOLDER holds the results of grader mark.  [default: reports/TASK]  Every change is on the disk at once;
    the next grader mark brings it into the marks.

    Example: grader review essay --by 'A. Marker'
    """
    if isinstance(spec, NamedTask):
        task, usual, named = load_task(spec.task.spec), spec.task.reports, spec.task.reviews
    else:
        task = load_task(spec)
        usual, named = Path("reports", task.id), ()
    if into is not None and sheet is not None:
        raise UsageError(Fault("--to and --from contradict each other: write a sheet, or take one"))
    if second and agree:
        raise click.UsageError("--second and --agree are two steps, one after the other")
    role = MarkRole.SECOND if second else MarkRole.AGREED if agree else MarkRole.FIRST
    wanted = Wanted(by.strip(), reviews or named, criteria, groups, only, share, role)
    found = reviewer(task, finished_run(folder or usual), wanted, note)
    if into is not None or sheet is not None:
        _tell_weighted_anew(found)
    if into is not None:
        count = write_sheet(found.desk, into)
        tell(f"sheet: {plain(str(into))}, {counted(count, 'work')}")
        return ExitCode.DONE
    if sheet is not None:
        taken = take_sheet(found.desk, sheet, (lambda lines: True) if yes else _sure, note)
        if taken is None:
            tell("nothing was taken")
        else:
            tell(f"{counted(taken, 'change')} taken into {plain(str(found.path))}")
        return ExitCode.DONE
    return _serve(found, opens=not no_browser)


def _sure(lines: Sequence[str]) -> bool:
    for line in lines:
        click.echo(plain(line), err=True)
    return agreed("Take these changes?")


def _serve(found: Reviewer, *, opens: bool) -> int:
    need_tornado("grader review")
    from grader.reviewing.application import Room, review_application
    from grader.serving.address import listen
    from grader.serving.server import serve

    listening, address = listen()
    room = Room(found.desk, found.run, found.head, found.files)

    def begun() -> None:
        _tell(found, address.url)
        if opens:
            webbrowser.open(address.url)

    try:
        serve(listening, review_application(address, room), lambda: asyncio.Event().wait(), begun)
    except KeyboardInterrupt:
        tell(f"marks are in {plain(str(found.path))}; grader report brings them into the pages")
    return ExitCode.DONE


def _tell(found: Reviewer, url: str) -> None:
    """Tell where the page is, and what is to be done."""
    left = sum(bool(each) for each in found.left())
    tell(f"review: {url}")
    works = counted(len(found.works), "work")
    tell(f"  {works}, {left} with something unmarked; marks go into {plain(str(found.path))}")
    _tell_weighted_anew(found)
    tell("  Ctrl-C ends it")


def _tell_weighted_anew(found: Reviewer) -> None:
    """Tell which marks by hand change with the next run, since somebody weighed a level anew."""
    changes = list(found.weighted_anew())
    if changes:
        count = counted(len(changes), "mark")
        tell(f"{count} by hand change with the next grader mark, since levels have other marks now:")
        for line in changes[:_MOST_CHANGES]:
            tell(f"  {plain(line)}")
        if len(changes) > _MOST_CHANGES:
            tell(f"  and {len(changes) - _MOST_CHANGES} more")
