"""Marks by hand in a spreadsheet: a sheet with a column for each criterion and its comment, and back again.

A blank cell leaves alone what stands, and a hyphen takes it away.  The last columns say what stood when the
sheet was written, by which it is seen what the marker changed.  Where that was changed elsewhere since, or a
student has handed in again, nothing is taken.
"""

import csv
import hashlib
import io
from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from fractions import Fraction
from pathlib import Path

from grader.marking.rounding import format_mark
from grader.model.errors import Fault, UsageError
from grader.model.task import Criterion
from grader.records.owners.identity import id_forms, same_id
from grader.records.sheet import Sheet
from grader.records.sheet import read_sheet as sheet_of
from grader.reports.escape import csv_cell, visible
from grader.reviewing.asked import Refused, Sent, given_in
from grader.reviewing.desk import Busy, Desk
from grader.reviewing.given import Given
from grader.reviewing.works import Work, key_of
from grader.store.whole_file import replacing
from grader.yamlfile.source import shown

_ROW, _WORK, _STUDENT, _NAME = "row", "work", "student", "name"
_COMMENT, _WAS = " comment", " was"
_TAKE_AWAY = "-"
_DIGITS = 12


@dataclass(frozen=True, slots=True)
class _Change:
    work: Work
    criterion: Criterion
    before: Given
    after: Given

    def __str__(self) -> str:
        """Return the change as one line for people."""
        before, after = (
            format_mark(one.marks) if one.marks is not None else "unmarked"
            for one in (self.before, self.after)
        )
        words = ", another comment" if self.before.comment != self.after.comment else ""
        return f"{self.work.label}: {self.criterion.id} {before} to {after}{words}"


def write_sheet(desk: Desk, path: Path) -> int:
    """Write the sheet of what a marker marks, and return how many works it has.

    Raises `UsageError` where something is there.
    """
    if path.exists():
        hint = "choose another name: marks may be in it"
        raise UsageError(Fault("there is something here already", str(path), hint=hint))
    criteria = _criteria(desk)
    works = [desk.works[number] for number in sorted(desk.share.works)]
    text = io.StringIO()
    writer = csv.writer(text)
    who = [_ROW, _WORK] if desk.blind else [_ROW, _WORK, _STUDENT, _NAME]
    columns = [part for each in criteria for part in (each.id, each.id + _COMMENT)]
    writer.writerow([*who, *columns, *(part + _WAS for part in columns)])
    for work in works:
        given = [desk.given(work.id, each.id) for each in criteria]
        parts = [part for one in given for part in (_shown(one), _cell(one.comment))]
        was = [part for one in given for part in (_shown(one), _sign(_cell(one.comment)))]
        named = [] if desk.blind else [csv_cell(work.id), csv_cell(work.label)]
        writer.writerow([key_of(desk.task.id, work), _digest(work), *named, *parts, *was])
    try:
        with replacing(path, "utf-8-sig", durable=True) as file:
            file.write(text.getvalue())
    except OSError as error:
        raise UsageError(
            Fault(f"the sheet can't be written: {error.strerror or error}", str(path))
        ) from error
    return len(works)


def take_sheet(
    desk: Desk,
    path: Path,
    is_sure: Callable[[Sequence[str]], bool],
    note: Callable[[str], None] = lambda line: None,
) -> int | None:
    """Take the marks of a sheet; return how many changed, or None where the marker was not sure.

    is_sure: is shown a line for each change.  note: is told of marks that are other ones now, and that the
    marker left as they were in the sheet.  Raises `UsageError` with every bad cell; then nothing is taken.
    """
    sheet = sheet_of(path, "the sheet")
    changes = _changes(desk, sheet, note)
    if changes and not is_sure([str(each) for each in changes]):
        return None
    try:
        with desk.writing():
            # Somebody can have marked while the question was open.
            if _changes(desk, sheet, lambda line: None) != changes:
                raise Refused("marks changed meanwhile; take the sheet again")
            for each in changes:
                desk.take(each.work, each.criterion, each.after)
    except (Refused, Busy) as error:
        raise UsageError(Fault(f"nothing was taken: {error}", str(path))) from error
    return len(changes)


def _criteria(desk: Desk) -> list[Criterion]:
    every = (each for question in desk.task.questions for each in question.criteria)
    return [each for each in every if each.id in desk.share.criteria]


# -- cells ---------------------------------------------------------------------------------------------


def _shown(one: Given) -> str:
    return one.level or (format_mark(one.marks) if one.marks is not None else "")


def _cell(comment: str) -> str:
    """Return a comment as a cell that no spreadsheet computes; its lines stay lines."""
    return ("'" if _needs_guard(comment) else "") + visible(comment)


def _comment(cell: str) -> str:
    """Return the comment in a cell."""
    return cell[1:] if cell.startswith("'") and _needs_guard(cell[1:]) else cell


def _needs_guard(text: str) -> bool:
    start = text.lstrip()[:1]
    return start == "'" or csv_cell(start) != visible(start, multiline=False)


def _sign(cell: str) -> str:
    """Return what tells whether a cell with a comment was changed."""
    if not cell:
        return ""
    plain = cell.replace("\r\n", "\n").replace("\r", "\n").strip()
    return "c" + hashlib.sha256(plain.encode()).hexdigest()[:_DIGITS]


def _digest(work: Work) -> str:
    return f"d{work.digest[:_DIGITS]}"


# -- reading -------------------------------------------------------------------------------------------


def _changes(desk: Desk, sheet: Sheet, note: Callable[[str], None]) -> list[_Change]:
    criteria = _criteria(desk)
    headings = [text.strip() for text in sheet.headings]
    needed = [part for each in criteria for part in (each.id, each.id + _COMMENT)]
    needed = [_ROW, _WORK, *needed, *(part + _WAS for part in needed)]
    wrong = [(name, headings.count(name)) for name in needed if headings.count(name) != 1]
    if wrong:
        name, count = wrong[0]
        hint = "take a sheet that grader review --to wrote, and leave its columns"
        what = f"two columns are called {name}" if count else f"there is no column {name}"
        raise UsageError(Fault(what, f"{sheet.where}:1", hint=hint))
    places = {name: headings.index(name) for name in needed}
    works = {key_of(desk.task.id, desk.works[number]): desk.works[number] for number in desk.share.works}
    columns = [] if desk.blind else [name for name in (_STUDENT, _NAME) if headings.count(name) == 1]
    ids = {form for work in works.values() for form in id_forms(work.id) if form}
    owners = {name: (headings.index(name), _owners(works, name)) for name in columns}
    found: list[_Change] = []
    faults: list[Fault] = []
    seen: set[str] = set()
    for row in range(1, len(sheet.rows)):
        key = sheet.cell(row, places[_ROW]).strip()
        if not any(cell.strip() for cell in sheet.rows[row]):
            continue
        if key not in works or key in seen:
            what = f"{shown(key)} is no work here" if key not in works else f"{shown(key)} stands twice"
            faults.append(Fault(what, f"{sheet.place(row)}, column {_ROW}"))
            continue
        seen.add(key)
        for name, (place, of) in owners.items():
            cell = sheet.cell(row, place).strip()
            is_id = name == _STUDENT and not ids.isdisjoint(id_forms(cell))
            if (is_id or of.get(cell, key) != key) and not same_id(cell, works[key].id):
                what = f"{shown(cell)} stands in the row of {works[key].label}"
                hint = "some columns were sorted without the others; take a new sheet"
                faults.append(Fault(what, f"{sheet.place(row)}, column {name}", hint=hint))
        cells = {name: sheet.cell(row, place).strip() for name, place in places.items()}
        changes = list(_of_row(desk, cells, sheet.place(row), works[key], criteria, faults))
        for line in _left(desk, cells, works[key], criteria):
            note(line)
        if changes and cells[_WORK] != _digest(works[key]):
            what = f"{works[key].label} has handed in again since the sheet was written"
            faults.append(Fault(what, sheet.place(row), hint="look at the new work, and take a new sheet"))
        found += changes
    if faults:
        raise UsageError(*faults)
    return found


def _owners(works: Mapping[str, Work], column: str) -> dict[str, str]:
    """Return the row of each work by what stands in a column, but for names that two have."""
    cells = {row: csv_cell(work.id if column == _STUDENT else work.label) for row, work in works.items()}
    times = Counter(cells.values())
    return {cell.strip(): row for row, cell in cells.items() if times[cell] == 1}


def _of_row(
    desk: Desk,
    cells: dict[str, str],
    place: str,
    work: Work,
    criteria: Sequence[Criterion],
    faults: list[Fault],
) -> Iterator[_Change]:
    """Yield what the marker changed in a row; add what can't be taken to the faults."""
    for each in criteria:
        now = desk.given(work.id, each.id)
        where = f"{place}, column {each.id}"
        mark, was = cells[each.id], cells[each.id + _WAS]
        comment, sign = cells[each.id + _COMMENT], cells[each.id + _COMMENT + _WAS]
        try:
            after = _with_comment(_with_mark(now, mark, was, each), comment, sign)
        except Refused as refused:
            hint = "a blank cell leaves the mark alone, and a hyphen takes it away"
            faults.append(Fault(f"{work.label}: {refused}", where, hint=hint))
            continue
        if after == now:
            continue
        hint = "write a new sheet, or blank this cell"
        if after.marks != now.marks and not _is_mark(was, now, each):
            stands, stood = _shown(now) or "unmarked", was or "unmarked"
            what = f"{work.label}: {each.id} is {stands} now, and was {stood} when the sheet was written"
            faults.append(Fault(what, where, hint=hint))
        elif after.comment != now.comment and sign != _sign(_cell(now.comment)):
            what = f"{work.label}: the comment on {each.id} was changed since the sheet was written"
            faults.append(Fault(what, where, hint=hint))
        elif elsewhere := desk.given_elsewhere(work.id, each.id):
            faults.append(
                Fault(f"{work.label}: {elsewhere}; it can be changed there alone", where, hint=hint)
            )
        else:
            yield _Change(work, each, now, after)


def _left(desk: Desk, cells: dict[str, str], work: Work, criteria: Sequence[Criterion]) -> Iterator[str]:
    for each in criteria:
        mark, now = cells[each.id], desk.given(work.id, each.id)
        if mark and mark == cells[each.id + _WAS] and not _is_mark(mark, now, each):
            stands = _shown(now) or "unmarked"
            yield f"{work.label}: {each.id} stays {stands}; the sheet has {mark}, as it was written"


def _is_mark(text: str, now: Given, criterion: Criterion) -> bool:
    """Tell whether a cell is what stands, also where a spreadsheet wrote `0,5` for 0.5."""
    try:
        return given_in(Sent(_typed(text, criterion)), criterion).marks == now.marks
    except Refused:
        return False


def _typed(text: str, criterion: Criterion) -> dict[str, object]:
    is_level = bool(text) and text in [level.id for level in criterion.levels]
    return {"level": text} if is_level else {"marks": text}


def _with_mark(now: Given, mark: str, was: str, criterion: Criterion) -> Given:
    """Return what is given with the mark of a cell, where the marker changed it.  Raises `Refused`."""
    if not mark or mark == was:
        return now
    if mark == _TAKE_AWAY:
        return replace(now, marks=None, level="")
    given = given_in(Sent(_typed(mark, criterion)), criterion)
    if _is_mark(was, given, criterion) and not given.level:
        return now
    level = given.level or _level_of(given.marks, criterion)
    # A mark that is there already keeps the way in which it was given.
    is_there = given.marks == now.marks and given.level in ("", now.level)
    return now if is_there else replace(now, marks=given.marks, level=level)


def _with_comment(now: Given, cell: str, sign: str) -> Given:
    """Return what is given with the comment of a cell, where the marker changed it.  Raises `Refused`."""
    if not cell or _sign(cell) == sign:
        return now
    if cell == _TAKE_AWAY:
        return replace(now, comment="")
    return replace(now, comment=Sent({"comment": _comment(cell)}).words("comment"))


def _level_of(marks: Fraction | None, criterion: Criterion) -> str:
    return next((level.id for level in criterion.levels if level.marks == marks), "")
