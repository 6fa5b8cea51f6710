"""Puts a roster beside the submissions: who handed in what, and who handed in nothing.

A person is found by an id of the same kind, then by login or mail, then by the whole name where one person
and one submission have it.  A name that only looks alike decides nothing; it is told.
"""

import unicodedata
from collections import Counter
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from difflib import get_close_matches
from itertools import groupby
from pathlib import Path

from grader.intake import Candidate, Kind
from grader.intake.names import UniqueIds, folded, listed, named, safe_id
from grader.model.person import KINDS, Person
from grader.model.submission import Record
from grader.records.roster import Entry, Roster

_HINT = "Names that look alike decide nothing; give the id on the roster"

_Keys = Callable[[Person], Iterable[str]]


def with_roster(
    candidates: Sequence[Candidate], roster: Roster, has_deadline: bool, note: Callable[[str], None]
) -> list[Candidate]:
    """Return the candidates with all that the roster knows, and one for each person who handed in nothing.

    has_deadline: of the task; without one, extensions change nothing.
    Members of a group of the roster who handed in nothing have the group's work, if there is one alone.
    """
    bare = {place for place, each in enumerate(candidates) if each.person is None}
    matching = Matching([_as_handed_in(each) for each in candidates], roster.entries, bare)
    found = matching.found
    own = [_known(each, found[place]) for place, each in enumerate(candidates)]
    ids = UniqueIds()
    for each in candidates:
        ids.take(each.id)
    if not has_deadline and any(entry.is_extended for entry in roster.entries):
        note(f"the task has no deadline, so the extensions in {roster.where} change nothing")
    matched = {entry.line for entry in found if entry is not None}
    missing = [entry for entry in roster.entries if entry.line not in matched]
    shared = list(_of_groups(own, roster, missing, ids, note))
    having = {one.line for one, _ in shared}
    own = _with_work(own, {each.work for _, each in shared})
    absent = [_absent(entry, ids) for entry in missing if entry.line not in having]
    if matching.by_name:
        names = listed(own[place].name for place in matching.by_name)
        note(f"{len(matching.by_name)} found on the roster by the whole name alone: {names}")
    _tell(candidates, found, roster, absent, note)
    return [*own, *(each for _, each in shared), *absent]


class Matching:
    """Finds the entry of each person.  found: at the person's place; None for nobody.

    bare: the places of those of whom only the name of a folder is known, which may be any id.
    by_name: the places of those that the name alone decided.
    """

    def __init__(self, people: Sequence[Person], entries: Sequence[Entry], bare: Collection[int]) -> None:
        self._people = people
        self._entries = entries
        # Attempts of one student are one candidate by now, so each entry is found once.
        self.found: list[Entry | None] = [None] * len(people)
        self._match(_same_kind)
        self._match(_logins)
        self._match(_any_id, bare)
        self.by_name = self._match(_whole_name)

    def _match(self, keys: _Keys, only: Collection[int] | None = None) -> list[int]:
        """Match those who have a key that no one else has, and return their places.

        only: the places to match; None for all.
        """
        entries = _by_key((entry.person for entry in self._entries), keys)
        places = _by_key(self._people, keys)
        pairs = {
            (place, line)
            for key, own in places.items()
            for place in own
            for line in entries.get(key, ())
            if len(own) == len(entries[key]) == 1 and (only is None or place in only)
        }
        times = Counter(("place", place) for place, _ in pairs) + Counter(("line", line) for _, line in pairs)
        taken = {id(entry) for entry in self.found}
        done = []
        for place, line in sorted(pairs):
            entry, is_free = self._entries[line], self.found[place] is None
            is_sure = times["place", place] == times["line", line] == 1
            if not (is_sure and is_free) or id(entry) in taken:
                continue
            if not _contradict(self._people[place], entry.person, mails=keys is _whole_name):
                self.found[place] = entry
                done.append(place)
        return done


def _contradict(one: Person, other: Person, *, mails: bool) -> bool:
    """Tell whether two have different ids of one kind.  mails: or mails; two people may have one name."""
    kinds = one.ids.keys() & other.ids.keys() - {"login"}
    both = {one.mail.casefold(), other.mail.casefold()} - {""}
    return any(one.ids[kind] != other.ids[kind] for kind in kinds) or (mails and len(both) > 1)


def _by_key(people: Iterable[Person], keys: _Keys) -> dict[str, list[int]]:
    """Return the places of the people who have each key."""
    found: dict[str, list[int]] = {}
    for place, person in enumerate(people):
        for key in dict.fromkeys(keys(person)):
            found.setdefault(key, []).append(place)
    return found


def _as_handed_in(candidate: Candidate) -> Person:
    """Return what is known of a student; where no layout tells, the name of the folder may be any id."""
    if candidate.person is not None:
        return candidate.person
    return Person(id=candidate.id, name=candidate.name, ids={"login": candidate.name})


def _same_kind(person: Person) -> Iterator[str]:
    yield from (f"{kind} {text}" for kind, text in person.ids.items() if kind != "login")
    if person.id:
        yield f"student {person.id}"


def _logins(person: Person) -> Iterator[str]:
    yield from (person.ids[kind].casefold() for kind in ("login", "blackboard") if kind in person.ids)
    if person.mail:
        yield person.mail.casefold()


def _any_id(person: Person) -> Iterator[str]:
    """Yield all ids without their kinds, and the mail's first part: folders are often called so."""
    yield from filter(None, (person.id.casefold(), *(text.casefold() for text in person.ids.values())))
    if person.mail:
        yield from (person.mail.casefold(), person.mail.casefold().partition("@")[0])


def _whole_name(person: Person) -> Iterator[str]:
    name = _comparable(person.name)
    if name:
        yield name


def _comparable(name: str) -> str:
    return " ".join(unicodedata.normalize("NFC", name).split())


def _known(candidate: Candidate, entry: Entry | None) -> Candidate:
    """Return a candidate with its person's name, ids, mail, group and extension."""
    if entry is None:
        return candidate
    found, before = entry.person, candidate.person or Person()
    person = Person(
        id=candidate.id,
        name=found.name or before.name,
        mail=found.mail or before.mail,
        ids={**before.ids, **found.ids},
        group=found.group or before.group,
        work=before.work,
    )
    extension = entry.extension(candidate.id)
    attempts = tuple(
        replace(each, person=person, record=_extended(each.record, entry, candidate.id))
        for each in candidate.attempts
    )
    record = _extended(candidate.record, entry, candidate.id) if extension else candidate.record
    name = named(person.name) or candidate.name
    return replace(candidate, name=name, person=person, record=record, attempts=attempts)


def _extended(record: Record | None, entry: Entry, student: str) -> Record | None:
    extension = entry.extension(student)
    return record if extension is None else replace(record or Record(), extension=extension)


def _of_groups(
    own: Sequence[Candidate],
    roster: Roster,
    missing: Sequence[Entry],
    ids: UniqueIds,
    note: Callable[[str], None],
) -> Iterator[tuple[Entry, Candidate]]:
    """Yield those who have the work of their group, each with a copy of it.

    A column of groups can also mean classes that hand in one by one.  So it counts only where no group of the
    roster handed in two works.
    """
    works: dict[str, dict[str, Candidate]] = {}
    for each in own:
        if each.person is not None and each.person.group:
            works.setdefault(each.person.group, {}).setdefault(each.work or each.id, each)
    waiting = sorted((one for one in missing if one.person.group in works), key=lambda one: one.person.group)
    several = [group for group, each in works.items() if len(each) > 1]
    if several and waiting:
        note(f"groups on the roster hand in one by one (see {several[0]}), so no work counts for others")
        return
    for group, entries in groupby(waiting, key=lambda one: one.person.group):
        (work,) = works[group].values()
        members = list(entries)
        names = listed(_shown(entry.person) for entry in members)
        note(f"the work of {work.name} counts for the whole group {group}: {names}")
        for entry in members:
            wanted = _wanted_id(entry.person)
            new_id, _ = ids.take(wanted)
            shared = Person(work=work.work or work.id)
            copy = replace(work, id=new_id, name=entry.person.name or new_id, person=shared, student="")
            attempts = tuple(replace(each, id=new_id, student="") for each in work.attempts)
            yield entry, _known(replace(copy, attempts=attempts), entry)


def _with_work(own: Iterable[Candidate], shared: Collection[str]) -> list[Candidate]:
    """Return the candidates; those whose work counts for others too have the name of that work."""
    return [
        replace(each, person=replace(each.person, work=each.id))
        if each.person is not None and each.id in shared and not each.work
        else each
        for each in own
    ]


def _absent(entry: Entry, ids: UniqueIds) -> Candidate:
    """Return the candidate of a person who handed in nothing."""
    new_id, _ = ids.take(_wanted_id(entry.person))
    person = replace(entry.person, id=new_id)
    return _known(Candidate(new_id, person.name or new_id, Kind.ABSENT, Path(), person=person), entry)


def _wanted_id(person: Person) -> str:
    own = (person.ids.get(kind, "") for kind in KINDS)
    return safe_id(next(filter(None, (person.id, *own, person.mail.partition("@")[0], person.name)), ""))


def _shown(person: Person) -> str:
    return person.name or person.mail or next(iter(person.ids.values()), "") or person.id


def _tell(
    candidates: Sequence[Candidate],
    found: Sequence[Entry | None],
    roster: Roster,
    absent: Sequence[Candidate],
    note: Callable[[str], None],
) -> None:
    """Say what the roster was taken for, who is not on it, and who handed in nothing."""
    note(f"{roster.where} was read as {roster.layout}, {len(roster.entries)} people")
    if roster.left_out:
        note(f"left out of the roster, as no students: {listed(roster.left_out)}")
    if absent:
        count = "1 person" if len(absent) == 1 else f"{len(absent)} people"
        note(f"{count} on the roster handed in nothing: {listed(each.name for each in absent)}")
    strangers = [each for each, entry in zip(candidates, found, strict=True) if entry is None]
    if not strangers:
        return
    be = "submission is" if len(strangers) == 1 else "submissions are"
    note(f"{len(strangers)} {be} of people who are not on the roster: {listed(s.name for s in strangers)}")
    names: Mapping[str, str] = {folded(each.name): each.name for each in absent if each.name}
    for stranger in strangers:
        near = get_close_matches(folded(stranger.name), names, 1)
        if near:
            note(f"is {stranger.name} ({stranger.id}) the same as {names[near[0]]} on the roster?  {_HINT}")
