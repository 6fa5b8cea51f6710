"""`grader replay`: one case of a finished run again, in the sandbox, and a line to run it without grader."""

from pathlib import Path

import click

from grader.cli.changed import tell_missing_plugins
from grader.cli.course_names import RUN
from grader.cli.exit_code import ExitCode
from grader.cli.messages import tell
from grader.cli.options import PATH, require_option
from grader.cli.output import print_lines, width_of_terminal
from grader.cli.progress.phases import PhaseDisplay
from grader.engine.record import finished_run, recorded_python, recorded_task, result_of, unknown
from grader.engine.replay import case_in, changed_conditions, lies_in, replay_case, standalone
from grader.intake import discover, read_for
from grader.intake.attempts import with_attempts
from grader.marking.attempts import counting
from grader.model.errors import Fault, UsageError
from grader.model.results import CaseResult, SubmissionResult
from grader.model.submission import Submission
from grader.model.task import Task
from grader.model.verdict import Verdict
from grader.reports.escape import plain
from grader.reports.standalone import NotStandalone, Standalone, shell_line, write_to
from grader.reports.terminal.lines import line
from grader.reports.terminal.replay import compared_lines, replayed_lines
from grader.sandbox.driver import Driver
from grader.spec import load_task
from grader.store.run_record import RunRecord

_WARNING = "To run it without grader and without its sandbox, which runs the student's code with your rights:"


@click.command()
@click.argument("run", type=RUN)
@click.argument("student")
@click.argument("case")
@click.option("--submission", type=PATH, metavar="PATH", help="This work instead of the recorded one.")
@click.option("--spec", type=PATH, metavar="FILE", help="This spec instead of the recorded one.")
@click.option("--python", default="", metavar="PYTHON", help="Another Python.  [default: that of the run]")
@click.option("--to", type=PATH, metavar="FOLDER", help="Write all that the case needs into this new folder.")
@require_option("The weakest sandbox to run in.")
def replay(
    run: Path,
    student: str,
    case: str,
    submission: Path | None,
    spec: Path | None,
    python: str,
    to: Path | None,
    require: str,
) -> int:
    """Run one CASE of STUDENT in RUN again, and show all that it did.

    RUN is the folder of its results, or results.json in it; CASE is such as 3.4.  The spec and the work come
    from the record of the run.  The last line runs the same call in a shell, without grader.

    Exits with 0 if the verdict is the recorded one, with 1 if not.  Where the run left the case out, nothing
    is compared.  Nor is it where CASE makes another call in SPEC than it did in the run: that exits with 1.

    Example: grader replay reports/knights-tour student-07 3.4
    """
    if to is not None and to.exists():
        raise UsageError(Fault("this folder exists already", str(to), hint="name a new one"))
    finished = finished_run(run)
    tell_missing_plugins(finished)
    result = result_of(finished, student)
    before = _recorded_case(result, case)
    with finished.record() as record:
        task = load_task(spec) if spec is not None else recorded_task(record)
        whole = _work(submission, task) if submission is not None else _recorded_work(record, result.id)
        recorded = record.run()
    python = python or recorded_python(recorded, task)
    work = counting(whole, result)
    question, wanted = case_in(task, case)
    with PhaseDisplay() as waiting:
        waiting.tell(f"running case {case}")
        replayed = replay_case(task, work, case, python, Driver(require))
    width = width_of_terminal()
    print_lines(replayed_lines(result.id, replayed.case, width))
    digests = result.content_sha256, whole.content_sha256
    conditions = [
        (one.name, one.before, one.after) for one in changed_conditions(recorded, digests, task, replayed)
    ]
    elsewhere = _elsewhere(before, replayed.case, task) if spec is not None else None
    print_lines([line(), *compared_lines(before, replayed.case, conditions, width, elsewhere), line()])
    try:
        alone = standalone(task, question, wanted, work, replayed)
        print_lines([line(part) for part in (_WARNING, _shell_line(alone, work, replayed.command, to))])
    except NotStandalone as reason:
        tell(f"note: {plain(str(reason))}, so there is no line to paste")
    if replayed.case.verdict is Verdict.INTERNAL_ERROR:
        return ExitCode.PENDING
    is_met = elsewhere is None and before.verdict in (replayed.case.verdict, Verdict.SKIPPED)
    return ExitCode.DONE if is_met else ExitCode.NOT_MET


def _recorded_case(result: SubmissionResult, case_id: str) -> CaseResult:
    cases = {case.id: case for case in result.cases}
    if case_id not in cases:
        raise UsageError(unknown("case", case_id, list(cases)))
    return cases[case_id]


def _elsewhere(before: CaseResult, after: CaseResult, task: Task) -> list[str] | None:
    """Return the ids of the cases that make the recorded call, where the case makes another; else None."""
    if before.call == after.call:
        return None
    return [case.id for case in task.cases if case.text == before.call]


def _recorded_work(record: RunRecord, submission_id: str) -> Submission:
    entry = record.entries().get(submission_id)
    if entry is None or not entry.work:
        what = f"the record has no work of {submission_id}"
        raise UsageError(Fault(what, str(record.path), hint="name it with --submission"))
    return record.work(entry, submission_id)


def _work(path: Path, task: Task) -> Submission:
    """Return the one submission at a path, with its attempts if they count.  Raises `UsageError`."""
    found = discover([path], task.asked)
    if task.attempts is not None:
        found = with_attempts(found, task.asked, tell)
    if len(found) != 1:
        hint = "name the folder, zip or file of one student"
        raise UsageError(Fault(f"there are {len(found)} submissions", str(path), hint=hint))
    work = read_for(task, found[0])
    if work.unreadable:
        raise UsageError(Fault(work.unreadable, str(path)))
    return work


def _shell_line(alone: Standalone, work: Submission, python: str, to: Path | None) -> str:
    """Return the line, for the folder that was asked for or the one the work came from.

    Raises `NotStandalone`, and `UsageError` if the folder cannot be written.
    """
    if to is not None:
        try:
            write_to(to, alone)
        except OSError as error:
            fault = Fault(f"cannot write the case: {error.strerror or error}", str(to))
            raise UsageError(fault) from error
        return shell_line(alone, to.absolute(), python, is_written=True)
    if not lies_in(work.origin, alone):
        reason = f"{work.origin} does not hold the modules as they were marked (--to FOLDER writes them)"
        raise NotStandalone(reason)
    try:
        return shell_line(alone, work.origin, python)
    except NotStandalone as reason:
        raise NotStandalone(f"{reason} (--to FOLDER writes it into files)") from None
