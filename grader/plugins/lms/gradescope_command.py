"""`grader gradescope`: marks the one submission in Gradescope's container, and writes its results.json."""

import json
from datetime import datetime
from pathlib import Path

import click

from grader.cli.exit_code import ExitCode
from grader.cli.messages import tell
from grader.cli.options import PATH, require_option
from grader.engine.batch import ThisMachine
from grader.engine.self_check import check_one
from grader.intake import Candidate, SourceKind
from grader.marking.questions import question_result
from grader.marking.totals import failed_internally
from grader.model.errors import UsageError
from grader.model.results import CaseResult, SubmissionResult
from grader.model.submission import Record
from grader.model.task import Task
from grader.plugins.lms.exports.gradescope import failed_text, partial_text, results_text
from grader.reports.escape import plain
from grader.sandbox.driver import Driver
from grader.spec import load_task
from grader.store.whole_file import replace_text
from grader.yamlfile.quantities import moment

_FAILED = "The autograder failed, through no fault of yours; there is no mark.  Your instructor has to look."
_MOST_B = 4 << 20


@click.command()
@click.argument("spec", type=PATH)
@click.option(
    "--root", type=PATH, default=Path("/autograder"), show_default=True, help="Gradescope's folder."
)
@require_option("The weakest sandbox to mark with.")
def gradescope(spec: Path, root: Path, require: str) -> int:
    """Mark ROOT/submission by SPEC, and write ROOT/results/results.json.

    This runs in Gradescope's container; grader export --to gradescope-autograder makes the zip
    that calls it.  The results so far are written after each case.
    """
    place = root / "results" / "results.json"
    place.parent.mkdir(parents=True, exist_ok=True)
    try:
        task = load_task(spec)
        ThisMachine(1).examine(task, task.python, Driver(require))
        result = _marked(task, root, place)
    except UsageError as error:
        # The reason may tell of the spec, so it goes to the log, which students do not see.
        replace_text(place, failed_text(_FAILED))
        for fault in error.faults:
            tell("error: " + plain(str(fault), multiline=True))
        return error.exit_code
    replace_text(place, results_text(result, language=task.language))
    return ExitCode.PENDING if failed_internally(result) else ExitCode.DONE


def _marked(task: Task, root: Path, place: Path) -> SubmissionResult:
    """Return the result; each case's result is written as it comes.  Raises `UsageError`."""
    cases: dict[str, CaseResult] = {}

    def keep(case: CaseResult) -> None:
        cases[case.id] = case
        ran = (question for question in task.questions if question.cases)
        ran = (question for question in ran if all(each.id in cases for each in question.cases))
        done = [question_result(each, tuple(cases[one.id] for one in each.cases)) for each in ran]
        replace_text(place, partial_text(done))

    replace_text(place, partial_text(()))
    submitted = _time(root / "submission_metadata.json")
    candidate = Candidate(
        "submission",
        "Your submission",
        SourceKind.FOLDER,
        (root / "submission").resolve(),
        record=Record(submitted),
    )
    return check_one(task, candidate, on_result=keep)


def _time(path: Path) -> datetime | None:
    """Return when Gradescope got the submission; None where it does not say."""
    try:
        found = json.loads(path.read_bytes()[:_MOST_B])
        return moment(found["created_at"])
    except (OSError, ValueError, KeyError, TypeError, RecursionError):
        return None
