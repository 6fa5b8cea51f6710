"""`grader validate`: test the tests of a spec."""

import sys
from fractions import Fraction
from pathlib import Path

import click

from grader.cli.course_names import SPEC
from grader.cli.exit_code import ExitCode
from grader.cli.messages import tell
from grader.cli.options import PATH, python_option
from grader.cli.output import if_interrupted, print_lines, width_of_terminal
from grader.cli.progress.stages import StageDisplay
from grader.model.validation import Validation
from grader.plugins.validate.as_json import to_json
from grader.plugins.validate.pages import write_validation
from grader.plugins.validate.whole import MUTANTS, Options
from grader.plugins.validate.whole import validate as validate_task
from grader.reports.escape import plain
from grader.reports.foreign import check_file
from grader.reports.terminal.lines import line
from grader.reports.terminal.validation import validation_lines
from grader.reports.written_pages import INDEX
from grader.sandbox import zygote_process
from grader.spec import load_spec

_KNOWN = "known.json"
_FOLDER = "validation"


def _share(text: str) -> Fraction:
    """Return a share in percent, from `95%` or `95`.  Raises `click.BadParameter`."""
    try:
        share = Fraction(text.removesuffix("%"))
    except (ValueError, ZeroDivisionError):
        share = Fraction(-1)
    if not 0 <= share <= 100:
        raise click.BadParameter(f"{text!r} is no share such as 95%")
    return share


@click.command()
@click.argument("specs", nargs=-1, required=True, metavar="SPEC...", type=SPEC)
@click.option("--quick", is_flag=True, help="For a hook before each commit: some mutants, no search.")
@click.option("--json", "as_json", is_flag=True, help="Print the findings as JSON.")
@click.option(
    "--fail-under",
    type=_share,
    metavar="SHARE",
    help="Exit with 0 if there is no fault and at least this share of mutants is caught, such as 95%.",
)
@click.option(
    "--mutants",
    type=click.IntRange(0),
    default=MUTANTS,
    show_default=True,
    metavar="N",
    help="The most mutants to try, the most telling first.",
)
@click.option("-o", "--output", type=PATH, metavar="FOLDER", help="[default: reports]")
@click.option("-j", "--jobs", type=click.IntRange(1), metavar="N", help="Processes.  [default: one a core]")
@python_option
@click.option("--no-cache", is_flag=True, help="Use nothing of earlier runs.")
@click.option("-q", "--quiet", is_flag=True, help="No progress on stderr.")
def validate(
    specs: tuple[Path, ...],
    quick: bool,
    as_json: bool,
    fail_under: Fraction | None,
    mutants: int,
    output: Path | None,
    jobs: int | None,
    python: str,
    no_cache: bool,
    quiet: bool,
) -> int:
    """Test the tests of each SPEC before it marks anybody.

    The reference must get every mark.  Programs with a fault must not: those in wrong/ beside the spec, and
    mutants of the reference.  Prints what to mend; writes a page, FOLDER/TASK/validation/index.html.

    Exits with 0 if all is well, with 1 if there is a fault or a mutant that no case catches.

    Example: grader validate specs/knights-tour.yaml
    """
    if not python:
        zygote_process.prepare(sys.executable)
    # Every spec is read before the first one is tried, since that takes minutes.
    read = [load_spec(spec) for spec in specs]
    found: list[Validation] = []
    for number, (task, places) in enumerate(read):
        folder = (output or Path("reports")) / task.id / _FOLDER
        known = folder / _KNOWN
        check_file(folder / INDEX)
        if no_cache:
            known.unlink(missing_ok=True)
        options = Options(quick, mutants, python, jobs or 0, known, places)
        on_interrupt = if_interrupted("interrupted; the same command goes on from here")
        with on_interrupt, StageDisplay(quiet=quiet) as display:
            validation = validate_task(task, options, display.tell)
        found.append(validation)
        page = write_validation(folder, validation)
        if not as_json:
            if number:
                print_lines([line()])
            print_lines(validation_lines(validation, width_of_terminal(), str(page)))
        if not quiet:
            tell(f"report: {plain(str(page))}")
    if as_json:
        print_lines(line(part) for part in to_json(found).split("\n"))
    met = all(_is_met(validation, fail_under) for validation in found)
    return ExitCode.DONE if met else ExitCode.NOT_MET


def _is_met(validation: Validation, least: Fraction | None) -> bool:
    if least is None:
        return validation.is_well
    return not validation.faults and 100 * validation.caught >= least * validation.total
