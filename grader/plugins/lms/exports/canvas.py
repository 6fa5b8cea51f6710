"""Canvas: the column of the assignment in the gradebook.

`lib/gradebook_importer.rb` (instructure/canvas-lms 00b222d77ee4) finds people by `ID` and the assignment by
the number in its heading; `Student`, `ID` and the columns up to `Section` must stay, and the row `Points
Possible`, which would change the points.  It makes an assignment of each heading that it does not know, and
an empty cell takes a mark away.  So the columns of people and the one of the assignment are written, all
others are left out, and so are the lines of those who have no mark.
"""

import re
from pathlib import Path

from grader.api.exports import Format, Job, chosen, fill, heading, matched, rows

_WHERE = "in Canvas, open Grades and choose Export, Export Entire Gradebook"
_PEOPLE = frozenset(
    {
        *("student", "lastname", "firstname", "id", "sis user id", "sis login id", "section"),
        *("integration id", "root account"),
    }
)
_TITLE_AND_ID = re.compile(r"(.*) \(([0-9]+)\)", re.DOTALL)
_READ_ONLY = re.compile(r"read\s+only", re.IGNORECASE)


def write(job: Job) -> list[Path]:
    """Write the gradebook with the columns of people and of the assignment.  Raises `UsageError`."""
    filling = matched(job, rows(job), _WHERE)
    sheet = filling.sheet
    points = next((row for row in range(1, len(sheet.rows)) if "Points Possible" in sheet.cell(row, 0)), 0)
    titles = {
        at: (found[1], found[2])
        for at, text in enumerate(sheet.headings)
        if (found := _TITLE_AND_ID.fullmatch(text.strip()))
        and not (points and _READ_ONLY.search(sheet.cell(points, at)))
    }
    column = chosen(job, titles, sheet)
    unmarked = fill(job, filling, column, sheet.cell(points, column) if points else "", titles)
    people = [at for at, text in enumerate(sheet.headings) if heading(text) in _PEOPLE]
    return [job.write(job.target, sheet.content([*people, column], unmarked))]


FORMAT = Format("the gradebook's column", "canvas.csv", write, takes_sheet=True)
