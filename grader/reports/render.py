"""Everything that a run leaves behind besides `results.json`, rendered from it.

    index.html            the cohort, for the staff; of a large one index-2.html and so on, too
    staff/<id>.html       one student with everything, for the staff
    students/<id>.html    what the student may see, safe to hand out
    marks.csv, junit.xml  for spreadsheets and CI, for the staff
    pages.txt             the files of this report, so that the next one can remove what is no longer
                          right and leave what still is

Submissions pass by one at a time, so memory does not grow with their contents.  Each file appears
whole or not at all.  One that would be the same again but for the run that it names is left as it
is: it tells of the run in which it was written.
"""

import hashlib
from fractions import Fraction
from functools import partial
from pathlib import Path

from grader.engine.reuse import own_code
from grader.model.errors import Fault, UsageError
from grader.reports.cohort import Cohort
from grader.reports.csv_marks import write_marks
from grader.reports.html import Pages, templates_digest
from grader.reports.junit import JUnitFile
from grader.reports.page_names import INDEX, STAFF_FOLDER, STUDENT_FOLDER, index_file, page_file
from grader.reports.written_pages import Written
from grader.store.document_types import ResultsDocument, TaskDocument
from grader.store.json_text import json_text
from grader.store.reading import with_digests
from grader.store.whole_file import replace_text, replacing


def render_all(document: ResultsDocument, directory: Path, released: bool = False) -> Path:
    """Do as `render`, and return the path of `index.html`."""
    render(document, directory, released)
    return directory / INDEX


def render(document: ResultsDocument, directory: Path, released: bool = False) -> Cohort:
    """Write all reports of a run into `directory` and return the figures of its cohort.

    document: whole, or as `stream_document` gives it.
    released: the marks are out; students may see the cases that were hidden until then.
    Raises UsageError if the folder can't be written to.
    """
    try:
        return _render(document, directory, released)
    except OSError as error:
        fault = Fault(
            message=f"the report cannot be written: {error.strerror or error}",
            where=str(error.filename or directory),
            hint="choose another folder with -o, or make room in this one",
        )
        raise UsageError(fault) from error


def _render(document: ResultsDocument, directory: Path, released: bool) -> Cohort:
    task = document["task"]
    pages = Pages(document["run"], task)
    cohort = Cohort(Fraction(task["max_mark"]))
    makers = ((STAFF_FOLDER, pages.staff), (STUDENT_FOLDER, partial(pages.student, released=released)))
    for folder, _ in makers:
        (directory / folder).mkdir(parents=True, exist_ok=True)
    written = Written(directory)
    common = _common(task, released)
    whole = common.copy()
    for submission, digest in with_digests(document["submissions"]):
        cohort.add(submission)
        whole.update(digest)
        own = common.copy()
        own.update(digest)
        for folder, make in makers:
            page = f"{folder}/{page_file(submission['id'])}"
            if not written.stands(page, own.hexdigest()):
                replace_text(directory / page, make(submission))
                written.add(page, own.hexdigest())
    of_all = whole.hexdigest()
    if not written.stands("junit.xml", of_all):
        _write_junit(directory / "junit.xml", document)
        written.add("junit.xml", of_all)
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
        file.writelines(pages.index(cohort))
    written.finish()
    return cohort


def _common(task: TaskDocument, released: bool) -> "hashlib._Hash":
    """Return the digest of what every file depends on; what a run is called and when it was is not of it."""
    parts = (own_code(), templates_digest(), json_text(task), str(released))
    return hashlib.sha256("\n".join(parts).encode())


def _write_junit(path: Path, document: ResultsDocument) -> None:
    with JUnitFile(path, document["task"]["id"]) as junit:
        for submission in document["submissions"]:
            junit.add(submission)
