"""`grader diff`: which marks differ between two runs, and why, before anything is handed out."""

from pathlib import Path

import click

from grader.cli.changed import tell_if_changed
from grader.cli.course_names import RUN
from grader.cli.exit_code import ExitCode
from grader.cli.output import print_lines, width_of_terminal
from grader.engine.record import finished_run
from grader.model.errors import Fault, UsageError
from grader.reports.diff.lines import change_lines


@click.command()
@click.argument("before", type=RUN)
@click.argument("after", type=RUN)
@click.option("--each", is_flag=True, help="Tell each student alone, with all reasons.")
def diff(before: Path, after: Path, each: bool) -> int:
    """Compare the results in the folders BEFORE and AFTER.

    Prints whose mark or verdicts differ, with the cases that made the difference.  What
    three students or more share is told once.  Nothing is marked and nothing is written.

    Example: grader diff reports/knights-tour reports/knights-tour-new
    """
    runs = [finished_run(path) for path in (before, after)]
    for run in runs:
        tell_if_changed(run)
    both = [run.results for run in runs]
    tasks = [results.task.id for results in both]
    if tasks[0] != tasks[1]:
        raise UsageError(Fault(f"these are results of different tasks: {tasks[0]} and {tasks[1]}"))
    print_lines(change_lines(both[0], both[1], width_of_terminal(), each=each))
    return ExitCode.DONE
