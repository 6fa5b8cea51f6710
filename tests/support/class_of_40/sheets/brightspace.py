"""Brightspace's sheet of grades: as it is exported, and read by the rules of its import.

Sources: D2L, "Importing grades" (community.d2l.com/brightspace/kb/articles/3538-importing-grades): a row
needs `Username` or `OrgDefinedId` or both; a numeric item's column is `<item> Points Grade`; CSV, TSV or
TXT.  A grade above the item's maximum is capped, unless the item may exceed it; this reader refuses it.
Files that were exported have the heading `<item> Points Grade <Numeric MaxPoints:10>` (public scripts
agree), `#` before ids and usernames, and a last column `End-of-Line Indicator` with `#` in each row.  "Do
not import other options, such as a user's first name" stands in D2L's help of 2019.12; names that were
exported are let be.
"""

import re
from collections.abc import Iterable
from fractions import Fraction

from support.class_of_40.people import CLASS, Student
from support.class_of_40.rosters import text
from support.class_of_40.sheets.refused import Refused, Table, mark, table, utf8
from support.class_of_40.task import MAX_MARK, TITLE

ITEM = TITLE
COLUMN = f"{ITEM} Points Grade <Numeric MaxPoints:{MAX_MARK}>"
END = "End-of-Line Indicator"
_NAMES = ("Last Name", "First Name", "Email")


def blank(students: Iterable[Student] = CLASS) -> bytes:
    """Return the sheet that Brightspace exports for one grade item, with no marks in it."""
    rows = [["OrgDefinedId", "Username", *_NAMES, COLUMN, END]]
    rows += [[f"#{s.sis_id}", f"#{s.login}", s.last, s.first, s.mail, "", "#"] for s in students]
    return text(rows).encode("utf-8-sig")


def read(
    data: bytes, students: Iterable[Student] = CLASS, *, item: str = ITEM, maximum: int = MAX_MARK
) -> dict[str, Fraction]:
    """Return the marks by OrgDefinedId."""
    sheet = table(utf8(data))
    keys = [name for name in ("OrgDefinedId", "Username") if name in sheet.heading]
    if not keys or sheet.heading[0] not in keys:
        raise Refused(f"OrgDefinedId or Username has to come first; the columns are {sheet.heading}")
    if sheet.heading[-1] != END:
        raise Refused(f"the last column is {sheet.heading[-1]!r}, not {END!r}")
    column = _column(sheet, item)
    by_id = {s.sis_id: s for s in students}
    by_login = {s.login: s for s in by_id.values()}
    marks: dict[str, Fraction] = {}
    seen: set[str] = set()
    for number, row in enumerate(sheet.rows, 2):
        if row[-1] != "#":
            raise Refused(f"row {number} does not end with #")
        ids = {name: row[sheet.place(name)].removeprefix("#") for name in keys}
        found = {
            s.sis_id if (s := _person(name, ident, by_id, by_login)) else "" for name, ident in ids.items()
        }
        if len(found) != 1 or not (ident := found.pop()):
            raise Refused(f"row {number}: {ids} is nobody, or two people")
        if ident in seen:
            raise Refused(f"row {number}: {ident} is there twice")
        seen.add(ident)
        value = mark(row[sheet.place(column)], maximum=maximum, where=f"row {number}")
        if value is not None:
            marks[ident] = value
    return marks


def _person(
    column: str, ident: str, by_id: dict[str, Student], by_login: dict[str, Student]
) -> Student | None:
    return by_id.get(ident) if column == "OrgDefinedId" else by_login.get(ident)


def _column(sheet: Table, item: str) -> str:
    kinds = r"(Points Grade|Grade Symbol|Text Grade)( <[^<>]*>)?"
    for name in sheet.heading[:-1]:
        if name in ("OrgDefinedId", "Username", *_NAMES):
            continue
        if not re.fullmatch(rf".+ {kinds}", name):
            raise Refused(f"Brightspace does not know the column {name!r}")
    found = [
        name for name in sheet.heading if re.fullmatch(rf"{re.escape(item)} Points Grade( <[^<>]*>)?", name)
    ]
    if len(found) != 1:
        raise Refused(f"there are {len(found)} columns {item!r} Points Grade: {sheet.heading}")
    return found[0]
