"""`grader library`: the tasks that can be copied, and whether those of a folder are sound."""

import sys
from collections.abc import Iterator
from contextlib import AbstractContextManager
from pathlib import Path
from textwrap import wrap

import click

from grader.authoring.library.library import Library
from grader.authoring.library.page import LICENCE, MARKS, PRACTISES, Page
from grader.authoring.library.shipped import library_in, own_library
from grader.cli.exit_code import ExitCode
from grader.cli.options import PATH
from grader.cli.output import if_interrupted, print_lines, width_of_terminal
from grader.cli.progress.stages import StageDisplay
from grader.model.errors import Fault, NothingToMark, UsageError
from grader.reports.escape import plain
from grader.reports.terminal.lines import LETTERS, Line, StyledText, cells, fit, line
from grader.reports.tone import Tone
from grader.reports.views.wording import counted
from grader.store.whole_file import replace_text

_LEAST_WIDTH = 40


@click.group(invoke_without_command=True)
@click.pass_context
def library(context: click.Context) -> int:
    """Tasks that others take over: list them, and check that they are sound.

    Without a command it lists those that grader brings along. To copy one: grader new --from NAME
    """
    return int(context.invoke(list_tasks)) if context.invoked_subcommand is None else ExitCode.DONE


@library.command("list")
@click.argument("folder", required=False, type=PATH)
def list_tasks(folder: Path | None = None) -> int:
    """List the tasks of the library in FOLDER, or of the grader's own.

    A task is a spec NAME.yaml with a page NAME.md beside it, in FOLDER or below.

    Example: grader library list our-tasks
    """
    with _opened(folder) as found:
        pages = {name: found.page(place) for name, place in found.places.items()}
    if not pages:
        raise _nothing(folder)
    print_lines(_listing(pages, width_of_terminal(), "" if folder is None else f"{plain(str(folder))}/"))
    return ExitCode.DONE


@library.command()
@click.argument("folder", type=PATH)
@click.argument("names", nargs=-1, metavar="[NAME]...")
@click.option("--write", is_flag=True, help="Write the figures into the pages.")
@click.option("--quick", is_flag=True, help="For a hook before each commit: some mutants, no figures.")
@click.option("-o", "--output", type=PATH, metavar="FOLDER", help="[default: reports]")
@click.option("-j", "--jobs", type=click.IntRange(1), metavar="N", help="Processes.  [default: one a core]")
@click.option("-q", "--quiet", is_flag=True, help="No progress on stderr.")
def check(
    folder: Path,
    names: tuple[str, ...],
    write: bool,
    quick: bool,
    output: Path | None,
    jobs: int | None,
    quiet: bool,
) -> int:
    """Check all tasks of the library in FOLDER, or those of some NAMEs.

    Each is copied into an empty folder and validated there, as by `grader validate`. Its page must name a
    licence, and say the figures of its validation.

    Exits with 0 if all is well, with 1 if not.

    Example: grader library check our-tasks --write
    """
    from grader.plugins.validate.library.check import check_task  # noqa: PLC0415  (listing does without)
    from grader.plugins.validate.pages import write_validation  # noqa: PLC0415
    from grader.plugins.validate.whole import Options  # noqa: PLC0415
    from grader.sandbox import zygote_process  # noqa: PLC0415

    if write and quick:
        raise click.UsageError("--write needs all of the figures: leave out --quick")
    zygote_process.prepare(sys.executable)
    are_well = 0
    with library_in(folder) as found:
        places = [found.place(name) for name in dict.fromkeys(names)] or list(found.places.values())
        if not places:
            raise _nothing(folder)
        width = max(cells(place.name) for place in places)
        for place in places:
            reports = (output or Path("reports")) / place.name / "validation"
            options = Options(quick=quick, jobs=jobs or 0, known=reports / "known.json")
            on_interrupt = if_interrupted("interrupted; the same command goes on from here")
            with on_interrupt, StageDisplay(quiet=quiet) as display:
                checked = check_task(found, place, options, display.tell)
            problems = checked.problems + (() if write else checked.stale)
            if checked.validation is not None:
                write_validation(reports, checked.validation)
            if write and checked.figures:
                _write(folder.joinpath(*place.shelf, f"{place.name}.md"), checked.page, checked.renewed)
            are_well += not problems
            print_lines(_checked_lines(place.name, width, checked.told, problems, width_of_terminal()))
    told = f"{counted(len(places), 'task')}, {are_well} well"
    print_lines(
        [line(), line(told if are_well < len(places) else f"{counted(len(places), 'task')}, all well")]
    )
    return ExitCode.DONE if are_well == len(places) else ExitCode.NOT_MET


def _opened(folder: Path | None) -> AbstractContextManager[Library]:
    return own_library() if folder is None else library_in(folder)


def _nothing(folder: Path | None) -> UsageError:
    hint = "a task is a spec NAME.yaml with its page NAME.md beside it; see docs/library.md"
    return NothingToMark(Fault("there is no task of a library here", str(folder or ""), hint=hint))


def _write(path: Path, old: Page, new: Page) -> None:
    if new.text == old.text:
        return
    try:
        replace_text(path, new.text, alike=True)
    except OSError as error:
        raise UsageError(Fault(f"the page can't be written: {error.strerror}", str(path))) from error


def _listing(pages: dict[str, Page], width: int, start: str) -> Iterator[Line]:
    names = max(cells(name) for name in pages)
    marks = max(len("marks"), *(cells(_of(page, MARKS)) for page in pages.values()))
    licences = {_of(page, LICENCE) or "none" for page in pages.values()}
    one = licences.pop() if len(licences) == 1 else ""
    licence = 0 if one else max(len("licence"), *(cells(each) for each in licences))
    indent = names + 2 + marks + 2 + (licence + 2 if licence else 0)
    room = max(width - indent, _LEAST_WIDTH)
    heads = [fit("task", names), fit("marks", marks), *([fit("licence", licence)] if licence else [])]
    yield line(StyledText("  ".join((*heads, "what it shows")), Tone.IDLE))
    for name, page in pages.items():
        practises = _of(page, PRACTISES)
        shows = f"{plain(page.title)} ({practises})" if practises else plain(page.title)
        first, *more = wrap(shows, room, break_on_hyphens=False) or [""]
        told = f"{_of(page, LICENCE) or 'none':<{licence}}  " if licence else ""
        yield line(StyledText(fit(name, names), strong=True), f"  {_of(page, MARKS):>{marks}}  {told}{first}")
        yield from (line(" " * indent, each) for each in more)
    yield line()
    if one:
        yield line(f"{counted(len(pages), 'task')}, licence: {one}")
    yield line(f"To copy one into this folder: grader new --from {start}NAME")


def _of(page: Page, key: str) -> str:
    return plain(page.about.get(key, ""))


def _checked_lines(name: str, names: int, told: str, problems: tuple[str, ...], width: int) -> Iterator[Line]:
    tone = Tone.BAD if problems else Tone.GOOD
    first, *more = problems or (told,)
    yield line(StyledText(f"{LETTERS[tone]} ", tone, strong=True), f"{fit(name, names)}  {plain(first)}")
    yield from (line(" " * (names + 4), plain(each)) for each in more)
