"""`grader bundle`: the handout for students."""

from itertools import groupby
from operator import attrgetter
from pathlib import Path

import click

from grader.authoring.bundle.build import make_bundle, write_bundle
from grader.cli.course_names import SPEC
from grader.cli.exit_code import ExitCode
from grader.cli.messages import note, tell
from grader.cli.options import PATH, python_option
from grader.cli.output import print_lines
from grader.cli.progress.phases import PhaseDisplay
from grader.reports.escape import plain
from grader.reports.terminal.lines import line

by_reason = attrgetter("reason")


@click.command()
@click.argument("spec", type=SPEC)
@click.option(
    "-o",
    "--output",
    type=PATH,
    metavar="PATH",
    help="A file that ends in .zip, or a new folder.  [default: TASK.zip]",
)
@click.option("--with-checkers", is_flag=True, help="Students may see the checkers of public cases.")
@click.option(
    "--with-grader", is_flag=True, help="Carry the grader too (2 MB), for students without a network."
)
@click.option("--anyway", is_flag=True, help="Also if the reference does not pass its own spec.")
@python_option
def bundle(
    spec: Path, output: Path | None, with_checkers: bool, with_grader: bool, anyway: bool, python: str
) -> int:
    """Make the handout of SPEC for students.

    It has a spec with the public cases, the reference's answers written out, the files of handout/ beside
    the spec, and a page. It has nothing of the reference, of hidden cases, or of the marks' policy.
    What of the public part cannot be in it is told on stderr.

    Example: grader bundle specs/knights-tour.yaml -o knights-tour.zip
    """
    with PhaseDisplay() as waiting:
        made = make_bundle(
            spec,
            python,
            with_checkers=with_checkers,
            with_grader=with_grader,
            anyway=anyway,
            tell=waiting.tell,
        )
    out = output if output is not None else Path(f"{made.task}.zip")
    write_bundle(made, out)
    for reason, cases in groupby(sorted(made.left_out, key=by_reason), by_reason):
        note(f"left out: {', '.join(one.case for one in cases)}: {reason}")
    if made.plugins:
        note(f"students need {', '.join(map(str, made.plugins))} to check their work")
    if made.wheels:
        size = sum(len(each.content) for each in made.wheels)
        carried = ", ".join(f"{each.distribution} {each.version}" for each in made.wheels)
        note(f"it carries {carried}: {size / 1e6:.1f} MB")
    if made.others and made.wheels:
        note(f"it does not carry {', '.join(made.others)}, which a check needs too")
    tell(f"{made.cases} public cases, {len(made.files)} files")
    print_lines([line(plain(str(out)))])
    return ExitCode.DONE
