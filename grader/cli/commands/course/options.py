"""The course that a command works on."""

from collections.abc import Callable
from pathlib import Path
from typing import Any

import click

from grader.cli.options import PATH
from grader.course.course import Course
from grader.course.find import course_file
from grader.course.reading.course_file import FILE_NAME, read_course
from grader.model.errors import Fault, UsageError

course_option: Callable[[Any], Any] = click.option(
    "-c",
    "--course",
    "path",
    type=PATH,
    metavar="FILE",
    help=f"The course.  [default: {FILE_NAME} in this folder, or in one around it]",
)


def course_at(path: Path | None) -> Course:
    """Return the course that is named, or the one of this folder.  Raises `UsageError`."""
    found = path or course_file(Path())
    if found is None:
        hint = "grader course new starts one; or name it with --course"
        raise UsageError(Fault(f"there is no {FILE_NAME} in this folder, or in one around it", hint=hint))
    return read_course(found / FILE_NAME if found.is_dir() else found)
