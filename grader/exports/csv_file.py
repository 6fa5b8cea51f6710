"""CSV: one line for each student with the ids that are known, for a spreadsheet.

The file is UTF-8 with a byte order mark.  No cell is a formula.
"""

import csv
import io
from pathlib import Path

from grader.exports.format import Format
from grader.exports.job import Job, rows
from grader.marking.rounding import csv_number
from grader.model.person import KINDS, Person
from grader.reports.escape import csv_cell


def write(job: Job) -> list[Path]:
    """Write the file."""
    buffer = io.StringIO(newline="")
    writer = csv.writer(buffer)
    writer.writerow(["student", "name", "mail", "group", *KINDS, "mark", "max_mark", "status"])
    most = csv_number(job.results.task.max_mark)
    for row in rows(job):
        person = row.person or Person()
        known = [row.id, row.name, person.mail, person.group, *(person.ids.get(kind, "") for kind in KINDS)]
        writer.writerow([*map(csv_cell, known), row.cell(job.zeros), most, csv_cell(row.status)])
    return [job.write(job.target, buffer.getvalue().encode("utf-8-sig"))]


FORMAT = Format("marks with names and ids", "marks.csv", write)
