"""The figures of a task that its page tells, made from the task and its validation."""

from grader.authoring.library.page import MARKS, VALIDATION
from grader.authoring.programs import Programs
from grader.marking.rounding import format_mark
from grader.model.task import Task
from grader.model.validation import Validation
from grader.reports.views.wording import counted


def figures(task: Task, programs: Programs, validation: Validation) -> dict[str, str]:
    """Return the entries of a page that are figures, by their keys."""
    right, wrong = len(programs.right), len(programs.wrong)
    parts = [counted(len(task.cases), "case")]
    if right or wrong:
        parts.append(f"{right} right and {counted(wrong, 'wrong program')}")
    caught = f"{validation.caught} of {counted(validation.total, 'mutant')} caught"
    # Where test files judge, no mutant is made.
    parts.append(caught if validation.total else "no mutants")
    return {MARKS: format_mark(task.marks), VALIDATION: ", ".join(parts)}
