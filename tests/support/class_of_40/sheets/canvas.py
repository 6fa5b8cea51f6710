"""Canvas's gradebook: as it is exported, and read by the rules of its import.

Writing follows instructure/canvas-lms, `lib/gradebook_exporter.rb` (0140a2effa63): `Student`, `ID`, `SIS
User ID`, `SIS Login ID`, `Section`, one `Title (id)` for each assignment, then totals, which are read-only;
a row `Manual Posting` under the heading if an assignment is posted by hand; a row `    Points Possible`; a
name that begins with `=` is written as `="name"`.  The exporter's hidden row and total columns are rendered
as it writes them.

Reading follows `lib/gradebook_importer.rb` (00b222d77ee4): the heading must begin `Student`, `ID` and have
`Section` where the columns of people end; people are found by `ID`, then SIS ids, then name; an assignment
is found by the number in its heading, otherwise Canvas makes a new one; `row[0]` with `Points Possible`
changes the assignment's points; a `;` that divides more fields is taken as delimiter, and a comma in a
number as decimal point.  Canvas would invent people and assignments, and change points, without refusing;
this reader refuses each.
"""

import re
from collections.abc import Iterable
from fractions import Fraction

from support.class_of_40.layouts.canvas import NO_NAME
from support.class_of_40.people import CLASS, Student
from support.class_of_40.rosters import text
from support.class_of_40.sheets.refused import Refused, mark, table, utf8
from support.class_of_40.task import MAX_MARK, TITLE

ASSIGNMENT_ID = 60217
COLUMN = f"{TITLE} ({ASSIGNMENT_ID})"
OTHER_COLUMN = "Homework_2 Sorting (60216)"
_PEOPLE = ["Student", "ID", "SIS User ID", "SIS Login ID", "Section"]
_TOTALS = ["Current Score", "Unposted Current Score", "Final Score", "Unposted Final Score"]
POINTS = "    Points Possible"


def blank(students: Iterable[Student] = CLASS, *, manual_posting: bool = True) -> bytes:
    """Return the gradebook as Canvas exports it, with no marks for the task."""
    rows = [[*_PEOPLE, OTHER_COLUMN, COLUMN, *_TOTALS]]
    if manual_posting:
        rows.append([""] * 6 + ["Manual Posting"] + [""] * 4)
    rows.append([POINTS, "", "", "", "", "5.00", f"{MAX_MARK}.00", *["(read only)"] * 4])
    for s in students:
        name = s.sortable or NO_NAME
        shown = f'="{name}"' if re.match(r"\s*=", name) else name
        other = "N/A" if s.number == 31 else "4.50"
        rows.append([shown, str(s.canvas_id), s.sis_id, s.login, "Lab A, North", other, "", *["90.0"] * 4])
    return text(rows).encode()


def read(
    before: bytes, after: bytes, *, column: str = COLUMN, maximum: int = MAX_MARK
) -> dict[str, Fraction]:
    """Return the new marks by Canvas's ids.  The sheet may leave columns and people out, not change
    others."""
    old, new = table(utf8(before)), table(utf8(after))
    if _semicolons(utf8(after)):
        raise Refused("Canvas takes the sheet to be divided by semicolons")
    if len(new.heading) < 4 or "Student" not in new.heading[0] or "ID" not in new.heading[1]:
        raise Refused(f"Canvas wants Student and ID first; the heading is {new.heading}")
    if "Section" not in new.heading[_people(new.heading) - 1]:
        raise Refused(f"Canvas wants Section as the last column of people; the heading is {new.heading}")
    for name in new.heading:
        if name not in old.heading:
            raise Refused(f"Canvas would make a new assignment {name!r}")
    known = {row[1]: row for row in old.rows if row[1]}
    marks: dict[str, Fraction] = {}
    points = 0
    for row in new.rows:
        cell = row[new.place(column)].strip()
        if "Points Possible" in row[0]:
            points += 1
            _same(old.heading, next(r for r in old.rows if r[0] == POINTS), new.heading, row, "")
        elif all(re.fullmatch(r"\s*(Muted|Manual Posting.*)?\s*", one, re.IGNORECASE) for one in row):
            continue
        elif row[1] not in known:
            raise Refused(f"Canvas has no person with the ID {row[1]!r} ({row[0]!r})")
        else:
            _same(old.heading, known[row[1]], new.heading, row, column)
            value = mark(cell, maximum=maximum, where=f"ID {row[1]}") if cell != "EX" else None
            if row[1] in marks:
                raise Refused(f"the ID {row[1]} is there twice")
            if value is not None:
                marks[row[1]] = value
    if points != 1:
        raise Refused(f"there are {points} rows of Points Possible")
    return marks


def _people(heading: list[str]) -> int:
    """Return how many columns Canvas takes to be about people (`update_column_count`)."""
    if "SIS Login ID" in heading[2]:
        return 4
    if "SIS User ID" in heading[2] and "SIS Login ID" in heading[3]:
        integration = "Integration ID" in heading[4]
        return 5 + integration + ("Root Account" in heading[4 + integration])
    return 3


def _same(old_names: list[str], old: list[str], new_names: list[str], new: list[str], but: str) -> None:
    before = dict(zip(old_names, old, strict=True))
    for name, cell in zip(new_names, new, strict=True):
        if name != but and before[name] != cell:
            raise Refused(f"ID {old[1]}: {name} was {before[name]!r} and is {cell!r}")


def _semicolons(sheet: str) -> bool:
    """Tell whether the first three lines look divided by semicolons (`identify_delimiter`)."""
    lines = [line for line in sheet.splitlines()[:3] if line]
    return _fields(lines, ";") > _fields(lines, ",")


def _fields(lines: list[str], sign: str) -> int:
    """Return how many fields each line has; 0 if that differs, or a line cannot be read."""
    try:
        counts = {len(table(line, delimiter=sign).heading) for line in lines}
    except Refused:
        return 0
    return counts.pop() if len(counts) == 1 else 0
