"""`grader check`: a student looks at their own work, with the public cases."""

import gc
import sys
from pathlib import Path

import click

from grader.cli.course_names import SPEC
from grader.cli.exit_code import ExitCode
from grader.cli.options import python_option
from grader.sandbox import zygote_process


@click.command()
@click.argument("what", nargs=-1, type=SPEC, metavar="[SPEC] [PATH]")
@python_option
@click.option("-q", "--question", multiple=True, metavar="ID", help="Only this question; can be repeated.")
@click.option("-w", "--watch", is_flag=True, help="Again at each save, until Ctrl-C.")
@click.option("--json", "as_json", is_flag=True, help="Write one line of JSON, as grader-check/1 says.")
@click.option("--anyway", is_flag=True, help="Check although the reference does not pass its own spec.")
def check(
    what: tuple[Path, ...], python: str, question: tuple[str, ...], watch: bool, as_json: bool, anyway: bool
) -> int:
    """Check your own work in PATH against the public cases of SPEC.

    PATH is your folder, your zip or your file; without it, the folder you are in. SPEC is the task's file;
    without it, the one in that folder, or above it up to the root of your repository.

    Exits with 0 if every case is accepted, with 1 if not.

    Example: grader check
    """
    if len(what) > 2:  # noqa: PLR2004
        raise click.UsageError(f"there is one SPEC and one PATH; what is {what[2]}?")
    # The command ends soon, so it leaves no garbage worth looking for.
    gc.disable()
    if not python:
        # Most specs leave the choice to us.  Then the second Python starts while this one imports the rest.
        zygote_process.prepare(sys.executable)
    from grader.cli.checking import Checker, watched
    from grader.cli.own_work import spec_and_path

    spec, path = spec_and_path(what)
    checker = Checker(spec, path, python, question, anyway, as_json)
    checker.is_found = spec not in what
    try:
        return watched(checker) if watch else checker.once()
    except KeyboardInterrupt:
        if not watch:
            raise
        return ExitCode.DONE
    finally:
        checker.close()
