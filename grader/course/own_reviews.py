"""Whether each task of a course has reviews of its own: marks by hand of one must not count for another.

Reviews that nobody names go by the spec's folder and id, and a course can use one spec twice, as for a resit.
"""

from collections.abc import Iterable, Iterator
from functools import lru_cache
from pathlib import Path

from grader.course.course import CourseTask
from grader.model.errors import Fault
from grader.records.reviews.files import lies_as_usual
from grader.yamlfile.nodes import Mapping, Scalar, compose
from grader.yamlfile.reporter import Reporter
from grader.yamlfile.source import Source


def shared_reviews(tasks: Iterable[CourseTask], where: str) -> Iterator[Fault]:
    """Yield a fault for tasks that would share a file of reviews.  where: the course's file."""
    hint = "give each of them `reviews` of its own"
    usual: dict[tuple[Path, str], CourseTask] = {}
    named: dict[Path, CourseTask] = {}
    for task in tasks:
        key = (task.spec.parent.resolve(), _id(task.spec))
        first = usual.setdefault(key, task)
        if first is not task and not (first.reviews and task.reviews):
            what = f"{first.name} and {task.name} have one spec, so marks by hand of one count for the other"
            yield Fault(what, where, hint=hint)
        for path in task.reviews:
            other = named.setdefault(path.resolve(), task)
            if other is not task:
                what = f"{other.name} and {task.name} share a file of reviews, {path}"
                yield Fault(what, where, hint=hint)
    for path, task in named.items():
        for (folder, id_of_spec), other in usual.items():
            if other is task or other.reviews or not path.is_relative_to(folder):
                continue
            if lies_as_usual(path, folder / "spec", id_of_spec):
                what = f"{task.name} names {path}, which has the reviews of {other.name}"
                yield Fault(what, where, hint=hint)


def _id(spec: Path) -> str:
    return id_in(spec) or spec.name


def id_in(spec: Path) -> str:
    """Return the id that a spec says, its mistakes aside; empty where it says none."""
    try:
        found = spec.stat()
        return _id_in(spec.absolute(), found.st_size, found.st_mtime_ns)
    except (OSError, UnicodeDecodeError):
        return ""


@lru_cache(maxsize=256)
def _id_in(spec: Path, _size: int, _time: int) -> str:
    root = compose(Reporter(Source(str(spec), spec.read_text("utf-8-sig"))))
    pairs = root.pairs if isinstance(root, Mapping) else ()
    return next((value.text for key, value in pairs if key.text == "task" and isinstance(value, Scalar)), "")
