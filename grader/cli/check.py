"""`grader check`: a student looks at their own work, with the public cases."""

import gc
import sys
from pathlib import Path

import click

from grader.cli.exit_code import ExitCode
from grader.cli.options import check_order, python_option
from grader.cli.output import print_lines, width_of_terminal
from grader.cli.phases import PhaseDisplay
from grader.engine.proof.prover import Prover
from grader.engine.self_check import check_one, public_part
from grader.intake import Candidate, discover
from grader.intake.layouts.recognise import PLAIN
from grader.model.case import Visibility
from grader.model.results import TaskHead
from grader.model.verdict import Verdict
from grader.reports.escape import plain
from grader.reports.terminal.lines import line
from grader.reports.terminal.student import check_lines
from grader.reports.words import say, speaking
from grader.sandbox import zygote_process
from grader.spec import load_spec

_MOST_NAMED = 3


@click.command()
@click.argument("spec", type=click.Path(path_type=Path))
@click.argument("path", type=click.Path(path_type=Path), default=Path())
@python_option
@click.option("-q", "--question", multiple=True, metavar="ID", help="Only this question; can be repeated.")
@click.option("--anyway", is_flag=True, help="Check although the reference does not pass its own spec.")
def check(spec: Path, path: Path, python: str, question: tuple[str, ...], anyway: bool) -> int:
    """Check your own work in PATH against the public cases of SPEC.

    PATH is your folder, your zip or your file; without it, the folder you are in.

    Exits with 0 if every case is accepted, with 1 if not.

    Example: grader check knights-tour.yaml .
    """
    check_order(spec, [path], "your work")
    # The command ends soon, so it leaves no garbage worth looking for.
    gc.disable()
    if not python:
        # Most specs leave the choice to us.  Then the second Python starts while this one reads the spec.
        zygote_process.prepare(sys.executable)
    whole, places = load_spec(spec)
    task = public_part(whole, question)
    candidates = discover([path], dict(task.modules), layout=PLAIN)
    if len(candidates) != 1:
        raise click.UsageError(_several(path, candidates))
    with PhaseDisplay() as waiting:
        result = check_one(task, candidates[0], python, waiting.tell, Prover(places, anyway))
    print_lines(check_lines(TaskHead.of(task), result, width_of_terminal()))
    if any(case.visibility is not Visibility.PUBLIC for case in whole.cases):
        with speaking(task.language):
            print_lines([line(say("These are the public cases only; marking has others too."))])
    by_people = [part.title for part in whole.questions if part.criteria]
    if by_people:
        with speaking(task.language):
            told = say("Not checked here, since a person marks it: {titles}.", titles=", ".join(by_people))
            print_lines([line(plain(told))])
    verdicts = [case.verdict for part in result.questions for case in part.cases]
    if Verdict.INTERNAL_ERROR in verdicts:
        return ExitCode.PENDING
    met = all(verdict is Verdict.ACCEPTED for verdict in verdicts)
    return ExitCode.DONE if met else ExitCode.NOT_MET


def _several(path: Path, candidates: list[Candidate]) -> str:
    names = [candidate.name for candidate in candidates[:_MOST_NAMED]]
    more = ", …" if len(candidates) > _MOST_NAMED else ""
    return (
        f"{path} holds {len(candidates)} submissions ({', '.join(names)}{more}); name the one that is yours"
    )
