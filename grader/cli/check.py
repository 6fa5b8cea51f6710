"""`grader check`: a student looks at their own work, with the public cases."""

import sys
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING

import click

from grader.cli.options import python_option, width_of_terminal

if TYPE_CHECKING:
    from grader.model.task import Task


@click.command()
@click.argument("spec", type=click.Path(path_type=Path))
@click.argument("path", type=click.Path(path_type=Path), default=Path())
@python_option
@click.option("-q", "--question", multiple=True, metavar="ID", help="Only this question; can be repeated.")
def check(spec: Path, path: Path, python: str, question: tuple[str, ...]) -> int:
    """Check your own work in PATH against the public cases of SPEC.

    Exits with 0 if every one is accepted, with 1 if not.

    Example: grader check knights-tour.yaml .
    """
    from grader.cli import ExitCode
    from grader.engine.run import prepare_order
    from grader.engine.worker_process import Marker
    from grader.intake import discover, read
    from grader.marking.rounding import format_mark
    from grader.model.verdict import Verdict
    from grader.reports.terminal import check_lines
    from grader.reports.terminal_lines import write_lines
    from grader.sandbox.driver import LADDER
    from grader.sandbox.interpreter import find_interpreter
    from grader.sandbox.zygote import SandboxFailure, Zygote
    from grader.spec import load_task
    from grader.store.document import submission_document
    from grader.store.document_types import TaskDocument

    task = _public_part(load_task(spec), question)
    python = python or task.python
    modules = dict(task.modules)
    candidates = discover([path], modules)
    if len(candidates) != 1:
        raise click.UsageError(f"{path} holds {len(candidates)} submissions; name the folder of yours")
    for driver in LADDER:
        try:
            Zygote(driver, find_interpreter(python)).close()
        except SandboxFailure:
            continue
        break
    with Marker(prepare_order(task, driver, python)) as marker:
        result = marker.mark(read(candidates[0], modules))
    head: TaskDocument = {"id": task.id, "title": task.title, "max_mark": format_mark(task.marks)}
    write_lines(check_lines(head, submission_document(result), width_of_terminal()), sys.stdout)
    verdicts = [case.verdict for part in result.questions for case in part.cases]
    if Verdict.INTERNAL_ERROR in verdicts:
        return ExitCode.PENDING
    met = verdicts and all(verdict is Verdict.ACCEPTED for verdict in verdicts)
    return ExitCode.DONE if met else ExitCode.NOT_MET


def _public_part(task: "Task", wanted: tuple[str, ...]) -> "Task":
    """Return the task with its public cases only, and only the wanted questions."""
    from grader.model.task import Visibility

    known = [question.id for question in task.questions]
    for name in wanted:
        if name not in known:
            raise click.UsageError(f"there is no question {name!r}; there are {', '.join(known)}")
    questions = []
    for question in task.questions:
        cases = tuple(case for case in question.cases if case.visibility is Visibility.PUBLIC)
        if cases and (not wanted or question.id in wanted):
            kept = {case.id for case in cases}
            cases = tuple(
                replace(case, needs=tuple(need for need in case.needs if need in kept)) for case in cases
            )
            questions.append(replace(question, cases=cases))
    if not questions:
        raise click.UsageError("the spec has no public case to check against")
    return replace(
        task, questions=tuple(questions), marks=sum((part.marks for part in questions), start=0 * task.marks)
    )
