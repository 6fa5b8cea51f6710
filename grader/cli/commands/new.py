"""`grader new`: starts a task from a reference, from examples, or from a sample."""

from fractions import Fraction
from pathlib import Path

import click

from grader.authoring.new.start import NewTask, start_task
from grader.cli.exit_code import ExitCode
from grader.cli.messages import note
from grader.cli.options import PATH
from grader.cli.output import print_lines
from grader.cli.progress.phases import PhaseDisplay
from grader.reports.escape import plain
from grader.reports.terminal.lines import line


def _marks(text: str) -> Fraction:
    try:
        marks = Fraction(text)
    except (ValueError, ZeroDivisionError):
        marks = Fraction(0)
    if marks <= 0:
        raise click.BadParameter(f"{text!r} is not a number of marks such as 10 or 7.5")
    return marks


@click.command()
@click.argument("task")
@click.option("--from", "source", type=PATH, metavar="PATH", help="The reference: a module, or their folder.")
@click.option(
    "--from-examples",
    "examples",
    type=PATH,
    metavar="FILE",
    help="Lines such as f(1, 2) -> 3, as text, CSV or YAML; or a pytest or unittest file.",
)
@click.option(
    "--marks", type=_marks, metavar="N", help="Marks of the task, spread evenly.  [default: 1 a question]"
)
@click.option(
    "--dir", "folder", type=PATH, default=Path(), metavar="FOLDER", help="Where specs/ and reference/ are."
)
def new(task: str, source: Path | None, examples: Path | None, marks: Fraction | None, folder: Path) -> int:
    """Start TASK: a spec that is valid, and that the reference passes, for you to edit.

    Writes specs/TASK.yaml, specs/TASK/ with a handout and a wrong program, and reference/TASK/. Cases come
    from doctests, examples and type hints; their answers come from the reference, which runs in the sandbox.

    Nothing is overwritten. Without --from and --from-examples a small sample is started.

    Example: grader new leap-years --from leap.py --marks 10
    """
    with PhaseDisplay() as waiting:
        paths = start_task(NewTask(task, folder, source, examples, marks), note, waiting.tell)
    spec = folder / "specs" / f"{task}.yaml"
    print_lines(
        [
            *(line("new: ", plain(str(path))) for path in paths),
            line(),
            line("Edit the spec, and see what each save changes:"),
            line(f"  grader try {plain(str(spec))} --watch"),
            line("Mark what students hand in, a folder each:"),
            line(f"  grader mark {plain(str(spec))} {plain(str(folder / 'submissions' / task))}"),
        ]
    )
    return ExitCode.DONE
