"""All files of a run besides `results.json`, rendered from its results.

index.html            the cohort, for the staff; of a large one index-2.html and so on, too
staff/<id>.html       one student with everything, for the staff
students/<id>.html    what the student may see, safe to hand out
marks.csv, junit.xml  for spreadsheets and CI, for the staff
    pages.txt             the files of this report, so that the next one can remove stale files and
                          keep unchanged ones

Submissions are read one at a time, so memory does not grow with their contents.  Each file appears whole
or not at all.  A file that would differ only in the name of its run is left as it is: it names the run in
which it was written.
"""

import errno
import hashlib
import os
from collections.abc import Generator, Iterable, Iterator, Sequence
from contextlib import ExitStack, closing, contextmanager
from dataclasses import dataclass, replace
from itertools import tee, zip_longest
from pathlib import Path

from grader.model.errors import Fault, UsageError
from grader.model.results import RunInfo, RunResults, SubmissionResult, TaskHead
from grader.reports.csv_marks import write_marks
from grader.reports.held import is_held
from grader.reports.html.pages import Neighbours, Pages
from grader.reports.html.templating import templates_digest
from grader.reports.junit import JUnitFile
from grader.reports.student_files import FOLDERS, Common, Due, StudentFiles, StudentPages, make_in_processes
from grader.reports.views.cohort.cohort import Cohort
from grader.reports.views.cohort.similar_works import similar_works
from grader.reports.written_pages import INDEX, STAFF_FOLDER, STUDENT_FOLDER, PageList, index_file, page_path
from grader.runtime.code_identity import own_identity
from grader.store.reading import texts, with_texts
from grader.store.results_json import RESULTS, json_text
from grader.store.whole_file import replacing

_WORTH_A_PROCESS = 1 << 20
"""Characters of text to render for which a process is worth its start: about half a second of work."""

_NOT_WRITABLE = "make it writable, or use a copy of the folder that is"
_HINTS = {
    errno.EACCES: _NOT_WRITABLE,
    errno.EPERM: _NOT_WRITABLE,
    errno.EROFS: _NOT_WRITABLE,
    errno.ENOSPC: "make room on its disk",
    errno.EDQUOT: "make room on its disk",
}
"""Hints that fit every command that renders; other errors have none."""

_SUITES_ARE_CHEAPER = 5
"""Rendering a suite takes this many times less than rendering the pages of the same text."""


def render_all(results: RunResults, directory: Path, released: bool = False, processes: int = 1) -> Path:
    """Write all reports as `render` does, and return the path of `index.html`."""
    render(results, directory, released, processes)
    return directory / INDEX


def render(results: RunResults, directory: Path, released: bool = False, processes: int = 1) -> Cohort:
    """Write all reports of a run into `directory` and return the figures of its cohort.

    results: whole, or as `stream_results` returns it.
    released: the marks are out; students may see the cases that were hidden until then.
    processes: the most processes that render students' pages; fewer where there is little work.
    Raises UsageError if the folder can't be written to.
    """
    with refusing_to_write(directory):
        return _render(results, directory, released, processes)


def render_for_students(results: RunResults, directory: Path, released: bool, processes: int) -> int:
    """Write the students' pages of a run alone into `directory`; return how many there are."""
    common = _common(results, directory, released, (STUDENT_FOLDER,))
    (directory / STUDENT_FOLDER).mkdir(parents=True, exist_ok=True)
    written = PageList(directory)
    found = _look_through(results, common, written)
    _render_students(results, common, found, written, processes, suites=False)
    written.finish()
    return len(found.cohort.rows)


@contextmanager
def refusing_to_write(directory: Path) -> Iterator[None]:
    """Turn an error of the disk into one message."""
    try:
        yield
    except OSError as error:
        fault = Fault(
            message=f"the report cannot be written: {error.strerror or error}",
            where=_place_of(error, directory),
            hint=_HINTS.get(error.errno or 0, ""),
        )
        raise UsageError(fault) from error


def _place_of(error: OSError, directory: Path) -> str:
    """Return the file that could not be written; for a temporary file its target or its folder."""
    place = error.filename2 or error.filename
    if not isinstance(place, str) or not place:
        return str(directory)
    return place if os.path.lexists(place) else os.path.dirname(place)


def _render(results: RunResults, directory: Path, released: bool, processes: int) -> Cohort:
    task = results.task
    held = is_held(directory)
    common = _common(results, directory, released, (STAFF_FOLDER,) if held else FOLDERS)
    for folder in common.folders:
        (directory / folder).mkdir(parents=True, exist_ok=True)
    written = PageList(directory, STUDENT_FOLDER if held else "")
    found = _look_through(results, common, written)
    cohort, of_all = found.cohort, found.made_from
    pages = Pages(results.run, task)
    due = [
        page_path(folder, row.id)
        for row, folders in zip(cohort.rows, found.due, strict=True)
        for folder in folders
    ]
    written.announce([*due, *map(index_file, pages.further(cohort))])
    suites = not written.stands("junit.xml", of_all)
    _render_students(results, common, found, written, processes, suites=suites)
    if not written.stands("marks.csv", of_all):
        write_marks(directory / "marks.csv", cohort)
        written.add("marks.csv", of_all)
    for number in pages.further(cohort):
        page = index_file(number)
        if not written.stands(page, of_all):
            with replacing(directory / page) as file:
                file.writelines(pages.further_index(cohort, number))
            written.add(page, of_all)
    with replacing(directory / INDEX) as file:
        file.writelines(pages.index(cohort, similar_works(directory, results.run)))
    written.finish()
    return cohort


def _common(results: RunResults, directory: Path, released: bool, folders: tuple[str, ...]) -> Common:
    run, task = results.run, results.task
    digest = _digest(run, task, released, is_whole=folders == FOLDERS)
    return Common(run, task, directory, released, digest, folders)


def _digest(run: RunInfo, task: TaskHead, released: bool, is_whole: bool) -> str:
    """Return the digest of all data that every file depends on.

    The run's id and time are excluded, so unchanged pages are not rewritten.
    """
    faults = json_text(list(run.spec_faults))
    parts = (
        own_identity(),
        templates_digest(),
        json_text(RESULTS.write(task)),
        str(released),
        str(is_whole),
        faults,
    )
    return hashlib.sha256("\n".join(parts).encode()).hexdigest()


@dataclass(frozen=True, slots=True)
class _Found:
    """Facts about all submissions that decide which files to write.

    made_from: digest of all data that the files about all students depend on.
    due: for each submission, the folders in which its page must be written.
    length: of the submissions' texts; due_length: of the texts of those with a page to write.
    """

    cohort: Cohort
    made_from: str
    due: tuple[tuple[str, ...], ...]
    length: int
    due_length: int


def _look_through(results: RunResults, common: Common, written: PageList) -> _Found:
    cohort = Cohort(results.task.max_mark)
    whole = hashlib.sha256(common.digest.encode())
    due = []
    length = due_length = 0
    for (submission, text), beside in _with_neighbours(with_texts(results.submissions)):
        cohort.add(submission)
        made_from = common.made_from(text, beside)
        whole.update(made_from.encode())
        stands = {
            folder: written.stands(page_path(folder, submission.id), made_from) for folder in common.folders
        }
        due.append(tuple(folder for folder in common.folders if not stands[folder]))
        length += len(text)
        due_length += len(text) if due[-1] else 0
    return _Found(cohort, whole.hexdigest(), tuple(due), length, due_length)


_Line = tuple[SubmissionResult, str]


def _with_neighbours(lines: Iterable[_Line]) -> Iterator[tuple[_Line, Neighbours]]:
    """Yield each submission with its line and the ids of those before and after it."""
    these, next_ones = tee(lines)
    next(next_ones, None)
    before = ""
    for line, after in zip_longest(these, next_ones):
        yield line, Neighbours(before, after[0].id if after is not None else "")
        before = line[0].id


def _beside(ids: Sequence[str], place: int) -> Neighbours:
    return Neighbours(*("" if not 0 <= near < len(ids) else ids[near] for near in (place - 1, place + 1)))


def _render_students(
    results: RunResults, common: Common, found: _Found, written: PageList, processes: int, *, suites: bool
) -> None:
    """Write the pages that are not up to date.  suites: write the JUnit file too."""
    ids = [row.id for row in found.cohort.rows]
    due = (
        Due(text, folders, _beside(ids, place))
        for place, (text, folders) in enumerate(zip(texts(results.submissions), found.due, strict=True))
        if folders or suites
    )
    with ExitStack() as exits:
        junit = None
        if suites:
            junit = exits.enter_context(JUnitFile(common.directory / "junit.xml", common.task.id))
        several = min(processes, _worth(found, suites))
        for made in exits.enter_context(closing(_made(replace(common, suites=suites), due, several))):
            for page in made.pages:
                written.add(page, made.made_from)
            if junit is not None and made.suite is not None:
                junit.write(made.suite)
    if suites:
        written.add("junit.xml", found.made_from)


def _worth(found: _Found, suites: bool) -> int:
    """Return how many processes are worth their start."""
    if len({row.id for row in found.cohort.rows}) < len(found.cohort.rows):
        return 1  # two pages of one name: the later one has to stay
    further = (found.length - found.due_length) // _SUITES_ARE_CHEAPER if suites else 0
    return (found.due_length + further) // _WORTH_A_PROCESS


def _made(common: Common, due: Iterable[Due], processes: int) -> Generator[StudentPages, None, None]:
    if processes > 1:
        yield from make_in_processes(common, due, processes)
    else:
        files: StudentFiles | None = None
        for one in due:
            files = files or StudentFiles(common)
            yield files.make(one)
