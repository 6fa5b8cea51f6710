"""Finds who is named in a course's files, and is nobody on its roster.

An excuse, an extension or a mark would be lost unsaid where a person has another name on a new roster.
"""

from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path

from grader.course.course import Course
from grader.model.errors import Fault, UsageError
from grader.records.last_run import ROSTER
from grader.records.roster import Roster, RosterEntry, read_roster, roster_in
from grader.store.run_store import RunStore

_REQUEST = "a request"


def require_known(course: Course) -> Roster | None:
    """Return the roster of a course; None without one.  Raises `UsageError` for who is not on it."""
    roster = read_roster(course.roster) if course.roster is not None else None
    faults = list(strangers(course, roster)) if roster is not None else []
    if faults:
        raise UsageError(*faults)
    return roster


def strangers(course: Course, roster: Roster) -> Iterator[Fault]:
    """Yield a fault for each name in the course's files that is nobody's on the roster, or two people's."""
    slip = course.slip_days
    named = [
        *(("an extension", grant.student) for grant in course.grants if grant.student),
        *(("an excuse", excuse.student) for excuse in course.excuses),
        *((f"the label {label}", name) for label, names in course.labels.items() for name in names),
        *(("a budget of slip days", name) for name in (slip.budgets if slip is not None else ())),
        *(("added slip days", each.student) for each in (slip.added if slip is not None else ())),
    ]
    where = str(course.path)
    places = [
        *((what, name, where) for what, name in named),
        *((_REQUEST, each.student, each.place or where) for each in course.asked),
    ]
    for what, name, place in dict.fromkeys(places):
        found = roster.named(name)
        if len(found) != 1:
            problem = f"may be any of {len(found)} people on the roster" if found else "is not on the roster"
            hint = "write the id or the mail" if found else _who_it_was(course, roster, name)
            of = "of" if what == _REQUEST else "is for"
            yield Fault(f"{what} {of} {name}, who {problem}", place, hint=hint)


def _who_it_was(course: Course, roster: Roster, name: str) -> str:
    """Return a hint with whom a name meant on the roster of a last run, if a record has that."""
    for task in course.tasks:
        before = _on_last_roster(task.reports, name)
        if before is None:
            continue
        person = before.person
        ids = [text for text in (person.id, *person.ids.values(), person.mail) if text]
        now = next((found[0] for found in map(roster.by_id, ids) if len(found) == 1), None)
        if now is not None:
            return f"in the last run that was {ids[0]}, now {now.person.name or ids[0]}: write the id"
        return f"in the last run that was {ids[0] if ids else name}, who has left: take the entry out"
    return "write the id, or take the entry out"


def _on_last_roster(reports: Path, name: str) -> RosterEntry | None:
    """Return whom a name meant on the roster that the record of a last run has; None for nobody."""
    # It is a hint alone; the next run tells what is wrong with a record.
    with suppress(UsageError), RunStore.reading(reports) as store:
        for file in store.files_of_last_run():
            if file.kind == ROSTER and len(found := roster_in(file.path, file.content).named(name)) == 1:
                return found[0]
    return None
