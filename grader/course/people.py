"""The people of a course: found in results, in sheets, and by the names that its file has."""

from collections import Counter
from collections.abc import Collection, Iterable, Iterator, Sequence
from dataclasses import dataclass, replace

from grader.course.rows import Member, require_ids_that_meet, rows_of, unsure
from grader.intake.names import folded, listed
from grader.model.errors import Fault, UsageError
from grader.model.person import OF_LMS, Person
from grader.records.owners.identity import contradict
from grader.records.roster import Roster, RosterEntry
from grader.store.summaries import Summary

Unsure = tuple[tuple[str, tuple[str, ...]], ...]
"""Names of people who are not on the roster, and the ids of several of them who may be one person."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Student:
    """A person of the course.

    id: as in the results, and unique.  on_roster: false for who is in results alone.
    """

    id: str
    name: str
    mail: str = ""
    group: str = ""
    on_roster: bool = True


class People:
    """The people of a course: those of the roster, and those who are in results alone."""

    def __init__(self, roster: Roster | None) -> None:
        self._roster = roster
        self._of_roster: dict[int, str] = {}
        """The ids of the roster's people, by line."""
        self._of_others: dict[tuple[int, str], str] = {}
        """The ids of others, by the identity of a task's list of results, and their ids there."""
        self._others = Roster("the results", "", ())
        """Those who are in results alone, by their ids."""
        self.unsure: Unsure = ()
        self._found: dict[int, tuple[Sequence[Summary], list[RosterEntry | None]]] = {}
        """Results that were looked at, by the identity of their list, and their entries."""

    def students(self, results: Iterable[Sequence[Summary]]) -> Iterator[Student]:
        """Yield everybody once.  results: of each task.

        Raises `UsageError` where ids of single tasks would join or part people of several.
        """
        others: list[Member] = []
        by_line: dict[int, Summary] = {}
        results = tuple(results)
        if self._roster is None:
            require_ids_that_meet(results)
        for at, found in enumerate(results):
            for each, entry in zip(found, self._entries(found), strict=True):
                if entry is None:
                    others.append(Member(at, each))
                else:
                    by_line.setdefault(entry.line, each)
        taken: set[str] = set()
        for entry in self._roster.entries if self._roster is not None else ():
            person, seen = entry.person, by_line.get(entry.line)
            # An LMS can call a person otherwise in each task; the roster's own id stays.
            is_lasting = seen is not None and not Member(0, seen).is_of_one_task
            name = person.id or (seen.id if seen is not None and is_lasting else _usual_id(person))
            # Two people never share a row, whatever their ids are in single tasks.
            name = f"{name}~{entry.line}" if name in taken else name
            taken.add(name)
            self._of_roster[entry.line] = name
            yield Student(id=name, name=person.name or name, mail=person.mail, group=person.group)
        rows, names = rows_of(others), []
        for row in rows:
            first = row[0].result
            name = _free(first.id, taken)
            taken.add(name)
            names.append(name)
            for member in row:
                self._of_others[id(results[member.task]), member.result.id] = name
            own = row[0].lasting
            yield Student(
                id=name, name=first.name, mail=own.mail, group=own.group, on_roster=self._roster is None
            )
        entries = (
            RosterEntry(replace(row[0].lasting, id=name), at, at)
            for at, (row, name) in enumerate(zip(rows, names, strict=True))
        )
        self._others = Roster("the results", "", tuple(entries))
        self.unsure = tuple((name, tuple(names[at] for at in places)) for name, places in unsure(rows))

    def by_student(self, found: Sequence[Summary]) -> dict[str, tuple[Summary, ...]]:
        """Return the results of one task by the id of the student; several where this is not sure.

        found: all of the task, which `students` has seen.
        """
        given: dict[str, tuple[Summary, ...]] = {}
        for each, entry in zip(found, self._entries(found), strict=True):
            student = self._of_others[id(found), each.id] if entry is None else self._of_roster[entry.line]
            given[student] = (*given.get(student, ()), each)
        return given

    def id_of_entry(self, entry: RosterEntry) -> str:
        """Return the id of a person of another sheet; empty if it is nobody of the course."""
        for roster in filter(None, (self._roster, self._others)):
            own = _by_ids(roster, entry.person) or _by_name(roster, entry.person)
            if own is not None:
                is_other = roster is self._others
                return own.person.id if is_other else self._of_roster.get(own.line, "")
        return ""

    def id_named(self, name: str, where: str) -> str:
        """Return the id of the person of a name, or the name as it is.

        where: the file that has the name.  Raises `UsageError` where two people have it.
        """
        found = [self._of_roster[each.line] for each in self._roster.named(name)] if self._roster else []
        found = found or [each.person.id for each in self._others.named(name)]
        if len(found) > 1:
            raise UsageError(Fault(f"{name} may be {listed(found)}", where, hint="write the id"))
        return found[0] if found else name

    def _entries(self, found: Sequence[Summary]) -> list[RosterEntry | None]:
        """Return the entry of each result of one task; None for who is not on the roster.

        A name alone decides only where one result and one entry have it that nothing else joins.
        """
        if id(found) not in self._found:
            self._found[id(found)] = (found, self._looked_up(found))
        return self._found[id(found)][1]

    def _looked_up(self, found: Sequence[Summary]) -> list[RosterEntry | None]:
        if self._roster is None:
            return [None] * len(found)
        people = [replace(each.person or Person(), id=each.id) for each in found]
        sure = [_by_ids(self._roster, person) for person in people]
        named = [
            _by_name(self._roster, person) if own is None else None
            for person, own in zip(people, sure, strict=True)
        ]
        times = Counter(entry.line for entry in (*sure, *named) if entry is not None)
        return [
            own or (other if other is not None and times[other.line] == 1 else None)
            for own, other in zip(sure, named, strict=True)
        ]


def _by_ids(roster: Roster, person: Person) -> RosterEntry | None:
    """Return the entry of a person by an id or a mail; an LMS's number is one in that LMS alone."""
    for kind in OF_LMS:
        text = person.ids.get(kind, "")
        same = [entry for entry in roster.by_id(text) if entry.person.ids.get(kind) == text] if text else []
        if len(same) == 1:
            return same[0]
    others = (text for kind, text in person.ids.items() if kind not in OF_LMS)
    for text in filter(None, (person.id, person.mail, *others)):
        found = roster.by_id(text)
        if len(found) != 1 or contradict(person, found[0].person, mails=False):
            continue
        if not (_is_an_lms_s(text, found[0].person) and _have_other_names(person, found[0].person)):
            return found[0]
    return None


def _is_an_lms_s(text: str, person: Person) -> bool:
    """Tell whether an id is a person's in an LMS alone; a number of another series can be the same."""
    own = (person.id, person.mail, *(each for kind, each in person.ids.items() if kind not in OF_LMS))
    return folded(text) not in map(folded, own)


def _have_other_names(one: Person, other: Person) -> bool:
    return bool(one.name and other.name) and folded(one.name) != folded(other.name)


def _by_name(roster: Roster, person: Person) -> RosterEntry | None:
    """Return the only entry of a name, if nothing else contradicts it."""
    text = folded(person.name)
    named = [entry for entry in roster.entries if text and folded(entry.person.name) == text]
    if len(named) != 1 or contradict(person, named[0].person, mails=True):
        return None
    return named[0]


def _free(name: str, taken: Collection[str]) -> str:
    while name in taken:
        name += "~"
    return name


def _usual_id(person: Person) -> str:
    return person.id or person.mail or next(iter(person.ids.values()), "") or person.name
