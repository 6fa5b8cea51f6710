"""The people in Moodle's worksheet of an assignment, for a download that names them by its own numbers.

Moodle counts the participants of each assignment anew, so no roster of a course can have these numbers.  The
worksheet has the mail beside them, which does not change.
"""

from collections import Counter
from collections.abc import Iterable, Mapping
from dataclasses import replace

from grader.intake import Candidate
from grader.intake.names import folded
from grader.model.errors import UsageError
from grader.model.person import Person
from grader.records.roster import Roster, roster_of
from grader.records.times.worksheet import worksheet_in
from grader.store.record_parts import KeptFile


def people_of_worksheets(files: Iterable[KeptFile]) -> dict[str, Person]:
    """Return the people in the worksheets among some files, by their numbers."""
    known: dict[str, Person] = {}
    for file in files:
        sheet = worksheet_in(file.content, str(file.path))
        try:
            entries = roster_of(sheet).entries if sheet is not None else ()
        except UsageError:
            # A worksheet under blind marking names nobody.
            continue
        known.update({entry.person.ids.get("moodle", ""): entry.person for entry in entries})
    return known


def with_people(candidates: Iterable[Candidate], known: Mapping[str, Person]) -> list[Candidate]:
    """Return the candidates; those of a Moodle download with the mail and ids that a worksheet has.

    known: see `people_of_worksheets`.
    """
    return [_known(each, known) for each in candidates]


def with_numbers(roster: Roster, candidates: Iterable[Candidate], known: Mapping[str, Person]) -> Roster:
    """Return the roster; beside a download of teams, members of groups with the numbers of a worksheet.

    Such a download has the team's number, and that of none of its members.
    """
    own = {each.person.ids.get("moodle", "") for each in candidates if each.person is not None}
    if own <= {"", *known}:
        return roster
    numbers: dict[str, set[str]] = {}
    for number, person in known.items():
        numbers.setdefault(folded(person.mail), set()).add(number)
    mails = Counter(folded(entry.person.mail) for entry in roster.entries)
    entries = []
    for entry in roster.entries:
        person, mail = entry.person, folded(entry.person.mail)
        found = numbers.get(mail, set()) if mail and mails[mail] == 1 else set()
        if len(found) == 1 and person.group and "moodle" not in person.ids:
            person = replace(person, ids={**person.ids, "moodle": next(iter(found))})
        entries.append(replace(entry, person=person))
    return replace(roster, entries=tuple(entries))


def _known(candidate: Candidate, people: Mapping[str, Person]) -> Candidate:
    person = candidate.person
    number = person.ids.get("moodle") if person is not None else None
    if person is None or number is None or number not in people:
        return candidate
    found = people[number]
    person = replace(person, mail=person.mail or found.mail, ids={**found.ids, **person.ids})
    attempts = tuple(replace(each, person=person) for each in candidate.attempts)
    return replace(candidate, person=person, attempts=attempts)
