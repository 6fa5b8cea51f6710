"""Everything that a run leaves behind besides `results.json`, rendered from it.

    index.html            the cohort, for the staff
    staff/<id>.html       one student with everything, for the staff
    students/<id>.html    what the student may see, safe to hand out
    marks.csv, junit.xml  for spreadsheets and CI, for the staff
    pages.txt             the pages of this run, so that the next one can remove what is no longer right

Submissions pass by once, one at a time, so memory does not grow with their contents.  Each
file appears whole or not at all.
"""

from fractions import Fraction
from pathlib import Path

from grader.model.errors import Fault, UsageError
from grader.reports.cohort import Cohort
from grader.reports.csv_marks import write_marks
from grader.reports.html import Pages
from grader.reports.junit import JUnitFile
from grader.reports.page_names import STAFF_FOLDER, STUDENT_FOLDER, page_file
from grader.reports.written_pages import Written
from grader.store.document_types import ResultsDocument
from grader.store.whole_file import replace_text, replacing


def render_all(document: ResultsDocument, directory: Path, released: bool = False) -> Path:
    """Write all reports of a run into `directory` and return the path of `index.html`.

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


def _render(document: ResultsDocument, directory: Path, released: bool) -> Path:
    task = document["task"]
    pages = Pages(document["run"], task)
    cohort = Cohort(Fraction(task["max_mark"]))
    staff_folder, student_folder = directory / STAFF_FOLDER, directory / STUDENT_FOLDER
    for folder in (staff_folder, student_folder):
        folder.mkdir(parents=True, exist_ok=True)
    written = Written(directory)
    with JUnitFile(directory / "junit.xml", task["id"]) as junit:
        for submission in document["submissions"]:
            name = page_file(submission["id"])
            replace_text(staff_folder / name, pages.staff(submission))
            replace_text(student_folder / name, pages.student(submission, released=released))
            written.add(name)
            junit.add(submission)
            cohort.add(submission)
    write_marks(directory / "marks.csv", cohort)
    index = directory / "index.html"
    with replacing(index) as file:
        file.writelines(pages.index(cohort))
    written.finish()
    return index
