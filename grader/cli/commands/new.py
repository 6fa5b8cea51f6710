"""`grader new`: starts a task from a reference or from examples, or copies one from a library."""

from collections.abc import Sequence
from fractions import Fraction
from pathlib import Path

import click

from grader.authoring.library.copying import TaskName, copy_task, task_named
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
@click.argument("task", default="", metavar="[TASK]")
@click.option(
    "--from",
    "start",
    metavar="SOURCE",
    help="The reference: a module, or their folder. Or a task of a library: NAME, or FOLDER/NAME.",
)
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
@click.option("--dir", "folder", type=PATH, metavar="FOLDER", help="Where specs/ and reference/ are.")
def new(
    task: str, start: str | None, examples: Path | None, marks: Fraction | None, folder: Path | None
) -> int:
    """Start TASK: a spec that is valid, and that the reference passes, for you to edit.

    Writes specs/TASK.yaml, specs/TASK/ with a handout and a wrong program, and reference/TASK/. Cases come
    from doctests, examples and type hints; their answers come from the reference, which runs in the sandbox.

    With --from NAME it copies a task of the library, which `grader library` lists, into this folder or into
    the one that is named in place of TASK. Nothing of it runs.

    Nothing is overwritten. Without --from and --from-examples a small sample is started.

    Examples: grader new leap-years --from leap.py --marks 10; grader new --from knights-tour
    """
    wanted = task_named(start) if start is not None else None
    if wanted is not None:
        if examples is not None or marks is not None:
            raise click.UsageError(
                "--marks and --from-examples go with a reference, not with a task that is copied"
            )
        if task and folder is not None:
            raise click.UsageError(f"name one folder to copy it into: {task}, or --dir {folder}")
        return _copied(wanted, folder or Path(task))
    if not task:
        raise click.UsageError("missing argument 'TASK': the name of the new task")
    where, source = folder or Path(), Path(start) if start is not None else None
    with PhaseDisplay() as waiting:
        paths = start_task(NewTask(task, where, source, examples, marks), note, waiting.tell)
    _tell_new(where / "specs" / f"{task}.yaml", paths, where / "submissions" / task)
    return ExitCode.DONE


def _copied(wanted: TaskName, folder: Path) -> int:
    copied = copy_task(wanted, folder)
    if not copied.is_free:
        note("its page names no licence: ask its author before you pass it on")
    _tell_new(copied.spec, copied.paths, folder / "submissions" / wanted.name)
    return ExitCode.DONE


def _tell_new(spec: Path, paths: Sequence[Path], submissions: Path) -> None:
    print_lines(
        [
            *(line("new: ", plain(str(path))) for path in paths),
            line(),
            line("Edit the spec, and see what each save changes:"),
            line(f"  grader try {plain(str(spec))} --watch"),
            line("Mark what students hand in, a folder each:"),
            line(f"  grader mark {plain(str(spec))} {plain(str(submissions))}"),
        ]
    )
