"""The times of the submissions to a task of a course."""

from pathlib import Path

from grader.course.course import CourseTask
from grader.records.times.worksheet import has_times


def times_of(task: CourseTask) -> tuple[Path, ...]:
    """Return the files with a task's times; without any, the sheets of an LMS that have times."""
    return task.times or tuple(path for path in task.sheets.values() if has_times(path))
