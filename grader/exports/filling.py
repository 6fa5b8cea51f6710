"""Fills the LMS's own sheet in place: finds each person's line, and sets the cells of the marks alone."""

import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from fractions import Fraction

from grader.exports.job import Job, Row
from grader.intake.names import listed
from grader.model.errors import Fault, UsageError
from grader.model.person import Person
from grader.model.results import Status
from grader.records.matching import Matching
from grader.records.owners.identity import (
    agree_but_for_number,
    by_number_alone,
    contradict_but_for_number,
    in_any_order,
    same_person,
)
from grader.records.roster import Roster, RosterEntry, roster_of
from grader.records.roster_notes import shown
from grader.records.sheet import Sheet, read_sheet
from grader.reports.views.wording import counted, short_number

_WHAT = "the sheet"
_NUMBER = re.compile(r"[0-9]+(?:([.,])[0-9]+)?")


@dataclass(frozen=True, slots=True)
class Filling:
    """A sheet, and the results by the sheet's rows."""

    sheet: Sheet
    by_row: Mapping[int, Row]


def matched(job: Job, found: Sequence[Row], where: str) -> Filling:
    """Return the sheet of a job with the results of its people, and tell who is on one side alone.

    where: how to get the sheet from the LMS.  Raises `UsageError`.
    """
    sheet = read_sheet(job.needed_sheet(where), _WHAT)
    roster = roster_of(sheet, _WHAT)
    people = [row.person or Person(id=row.id, name=row.name, ids={"login": row.id}) for row in found]
    bare = {place for place, row in enumerate(found) if row.person is None}
    matching = Matching(people, roster.entries, bare)
    entries = _without_other_people(job, people, matching.found, roster, sheet)
    by_row = {entry.row: row for row, entry in zip(found, entries, strict=True) if entry is not None}
    by_name = [found[place].name for place in matching.by_name]
    if by_name:
        job.tell(f"{len(by_name)} found on the sheet by the whole name alone: {listed(by_name)}")
    lost = [row for row, entry in zip(found, entries, strict=True) if entry is None]
    with_mark = [f"{row.name} ({row.id})" for row in lost if row.status != Status.NO_SUBMISSION]
    if with_mark:
        job.tell(
            f"{counted(len(with_mark), 'result')} of people who are not on the sheet: {listed(with_mark)}"
        )
    others = [entry.person for entry in roster.entries if entry.row not in by_row]
    if others:
        names = listed(one.name or next(iter(one.ids.values()), one.mail) for one in others)
        job.tell(f"{len(others)} on the sheet without a result, left as they are: {names}")
    if not by_row:
        message = "nobody on the sheet is among the results"
        hint = "is it the sheet of this class?  Mark with --roster for names and ids"
        raise UsageError(Fault(message, sheet.where, hint=hint))
    return Filling(sheet, by_row)


def _without_other_people(
    job: Job,
    people: Sequence[Person],
    found: Sequence[RosterEntry | None],
    roster: Roster,
    sheet: Sheet,
) -> list[RosterEntry | None]:
    """Return the entries, none for people whose Moodle number is somebody else's on the sheet; tell of these.

    Raises `UsageError` where the sheet is another assignment's: more lines contradict the results than agree
    with them, or it has such a person on another line.
    """
    people = _without_word_for_all(people, roster)
    pairs = [(place, people[place], entry.person) for place, entry in enumerate(found) if entry is not None]
    unlike = [(each, other) for _, each, other in pairs if contradict_but_for_number(each, other)]
    agreeing = sum(agree_but_for_number(each, other) for _, each, other in pairs)
    alone = {place: (each, other) for place, each, other in pairs if by_number_alone(each, other)}
    is_other_sheet = len(unlike) > agreeing or any(
        same_person(each, one.person) for each, _ in alone.values() for one in roster.entries
    )
    others = [
        f"{each.ids['moodle']} is {shown(other)} there, and {shown(each)} in the results"
        for each, other in (unlike if is_other_sheet else alone.values())
    ]
    if others and is_other_sheet:
        message = f"Moodle's numbers are other people's on the sheet: {listed(others)}"
        hint = "take the worksheet of this assignment; for teams, mark with a roster that has their groups"
        raise UsageError(Fault(message, sheet.where, hint=hint))
    if others:
        way_out = "mark with a roster that has the numbers of people or the groups of teams"
        job.tell(f"left out, as Moodle's number is another's on the sheet: {listed(others)}; {way_out}")
    return [None if place in alone else entry for place, entry in enumerate(found)]


def _without_word_for_all(people: Sequence[Person], roster: Roster) -> Sequence[Person]:
    """Return the people without their names where all have one that is nobody's on the sheet.

    It is Moodle's word, under blind marking.
    """
    numbered = [each for each in people if "moodle" in each.ids]
    on_sheet = {name for entry in roster.entries for name in in_any_order(entry.person)}
    if len(numbered) < 2 or len({each.name for each in numbered}) > 1:
        return people
    if not on_sheet.isdisjoint(in_any_order(numbered[0])):
        return people
    return [replace(each, name="") if "moodle" in each.ids else each for each in people]


def fill(job: Job, filling: Filling, column: int, maximum: str, others: Iterable[int] = ()) -> frozenset[int]:
    """Set the marks in a column; tell which are above the sheet's maximum, and which replace others.

    maximum: as the sheet writes it; empty where it does not.  others: more columns with marks, which show how
    the sheet writes them.  The cell of an excused person stays.
    Returns the rows of those who have no mark, so that their cell is empty.  Where an LMS takes that as "take
    the mark away", the rows are to be left out.
    """
    sheet = filling.sheet
    changed, kept, excused = list[str](), list[str](), list[str]()
    unmarked = set[int]()
    decimal = _decimal_sign(sheet, maximum, [column, *others])
    for place, row in filling.by_row.items():
        before = sheet.cell(place, column).strip()
        if before.upper() == "EX":
            excused.append(row.name)
            continue
        after = row.cell(job.zeros).replace(".", decimal)
        if number(before) is not None and number(before) != number(after):
            (changed if after else kept).append(row.name)
        if not after:
            unmarked.add(place)
        sheet.set(place, column, after)
    if changed:
        job.tell(f"{counted(len(changed), 'mark')} on the sheet replaced by another: {listed(changed)}")
    if kept:
        job.tell(f"{counted(len(kept), 'mark')} in the LMS kept, for want of another: {listed(kept)}")
    if excused:
        job.tell(f"{len(excused)} excused on the sheet, left as they are: {listed(excused)}")
    tell_of_maximum(job, list(filling.by_row.values()), maximum)
    return frozenset(unmarked)


def _decimal_sign(sheet: Sheet, maximum: str, columns: Iterable[int]) -> str:
    """Return the decimal sign of the sheet: that of the maximum, else of the first number in its columns.

    An LMS in a language with a decimal comma can read `7.5` as 75.  columns: those that hold marks, in which
    other texts, such as `EX`, say nothing; elsewhere a section or a name can look like a number.
    """
    cells = (sheet.cell(row, at) for at in columns for row in range(1, len(sheet.rows)))
    found = (_NUMBER.fullmatch(cell.strip()) for cell in (maximum, *cells))
    return next((each[1] for each in found if each is not None and each[1]), ".")


def tell_of_maximum(job: Job, found: Sequence[Row], maximum: str) -> None:
    """Tell which marks are above the maximum of the sheet, and that marks are never scaled."""
    most = number(maximum)
    if most is None:
        return
    above = [row.name for row in found if row.status == Status.MARKED and row.mark > most]
    if above:
        count = counted(len(above), "mark")
        job.tell(f"{count} above the sheet's maximum of {short_number(most)}: {listed(above)}")
    if most != job.results.task.max_mark:
        own = short_number(job.results.task.max_mark)
        job.tell(f"the sheet's maximum is {short_number(most)}, the task's {own}; marks are not scaled")


def number(text: str) -> Fraction | None:
    """Return the number in a cell, with a decimal point or comma; None for no number."""
    found = text.strip()
    return Fraction(found.replace(",", ".")) if _NUMBER.fullmatch(found) else None


def chosen(job: Job, titles: Mapping[int, tuple[str, str]], sheet: Sheet) -> int:
    """Return the column for the marks.

    titles: the title and id of each column that takes marks.  Raises `UsageError` where it is not sure.
    """
    task = job.results.task
    wanted = [job.column] if job.column else [task.title, task.id]
    keys = {_key(text) for text in wanted}
    found = [
        at
        for at, (title, own_id) in titles.items()
        if keys & {_key(title), _key(sheet.headings[at])} or own_id in wanted
    ]
    if len(found) == 1:
        return found[0]
    names = listed((f"{title} ({own_id})" if own_id else title for title, own_id in titles.values()), 12)
    what = f"{len(found)} columns are" if found else "no column is"
    message = f"{what} called {' or '.join(repr(text) for text in wanted)}; marks go into one of: {names}"
    raise UsageError(Fault(message, f"{sheet.where}:1", hint="name it with --column, by its title or its id"))


def _key(text: str) -> str:
    return " ".join(text.casefold().split())
