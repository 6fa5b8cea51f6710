"""The name of a course's task, where a command takes a spec or a folder of results."""

from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

if TYPE_CHECKING:
    from grader.course.find import NamedTask


_COURSE = "grader.course"
"""Where a command's context has the course that an option names."""


def _keep(context: click.Context, _: click.Parameter, path: Path | None) -> None:
    context.meta[_COURSE] = path


of_course_option: Callable[[Any], Any] = click.option(
    "--course",
    type=click.Path(path_type=Path),
    is_eager=True,
    expose_value=False,
    hidden=True,
    callback=_keep,
)
"""The file of a course: the argument is the name of a task in it, whatever is called so here."""


class _OfTask(click.Path):
    """A path, or in its place the name of a task of the course in this folder.

    taken: returns what the command takes of the task.  or_folder: the path can be that of a folder.
    """

    def __init__(self, taken: Callable[["NamedTask"], Any], *, or_folder: bool = False) -> None:
        super().__init__(path_type=Path)
        self._taken, self._or_folder = taken, or_folder

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> Any:
        path = Path(value)
        named_course: Path | None = ctx.meta.get(_COURSE) if ctx is not None else None
        if named_course is None and (path.suffix or len(path.parts) != 1 or self._is_there(path)):
            return path
        from grader.course import find  # noqa: PLC0415  (few commands name a task)

        if named_course is not None:
            return self._taken(find.task_of(value, named_course))
        if find.course_file(Path()) is None:
            return path
        return self._taken(find.named_task(value, Path()))

    def _is_there(self, path: Path) -> bool:
        return path.exists() if self._or_folder else path.is_file()


TASK = _OfTask(lambda named: named)
"""The path of a spec, or a `NamedTask`."""
TASK_OR_FOLDER = _OfTask(lambda named: named, or_folder=True)
"""A path, also of a folder, or a `NamedTask`."""
SPEC = _OfTask(lambda named: named.task.spec)
"""The path of a spec."""
RUN = _OfTask(lambda named: named.task.reports, or_folder=True)
"""The folder with the results of a run."""


def run_of(given: "Path | NamedTask") -> tuple[Path, "NamedTask | None"]:
    """Return the folder with the results of what `TASK_OR_FOLDER` took, and the task if it is one."""
    return (given, None) if isinstance(given, Path) else (given.task.reports, given)
