"""Brightspace: the points of one grade item.

D2L, "Importing grades" (community.d2l.com/brightspace/kb/articles/3538-importing-grades): a line
needs `OrgDefinedId` or `Username` or both, the column is called as the item, then `Points Grade`, and each
line ends with `#` under `End-of-Line Indicator`.  A grade above the item's maximum is capped.  D2L advises to
import changed items alone, so other items are left out, and so are those who have no mark.
"""

import csv
import io
import re
from pathlib import Path

from grader.api.exports import Format, Job, Row, chosen, csv_cell, fill, heading, listed, matched, rows

_WHERE = "in Brightspace, open Grades, Enter Grades, Export"
_PEOPLE = frozenset({"orgdefinedid", "org defined id", "username", "last name", "first name", "email"})
_END = "End-of-Line Indicator"
_ITEM = re.compile(r"(.+?) Points Grade(?: <(.*)>)?", re.DOTALL)
_MAXIMUM = re.compile(r"MaxPoints:([0-9.,]+)")


def write(job: Job) -> list[Path]:
    """Write the exported sheet with the item's points, or a sheet of our own.  Raises `UsageError`."""
    found = rows(job)
    if job.sheet is None:
        return [job.write(job.target, _own_sheet(job, found))]
    filling = matched(job, found, _WHERE)
    sheet = filling.sheet
    items = {at: match for at, text in enumerate(sheet.headings) if (match := _ITEM.fullmatch(text.strip()))}
    column = chosen(job, {at: (match[1], "") for at, match in items.items()}, sheet)
    maximum = _MAXIMUM.search(items[column][2] or "")
    unmarked = fill(job, filling, column, maximum[1] if maximum else "", items)
    ends = {heading(_END)}
    people = [at for at, text in enumerate(sheet.headings) if heading(text) in _PEOPLE]
    end = [at for at, text in enumerate(sheet.headings) if heading(text) in ends]
    return [job.write(job.target, sheet.content([*people, column, *end], unmarked))]


def _own_sheet(job: Job, found: list[Row]) -> bytes:
    """Return a sheet of those whose ids are known."""
    buffer = io.StringIO(newline="")
    writer = csv.writer(buffer)
    item = job.column or job.results.task.title
    writer.writerow(["OrgDefinedId", "Username", csv_cell(f"{item} Points Grade"), _END])
    unknown = []
    for row in found:
        mark = row.cell(job.zeros)
        if not mark:
            continue
        ids = row.person.ids if row.person is not None else {}
        if not ids.keys() & {"sis", "login"}:
            unknown.append(row.name)
            continue
        # Brightspace's own sign before ids; with it they are no formulas either.
        own = [csv_cell(f"#{ids[kind]}") if kind in ids else "" for kind in ("sis", "login")]
        writer.writerow([*own, mark, "#"])
    if unknown:
        job.tell(f"{len(unknown)} left out, whose ids are not known (see mark --roster): {listed(unknown)}")
    return buffer.getvalue().encode("utf-8-sig")


FORMAT = Format("the points of a grade item", "brightspace.csv", write, takes_sheet=True)
