"""Lists of the class as each LMS writes them.

- Moodle, Participants, "Download table data as CSV": `First name,Last name,ID number,Email address,Groups`
  (from memory; the German words are those of `de/moodle.php` of Moodle's language pack 4.5,
  projectestac/moodle-langpacks 6340d351fc13).
- Canvas has no list but the gradebook, see `sheets.canvas`.
- Gradescope, roster: `First Name,Last Name,SID,Email,Role` (public programs that download and
  parse it have these words).
- GitHub Classroom, `classroom_roster.csv`: `identifier,github_username,github_id,name`, as many public
  scripts demand word for word; `group_name` follows in group assignments.
- Blackboard: the columns before the marks of "Work Offline": `Last Name`, `First Name`, `Username`, `Student
  ID`, `Last Access`, `Availability`.  Public parsers agree; all fields are quoted and the file has a byte
  order mark.
- Brightspace, Grades, "Export to CSV": `OrgDefinedId,Username,Last Name,First Name,Email,End-of-Line
  Indicator`; ids and usernames begin with `#` (a public README shows `#400123456,#doej,Doe,John,doej@…,#`).
"""

import csv
import io
from collections.abc import Callable, Iterable, Sequence

from support.class_of_40.layouts.repositories import TEAM_SLUG
from support.class_of_40.people import CLASS, Student

Rows = list[list[str]]


def text(rows: Iterable[Sequence[str]], *, quote_all: bool = False, delimiter: str = ",") -> str:
    """Return rows as CSV, nothing defused: an LMS writes a name that is a formula as it is."""
    buffer = io.StringIO()
    dialect = "unix" if quote_all else "excel"  # the one quotes all fields, the other those that need it
    csv.writer(buffer, dialect, delimiter=delimiter, lineterminator="\r\n").writerows(rows)
    return buffer.getvalue()


def moodle(students: Iterable[Student] = CLASS, language: str = "en") -> bytes:
    """Return the participants of a Moodle course, in English or German."""
    words = {
        "en": ["First name", "Last name", "ID number", "Email address", "Groups"],
        "de": ["Vorname", "Nachname", "ID-Nummer", "E-Mail-Adresse", "Gruppen"],
    }
    rows = [words[language]]
    rows += [[s.first, s.last, s.sis_id, s.mail, s.group] for s in students]
    return text(rows).encode("utf-8-sig")


def gradescope(students: Iterable[Student] = CLASS) -> bytes:
    """Return the roster of a Gradescope course, with a teacher and an assistant in it."""
    rows = [
        ["First Name", "Last Name", "SID", "Email", "Role"],
        ["Grace", "Teacher", "", "grace@example.edu", "Instructor"],
    ]
    rows += [[s.first, s.last, s.sis_id, s.mail, "Student"] for s in students]
    rows.append(["Tim", "Assistant", "", "tim@example.edu", "TA"])
    return text(rows).encode()


def classroom(students: Iterable[Student] = CLASS, *, groups: bool = False) -> bytes:
    """Return `classroom_roster.csv`.  One student has accepted no invitation and has no name at GitHub."""
    rows = [["identifier", "github_username", "github_id", "name"] + ["group_name"] * groups]
    for s in students:
        joined = bool(s.attempts) or bool(s.group)
        row = [s.mail or s.sis_id, s.github if joined else "", str(800 + s.number) if joined else "", s.name]
        rows.append(row + [TEAM_SLUG if s.group else ""] * groups)
    return text(rows, quote_all=True).encode()


def blackboard(students: Iterable[Student] = CLASS) -> bytes:
    """Return the columns of "Work Offline" that name people."""
    rows = [["Last Name", "First Name", "Username", "Student ID", "Last Access", "Availability"]]
    rows += [[s.last, s.first, s.login, s.sis_id, "2026-11-01 20:15:00", "Yes"] for s in students]
    return text(rows, quote_all=True).encode("utf-8-sig")


def brightspace(students: Iterable[Student] = CLASS) -> bytes:
    """Return the classlist that Brightspace exports with no grade item chosen."""
    rows = [["OrgDefinedId", "Username", "Last Name", "First Name", "Email", "End-of-Line Indicator"]]
    rows += [[f"#{s.sis_id}", f"#{s.login}", s.last, s.first, s.mail, "#"] for s in students]
    return text(rows).encode("utf-8-sig")


ROSTERS: dict[str, Callable[[], bytes]] = {
    "moodle": moodle,
    "gradescope": gradescope,
    "classroom": classroom,
    "blackboard": blackboard,
    "brightspace": brightspace,
}
