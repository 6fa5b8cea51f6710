"""A run of a course's task: its terms, which change with what is found late, and the stamp of its results."""

from collections.abc import Callable
from pathlib import Path

from grader.course.find import NamedTask
from grader.course.slipping import slips_for
from grader.course.strangers import require_known
from grader.course.terms import kept_terms
from grader.engine.freshness import after_run, keep, reviews_of, stamp_of

_MOST_LOOKS = 4
"""How often marks are computed before they stand, since what was handed in late uses slip days."""


class CourseRun:
    """One run of `grader mark` for a task of a course.  terms: what the course says of it now.

    Whose slip days pay for a lateness shows in the results alone.  So they are written where nobody sees them
    first, and marked once more from the record where they change the terms; the cases do not run again.
    """

    def __init__(self, named: NamedTask, *, keeps_stamp: bool) -> None:
        """keeps_stamp: it is marked as `grader course mark` does, so its results are fresh.

        Raises `UsageError`.
        """
        require_known(named.course)
        self._named, self._keeps_stamp = named, keeps_stamp
        self._looks = 0
        self._look(None)

    def _look(self, results: Path | None) -> None:
        course, task = self._named.course, self._named.task
        slips = slips_for(course, task, results)
        self.terms = kept_terms(course, task, slips)
        if self._keeps_stamp:
            self._stamp, self._reviews = stamp_of(course, task, slips), reviews_of(course, task)

    def settling(self, folder: Path) -> Callable[[Path], bool] | None:
        """Return what tells whether results for a folder stand; None where no slip days hang on them."""
        task = self._named.task
        has_days = task.slip and folder.resolve() == task.reports.resolve()
        return self._is_settled if has_days else None

    def _is_settled(self, results: Path) -> bool:
        """Tell whether results say what they were marked by; else the terms are others from now on."""
        course, task = self._named.course, self._named.task
        self._looks += 1
        if kept_terms(course, task, slips_for(course, task, results)) == self.terms:
            return True
        if self._looks == _MOST_LOOKS:
            self._keeps_stamp = False
            return True
        self._look(results)
        return False

    def keep(self, status: int) -> None:
        """Keep the stamp of the results, after all was written.  Raises `OSError`."""
        if self._keeps_stamp:
            course, task = self._named.course, self._named.task
            keep(task, after_run(self._stamp, self._reviews, course, task), status)
