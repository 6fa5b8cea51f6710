"""Moodle's marking worksheet and zip of feedback files: blank, and read by Moodle's own rules.

The columns are those of `mod/assign/gradingtable.php` (moodle/moodle 003699dba493) when it is downloaded:
recordid, fullname (not under blind marking), identity fields, status, team, grade, maxgrade,
gradecanbechanged, timesubmitted, editor fields, timemarked, feedback's editor fields.  The words are
`lang/en/assign.php` and, in German, `de/assign.php` of the language pack 4.5 (projectestac/moodle-langpacks
6340d351fc13).  `recordid` is the word `hiddenuser` with the id glued to it: `Participant 7001` in English,
`Teilnehmer/in7001` in German. `col_status` joins its parts with ` - `.

Reading follows `mod/assign/feedback/offline/importgradeslib.php` (452e36fcf584), `locallib.php`
(04975560d10b), and `mod/assign/feedback/file/importziplib.php` (0203d8f26027).  Moodle skips a row that it
does not take, without a word; this reader refuses it.  `unformat_float` takes the decimal sign of the site's
language.
"""

import io
import re
import zipfile
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from fractions import Fraction

from support.class_of_40.layouts.moodle import DEFAULT_TEAM
from support.class_of_40.people import CLASS, Student
from support.class_of_40.rosters import text
from support.class_of_40.sheets.refused import Refused, mark, only_changed, table, utf8
from support.class_of_40.task import MAX_MARK


@dataclass(frozen=True)
class Words:
    """The words of a site's language."""

    identifier: str
    name: str
    mail: str
    status: str
    group: str
    grade: str
    maximum: str
    changeable: str
    submitted: str
    marked: str
    feedback: str
    person: str
    handed_in: str
    not_handed_in: str
    late: str
    yes: str
    decimal: str


LANGUAGES = {
    "en": Words(
        *("Identifier", "Full name", "Email address", "Status", "Group", "Grade", "Maximum grade"),
        *("Grade can be changed", "Last modified (submission)", "Last modified (grade)", "Feedback comments"),
        *("Participant ", "Submitted for grading", "No submission", "{} late", "Yes", "."),
    ),
    "de": Words(
        *("ID", "Vollständiger Name", "E-Mail-Adresse", "Status", "Gruppe", "Bewertung", "Bestwertung"),
        *("Bewertung kann geändert werden", "Zuletzt geändert (Abgabe)", "Zuletzt geändert (Bewertung)"),
        *("Feedback als Kommentar", "Teilnehmer/in", "Zur Bewertung abgegeben", "Keine Abgabe", "{} zu spät"),
        *("Ja", ","),
    ),
}
_DAYS = ("Montag", "Dienstag", "Mittwoch", "Donnerstag", "Freitag", "Samstag", "Sonntag")


def blank(
    students: Iterable[Student] = CLASS, *, language: str = "en", blind: bool = False, team: bool = False
) -> bytes:
    """Return the worksheet as Moodle gives it, with no marks in it.  team: with the column of groups."""
    words = LANGUAGES[language]
    rows = [_heading(words, blind, team)]
    for student in students:
        attempt = student.counted()
        if attempt is None:
            status, time = words.not_handed_in, "-"
        else:
            late = student.late_s(attempt)
            status = words.handed_in + (f" - {words.late.format(_duration(late, language))}" if late else "")
            at, german = attempt.at, language == "de"
            clock = f"{at:%H:%M}" if german else f"{at.hour % 12 or 12}:{at:%M %p}"
            month = "November" if at.month == 11 else ("Oktober" if german else "October")
            day = f"{_DAYS[at.weekday()]}, {at.day}." if german else f"{at:%A}, {at.day}"
            time = f"{day} {month} {at.year}, {clock}"
        row = [f"{words.person}{student.participant}"]
        row += [] if blind else [student.name, student.mail]
        row += [status] + [student.group or DEFAULT_TEAM] * team
        rows.append([*row, "", f"{MAX_MARK}{words.decimal}00", words.yes, time, "-", ""])
    return text(rows).encode("utf-8-sig")


def _heading(words: Words, blind: bool, team: bool) -> list[str]:
    who = [words.identifier] + ([] if blind else [words.name, words.mail])
    middle = [words.status] + [words.group] * team
    return [
        *who,
        *middle,
        words.grade,
        words.maximum,
        words.changeable,
        words.submitted,
        words.marked,
        words.feedback,
    ]


def _duration(late_s: int, language: str) -> str:
    days, hours, minutes = late_s // 86400, late_s // 3600, late_s // 60
    if days:
        return f"{days} {'Tage' if language == 'de' else 'days'}"
    if hours:
        return f"{hours} {'Stunden' if language == 'de' else 'hours'}"
    return f"{minutes} {'Minute' if language == 'de' else 'min'}"


@dataclass(frozen=True)
class Imported:
    """The marks and comments that Moodle takes from a sheet, by participants' ids, without the word before
    them."""

    marks: Mapping[str, Fraction]
    comments: Mapping[str, str]


def read(before: bytes, after: bytes, *, language: str = "en", maximum: int = MAX_MARK) -> Imported:
    """Read a worksheet that was filled in place; refuse what Moodle would refuse, skip or read wrongly."""
    words = LANGUAGES[language]
    old, new = table(utf8(before)), table(utf8(after))
    for name in (words.identifier, words.grade, words.marked):
        new.place(name)
    marks: dict[str, Fraction] = {}
    comments: dict[str, str] = {}
    for row in new.rows:
        who = row[new.place(words.identifier)]
        if not re.fullmatch(re.escape(words.person) + r"\d+", who):
            raise Refused(f"{who!r} is not {words.person!r} and a number")
        ident = who.removeprefix(words.person)
        cell = row[new.place(words.grade)]
        if words.decimal != "." and re.search(r"\d\.\d{3}$", cell):
            raise Refused(f"{who}: {cell!r} can be read as thousands")
        value = mark(cell.replace(words.decimal, "."), maximum=maximum, where=who)
        if value is not None:
            marks[ident] = value
        comment = row[new.place(words.feedback)] if words.feedback in new.heading else ""
        if comment:
            comments[ident] = comment
    only_changed(old, new, (words.grade, words.feedback), words.identifier)
    return Imported(marks, comments)


def read_feedback(data: bytes, participants: Iterable[str]) -> dict[str, dict[str, bytes]]:
    """Return the feedback files in a zip by participant's id and name; refuse a file that reaches nobody.

    As `is_valid_filename_for_import` does: the first part of the path whose second piece between underscores
    is a participant's id, and whose third and fourth name a plugin, says whose file it is.
    """
    known = set(participants)
    found: dict[str, dict[str, bytes]] = {}
    with zipfile.ZipFile(io.BytesIO(data)) as archive:
        for entry in archive.infolist():
            if entry.is_dir():
                continue
            if entry.filename.rpartition("/")[2].startswith((".", "~")):
                raise Refused(f"Moodle ignores hidden files: {entry.filename!r}")
            ident, name = _addressed(entry.filename, known)
            files = found.setdefault(ident, {})
            if name in files:
                raise Refused(f"{ident} would get two files {name!r}")
            files[name] = archive.read(entry)
    return found


def _addressed(path: str, known: set[str]) -> tuple[str, str]:
    parts = path.split("/")
    while parts:
        pieces = parts.pop(0).split("_", 4)
        plugin = tuple(pieces[2:4])
        if (
            len(pieces) >= 4
            and pieces[1] in known
            and plugin
            in (
                ("assignsubmission", "file"),
                ("assignfeedback", "file"),
            )
        ):
            rest = [pieces[4] if len(pieces) == 5 else "", *parts]
            name = "/".join(rest).strip("/")
            if name:
                return pieces[1], name
    raise Refused(f"Moodle finds no participant for {path!r}")
