"""Teams that are named by the group's name alone: the first member on the roster stands for them.

The other members have the same work by `attach_roster`.  Each member is called by what the roster says of
them, so another order of the roster changes no id; the team's number or folder names the work of all.  An LMS
takes characters out of a group's name, so names of a download are compared by their letters and digits; a
name that two groups or a person could have decides nothing.  Where no LMS named a folder, it is a group's if
it is called exactly like the group.
"""

from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace

from grader.intake import Candidate
from grader.intake.names import folded
from grader.model.person import Person
from grader.records.owners.roster_ids import RosterIds, member_id
from grader.records.roster import Roster, RosterEntry


def with_members_of_teams(candidates: Sequence[Candidate], roster: Roster) -> list[Candidate]:
    """Return the candidates, each of Moodle's that is called `TEAM-Name` by the name of the person alone.

    Moodle has such a folder for each member, and one of a team that it names for whoever is in none.  So all
    have a hyphen, one team has to be a group of the roster, and each name that of one person there.  Names
    can have hyphens, too.
    """
    groups = {_letters(group) for entry in roster.entries for group in (entry.person.group, *entry.groups)}
    groups.discard("")
    names = Counter(folded(entry.person.name) for entry in roster.entries)
    found: dict[int, tuple[str, str]] = {}
    for place, each in enumerate(candidates):
        name = each.person.name if each.person is not None and "moodle" in each.person.ids else ""
        if names[folded(name)]:
            continue
        parts = name.split("-")
        pairs = [("-".join(parts[:at]), "-".join(parts[at:])) for at in range(1, len(parts))]
        known = [(team, rest) for team, rest in pairs if names[folded(rest)] == 1]
        known = [(team, rest) for team, rest in known if _letters(team) in groups] or known
        if len(known) == 1:
            found[place] = known[0]
    given = list(candidates)
    are_teams = all("-" in each.name for each in candidates if each.person and "moodle" in each.person.ids)
    if are_teams and any(_letters(team) in groups for team, _ in found.values()):
        for place, (_, name) in found.items():
            given[place] = _named(given[place], name)
    return given


def _named(candidate: Candidate, name: str) -> Candidate:
    assert candidate.person is not None
    person = replace(candidate.person, name=name)
    attempts = tuple(replace(each, name=name, person=person) for each in candidate.attempts)
    return replace(candidate, name=name, person=person, attempts=attempts)


def with_groups_of_works(roster: Roster, candidates: Iterable[Candidate]) -> Roster:
    """Return the roster, whoever is in several groups in the one of which a work is there.

    Where several of them handed in a work, or none did, nothing tells which it is; then see `handing_in`.
    """
    names = {name for each in candidates for name in names_of_work(each)}
    entries = []
    for entry in roster.entries:
        if len(entry.groups) > 1:
            there = tuple(each for each in entry.groups if names_of_group(each) & names)
            group = there[0] if len(there) == 1 else "" if there else entry.person.group
            entry = replace(entry, person=replace(entry.person, group=group), handing_in=there)
        entries.append(entry)
    return replace(roster, entries=tuple(entries))


def names_of_work(candidate: Candidate) -> Iterator[str]:
    """Yield what a work is called where that can be the name of a group, see `names_of_group`."""
    if candidate.person is None:
        yield folded(candidate.claimed or candidate.name)
    elif "moodle" in candidate.person.ids:
        yield _letters(candidate.name)


def names_of_group(group: str) -> set[str]:
    """Return the names that a work of a group can have."""
    return {folded(group), _letters(group)}


def with_first_members(candidates: Iterable[Candidate], roster: Roster) -> list[Candidate]:
    """Return the candidates, each team of a Moodle download as the work of its first member."""
    people = {_letters(entry.person.name) for entry in roster.entries}
    groups: dict[str, dict[str, list[RosterEntry]]] = {}
    for entry in roster.entries:
        key = _letters(entry.person.group)
        if key and key not in people:
            groups.setdefault(key, {}).setdefault(entry.person.group, []).append(entry)
    given = list(candidates)
    numbered = {
        place: _letters(each.name)
        for place, each in enumerate(given)
        if each.person is not None and "moodle" in each.person.ids
    }
    times = Counter(numbered.values())
    firsts: dict[int, Person] = {}
    for place, name in numbered.items():
        called = groups.get(name, {})
        if times[name] == len(called) == 1:
            ((first, *_),) = called.values()
            firsts[place] = first.person
    ids = RosterIds(roster, (each.id for place, each in enumerate(given) if place not in firsts))
    for place, person in firsts.items():
        own_id = ids.take(member_id(person), person)
        given[place] = _called(given[place], own_id, name=person.name, work=given[place].id, person=person)
    return given


def _called(candidate: Candidate, own_id: str, *, name: str, work: str, person: Person) -> Candidate:
    """Return a team's work and its attempts as those of a member."""
    attempts = tuple(replace(one, id=own_id, student=own_id) for one in candidate.attempts)
    return replace(
        candidate,
        id=own_id,
        name=name,
        student=own_id if candidate.student else "",
        attempts=attempts,
        person=replace(person, work=work),
    )


def with_team_folders(
    candidates: Sequence[Candidate], found: list[RosterEntry | None], roster: Roster
) -> list[Candidate]:
    """Return the candidates, each folder that is called like a group as the work of its first member.

    found: the entry of each candidate; that member is added.  Where a member handed in alone, the folder
    stays as it is.  So do all where a group handed in two works, since groups are classes there.
    """
    taken = Counter(entry.person.group for entry in found if entry is not None and entry.person.group)
    if any(count > 1 for count in taken.values()):
        return list(candidates)
    groups: dict[str, dict[str, list[RosterEntry]]] = {}
    for entry in roster.entries:
        if entry.person.group:
            groups.setdefault(folded(entry.person.group), {}).setdefault(entry.person.group, []).append(entry)
    names = Counter(folded(each.claimed or each.name) for each in candidates)
    taken_ids = {folded(each.id) for each in candidates}
    ids = RosterIds(roster, taken_ids)
    given = list(candidates)
    for place, each in enumerate(candidates):
        name = folded(each.claimed or each.name)
        called = groups.get(name, {})
        if each.person is not None or found[place] is not None or len(called) != 1 or names[name] > 1:
            continue
        ((group, members),) = called.items()
        first = members[0].person
        wanted = member_id(first)
        if not taken[group] and folded(wanted) not in taken_ids:
            own_id = ids.take(wanted, first)
            found[place] = members[0]
            given[place] = _called(each, own_id, name=each.name, work=each.id, person=Person())
    return given


def _letters(name: str) -> str:
    return "".join(filter(str.isalnum, folded(name)))
