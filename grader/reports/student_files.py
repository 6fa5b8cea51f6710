"""The files of a student: both pages, and the suite in the JUnit file; made by one process or by several.

They depend on `Common` and on the student's own line of the results file alone, so they are the same in
every process.  Only students that are rendered or about to be are in memory.
"""

import hashlib
from collections import deque
from collections.abc import Generator, Iterable, Iterator
from concurrent.futures import BrokenExecutor, CancelledError, Future
from dataclasses import dataclass
from functools import partial
from itertools import chain
from pathlib import Path

from grader.model.results import RunInfo, TaskHead
from grader.reports.html.pages import Neighbours, Pages
from grader.reports.junit import Suite, suite_of
from grader.reports.written_pages import STAFF_FOLDER, STUDENT_FOLDER, page_path
from grader.store.results_json import submission_of
from grader.store.whole_file import remove_remains, replace_text

FOLDERS = (STAFF_FOLDER, STUDENT_FOLDER)

_CHUNK_LENGTH = 1 << 16
"""Characters of text that a process gets at a time: some hundredths of a second of work."""

_AHEAD = 2
"""Chunks submitted ahead for each process, so that no process waits for work."""


@dataclass(frozen=True, slots=True)
class Common:
    """The data that the files of all students depend on; it can be pickled.

    released: the marks are out; students may see the cases that were hidden until then.
    digest: digest of all data that the files of every student depend on.
    folders: of the pages that are written.
    suites: suites are wanted.
    """

    run: RunInfo
    task: TaskHead
    directory: Path
    released: bool
    digest: str
    folders: tuple[str, ...] = FOLDERS
    suites: bool = False

    def made_from(self, text: str, beside: Neighbours) -> str:
        """Return the digest of all data that one student's files depend on, given the student's line."""
        parts = "\n".join((self.digest, *beside, text))
        return hashlib.sha256(parts.encode("utf-8", "surrogatepass")).hexdigest()


@dataclass(frozen=True, slots=True)
class Due:
    """The files to render of one student.

    text: the student's line of the results file.  folders: the folders in which a page must be written.
    beside: the students whose pages the staff's page links to.
    """

    text: str
    folders: tuple[str, ...]
    beside: Neighbours


@dataclass(frozen=True, slots=True)
class StudentPages:
    """The files that were rendered of one student.

    pages: the files that were written, by their paths below the folder of the report.
    made_from: see `Common.made_from`.  suite: None if none is wanted.
    """

    pages: tuple[str, ...]
    made_from: str
    suite: Suite | None


class StudentFiles:
    """Renders the files of one student after another.

    A forked process shares the compiled templates.  When pickled for a fresh Python, it compiles its own.
    """

    def __init__(self, common: Common) -> None:
        self._common = common
        pages = Pages(common.run, common.task)
        pages.compile_for_students()
        self._staff = partial(pages.staff, links=STUDENT_FOLDER in common.folders)
        self._student = partial(pages.student, released=common.released)

    def __reduce__(self) -> tuple[type["StudentFiles"], tuple[Common]]:
        return StudentFiles, (self._common,)

    def make(self, due: Due) -> StudentPages:
        """Write the wanted pages of one student.  Raises `OSError`."""
        common = self._common
        submission = submission_of(due.text)
        pages = {folder: page_path(folder, submission.id) for folder in due.folders}
        for folder, page in pages.items():
            is_staff = folder == STAFF_FOLDER
            made = self._staff(submission, beside=due.beside) if is_staff else self._student(submission)
            replace_text(common.directory / page, made)
        return StudentPages(
            pages=tuple(pages.values()),
            made_from=common.made_from(due.text, due.beside),
            suite=suite_of(submission, common.task.id, common.run.started) if common.suites else None,
        )

    def remove_remains(self) -> None:
        """Remove partial pages that a process left when it was ended."""
        for folder in FOLDERS:
            remove_remains(self._common.directory / folder)


# -- by several processes ---------------------------------------------------------------------------


def make_in_processes(
    common: Common, due: Iterable[Due], processes: int
) -> Generator[StudentPages, None, None]:
    """Render the files of students and yield them in the same order.

    Closing the generator ends all processes.  Raises `OSError` where a file cannot be written.
    """
    files = StudentFiles(common)
    chunks = _chunks(due)
    taken: deque[list[Due]] = deque()
    try:
        yield from _by_pool(files, chunks, taken, processes)
    except (BrokenExecutor, CancelledError):
        # A process was killed, or none can be started.  A page that is written twice has the same content.
        for chunk in chain(taken, chunks):
            yield from map(files.make, chunk)


def _chunks(due: Iterable[Due]) -> Iterator[list[Due]]:
    chunk: list[Due] = []
    length = 0
    for one in due:
        chunk.append(one)
        length += len(one.text)
        if length >= _CHUNK_LENGTH:
            yield chunk
            chunk, length = [], 0
    if chunk:
        yield chunk


def _by_pool(
    files: StudentFiles, chunks: Iterator[list[Due]], taken: deque[list[Due]], processes: int
) -> Generator[StudentPages, None, None]:
    """taken: chunks that were taken and not yet returned; this function keeps it up to date."""
    from grader.runtime.start import pool  # multiprocessing: most reports need no processes

    try:
        executor = pool(processes, _prepare, files)
    except OSError as error:
        # This must not look like a file that cannot be written.
        raise BrokenExecutor(str(error)) from error
    running: deque[Future[list[StudentPages]]] = deque()
    try:
        while True:
            while len(taken) < _AHEAD * processes and (chunk := next(chunks, None)) is not None:
                taken.append(chunk)
                running.append(executor.submit(_make, chunk))
            if not running:
                return
            made = running.popleft().result()
            taken.popleft()
            yield from made
    finally:
        executor.shutdown(cancel_futures=True)
        # A killed process may leave half a page.
        files.remove_remains()


_files: StudentFiles | None = None


def _prepare(files: StudentFiles) -> None:
    global _files
    _files = files


def _make(chunk: list[Due]) -> list[StudentPages]:
    assert _files is not None, "the process was not prepared"
    return [_files.make(due) for due in chunk]
