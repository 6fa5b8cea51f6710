"""A roster: the list of a class as an LMS gives it, or with columns of our own.

The layout of the list is recognised by its headings; the person's id in that LMS, name, mail and group come
from its columns.  In each layout a further column `extension` may say until when a person may hand in.
"""

import re
import unicodedata
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, replace
from datetime import datetime
from functools import cached_property
from pathlib import Path

from grader.intake.names import folded, listed
from grader.model.errors import Fault, UsageError
from grader.model.person import OF_LMS, Person
from grader.model.policy import Extension
from grader.records.file_text import read_bytes
from grader.records.roster_layouts import LAYOUTS, UNKNOWN_LANGUAGE, Layout, is_no_group
from grader.records.sheet import Sheet, heading, sheet_in
from grader.yamlfile.quantities import duration_s, moment
from grader.yamlfile.source import shown

_WHAT = "the roster"
_MOST_FAULTS = 200
_LONGEST_S = 366 * 86400
_HINT = "write a time and zone, such as 2026-11-20T23:59:00+01:00, or what is added, such as 48h or 3 days"
_DAYS = re.compile(r"([0-9]{1,3}) *(?:d|days?)")
PARTICIPANT = re.compile(r"[^0-9]+([0-9]+)")
"""`Participant 7001` in any language."""
_EXTENSION = frozenset({"extension", "extended deadline", "extended until"})
_GROUPS = frozenset({"group", "team", "group_name", "group name"})


@dataclass(frozen=True, slots=True)
class RosterEntry:
    """One person of a roster.

    line: of the file.  row: of the sheet.  deadline, extra_s: a new deadline, or seconds that are added.
    groups: all of them.  handing_in: of several, those with works.
    doubt: why it is not sure that they have no work.
    """

    person: Person
    line: int
    row: int
    deadline: datetime | None = None
    extra_s: int = 0
    groups: tuple[str, ...] = ()
    handing_in: tuple[str, ...] = ()
    doubt: str = ""

    @property
    def is_extended(self) -> bool:
        return self.deadline is not None or self.extra_s > 0

    def extension(self, student: str) -> Extension | None:
        """Return the extension for the submission `student`; None where nothing was granted."""
        return Extension(student, self.deadline, self.extra_s) if self.is_extended else None


@dataclass(frozen=True)
class Roster:
    """The people of a class.  layout: that of the file, for people.  left_out: rows that are no student."""

    where: str
    layout: str
    entries: tuple[RosterEntry, ...]
    left_out: tuple[str, ...] = ()

    def named(self, name: str) -> tuple[RosterEntry, ...]:
        """Return the people whom a name may mean: ids and mails come before names, which two can have."""
        text = folded(name)
        return self.by_id(name) or tuple(each for each in self.entries if folded(each.person.name) == text)

    def by_id(self, text: str) -> tuple[RosterEntry, ...]:
        """Return the people who have this id or mail; with ids of several LMSs these can be two."""
        return self._by_id.get(folded(text), ())

    @cached_property
    def _by_id(self) -> dict[str, tuple[RosterEntry, ...]]:
        found: dict[str, tuple[RosterEntry, ...]] = {}
        for entry in self.entries:
            for text in dict.fromkeys(map(folded, _ids_of(entry.person))):
                found[text] = (*found.get(text, ()), entry)
        return found


_IDS = (*OF_LMS, "sis", "login", "github")
_STAFF = frozenset({"instructor", "ta", "reader", "teacher", "owner", "admin", "observer"})


def read_roster(path: Path) -> Roster:
    """Return the roster in a file.  Raises `UsageError` with every mistake in it."""
    return roster_in(path, read_bytes(path, _WHAT))


def roster_in(path: Path, content: bytes) -> Roster:
    """Return the roster in a file's content.  Raises `UsageError` with every mistake in it."""
    return roster_of(sheet_in(content, str(path), _WHAT))


def roster_of(sheet: Sheet, what: str = _WHAT) -> Roster:
    """Return the people of a sheet.  what: names it in messages.  Raises `UsageError` with every mistake."""
    headings = [heading(text) for text in sheet.headings]
    layout, columns = _layout(headings, sheet, what)
    for column in columns.values():
        sheet.needs_one(column, what)
    reading = _Reading(sheet, columns, layout)
    entries = tuple(reading.entries())
    faults = [*reading.faults, *_repeated(entries, sheet.where)]
    if faults:
        raise UsageError(*faults[:_MOST_FAULTS])
    if not entries:
        raise UsageError(Fault(f"{what} names nobody", sheet.where))
    return Roster(sheet.where, layout.name, entries, tuple(reading.left_out))


def without_groups(roster: Roster) -> Roster:
    """Return a roster as if it had no groups."""
    entries = (replace(each, person=replace(each.person, group=""), groups=()) for each in roster.entries)
    return replace(roster, entries=tuple(entries))


def _layout(headings: list[str], sheet: Sheet, what: str) -> tuple[Layout, dict[str, int]]:
    """Return the layout, and the column of each field that is there.  Raises `UsageError`."""
    for layout in LAYOUTS:
        columns = {
            name: column
            for name, words in layout.fields.items()
            for column in [next((at for at, word in enumerate(headings) if word in words), -1)]
            if column >= 0
        }
        if all(name in columns for name in layout.needs) and _fits(layout, columns, sheet):
            for name, more in (("group", _GROUPS), ("extension", _EXTENSION)):
                found = next((at for at, word in enumerate(headings) if word in more), -1)
                if found >= 0 and found not in columns.values():
                    columns.setdefault(name, found)
            return layout, columns
    if _is_worksheet(sheet):
        # The first column is always that of the participant; a mail shows itself.
        mails = [at for at in range(1, len(headings)) if "@" in sheet.cell(1, at)]
        return UNKNOWN_LANGUAGE, {"participant": 0, **({"mail": mails[0]} if mails else {})}
    seen = listed([text for text in sheet.headings if text.strip()] or ["nothing"], 12)
    message = f"{what} has none of the layouts that are known; its first line has {seen}"
    hint = "give the file as the LMS wrote it, with its headings"
    if what == _WHAT:
        hint = (
            "give a list of Moodle, Canvas, Gradescope, GitHub Classroom, Blackboard or Brightspace, or the "
        )
        hint += "columns student, name, mail, group, extension"
    raise UsageError(Fault(message, f"{sheet.where}:1", hint=hint))


def _is_worksheet(sheet: Sheet) -> bool:
    """Tell whether the first column has a word, always the same, and a number: `Participant 7001`."""
    cells = [sheet.cell(row, 0).strip() for row in range(1, len(sheet.rows)) if any(sheet.rows[row])]
    numbers = [PARTICIPANT.fullmatch(cell) for cell in cells]
    words = {cell.rstrip("0123456789") for cell in cells}
    return bool(cells) and all(numbers) and len(words) == 1 and len(sheet.headings) > 3


def _fits(layout: Layout, columns: Mapping[str, int], sheet: Sheet) -> bool:
    """Tell whether the first person's cell is what a layout has there, where headings alone do not tell."""
    if "participant" not in columns:
        return True
    cells = (sheet.cell(row, columns["participant"]).strip() for row in range(1, len(sheet.rows)))
    return bool(PARTICIPANT.fullmatch(next(filter(None, cells), "")))


class _Reading:
    """Reads the rows of a sheet."""

    def __init__(self, sheet: Sheet, columns: Mapping[str, int], layout: Layout) -> None:
        self._sheet, self._columns = sheet, columns
        self._joins_groups = layout.joins_groups
        self.faults: list[Fault] = []
        self.left_out: list[str] = []

    def entries(self) -> Iterator[RosterEntry]:
        for row in range(1, len(self._sheet.rows)):
            if not any(cell.strip() for cell in self._sheet.rows[row]):
                continue
            if "canvas" in self._columns and "section" in self._columns and self._is_no_student(row):
                continue
            if self._text(row, "role").casefold() in _STAFF:
                self.left_out.append(self._name(row) or self._text(row, "mail"))
                continue
            if any(self._swallows_lines(row, name) for name in self._columns):
                self.faults.append(Fault("a quote is never closed in this line", self._sheet.place(row)))
                continue
            person = self._person(row)
            if not any((person.id, person.name, person.mail, person.ids)):
                self.faults.append(Fault("this line names nobody", self._sheet.place(row)))
                continue
            deadline, extra_s = self._extension(row)
            groups = (person.group, *person.group.split(", ")) if self._joins_groups else (person.group,)
            groups = tuple(dict.fromkeys(filter(None, map(str.strip, groups))))
            yield RosterEntry(person, self._sheet.lines[row], row, deadline, extra_s, groups)

    def _text(self, row: int, name: str) -> str:
        column = self._columns.get(name, -1)
        text = self._sheet.cell(row, column) if column >= 0 else ""
        # Canvas writes a name that begins like a formula as one that gives the name.
        text = text[2:-1] if text.startswith('="') and text.endswith('"') else text
        return " ".join(unicodedata.normalize("NFC", text).split())

    def _swallows_lines(self, row: int, name: str) -> bool:
        """Tell whether a cell holds other cells: a line end and a delimiter stand in no name and no id."""
        cell = self._sheet.cell(row, self._columns[name])
        return self._sheet.delimiter in cell and len(cell.splitlines()) > 1

    def _is_no_student(self, row: int) -> bool:
        """Tell whether a row of Canvas's gradebook has no student, but points or policies."""
        name = self._text(row, "sorted")
        if name == "Student, Test":
            self.left_out.append(name)
            return True
        return not self._text(row, "canvas")

    def _name(self, row: int) -> str:
        name = self._text(row, "name") or f"{self._text(row, 'first')} {self._text(row, 'last')}".strip()
        if not name and (ordered := self._text(row, "sorted")):
            last, comma, first = ordered.rpartition(", ")
            name = f"{first} {last}" if comma else ordered
        return name

    def _person(self, row: int) -> Person:
        ids = {kind: self._text(row, kind).removeprefix("#") for kind in _IDS}
        mail = self._text(row, "mail")
        identifier = self._text(row, "identifier")
        if "@" in identifier:
            mail = mail or identifier
        elif identifier:
            ids["sis"] = identifier
        participant = PARTICIPANT.fullmatch(self._text(row, "participant"))
        if participant:
            ids["moodle"] = participant[1]
        return Person(
            id=self._text(row, "id"),
            name=self._name(row),
            mail=mail,
            ids={kind: text for kind, text in ids.items() if text},
            group="" if is_no_group(group := self._text(row, "group")) else group,
        )

    def _extension(self, row: int) -> tuple[datetime | None, int]:
        text = self._text(row, "extension")
        if not text:
            return None, 0
        own, bare = moment(text), text.removeprefix("+").strip()
        days = _DAYS.fullmatch(bare)
        extra_s = int(days[1]) * 86400 if days else duration_s(bare)
        if own is None and (extra_s is None or extra_s > _LONGEST_S):
            message = f"`{shown(text)}` is neither a new deadline nor a time that is added to it"
            self.faults.append(Fault(message, self._sheet.place(row), hint=_HINT))
        return own, 0 if own is not None else int(extra_s or 0)


def _ids_of(person: Person) -> tuple[str, ...]:
    return tuple(filter(None, (person.id, person.mail, *person.ids.values())))


def _repeated(entries: tuple[RosterEntry, ...], where: str) -> Iterator[Fault]:
    """Yield a fault for each id that two lines have."""
    kinds: Mapping[str, Callable[[Person], str]] = {
        "student": lambda person: person.id,
        **{kind: lambda person, kind=kind: person.ids.get(kind, "") for kind in _IDS},  # type: ignore[misc]
    }
    for kind, of in kinds.items():
        lines: dict[str, int] = {}
        for entry in entries:
            found = of(entry.person)
            first = lines.setdefault(found, entry.line) if found else entry.line
            if first != entry.line:
                message = f"the {kind} id `{shown(found)}` stands in line {first} too"
                yield Fault(message, f"{where}:{entry.line}", hint="each person has one line")
