"""The results of a run that goes on: a file that the run appends to, and the pages of what is in it so far.

The file has no name.  The run never waits for its reader, and the reader never sees half a result.
Its first line is the head; every further one is a submission, as in results.json.
"""

import json
import os
import secrets
from dataclasses import dataclass
from time import monotonic

from grader.model.results import RunInfo, TaskHead
from grader.reports.html.pages import Pages
from grader.reports.views.cohort.cohort import Cohort
from grader.reports.views.cohort.watched import LiveProgress
from grader.reports.written_pages import INDEX, STAFF_FOLDER, STUDENT_FOLDER, index_file, page_path
from grader.serving.address import Address
from grader.store.results_json import RESULTS, json_text, submission_of

STATUS = "status"
_PIECE_B = 1 << 20
_REST = 4
"""An index is made again once so many times has passed as it took to make: large ones take seconds."""


@dataclass(frozen=True, slots=True)
class Head:
    """What all pages depend on.  total: number of submissions.  held: students' pages are held back.

    released: the marks are out; see `Pages.student`.  report: the path of the pages that will stay.
    """

    address: Address
    run: RunInfo
    task: TaskHead
    total: int
    held: bool
    released: bool
    report: str

    def line(self) -> bytes:
        return f"{json_text(RESULTS.write(self))}\n".encode("ascii")


@dataclass(frozen=True, slots=True)
class Content:
    """A body, and its media type."""

    body: bytes
    kind: str = "text/html"


class ResultsSoFar:
    """Makes a page from the results that are there when it is asked for; nothing is read from a folder."""

    def __init__(self, file: int) -> None:
        """file: its number; it has its first line already."""
        self._file = file
        self._read_b = 0
        """Up to here the file was looked through, which is the end of a line."""
        self._proof = secrets.token_urlsafe(32)
        self._places: list[tuple[int, int]] = []
        """Where the submissions' lines begin, and how long they are."""
        self._look()
        start, length = self._places.pop(0)
        self.head = RESULTS.read(Head, json.loads(os.pread(file, length, start)))
        self._cohort = Cohort(self.head.task.max_mark)
        self._of_page: dict[str, int] = {}
        """The submission of each page of a student, by the page's path."""
        self._indexes: dict[str, tuple[bytes, int, float]] = {}
        """Pages of the cohort, of how many submissions they are, and when they may be made again."""
        self._students_pages = self._new_pages()

    def content(self, path: str) -> Content | None:
        """Return what is at a path; none where nothing is."""
        self._look()
        if path == STATUS:
            told = {"marked": len(self._places), "of": self.head.total, "proof": self._proof}
            return Content(json_text(told).encode("ascii"), "application/json")
        self._take_in()
        if path in ("", INDEX):
            return Content(self._index(INDEX, 1))
        for number in self._students_pages.further(self._cohort):
            if path == index_file(number):
                return Content(self._index(path, number))
        if path in self._of_page:
            return Content(self._student(path).encode("utf-8"))
        return None

    def _look(self) -> None:
        """Note the lines that were appended since the last look."""
        rest = b""
        while piece := os.pread(self._file, _PIECE_B, self._read_b + len(rest)):
            *lines, rest = (rest + piece).split(b"\n")
            for line in lines:
                self._places.append((self._read_b, len(line)))
                self._read_b += len(line) + 1

    def _text(self, number: int) -> str:
        start, length = self._places[number]
        return os.pread(self._file, length, start).decode("ascii")

    def _take_in(self) -> None:
        """Add the new submissions to the cohort."""
        for number in range(len(self._cohort.rows), len(self._places)):
            submission = submission_of(self._text(number))
            self._cohort.add(submission)
            self._of_page[page_path(STAFF_FOLDER, submission.id)] = number
            if not self.head.held:
                self._of_page[page_path(STUDENT_FOLDER, submission.id)] = number

    def _student(self, path: str) -> str:
        submission = submission_of(self._text(self._of_page[path]))
        if path.startswith(f"{STUDENT_FOLDER}/"):
            return self._students_pages.student(submission, released=self.head.released)
        return self._students_pages.staff(submission, links=not self.head.held)

    def _index(self, path: str, number: int) -> bytes:
        body, count, due_s = self._indexes.get(path, (b"", -1, 0.0))
        began_s = monotonic()
        if count != len(self._places) and began_s >= due_s:
            count = len(self._places)
            pages = self._new_pages(LiveProgress(count, self.head.total, self.head.report, self._proof))
            made = pages.index(self._cohort) if number == 1 else pages.further_index(self._cohort, number)
            body = "".join(made).encode("utf-8")
            now_s = monotonic()
            self._indexes[path] = body, count, now_s + _REST * (now_s - began_s)
        return body

    def _new_pages(self, watched: LiveProgress | None = None) -> Pages:
        return Pages(self.head.run, self.head.task, watched)
