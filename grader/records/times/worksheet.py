"""The times in Moodle's grading worksheet: the column of the submission's last change.

Its heading is in the site's language, but two headings always differ in their brackets alone: `Last modified
(submission)` and, behind it, `Last modified (grade)`.  Where a spreadsheet has moved them, the second is told
by its word, which is the heading of another column.  A team's time stands in the line of each member.
Source: `mod/assign/gradingtable.php`.
"""

import re
from collections.abc import Iterator
from datetime import datetime
from pathlib import Path

from grader.model.errors import Fault, UsageError
from grader.records.file_text import read_bytes
from grader.records.roster import PARTICIPANT
from grader.records.sheet import Sheet, sheet_in
from grader.records.times.written_dates import written_date
from grader.yamlfile.source import shown

_CHANGED = re.compile(r"(?P<what>.+\S)\s*\((?P<of>[^()]+)\)\s*")
_NOTHING = ("", "-")
_MOST_FAULTS = 20
_HINT = "download the worksheet in English, or write these times into a file with student and submitted"


def has_times(path: Path) -> bool:
    """Tell whether a file is a worksheet with times; false where it can't be read."""
    try:
        return worksheet_in(read_bytes(path, "the worksheet"), str(path)) is not None
    except UsageError:
        return False


def worksheet_in(content: bytes, where: str) -> Sheet | None:
    """Return the worksheet with times in a file's content; None if it is another file."""
    try:
        sheet = sheet_in(content, where, "the worksheet")
    except UsageError:
        return None
    first = next((row for row in range(1, len(sheet.rows)) if any(sheet.rows[row])), 0)
    is_worksheet = PARTICIPANT.fullmatch(sheet.cell(first, 0).strip()) and _column(sheet) is not None
    return sheet if is_worksheet else None


def _column(sheet: Sheet) -> int | None:
    """Return the column of the submission's time; None if there is none."""
    others = {text.strip().casefold() for text in sheet.headings}
    seen: dict[str, tuple[int, bool]] = {}
    for column, text in enumerate(sheet.headings):
        heading = _CHANGED.fullmatch(text)
        if heading is None:
            continue
        of_grade = heading["of"].strip().casefold() in others
        if heading["what"] in seen:
            before, was_of_grade = seen[heading["what"]]
            return column if was_of_grade and not of_grade else before
        seen[heading["what"]] = column, of_grade
    return None


def worksheet_times(sheet: Sheet) -> Iterator[tuple[str, datetime]]:
    """Yield the time of each participant who handed in, without its zone.

    The name of each is that of a Moodle download, `moodle-7001`.  Raises `UsageError` with every date that is
    not known.
    """
    column = _column(sheet)
    assert column is not None
    faults = []
    for row in range(1, len(sheet.rows)):
        participant = PARTICIPANT.fullmatch(sheet.cell(row, 0).strip())
        written = sheet.cell(row, column).strip()
        if participant is None or written in _NOTHING:
            continue
        time = written_date(written)
        if time is not None:
            yield f"moodle-{participant[1]}", time
        else:
            faults.append(Fault(f"`{shown(written)}` is no date that is known", sheet.place(row), hint=_HINT))
    if faults:
        raise UsageError(*faults[:_MOST_FAULTS])
