"""`marks.csv`: one line for each student, for a spreadsheet.

The file is UTF-8 with a byte order mark, because spreadsheets read a file without one in the local code page
and spoil names.  It has CRLF line ends and quotes by RFC 4180.  A pending mark is an empty cell, so that it
is not added up as zero.  Marks of questions that no decimal equals have four places.  The first columns are
fixed.  The questions follow in the task's order.  The last columns are the marks that penalties took, the
seconds of lateness (`unknown` where the time is unknown), whether a person set a mark, the number of
criteria that a person has yet to mark, the marks that caps took, and the attempt that counts.
"""

import csv
from pathlib import Path

from grader.marking.rounding import csv_number
from grader.model.results import Status
from grader.reports.escape import csv_cell
from grader.reports.views.cohort.cohort import Cohort, Row
from grader.store.whole_file import replacing

FIXED_COLUMNS = ("student", "name", "mark", "max_mark", "status")
LAST_COLUMNS = ("penalties", "late_s", "overridden", "awaiting", "capped", "attempt")


def write_marks(path: Path, cohort: Cohort) -> None:
    """Write the marks of the cohort to `path`, whole or not at all."""
    with replacing(path, encoding="utf-8-sig") as file:
        writer = csv.writer(file)
        questions = [csv_cell(f"question {id_}") for id_ in cohort.questions]
        writer.writerow([*FIXED_COLUMNS, *questions, *LAST_COLUMNS])
        for row in cohort.rows:
            writer.writerow(_line(row, list(cohort.questions)))


def _line(row: Row, questions: list[str]) -> list[str]:
    mark = "" if row.status == Status.PENDING else csv_number(row.mark)
    line = [csv_cell(row.id), csv_cell(row.name), mark, csv_number(row.max_mark), csv_cell(row.status)]
    for question in questions:
        cell = row.cells.get(question)
        line.append(csv_number(cell.mark) if cell is not None and cell.is_known else "")
    late = "unknown" if row.time_unknown else str(row.late_s)
    overridden = "yes" if row.overridden else ""
    awaiting, above = str(len(row.awaiting) or ""), csv_number(row.capped)
    return [*line, csv_number(row.deducted), late, overridden, awaiting, above, csv_cell(row.attempt)]
