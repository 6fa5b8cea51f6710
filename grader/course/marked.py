"""The results of a course's tasks, each from its own folder."""

from pathlib import Path

from grader.course.course import CourseTask
from grader.model.errors import Fault, UsageError
from grader.model.results import RunResults
from grader.store.kept_summaries import kept_summaries
from grader.store.results_json import RESULTS_FILE
from grader.store.summaries import Summary
from grader.yamlfile.nodes import Mapping, Scalar, compose
from grader.yamlfile.reporter import Reporter
from grader.yamlfile.source import Source


def results_of(task: CourseTask) -> tuple[RunResults, list[Summary]] | None:
    """Return the head of a task's results, and the submissions; None where it is not marked.

    Raises `UsageError`.
    """
    path = task.reports / RESULTS_FILE
    if not path.exists():
        return None
    results, found = kept_summaries(path)
    check_own(task, results)
    return results, found


def check_own(task: CourseTask, results: RunResults) -> None:
    """Raise `UsageError` for results of another task: they would be taken for the marks of this one.

    A spec that is no YAML is told where it is marked; here nothing can be compared with it.
    """
    own_id = _id_in(task.spec)
    if own_id and results.task.id != own_id:
        what = f"the folder holds the results of the task {results.task.id!r}, not of {own_id!r}"
        raise UsageError(Fault(what, str(task.reports), hint="move them away, and mark the task again"))


def _id_in(spec: Path) -> str:
    """Return the id that a spec says, its mistakes aside; empty where it says none."""
    try:
        text = spec.read_text("utf-8-sig")
    except (OSError, UnicodeDecodeError):
        return ""
    root = compose(Reporter(Source(str(spec), text)))
    pairs = root.pairs if isinstance(root, Mapping) else ()
    return next((value.text for key, value in pairs if key.text == "task" and isinstance(value, Scalar)), "")
