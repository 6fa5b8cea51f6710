"""Whose the works are that nobody on the roster has: who may own one did not hand in nothing.

A work that an LMS names may be anybody's of whom nothing proves the contrary.  A folder of any other name may
be theirs whose id, login, mail or name stands in it; or who lack what other folders are called by; and
anybody's, if no folder at all is on the roster.  Canvas gives a group's work the number of one member; it has
another name then than that member's, and may be anybody's whose group on the roster had no work.
"""

from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from difflib import get_close_matches

from grader.intake import Candidate
from grader.intake.names import folded, listed, named
from grader.model.person import KINDS, Person
from grader.records.owners.canvas_names import (
    are_of_one_person_each,
    called_otherwise,
    stands_beside,
    tell_other_names,
)
from grader.records.owners.identity import (
    ALIKE,
    any_id,
    id_forms,
    in_any_order,
    is_power,
    is_rounded,
    logins,
    other_ids,
    other_person,
    same_kind,
)
from grader.records.roster import RosterEntry
from grader.records.roster_notes import NAME_MOST, shown, words_in, words_of

_HINT = "Names that look alike decide nothing; give the id on the roster"
_WAYS_OF_NOBODYS = "Give ids, or mails and names, on the roster, or leave out a work that is nobody's there."
_WAYS_OF_TEAMS = (
    "Give those with the number of a work the name that Canvas has, or a group on the roster:"
    " that of all who worked together, or one of their own."
)
UNKNOWN = "it is not sure whether a work is this person's"
LATER = "it is not sure whether this person has a part in the work of the group"
TORN = "works of this person's group differ, and it is not sure whether one is theirs"
_LIKE = 0.6
_MOST_WORDS = 20
"""Words of a folder's name that are looked at, and, of these, ..."""
_MOST_TOGETHER = 6
"""... words that can be one login."""

Words = tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Doubts:
    """The people of whom it is not sure that they handed in nothing, by their lines on the roster.

    alike: with the places of works that seem theirs.
    shared: with the names of groups they are in, of which each handed in a work.
    others: those of whom only nothing proves that none of the works is theirs.
    teams: places of works of Canvas that may be a group's.
    own: places of those that have another name, but are of one person each.
    """

    alike: Mapping[int, Sequence[int]] = field(default_factory=dict)
    shared: Mapping[int, Sequence[str]] = field(default_factory=dict)
    others: frozenset[int] = frozenset()
    teams: Sequence[int] = ()
    own: Sequence[int] = ()

    def reason(self, line: int) -> str:
        """Return why it is not sure that this person handed in nothing; empty where it is."""
        is_in_doubt = line in self.alike or line in self.shared or line in self.others
        return UNKNOWN if is_in_doubt else ""

    def without(self, lines: Collection[int]) -> "Doubts":
        """Return the doubts but for some people, who have the work of their group."""
        shared = {line: groups for line, groups in self.shared.items() if line not in lines}
        return replace(self, shared=shared, others=self.others.difference(lines))


def doubts_of(
    people: Sequence[Person],
    found: Sequence[RosterEntry | None],
    bare: Collection[int],
    folders: Collection[int],
    missing: Sequence[RosterEntry],
) -> Doubts:
    """Return of whom of those without a work it is not sure that none is theirs.

    people: who handed in the works, as far as it is known.  found: their entries; None for nobody.
    bare: places of people known by a folder's name only.  folders: those, and places of folders
        in whose names a login of the roster was found.
    """
    free = [place for place, entry in enumerate(found) if entry is None]
    named = [place for place in free if place not in bare]
    called = _called_by(people, found, bare, folders)
    has_bare = len(free) > len(named)
    kinds = _proving(people, found)
    has_names = any(
        entry and _same_name(each, entry.person) for each, entry in zip(people, found, strict=True)
    )
    search = _Search(people, free, bare)
    works = _works_of_groups(people, found)
    teams = [
        place
        for place in called_otherwise(people, found)
        if (entry := found[place]) is not None and not _has_its_groups_work(entry, works)
    ]
    own: Sequence[int] = ()
    if missing and are_of_one_person_each(people, found, teams, missing):
        teams, own = [], teams

    def is_anothers(place: int, entry: RosterEntry) -> bool:
        work, person = people[place], entry.person
        if _may_be_a_teams(work) and _lacks_its_groups_work(entry, works):
            return False
        return other_person(work, person, kinds) or (has_names and _other_name(work, person))

    def may_have_a_folder(person: Person) -> bool:
        return has_bare and not (called and called <= {kind for kind, _ in _forms(person)})

    alike: dict[int, list[int]] = {}
    shared: dict[int, Sequence[str]] = {}
    others = set()
    for entry in missing:
        person = entry.person
        seem = [
            place
            for place in sorted(search.of(person))
            if place in bare or not other_person(people[place], person, kinds)
        ] + [place for place in own if stands_beside(people[place], found[place], person)]
        if seem:
            alike[entry.line] = seem
        elif len(entry.handing_in) > 1:
            shared[entry.line] = entry.handing_in
        elif (
            may_have_a_folder(person)
            or not all(is_anothers(place, entry) for place in named)
            or (teams and not _has_its_groups_work(entry, works))
        ):
            others.add(entry.line)
    return Doubts(alike, shared, frozenset(others), teams, own)


def tell_doubts(
    doubts: Doubts,
    candidates: Sequence[Candidate],
    found: Sequence[RosterEntry | None],
    entries: Iterable[RosterEntry],
    note: Callable[[str], None],
) -> None:
    """Say who is pending, and because of which works."""
    people = [each.person or Person() for each in candidates]
    tell_other_names(people, found, doubts.own, note)
    by_line = {entry.line: entry.person for entry in entries}
    for line, places in doubts.alike.items():
        works = " or ".join(f"{each.name} ({each.id})" for each in map(candidates.__getitem__, places[:4]))
        known = (candidates[place].person or Person() for place in places[:4])
        pairs = [pair for each in known for pair in other_ids(each, by_line[line])]
        ids = f"  The ids differ: {listed(f'{one} and {other}' for one, other in pairs)}." if pairs else ""
        note(f"is {works} the same as {shown(by_line[line])} on the roster?{ids}  {_HINT}")
    for line, groups in doubts.shared.items():
        note(f"{shown(by_line[line])} is in the groups {listed(groups)}, and each of them handed in a work")
    if doubts.others:
        works = listed(
            f"{named(each.person.name) if place in doubts.teams and each.person else each.name} ({each.id})"
            for place, (each, entry) in enumerate(zip(candidates, found, strict=True))
            if entry is None or place in doubts.teams
        )
        ways = []
        if None in found:
            ways.append(_WAYS_OF_NOBODYS)
        if doubts.teams:
            ways.append(_WAYS_OF_TEAMS)
        lacking = listed(shown(by_line[line]) for line in sorted(doubts.others))
        note(f"nothing proves that no work of these is that of {lacking}: {works}.  {' '.join(ways)}")
    if doubts.alike or doubts.shared or doubts.others:
        note("who may have handed in one of these is pending, and got no extension")


def _proving(people: Sequence[Person], found: Sequence[RosterEntry | None]) -> tuple[str, ...]:
    """Return the kinds of ids that prove that two are not one person.

    Moodle counts people anew in each assignment, and teams by another series.  So its numbers prove it where
    somebody has the same number and a like name on both sides.
    """
    kinds = tuple(kind for kind in KINDS if kind not in ("login", "moodle"))
    for person, entry in zip(people, found, strict=True):
        number = person.ids.get("moodle")
        if entry is None or not number or entry.person.ids.get("moodle") != number or person.work:
            continue
        if not set(words_of(person)).isdisjoint(words_of(entry.person)):
            return (*kinds, "moodle")
    return kinds


def _works_of_groups(
    people: Sequence[Person], found: Sequence[RosterEntry | None]
) -> Mapping[str, Collection[str]]:
    """Return the works that were found of each group on the roster."""
    works: dict[str, set[str]] = {}
    for place, (person, entry) in enumerate(zip(people, found, strict=True)):
        if entry is not None and entry.person.group:
            works.setdefault(entry.person.group, set()).add(person.work or str(place))
    return works


def _may_be_a_teams(work: Person) -> bool:
    """Tell whether a work of a Moodle download, of which no mail is known, may have a team's name."""
    return "moodle" in work.ids and not work.mail


def _lacks_its_groups_work(entry: RosterEntry, works: Mapping[str, Collection[str]]) -> bool:
    """Tell whether a person's group may have handed in under another name; groups can be classes, too."""
    groups = entry.groups or tuple(filter(None, (entry.person.group,)))
    are_classes = any(len(each) > 1 for each in works.values())
    return bool(groups) and not are_classes and works.keys().isdisjoint(groups)


def _has_its_groups_work(entry: RosterEntry, works: Mapping[str, Collection[str]]) -> bool:
    """Tell whether a group of the person's on the roster has a work; groups can be classes, too."""
    groups = entry.groups or (entry.person.group,)
    return all(len(each) == 1 for each in works.values()) and not works.keys().isdisjoint(groups)


def _same_name(one: Person, other: Person) -> bool:
    return bool(one.name) and {*words_of(one)} == {*words_of(other)}


def _other_name(one: Person, other: Person) -> bool:
    """Tell whether no word of a name is like one of the roster's: proof where other works have its names.

    Letters that are not ASCII prove nothing: offices write `Jörg` as `Joerg`, `Żółć` as `Zolc`.  Nor does one
    word, which may be a nickname.
    """
    both = {*words_of(one)}, {*words_of(other)}
    if not all(len(words) > 1 and all(map(str.isascii, words)) for words in both):
        return False
    return all(not get_close_matches(word, both[1], 1, _LIKE) for word in both[0])


def _called_by(
    people: Sequence[Person],
    found: Sequence[RosterEntry | None],
    bare: Collection[int],
    folders: Collection[int],
) -> set[str]:
    """Return the kinds of ids by which folders are called; of those who lack one, a folder tells nothing."""
    kinds = set()
    for place in folders:
        entry, person = found[place], people[place]
        if entry is None:
            continue
        if place in bare:
            texts = {text for _, text in _forms(person)}
            kinds |= {kind for kind, text in _forms(entry.person) if text in texts}
        else:
            kinds |= set(person.ids)
    return kinds


def _forms(person: Person) -> Iterator[tuple[str, str]]:
    """Yield what a folder of this person can be called, with the kind."""
    mail = folded(person.mail)
    forms = [("student", person.id), ("group", person.group), *person.ids.items()]
    forms += [("mail", mail), ("mail", mail.partition("@")[0]), ("name", "".join(words_of(person)))]
    # Excel shows a number as `########` where its column is narrow.
    yield from ((kind, folded(text)) for kind, text in forms if any(map(str.isalnum, text)))


class _Search:
    """Finds the works that seem a person's, among those that nobody on the roster has."""

    def __init__(self, people: Sequence[Person], free: Sequence[int], bare: Collection[int]) -> None:
        self._by_key: dict[str, list[int]] = {}
        self._by_words: dict[Words, list[int]] = {}
        self._names: dict[str, list[int]] = {}
        self._ids = _Ids()
        for place in free:
            person, is_bare = people[place], place in bare
            for key in dict.fromkeys(_keys(person, is_bare=is_bare)):
                self._by_key.setdefault(key, []).append(place)
            for words in set(_together(person)) if is_bare else ():
                self._by_words.setdefault(words, []).append(place)
            # Moodle's numbers are no ids of a person, and equal somebody's by chance.
            ids = any_id(person) if is_bare else (person.ids[kind] for kind in {*person.ids} - {"moodle"})
            self._ids.add(place, (*ids, *(_words(person.name) if is_bare else ())))
            if person.name:
                self._names.setdefault(folded(person.name[:NAME_MOST]), []).append(place)

    def of(self, person: Person) -> set[int]:
        """Return the places of works that seem this person's."""
        keys = (*_keys(person, is_bare=True), folded(person.group))
        places = {place for key in keys for place in self._by_key.get(key, ())}
        places |= {place for words in _standing(person) for place in self._by_words.get(words, ())}
        places |= {place for text in any_id(person) for place in self._ids.same(text)}
        if self._names and person.name:
            near = get_close_matches(folded(person.name[:NAME_MOST]), self._names, 3, ALIKE)
            places |= {place for name in near for place in self._names[name]}
        return places


class _Ids:
    """The ids of works by the forms in which `same_id` compares them, so that no pair of all is looked at."""

    def __init__(self) -> None:
        self._places: dict[str, set[int]] = {}
        self._powers: set[str] = set()

    def add(self, place: int, texts: Iterable[str]) -> None:
        for form in (form for text in texts for form in id_forms(text) if form):
            self._places.setdefault(form, set()).add(place)
            if is_power(form):
                self._powers.add(form)

    def same(self, text: str) -> set[int]:
        """Return the places of works that have this id."""
        found: set[int] = set()
        for form in filter(None, id_forms(text)):
            rounded = {power for power in self._powers if is_rounded(power, form)}
            if is_power(form):
                rounded |= {number for number in self._places if is_rounded(form, number)}
            found.update(*(self._places.get(each, ()) for each in (form, *rounded)))
        return found


def _keys(person: Person, *, is_bare: bool) -> Iterator[str]:
    """Yield what may be the same for one person.  is_bare: the ids may be of any kind."""
    yield from same_kind(person)
    yield from any_id(person) if is_bare else logins(person)
    yield from in_any_order(person)


def _words(text: str) -> Words:
    found = words_in(text[: 4 * NAME_MOST])[:_MOST_WORDS]
    return tuple(word.lstrip("0") or word if word.isdecimal() else word for word in found)


def _together(person: Person) -> Iterator[Words]:
    """Yield the words that stand one after another in the name of a folder."""
    for text in dict.fromkeys((person.id, person.name)):
        words = _words(text)
        for at in range(len(words)):
            yield from (words[at:end] for end in range(at + 1, min(at + _MOST_TOGETHER, len(words)) + 1))


def _standing(person: Person) -> Iterator[Words]:
    """Yield the words of a person that may stand in the name of a folder."""
    for text in (*any_id(person), *in_any_order(person), person.group):
        yield _words(text)
    # A single letter stands in any name.
    yield from ((word,) for word in _words(person.name) if len(word) > 1 or not word.isascii())
