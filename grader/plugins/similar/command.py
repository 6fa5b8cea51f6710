"""`grader similar`: works of a finished run that are unusually alike."""

import json
from pathlib import Path

import click

from grader.cli.course_names import RUN
from grader.cli.exit_code import ExitCode
from grader.cli.messages import note, tell
from grader.cli.options import PATH, require_option
from grader.cli.output import print_lines, width_of_terminal
from grader.cli.progress.marking import preparing
from grader.engine.output_folder import refuse_to_write
from grader.engine.record import finished_run
from grader.plugins.similar.page import document, listed, page, percent
from grader.plugins.similar.search import SimilarWorks, finds_passages, search
from grader.reports.escape import plain
from grader.reports.foreign import check_file
from grader.reports.terminal.lines import fit, line
from grader.reports.views.cohort.similar_works import DATA, PAGE
from grader.reports.views.wording import counted
from grader.sandbox.driver import Driver
from grader.store.whole_file import replace_text

_MOST_LISTED = 20


@click.command()
@click.argument("run", type=RUN)
@click.option(
    "--starter",
    multiple=True,
    type=PATH,
    metavar="PATH",
    help="Code that everybody was given: a file or a folder.  Can be given several times.  "
    "[default: handout/ in the folder beside the spec]",
)
@require_option("The weakest sandbox to read the sources in.")
@click.option("-q", "--quiet", is_flag=True, help="No progress on stderr.")
def similar(run: Path, starter: tuple[Path, ...], require: str, quiet: bool) -> int:
    """Find works of a finished RUN that are unusually alike.

    RUN is the folder of its results, or results.json in it.  The works come from its record.  Starter code
    and the reference are left out; so are names, comments and layout.

    Prints the pairs, and writes similar.html and similar.json into the folder, for the staff alone.  It is a
    hint for a person and changes no mark.

    Example: grader similar reports/knights-tour
    """
    before = finished_run(run)
    check_file(before.folder / DATA)
    check_file(before.folder / PAGE)
    with preparing(quiet=quiet) as tell_phase:
        found = search(before, starter, Driver(require), tell_phase)
    if not finds_passages():
        note("only equal works are found; pip install 'grader-harness[similar]' finds passages too")
    results = before.results
    data = document(results.run, results.task, found.comparison, found.unread)
    try:
        replace_text(before.folder / DATA, json.dumps(data, indent=1) + "\n")
        replace_text(before.folder / PAGE, page(results.run, results.task, found.comparison, found.unread))
    except OSError as error:
        refuse_to_write(before.folder, error.strerror or str(error))
    _print(found)
    if not quiet:
        tell(f"report: {plain(str(before.folder / PAGE))}")
    return ExitCode.DONE


def _print(found: SimilarWorks) -> None:
    comparison = found.comparison
    rows = list(listed(comparison))
    width = width_of_terminal()
    for score, left, right in rows[:_MOST_LISTED]:
        print_lines([line(fit(f"{score:>6}  {plain(left)}  {plain(right)}", width))])
    if len(rows) > _MOST_LISTED:
        print_lines([line(f"        and {len(rows) - _MOST_LISTED} more, in {DATA}")])
    if not rows:
        print_lines([line("no works are unusually alike")])
    about = f"{counted(comparison.compared, 'work')} compared, {len(comparison.short)} too short"
    if found.unread:
        about += f", {len(found.unread)} unreadable"
    if comparison.threshold is not None:
        least = comparison.threshold.score
        about += f"; told from {percent(least)} on" if least <= 1 else "; no score can stand out here"
    note(f"{about}; a hint for a person, never a mark")
