"""For a command of the command line, which its entry point names: a `click.Command`."""

from grader.engine.record import FinishedRun, finished_run
from grader.model.errors import Fault, UsageError
from grader.model.results import CaseResult, QuestionResult, RunResults, Status, SubmissionResult
from grader.model.task import Question, Task
from grader.reports.escape import plain
from grader.spec import load_task

__all__ = [
    "CaseResult",
    "Fault",
    "FinishedRun",
    "Question",
    "QuestionResult",
    "RunResults",
    "Status",
    "SubmissionResult",
    "Task",
    "UsageError",
    "finished_run",
    "load_task",
    "plain",
]
