"""Tells whether the results of a task are older than what they are made from, without reading any of it.

After a task was marked, `.course.json` beside its results holds a stamp: the digest of names, sizes and times
of all files that the marking takes, of what the course says about the task, and of the grader's own code.
While the stamp is the same, marking again would change nothing.  A run with options of its own leaves the
stamp as it was, so the next `grader course mark` looks again.  The sandbox of the host is not looked at: with
a new kernel, `grader mark` marks again what has to be.
"""

import hashlib
import json
import os
from collections.abc import Iterable, Iterator, Mapping
from contextlib import contextmanager, suppress
from dataclasses import dataclass, replace
from operator import attrgetter
from pathlib import Path
from typing import Any

from grader.course.course import Course, CourseTask
from grader.course.slipping import Slips, slips_of
from grader.course.terms import content_of, terms_of
from grader.course.times import times_of
from grader.engine.cache.installed import stamps, stamps_of_python
from grader.model.errors import UsageError
from grader.model.task import Task
from grader.records.last_run import INSTEAD, REVIEWS, ROSTER, TIMES
from grader.records.reviews.files import usual_reviews
from grader.records.reviews.template import is_blank
from grader.registry.identity import plugins_in_marks
from grader.runtime.code_identity import own_identity
from grader.sandbox.interpreter import find_interpreter
from grader.spec import load_task
from grader.store.record_parts import KeptFile
from grader.store.results_json import RESULTS_FILE
from grader.store.run_store import RunStore
from grader.store.whole_file import replace_text

_FILE = ".course.json"
_SCHEMA = "grader-course-stamp/2"
_UNREADABLE = (OSError, ValueError, KeyError, TypeError, RecursionError)


@dataclass(frozen=True, slots=True)
class Stamp:
    """What a task's results are made from, as digests.  reviews: of the files that a run adds to itself."""

    made_from: str
    reviews: str


def stamp_of(course: Course, task: CourseTask, slips: Slips) -> Stamp:
    """Return the stamp of what a task's results are made from.  Raises `UsageError` for a bad spec."""
    # The spec says which files it is made of; results and people's files are not among them.
    spec = load_task(task.spec)
    files = [*(task.spec.parent / each.path for each in spec.files), task.spec]
    again = [file.path for file in _taken_again(course, task) if file.kind != REVIEWS]
    beside = [path for path in (course.roster, *times_of(task), *again) if path is not None]
    # A course is the same from wherever it is read, so no path is one from the current folder.
    submissions = [path.resolve() for path in task.submissions]
    interpreter = find_interpreter(spec.python)
    facts = (
        own_identity(),
        interpreter.command,
        *stamps_of_python(interpreter),
        *stamps(spec.packages, interpreter),
        json.dumps(plugins_in_marks(), sort_keys=True),
        content_of(terms_of(course, task, slips)).decode(),
        task.layout,
        *map(str, submissions),
        *(str(path.resolve()) for path in task.reviews),
        *_stats(dict.fromkeys(path.resolve() for path in (*files, *beside))),
        *(line for path in again if path.is_dir() for line in _stats_below(path)),
        *(line for path in submissions for line in _stats_below(path)),
    )
    return Stamp(_digest(facts), _digest(_stats(_reviews(course, task, spec))))


def _digest(facts: Iterable[str]) -> str:
    digest = hashlib.sha256()
    for fact in facts:
        digest.update(f"{len(fact)}:{fact}".encode("utf-8", "surrogateescape"))
    return digest.hexdigest()


def _reviews(course: Course, task: CourseTask, spec: Task) -> tuple[Path, ...]:
    """Return the files of reviews that the next run reads."""
    named = task.reviews or usual_reviews(task.spec, spec.id)
    again = (file.path for file in _taken_again(course, task) if file.kind == REVIEWS)
    return tuple(dict.fromkeys(path.resolve() for path in (*named, *again)))


def reviews_of(course: Course, task: CourseTask) -> dict[Path, bytes]:
    """Return the content of each file of reviews that is there.  Raises `UsageError` for a bad spec."""
    found = {}
    for path in _reviews(course, task, load_task(task.spec)):
        with suppress(OSError):
            found[path] = path.read_bytes()
    return found


def after_run(stamp: Stamp, before: Mapping[Path, bytes], course: Course, task: CourseTask) -> Stamp:
    """Return the stamp after a run, which adds to the reviews what awaits a person; that makes nothing stale.

    before: the reviews before the run.  What a person wrote meanwhile is another thing.
    """
    now = reviews_of(course, task)
    is_ours = all(
        content.startswith(before.get(path, b"")) and is_blank(content[len(before.get(path, b"")) :])
        for path, content in now.items()
    )
    if before.keys() - now.keys() or not is_ours:
        return stamp
    return Stamp(stamp.made_from, _digest(_stats(_reviews(course, task, load_task(task.spec)))))


def _taken_again(course: Course, task: CourseTask) -> list[KeptFile]:
    """Return the files that the last run was made with and the course does not name: the next takes them."""
    named = {ROSTER: course.roster, TIMES: times_of(task), REVIEWS: task.reviews, INSTEAD: None}
    try:
        with RunStore.reading(task.reports) as store:
            files = store.files_of_last_run()
    except UsageError:
        # There is no record, or the run itself will tell what is wrong with it.
        return []
    return [file for file in files if file.kind in named and not named[file.kind]]


def status_if_fresh(task: CourseTask, stamp: Stamp) -> int | None:
    """Return the exit status of the run whose results still hold; None where they do not."""
    try:
        kept = _kept(task.reports)
        status = kept["status"]
        return int(status) if kept == {**_content(task, stamp), "status": status} else None
    except _UNREADABLE:
        return None


def stale_tasks(course: Course) -> tuple[str, ...]:
    """Return the names of marked tasks whose results are older than what they are made from."""
    slips = slips_of(course)
    return tuple(task.name for task in course.tasks if _is_stale(course, task, slips))


def _is_stale(course: Course, task: CourseTask, slips: Slips) -> bool:
    if not (task.reports / RESULTS_FILE).exists():
        return False
    try:
        return status_if_fresh(task, stamp_of(course, task, slips)) is None
    except UsageError:
        return True


def is_outdated(course: Course, task: CourseTask) -> bool:
    """Tell whether a task is stale by anything else than what people wrote into its reviews since.

    Raises `UsageError` where its slip days can't be told, or its spec has mistakes.
    """
    stamp = stamp_of(course, task, slips_of(course))
    try:
        kept = _kept(task.reports)
        now = {**_content(task, replace(stamp, reviews="")), "status": kept["status"]}
        return {**kept, "reviews": ""} != now
    except _UNREADABLE:
        return True


@contextmanager
def of_same_inputs(reports: Path) -> Iterator[None]:
    """Let a stamp that holds for results hold for those, too, that the block writes from the same things."""
    try:
        kept = _kept(reports)
        holds = bool(kept["results"] == _results(reports))
    except _UNREADABLE:
        holds = False
    yield
    if holds:
        with suppress(OSError):
            replace_text(reports / _FILE, json.dumps({**kept, "results": _results(reports)}) + "\n")


def _kept(reports: Path) -> dict[str, Any]:
    kept = json.loads((reports / _FILE).read_text("utf-8"))
    return dict(kept)


def _results(reports: Path) -> str:
    (found,) = _stats([(reports / RESULTS_FILE).resolve()])
    return found


def keep(task: CourseTask, stamp: Stamp, status: int) -> None:
    """Keep the stamp of a task that was just marked, and the run's exit status.  Raises `OSError`."""
    content = {**_content(task, stamp), "status": int(status)}
    replace_text(task.reports / _FILE, json.dumps(content) + "\n")


def _content(task: CourseTask, stamp: Stamp) -> dict[str, str]:
    results = _results(task.reports)
    return {"schema": _SCHEMA, "stamp": stamp.made_from, "reviews": stamp.reviews, "results": results}


def _stats_below(path: Path | str) -> list[str]:
    """Return a line for each file and folder below a path, in an order that does not change.

    Links to folders are not followed.
    """
    lines: list[str] = []
    _add_below(str(path), lines)
    return lines


def _add_below(path: str, lines: list[str]) -> None:
    """Add the lines of `_stats_below`: a large course has tens of thousands, and generators are slow."""
    try:
        with os.scandir(path) as found:
            entries = list(found)
    except NotADirectoryError:
        lines.append(_stat(path))
        return
    except OSError as error:
        lines.append(f"{path} {error.errno}")
        return
    lines.append(path)
    if len(entries) > 1:
        entries.sort(key=attrgetter("name"))
    for entry in entries:
        if entry.is_dir(follow_symlinks=False):
            _add_below(entry.path, lines)
        else:
            lines.append(_stat(entry.path))


def _stats(paths: Iterable[Path | str]) -> Iterator[str]:
    return map(_stat, paths)


def _stat(path: Path | str) -> str:
    try:
        found = os.stat(path)
    except OSError as error:
        return f"{path} {error.errno}"
    return f"{path} {found.st_size} {found.st_mtime_ns} {found.st_ctime_ns} {found.st_ino}"
