"""Blackboard's "Work Offline" sheet: as it is downloaded, and read by the rules of its upload.

Blackboard's source is not public.  Public programs agree (nbeaver/offline-grades-upload, README; a tested
reader whose comment says it was tried against Ultra on 2026-09-02): rows are matched by `Username` alone; a
column's heading is `Title [Total Pts: 10 Score] |1281892`, and the number behind `|` leads the marks into
the column that exists, while a heading without it makes a new column.  The download is UTF-16 with tabs,
called `.xls`, or a CSV in UTF-8 with a byte order mark and all fields quoted.  A column `[Total Pts: up to
…]` is calculated and cannot be uploaded.
"""

import codecs
import re
from collections.abc import Iterable
from fractions import Fraction

from support.class_of_40.people import CLASS, Student
from support.class_of_40.rosters import text
from support.class_of_40.sheets.refused import Refused, Table, mark, table, utf8
from support.class_of_40.task import MAX_MARK, TITLE

COLUMN_ID = 1281892
COLUMN = f"{TITLE} [Total Pts: {MAX_MARK} Score] |{COLUMN_ID}"
TOTAL = "Total [Total Pts: up to 55 Score] |1281890"
_PEOPLE = ["Last Name", "First Name", "Username", "Student ID", "Last Access", "Availability"]
_HEADING = re.compile(
    r"(?P<title>.*?)\s*\[Total Pts: (?P<points>.+?) (?P<kind>[A-Za-z/ ]+)\]\s*\|(?P<id>\d+)"
)


def blank(students: Iterable[Student] = CLASS, *, tabs: bool = False) -> bytes:
    """Return the sheet as it is downloaded, with no marks in it.  tabs: UTF-16 and tabs, else CSV."""
    rows = [[*_PEOPLE, TOTAL, COLUMN]]
    rows += [
        [s.last, s.first, s.login, s.sis_id, "2026-11-01 20:15:00", "Yes", "12.00", ""] for s in students
    ]
    if tabs:
        sheet = text(rows, quote_all=True, delimiter="\t")
        return codecs.BOM_UTF16_LE + sheet.encode("utf-16-le")
    return text(rows, quote_all=True).encode("utf-8-sig")


def decoded(data: bytes) -> Table:
    """Read either form of the sheet."""
    if data.startswith((codecs.BOM_UTF16_LE, codecs.BOM_UTF16_BE)):
        return table(data.decode("utf-16"), delimiter="\t")
    return table(utf8(data))


def read(
    before: bytes, after: bytes, *, column: str = COLUMN, maximum: int = MAX_MARK
) -> dict[str, Fraction]:
    """Return the marks by username.  The sheet may leave columns and people out."""
    old, new = decoded(before), decoded(after)
    if not data_alike(before, after):
        raise Refused("the sheet came as UTF-16 with tabs and goes back as something else, or the other way")
    who = new.place("Username")
    for name in new.heading:
        if name not in _PEOPLE and not _HEADING.fullmatch(name):
            raise Refused(f"Blackboard would make a new column {name!r}")
        if name not in old.heading:
            raise Refused(f"Blackboard has no column {name!r}")
    known = {row[old.place("Username")]: dict(zip(old.heading, row, strict=True)) for row in old.rows}
    marks: dict[str, Fraction] = {}
    seen: set[str] = set()
    for row in new.rows:
        login = row[who]
        if login not in known or login in seen:
            raise Refused(f"the username {login!r} is not in the class, or is there twice")
        seen.add(login)
        for name, cell in zip(new.heading, row, strict=True):
            if name != column and cell != known[login][name]:
                raise Refused(f"{login}: {name} was {known[login][name]!r} and is {cell!r}")
        value = mark(row[new.place(column)], maximum=maximum, where=login)
        if value is not None:
            marks[login] = value
    return marks


def data_alike(before: bytes, after: bytes) -> bool:
    """Tell whether two sheets have the same encoding of the two that there are."""
    wide = (codecs.BOM_UTF16_LE, codecs.BOM_UTF16_BE)
    return before.startswith(wide) == after.startswith(wide)
