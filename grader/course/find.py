"""Finds the course of a folder, and the task that a command names."""

from dataclasses import dataclass
from difflib import get_close_matches
from pathlib import Path

from grader.course.course import Course, CourseTask
from grader.course.reading.course_file import FILE_NAME, read_course
from grader.model.errors import Fault, UsageError


@dataclass(frozen=True, slots=True)
class NamedTask:
    """A task that a command names, and its course."""

    course: Course
    task: CourseTask


def course_file(folder: Path) -> Path | None:
    """Return the course's file in a folder, or in the nearest folder around it; None if there is none.

    One among the submissions of a course further out was handed in, and does not count.
    """
    here = folder.absolute()
    places = (place / FILE_NAME for place in (here, *here.parents))
    found = [path for path in places if path.is_file()]
    if not found:
        return None
    nearest, *others = found
    around = (path for path in reversed(others) if _has_among_submissions(path, nearest.parent))
    path = next(around, nearest)
    # A path as one would type it is short, and messages show it.
    return path.relative_to(here) if path.parent == here else path


def _has_among_submissions(course_path: Path, folder: Path) -> bool:
    """Tell whether a folder lies in what was handed in to a course; also where the course has mistakes."""
    try:
        tasks = read_course(course_path).tasks
    except UsageError:
        # Nobody knows what it would say, and its mistakes are told when it is read again.
        return True
    handed_in = (path.resolve() for task in tasks for path in task.submissions)
    return any(folder.resolve().is_relative_to(path) for path in handed_in)


def named_task(name: str, folder: Path) -> NamedTask:
    """Return the task that `name` is in the course of a folder.

    Raises `UsageError` if there is no course, if it has a mistake, or if it has no such task.
    """
    path = course_file(folder)
    if path is None:
        what = f"there is no file {name}, and no {FILE_NAME} here or above that could have such a task"
        raise UsageError(Fault(what, hint="give the path of a spec; or see grader course new"))
    return task_of(name, path)


def task_of(name: str, path: Path) -> NamedTask:
    """Return the task that `name` is in the course in a file.  Raises `UsageError`."""
    course = read_course(path)
    return NamedTask(course, named_in(course, name))


def named_in(course: Course, name: str) -> CourseTask:
    """Return the task of a name in a course.  Raises `UsageError`."""
    task = course.task(name)
    if task is not None:
        return task
    if any(one.name == name for one in course.elsewhere):
        raise UsageError(Fault(f"{name} is marked elsewhere, as the course says", str(course.path)))
    known = [one.name for one in course.tasks]
    near = get_close_matches(name, known, 1)
    hint = f"did you mean {near[0]}?" if near else f"its tasks: {', '.join(known)}"
    raise UsageError(
        Fault(f"there is no file {name}, and no such task in the course", str(course.path), hint=hint)
    )
