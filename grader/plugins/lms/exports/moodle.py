"""Moodle: the marking worksheet filled in place, and the feedback files in a zip.

`mod/assign/feedback/offline/importgradeslib.php` (moodle/moodle 452e36fcf584) finds `Identifier`, `Grade`
and `Last modified (grade)` by the headings of the site's language, so all headings stay.  `locallib.php`
beside it skips an empty grade and, without a word, a grade above the maximum; it reads a number by the
decimal sign of the language.  Comments are matched by their heading, kept as HTML and written wherever they
differ, also where the grade is skipped: an empty one wipes what was there.
`mod/assign/feedback/file/importziplib.php` takes a file whose folder is
`name_participant_assignfeedback_file_`.
"""

import io
import re
import zipfile
from html import escape
from pathlib import Path

from grader.api.exports import (
    PARTICIPANT,
    STUDENT_FOLDER,
    Fault,
    Filling,
    Format,
    Job,
    Row,
    Sheet,
    Status,
    UsageError,
    are_released,
    csv_cell,
    fill,
    heading,
    matched,
    number,
    page_path,
    rows,
    visible,
)

_WHERE = "in Moodle, open the assignment's submissions and choose Download grading worksheet"
_GRADE = frozenset(
    {
        *("grade", "bewertung", "note", "calificación", "valutazione", "cijfer", "nota", "avaliação"),
        *("betyg", "karakter", "vurdering", "arvosana", "ocena", "qualificació", "hodnocení", "známka"),
    }
)
_COMMENTS = frozenset(
    {
        *("feedback comments", "feedback als kommentar", "feedback par commentaires"),
        *("commentaires de feedback", "comentarios de retroalimentación", "commenti di feedback"),
        *("commenti", "feedback als opmerkingen", "feedback als commentaar", "comentários de feedback"),
        *("comentários", "återkopplingskommentarer", "kommentarer til tilbakemelding"),
        *("feedback-kommentarer", "palautekommentit", "komentarz zwrotny"),
    }
)


def write(job: Job) -> list[Path]:
    """Write the worksheet, and the zip of feedback files beside it.  Raises `UsageError`."""
    filling = matched(job, rows(job), _WHERE)
    sheet = filling.sheet
    column = _grade_column(sheet)
    maximum = next((sheet.cell(row, column + 1) for row in filling.by_row), "")
    fill(job, filling, column, maximum)
    comments = [at for at, text in enumerate(sheet.headings) if heading(text) in _COMMENTS]
    if len(comments) == 1:
        for place, row in filling.by_row.items():
            if row.status != Status.NO_SUBMISSION:
                sheet.set(place, comments[0], csv_cell(_html_lines(row.feedback)))
    else:
        job.tell("the sheet has no column of feedback comments that is known, so it gets marks alone")
    written = [job.write(job.target, sheet.content())]
    if not are_released(job.folder):
        job.tell("the pages of these marks are held back (see grader release): there are no feedback files")
        return written
    packed = _feedback_files(job, filling)
    return [*written, job.write(job.beside("-feedback.zip"), packed)] if packed else written


def _grade_column(sheet: Sheet) -> int:
    """Return the column of grades: by its heading, or, in any language, by the maximum that follows it."""
    named = [at for at, text in enumerate(sheet.headings) if heading(text) in _GRADE]
    able = [at for at in range(1, len(sheet.headings) - 1) if _is_before_maximum(sheet, at)]
    found = [at for at in named if at in able] or able
    if len(found) != 1:
        message = "the column of grades is not sure: it is the one before that of the maximum grade"
        raise UsageError(Fault(message, f"{sheet.where}:1", hint=_WHERE))
    return found[0]


def _is_before_maximum(sheet: Sheet, at: int) -> bool:
    """Tell whether all lines have a number or nothing here, and one number above 0 in the next column."""
    lines = [row for row in range(1, len(sheet.rows)) if sheet.cell(row, 0).strip()]
    most = {sheet.cell(row, at + 1).strip() for row in lines}
    grades = (sheet.cell(row, at).strip() for row in lines)
    return (
        len(most) == 1
        and bool(number(most.pop()))
        and all(not text or text == "-" or number(text) is not None for text in grades)
    )


def _feedback_files(job: Job, filling: Filling) -> bytes:
    """Return a zip with the page of each student who handed in; empty where there is no page."""
    buffer, count = io.BytesIO(), 0
    with zipfile.ZipFile(buffer, "w", zipfile.ZIP_DEFLATED) as archive:
        for place, row in sorted(filling.by_row.items()):
            page = job.folder / page_path(STUDENT_FOLDER, row.id)
            participant = PARTICIPANT.fullmatch(filling.sheet.cell(place, 0).strip())
            if row.status == Status.NO_SUBMISSION or participant is None or not page.is_file():
                continue
            entry = zipfile.ZipInfo(f"{_folder(row)}_{participant[1]}_assignfeedback_file_/feedback.html")
            entry.compress_type = zipfile.ZIP_DEFLATED
            archive.writestr(entry, page.read_bytes())
            count += 1
    return buffer.getvalue() if count else b""


def _folder(row: Row) -> str:
    """Return a student's name for a folder: without underscores, which divide its parts, and never hidden."""
    name = re.sub(r"[^\w .'-]|_", " ", row.person.name if row.person is not None else row.name)
    return " ".join(name.split())[:60].strip(" .~") or "Participant"


def _html_lines(text: str) -> str:
    """Return the text as HTML, each line by itself."""
    return "<br />".join(escape(line, quote=True) for line in visible(text).splitlines())


FORMAT = Format("the grading worksheet, and a zip of feedback files", "moodle.csv", write, takes_sheet=True)
