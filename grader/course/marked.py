"""The results of a course's tasks, each from its own folder."""

from grader.course.course import CourseTask
from grader.course.own_reviews import id_in
from grader.model.errors import Fault, UsageError
from grader.model.results import RunResults
from grader.reports.held import PUBLISHED, is_held
from grader.store.kept_summaries import kept_summaries
from grader.store.results_json import RESULTS_FILE
from grader.store.summaries import Summary


def results_of(task: CourseTask, *, published: bool = False) -> tuple[RunResults, list[Summary]] | None:
    """Return the head of a task's results, and the submissions; None where it is not marked.

    published: those that students know, where later ones are held back.  Raises `UsageError`.
    """
    is_held_back = published and is_held(task.reports)
    path = task.reports / (PUBLISHED if is_held_back else RESULTS_FILE)
    if not path.exists():
        return None
    results, found = kept_summaries(path)
    check_own(task, results)
    return results, found


def check_own(task: CourseTask, results: RunResults) -> None:
    """Raise `UsageError` for results of another task: they would be taken for the marks of this one.

    A spec that is no YAML is told where it is marked; here nothing can be compared with it.
    """
    own_id = id_in(task.spec)
    if own_id and results.task.id != own_id:
        what = f"the folder holds the results of the task {results.task.id!r}, not of {own_id!r}"
        raise UsageError(Fault(what, str(task.reports), hint="move them away, and mark the task again"))
