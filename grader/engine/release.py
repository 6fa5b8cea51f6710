"""The release of students' pages: all of them at once, and only when a person says so.

A folder that holds them back has `release.json`.  A release renders from a copy of results.json into a folder
of its own, which then takes the place of `students/`.  So students see the pages of one run, whole: those
before, or those after.  The copy stays as `published.json`, for the next release to compare with.
"""

import hashlib
import json
import os
import shutil
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

from grader.engine.output_folder import RESULTS
from grader.model.errors import Fault, UsageError
from grader.model.results import RunResults
from grader.reports.foreign import check_ours
from grader.reports.held import PUBLISHED, STATE, is_held
from grader.reports.render import refusing_to_write, render_for_students
from grader.reports.written_pages import STUDENT_FOLDER, listed_in, relist
from grader.runtime.folders import walked
from grader.store.reading import stream_results
from grader.store.whole_file import replace_text, replacing_by_path

SCHEMA = "grader-release/1"

_STAGING = ".release"
_OLD = "old"


def hold(folder: Path) -> None:
    """Hold students' pages back from now on; those that are there count as released.

    Raises `UsageError`.
    """
    if is_held(folder):
        return
    with refusing_to_write(folder):
        if _is_open(folder):
            with replacing_by_path(folder / PUBLISHED) as temporary:
                shutil.copyfile(folder / RESULTS, temporary)
        _write_state(folder, [])


def _is_open(folder: Path) -> bool:
    """Tell whether marking wrote pages for students, with results beside them.  Raises `OSError`."""
    if is_held(folder) or not (folder / RESULTS).is_file():
        return False
    _, _, names = next(walked(folder / STUDENT_FOLDER), ("", [], []))
    return any(name.endswith(".html") for name in names)


def _write_state(folder: Path, releases: list[dict[str, Any]]) -> None:
    state = {"schema": SCHEMA, "students_pages": "held back", "releases": releases}
    replace_text(folder / STATE, json.dumps(state, indent=1) + "\n")


def _releases(folder: Path) -> list[dict[str, Any]]:
    """Return the releases so far; none if the file is damaged."""
    try:
        found = json.loads((folder / STATE).read_text("utf-8"))["releases"]
    except (OSError, ValueError, KeyError, TypeError, RecursionError):
        return []
    return found if isinstance(found, list) else []


@dataclass(frozen=True, slots=True)
class Release:
    """A release that is prepared.  results: those to release, a copy that nobody changes any more.

    published: the results that students see now; None if there are none.
    """

    folder: Path
    results: RunResults
    published: RunResults | None

    def carry_out(self, released: bool, processes: int) -> int:
        """Replace all students' pages, and return how many there are.  Raises `UsageError`.

        released: show the cases that are hidden until the due date.
        """
        folder, staging = self.folder, self.folder / _STAGING
        with refusing_to_write(folder):
            _begin_with_current(folder, staging)
            count = render_for_students(self.results, staging, released, processes)
            pages = listed_in(staging, STUDENT_FOLDER)
            _swap(folder, staging)
            relist(folder, STUDENT_FOLDER, pages)
            copy = staging / RESULTS
            release = {
                "run": self.results.run.id,
                "at": f"{datetime.now(UTC):%Y-%m-%dT%H:%M:%SZ}",
                "results_sha256": hashlib.sha256(copy.read_bytes()).hexdigest(),
                "after_due_shown": released,
                "pages": count,
            }
            copy.replace(folder / PUBLISHED)
            _write_state(folder, [*_releases(folder), release])
        return count


@contextmanager
def prepared(folder: Path) -> Iterator[Release]:
    """Prepare a release of a folder's results; afterwards nothing of the preparation is left.

    Raises `UsageError`.
    """
    stream_results(folder / RESULTS)
    staging = folder / _STAGING
    with refusing_to_write(folder):
        if (folder / STUDENT_FOLDER).is_symlink():
            hint = "let the link point to another folder, and copy students/ there after the release"
            what = "students/ is a link, which a release would replace by a folder"
            raise UsageError(Fault(what, str(folder / STUDENT_FOLDER), hint=hint))
        _undo(folder)
        ids = [each.id for each in stream_results(folder / RESULTS).submissions]
        check_ours(folder, ids, (STUDENT_FOLDER,))
        staging.mkdir(mode=0o700)
        try:
            shutil.copyfile(folder / RESULTS, staging / RESULTS)
            published = staging / RESULTS if _is_open(folder) else folder / PUBLISHED
            yield Release(
                folder,
                stream_results(staging / RESULTS),
                stream_results(published) if published.is_file() else None,
            )
        finally:
            _undo(folder)


def _undo(folder: Path) -> None:
    """Remove all of a release that did not come to its end; put the pages back that it took away."""
    staging, students = folder / _STAGING, folder / STUDENT_FOLDER
    if not os.path.lexists(staging):
        return
    if staging.is_symlink() or not staging.is_dir():
        raise UsageError(Fault("this is not a folder of ours", str(staging), hint="move it away"))
    if (staging / _OLD).is_dir() and not os.path.lexists(students):
        (staging / _OLD).rename(students)
    shutil.rmtree(staging)


def _begin_with_current(folder: Path, staging: Path) -> None:
    """Copy the pages that students see now, so that unchanged ones and other people's files stay."""
    students = folder / STUDENT_FOLDER
    if students.is_dir():
        shutil.copytree(students, staging / STUDENT_FOLDER, symlinks=True)
        relist(staging, STUDENT_FOLDER, listed_in(folder, STUDENT_FOLDER))


def _swap(folder: Path, staging: Path) -> None:
    """Put the new pages in their place.

    Between the two renames there is no page, and never a mixture; `_undo` puts the old ones back.
    """
    students = folder / STUDENT_FOLDER
    if students.is_dir():
        students.rename(staging / _OLD)
    (staging / STUDENT_FOLDER).rename(students)
