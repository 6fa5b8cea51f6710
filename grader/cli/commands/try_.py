"""`grader try`: a spec against its reference and its right and wrong programs, again at each save."""

import time
from collections.abc import Iterable
from pathlib import Path

import click

from grader.authoring.bench import TrialRunner
from grader.authoring.table import tried_lines
from grader.authoring.trial import TrialRound, try_spec
from grader.authoring.watching import await_change, look
from grader.cli.course_names import SPEC
from grader.cli.exit_code import ExitCode
from grader.cli.messages import tell
from grader.cli.options import python_option
from grader.cli.output import print_lines, rule, width_of_terminal
from grader.cli.progress.phases import PhaseDisplay
from grader.cli.run import tell_faults
from grader.model.errors import UsageError
from grader.reports.terminal.lines import line


@click.command("try")
@click.argument("spec", type=SPEC)
@click.option("-q", "--question", multiple=True, metavar="ID", help="Only this question; can be repeated.")
@click.option("-w", "--watch", is_flag=True, help="Again at each save, until Ctrl-C.")
@python_option
def try_(spec: Path, question: tuple[str, ...], watch: bool, python: str) -> int:
    """Try SPEC against its own programs.

    These are the reference, and the programs in right/ and wrong/ of the folder beside the spec. The
    reference and right/ must be accepted everywhere; wrong/expected.yaml declares what a wrong program gets.

    Exits with 0 if every program gets what it should, with 1 if not.

    Example: grader try specs/knights-tour.yaml -q 3 --watch
    """
    bench = TrialRunner(python)
    if not watch:
        return _status(_round(spec, question, bench))
    files = [spec, spec.with_suffix("")]
    tried: TrialRound | None = None

    def watched() -> Iterable[Path]:
        return [*files, *_named_by(tried)]

    try:
        while True:
            seen = look(watched())
            try:
                tried = _round(spec, question, bench)
            except UsageError as error:
                tell_faults(error)
            # Files that this round named for the first time are not news.
            seen = {**look(_named_by(tried)), **seen}
            tell(f"{time.strftime('%H:%M:%S')}  waiting for a save; Ctrl-C ends")
            await_change(watched, seen)
            print_lines([line(), line(rule(80))])
    except KeyboardInterrupt:
        return ExitCode.DONE


def _round(spec: Path, question: tuple[str, ...], bench: TrialRunner) -> TrialRound:
    began_s = time.monotonic()
    with PhaseDisplay() as waiting:
        tried = try_spec(spec, question, bench, waiting.tell)
    print_lines(tried_lines(tried, width_of_terminal()))
    tell(f"{time.monotonic() - began_s:.1f} s")
    return tried


def _named_by(tried: TrialRound | None) -> list[Path]:
    """Return the folder of the reference, and all files that the last good spec named."""
    if tried is None:
        return []
    reference = tried.task.reference
    return [*(file.path for file in tried.task.files), *([reference.path] if reference else [])]


def _status(tried: TrialRound) -> int:
    if tried.is_pending:
        return ExitCode.PENDING
    return ExitCode.NOT_MET if tried.surprises else ExitCode.DONE
