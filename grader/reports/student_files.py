"""What is rendered of one student: both pages, and the suite in the JUnit file.

It depends on what all students have in common and on the student's own line of the results file,
so it is the same in whichever process it is rendered.
"""

import hashlib
import json
from collections.abc import Callable
from dataclasses import dataclass
from functools import partial
from pathlib import Path

from grader.reports.html.pages import Pages
from grader.reports.junit import Suite, suite_of
from grader.reports.page_names import STAFF_FOLDER, STUDENT_FOLDER, page_file
from grader.store.document_types import RunDocument, SubmissionDocument, TaskDocument
from grader.store.whole_file import remove_remains, replace_text

FOLDERS = (STAFF_FOLDER, STUDENT_FOLDER)


@dataclass(frozen=True, slots=True)
class Common:
    """What the files of all students have in common; it can be pickled.

    released: the marks are out; students may see the cases that were hidden until then.
    digest: of all that every file depends on, whoever's it is.
    suites: suites are wanted.
    """

    run: RunDocument
    task: TaskDocument
    directory: Path
    released: bool
    digest: str
    suites: bool = False

    def made_from(self, text: str) -> str:
        """Return the digest of all that the files of one student depend on, given the student's line."""
        return hashlib.sha256((self.digest + text).encode("utf-8", "surrogatepass")).hexdigest()


@dataclass(frozen=True, slots=True)
class Due:
    """What is to be rendered of one student.

    text: the student's line of the results file.  folders: where a page is to be written.
    """

    text: str
    folders: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Made:
    """What was rendered of one student.

    pages: the files that were written, by their paths below the folder of the report.
    made_from: see `Common.made_from`.  suite: None where none is wanted.
    """

    pages: tuple[str, ...]
    made_from: str
    suite: Suite | None


class StudentFiles:
    """Renders the files of one student after another.

    A fork has the compiled templates; where it is pickled for a fresh Python, that compiles its own.
    """

    def __init__(self, common: Common) -> None:
        self._common = common
        pages = Pages(common.run, common.task)
        pages.compile_for_students()
        self._makers: dict[str, Callable[[SubmissionDocument], str]] = {
            STAFF_FOLDER: pages.staff,
            STUDENT_FOLDER: partial(pages.student, released=common.released),
        }

    def __reduce__(self) -> tuple[type["StudentFiles"], tuple[Common]]:
        return StudentFiles, (self._common,)

    def make(self, due: Due) -> Made:
        """Write the pages of one student that are due.  Raises `OSError`."""
        common = self._common
        submission: SubmissionDocument = json.loads(due.text)
        pages = {folder: page_path(folder, submission["id"]) for folder in due.folders}
        for folder, page in pages.items():
            replace_text(common.directory / page, self._makers[folder](submission))
        return Made(
            pages=tuple(pages.values()),
            made_from=common.made_from(due.text),
            suite=suite_of(submission, common.task["id"]) if common.suites else None,
        )

    def remove_remains(self) -> None:
        """Remove what was left of pages by processes that were ended."""
        for folder in FOLDERS:
            remove_remains(self._common.directory / folder)


def page_path(folder: str, student_id: str) -> str:
    """Return where the page of a student lies below the folder of the report."""
    return f"{folder}/{page_file(student_id)}"
