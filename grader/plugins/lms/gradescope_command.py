"""`grader gradescope`: marks the one submission in Gradescope's container, and writes its results.json."""

import json
import re
from contextlib import suppress
from dataclasses import replace
from datetime import datetime
from pathlib import Path

import click

from grader.cli.exit_code import ExitCode
from grader.cli.messages import tell
from grader.cli.options import PATH, require_option
from grader.course.terms import with_terms
from grader.engine.batch import ThisMachine
from grader.engine.self_check import check_one
from grader.intake import Candidate, SourceKind
from grader.marking.lateness import late_due, late_s
from grader.marking.questions import question_result
from grader.marking.totals import failed_internally
from grader.model.errors import Fault, UsageError
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
_MOST_B = 64 << 20
_BLANKS = re.compile(r"[ \t\r\n]*")


@click.command()
@click.argument("spec", type=PATH)
@click.option(
    "--root", type=PATH, default=Path("/autograder"), show_default=True, help="Gradescope's folder."
)
@click.option("--due", default="", metavar="TIME", help="When the task is due, if a course says it.")
@require_option("The weakest sandbox to mark with.")
def gradescope(spec: Path, root: Path, require: str, due: str = "") -> int:
    """Mark ROOT/submission by SPEC, and write ROOT/results/results.json.

    This runs in Gradescope's container; grader export --to gradescope-autograder makes the zip
    that calls it.  The results so far are written after each case.
    """
    place = root / "results" / "results.json"
    place.parent.mkdir(parents=True, exist_ok=True)
    try:
        task = _with_deadline(load_task(spec), due)
        ThisMachine(1).examine(task, task.python, Driver(require))
        result = _marked(task, root, place)
    except UsageError as error:
        # The reason may tell of the spec, so it goes to the log, which students do not see.
        replace_text(place, failed_text(_FAILED))
        for fault in error.faults:
            tell("error: " + plain(str(fault), multiline=True))
        return error.exit_code
    except Exception:
        # A fault of ours is no mark, and what was written after the last case may have a score.
        place.unlink(missing_ok=True)
        with suppress(OSError):
            replace_text(place, failed_text(_FAILED))
        raise
    replace_text(place, results_text(result, language=task.language))
    return ExitCode.PENDING if failed_internally(result) else ExitCode.DONE


def _with_deadline(task: Task, due: str) -> Task:
    """Return a task with the deadline of its course.  Raises `UsageError` where nobody says one."""
    time = moment(due)
    if due and time is None:
        hint = "write it as 2026-11-20T23:59:00+01:00"
        raise UsageError(Fault(f"--due {due} is no time with its zone", hint=hint))
    if task.undated is None or time is None:
        return with_terms(task, None)[0]
    return replace(task, late=replace(task.undated, deadline=time), undated=None)


def _marked(task: Task, root: Path, place: Path) -> SubmissionResult:
    """Return the result; each case's result is written as it comes.  Raises `UsageError`."""
    submitted = _time(root / "submission_metadata.json") if task.late is not None else None
    is_final = _takes_nothing_off(task, submitted)
    cases: dict[str, CaseResult] = {}

    def keep(case: CaseResult) -> None:
        cases[case.id] = case
        ran = (question for question in task.questions if question.cases)
        ran = (question for question in ran if all(each.id in cases for each in question.cases))
        done = [question_result(each, tuple(cases[one.id] for one in each.cases)) for each in ran]
        replace_text(place, partial_text(done, has_score=is_final and bool(done)))

    # Where no question is done, nothing is known that could be a mark.
    replace_text(place, partial_text((), has_score=False))
    candidate = Candidate(
        "submission",
        "Your submission",
        SourceKind.FOLDER,
        (root / "submission").resolve(),
        record=Record(submitted),
    )
    return check_one(task, candidate, on_result=keep)


def _takes_nothing_off(task: Task, submitted: datetime | None) -> bool:
    """Tell whether the marks of the questions that ran stand, if Gradescope stops the marking now."""
    late = task.late
    is_late = False
    if late is not None and submitted is not None:
        is_late = late_due(late, late_s(late.deadline, submitted)) is not None
    has_caps = task.cap is not None or bool(task.sections)
    has_rules = any(each.takes is not None or each.rejects for each in task.rules)
    return not (is_late or has_caps or has_rules or task.smoke is not None)


def _time(path: Path) -> datetime | None:
    """Return when Gradescope got the submission; None where there is no metadata.

    Raises `UsageError` if it can't be read: a late submission would cost nothing.
    """
    try:
        with path.open("rb") as file:
            text = file.read(_MOST_B).decode("utf-8", "replace")
    except FileNotFoundError:
        return None
    except OSError as error:
        raise UsageError(Fault(f"Gradescope's metadata can't be read: {error.strerror}", str(path))) from None
    try:
        found = _created_at(text)
    except (ValueError, IndexError, RecursionError):
        found = None
    time = moment(found) if isinstance(found, str) else None
    if time is None:
        raise UsageError(Fault("Gradescope's metadata has no `created_at` that can be read", str(path)))
    return time


def _created_at(text: str) -> object:
    """Return the value of `created_at`, without a look at what stands behind it.

    That can be much: all results of the student's earlier submissions.  Raises `ValueError`, `IndexError`.
    """
    read = json.JSONDecoder().raw_decode

    def after(at: int) -> int:
        found = _BLANKS.match(text, at)
        return found.end() if found is not None else at

    at = after(0)
    separator = "{"
    while text[at] == separator:
        key, at = read(text, after(at + 1))
        at = after(at)
        if text[at] != ":":
            raise ValueError("this is no object of JSON")
        value, at = read(text, after(at + 1))
        if key == "created_at":
            return value
        at, separator = after(at), ","
    return None
