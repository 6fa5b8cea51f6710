"""Finds the line of the roster that each person is.

A person is found by an id of the same kind, then by login or mail, then by the whole name where one person
and one submission have it; an exact match comes before one that a Mac or Windows would make.
"""

import unicodedata
from collections import Counter
from collections.abc import Callable, Collection, Iterable, Iterator, Sequence

from grader.model.person import Person
from grader.records.owners.identity import (
    any_id,
    by_own_id_alone,
    contradict,
    exact_ids,
    in_any_order,
    logins,
    same_kind,
)
from grader.records.roster import RosterEntry

_Keys = Callable[[Person], Iterable[str]]


class Matching:
    """Finds the entry of each person.  found: at the person's place; None for nobody.

    bare: indexes of people known by a folder name only; it may be any kind of id.
    by_name: the places of those that the name alone decided.
    twice: those of further works of people who have one, by the same rules.
    """

    def __init__(
        self, people: Sequence[Person], entries: Sequence[RosterEntry], bare: Collection[int]
    ) -> None:
        self._people = people
        self._entries = entries
        self._bare = bare
        # Attempts of one student are one candidate by now, so each entry is found once.
        self.found: list[RosterEntry | None] = [None] * len(people)
        self.twice: dict[int, RosterEntry] = {}
        self._match(same_kind)
        self._match(exact_ids, bare)
        self._match(logins)
        self._match(any_id, bare)
        persons = [entry.person for entry in entries]
        self.by_name = self._match(_whole_name, _of_own_names(people), _of_own_names(persons))

    def _match(
        self, keys: _Keys, only: Collection[int] | None = None, lines: Collection[int] | None = None
    ) -> list[int]:
        """Match those who have a key that no one else has, and return their places.

        only: the places to match; None for all.  lines: in the same way, the indexes of the entries.
        """
        entries = _by_key((entry.person for entry in self._entries), keys)
        places = _by_key(self._people, keys)
        pairs = {
            (place, line)
            for key, own in places.items()
            for place in own
            for line in entries.get(key, ())
            if self.found[place] is None
            and len(own) == len(entries[key]) == 1
            and (only is None or place in only)
            and (lines is None or line in lines)
        }
        times = Counter(("place", place) for place, _ in pairs) + Counter(("line", line) for _, line in pairs)
        taken = {id(entry) for entry in self.found}
        done = []
        for place, line in sorted(pairs):
            entry = self._entries[line]
            is_sure = times["place", place] == times["line", line] == 1
            own, is_by_name = self._people[place], keys is _whole_name
            if not is_sure or contradict(own, entry.person, mails=is_by_name):
                continue
            if id(entry) in taken:
                self.twice[place] = entry
            elif not _by_number(own, entry.person):
                self.found[place] = entry
                done.append(place)
        return done


def _by_number(one: Person, other: Person) -> bool:
    return one.id == other.id and by_own_id_alone(one, other, one.id)


def _by_key(people: Iterable[Person], keys: _Keys) -> dict[str, list[int]]:
    """Return the places of the people who have each key."""
    found: dict[str, list[int]] = {}
    for place, person in enumerate(people):
        for key in dict.fromkeys(keys(person)):
            found.setdefault(key, []).append(place)
    return found


def _whole_name(person: Person) -> Iterator[str]:
    name = _comparable(person.name)
    if name:
        yield name


def _of_own_names(people: Sequence[Person]) -> set[int]:
    """Return the places of those whose name nobody else has, also not in other letters."""
    several = (places for places in _by_key(people, in_any_order).values() if len(places) > 1)
    return set(range(len(people))).difference(*several)


def _comparable(name: str) -> str:
    return " ".join(unicodedata.normalize("NFC", name).split())
