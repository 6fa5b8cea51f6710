"""`grader explain`: how a mark came about, from the results and the record of a run alone."""

from pathlib import Path
from typing import Any

import click

from grader.cli.changed import tell_if_changed, tell_missing_plugins
from grader.cli.course_names import RUN
from grader.cli.exit_code import ExitCode
from grader.cli.output import print_json, print_lines, width_of_terminal
from grader.engine.record import FinishedRun, finished_run, provenance, result_of, unknown
from grader.model.errors import UsageError
from grader.model.results import SubmissionResult
from grader.reports.terminal.explain import ExplainedPart, explain_lines
from grader.reports.views.mark.arithmetic import question_steps, total_steps
from grader.reports.views.provenance import Provenance
from grader.store.results_json import RESULTS


@click.command()
@click.argument("run", type=RUN)
@click.argument("student")
@click.option("-q", "--question", multiple=True, metavar="ID", help="Only this question; can be repeated.")
@click.option("--case", multiple=True, metavar="ID", help="Only this case, such as 3.4; can be repeated.")
@click.option("--json", "as_json", is_flag=True, help="Print JSON, for programs.")
def explain(run: Path, student: str, question: tuple[str, ...], case: tuple[str, ...], as_json: bool) -> int:
    """Tell how the mark of STUDENT in RUN came about.

    RUN is the folder of its results, or results.json in it.  Prints the conditions of the run, what was
    handed in, each case with what was expected and what came, and each step of the arithmetic.  Hidden cases
    are shown too.  Nothing runs, and nothing is written.

    Example: grader explain reports/knights-tour student-07 -q 3
    """
    finished = finished_run(run)
    tell_missing_plugins(finished)
    tell_if_changed(finished)
    submission = result_of(finished, student)
    _check(submission, question, case)
    wanted = ExplainedPart(question, case)
    known = provenance(finished, submission)
    if as_json:
        print_json(_document(finished, submission, known, wanted))
    else:
        print_lines(explain_lines(finished.results, submission, known, wanted, width_of_terminal()))
    return ExitCode.DONE


def _check(submission: SubmissionResult, questions: tuple[str, ...], cases: tuple[str, ...]) -> None:
    """Raise `UsageError` for a question or a case that the submission does not have."""
    known = [one.id for one in submission.questions]
    known_cases = [case.id for case in submission.cases]
    faults = [unknown("question", name, known) for name in questions if name not in known]
    faults += [unknown("case", name, known_cases) for name in cases if name not in known_cases]
    if faults:
        raise UsageError(*faults)


def _document(
    finished: FinishedRun, submission: SubmissionResult, known: Provenance, wanted: ExplainedPart
) -> dict[str, Any]:
    """Return the explanation as plain data: parts of results.json, what the record adds, and the steps."""
    chosen = wanted.questions_of(submission)
    work, (marked, when) = known.work, known.marked
    return {
        "schema": "grader-explanation/1",
        "run": RESULTS.write(finished.results.run),
        "task": RESULTS.write(finished.results.task),
        "record": {
            "gap": known.gap,
            "spec": list(known.spec),
            "origin": str(work.origin) if work is not None else "",
            "files": sorted(file.name for file in work.files.values()) if work is not None else [],
            "kept_from": {"run": marked, "started": when} if marked else None,
        },
        "submission": {
            **RESULTS.write(submission),
            "questions": [
                {
                    **RESULTS.write(question),
                    "cases": [RESULTS.write(case) for case in wanted.cases_of(question)],
                    "steps": list(question_steps(question, submission)),
                }
                for question in chosen
            ],
        },
        "steps": list(total_steps(submission, known.rounding)),
    }
