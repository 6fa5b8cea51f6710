"""Blackboard: one column of the sheet of Work Offline.

Blackboard's help, "Work offline with grade data": lines are matched by `Username`, columns by the
number behind `|` in the heading, such as `Essay [Total Pts: 10 Score] |1281892`; a heading without it makes
a new column. The download is UTF-16 with tabs or UTF-8 with commas, and goes back as it came.  A column `up
to …` is calculated.  Columns and lines that are not changed may be left out; those without a mark are.
"""

import re
from pathlib import Path

from grader.api.exports import Format, Job, chosen, fill, matched, rows

_WHERE = "in Blackboard, open the Grade Centre and choose Work Offline, Download"
_COLUMN = re.compile(r"(.*?)\s*\[Total Pts: ([^\]]*)\]\s*\|([0-9]+)", re.DOTALL)


def write(job: Job) -> list[Path]:
    """Write the sheet with the columns of people and the one of the task.  Raises `UsageError`."""
    filling = matched(job, rows(job), _WHERE)
    sheet = filling.sheet
    columns = {
        at: match for at, text in enumerate(sheet.headings) if (match := _COLUMN.fullmatch(text.strip()))
    }
    open_ones = {at: match for at, match in columns.items() if not match[2].startswith("up to")}
    column = chosen(job, {at: (match[1], match[3]) for at, match in open_ones.items()}, sheet)
    unmarked = fill(job, filling, column, columns[column][2].split(" ")[0], columns)
    kept = [at for at in range(len(sheet.headings)) if at not in columns or at == column]
    return [job.write(job.target, sheet.content(kept, unmarked))]


FORMAT = Format("a column of Work Offline", "blackboard.csv", write, takes_sheet=True)
