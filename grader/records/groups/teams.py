"""Teams that are named by the group's name alone: the first member on the roster stands for them.

The other members have the same work by `attach_roster`.  Each member is called by what the roster says of
them, so another order of the roster changes no id; the team's number or folder names the work of all.  An LMS
takes characters out of a group's name, so names of a download are compared by their letters and digits; a
name that two groups or a person could have decides nothing.  Where no LMS named a folder, it is a group's if
it is called exactly like the group; if a person is called so, too, the other folders may tell.
"""

from collections import Counter
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import replace

from grader.intake import Candidate
from grader.intake.names import folded
from grader.model.person import Person
from grader.records.owners.roster_ids import RosterIds, member_id
from grader.records.roster import Roster, RosterEntry
from grader.records.roster_notes import tell_called_like_both


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
    names = {name for each in candidates for name in _names_of_work(each)}
    entries = []
    for entry in roster.entries:
        if len(entry.groups) > 1:
            there = tuple(each for each in entry.groups if _names_of_group(each) & names)
            group = there[0] if len(there) == 1 else "" if there else entry.person.group
            entry = replace(entry, person=replace(entry.person, group=group), handing_in=there)
        entries.append(entry)
    return replace(roster, entries=tuple(entries))


def _names_of_work(candidate: Candidate) -> Iterator[str]:
    """Yield what a work is called where that can be the name of a group, see `_names_of_group`."""
    if candidate.person is None:
        yield _name(candidate)
    elif "moodle" in candidate.person.ids:
        yield _letters(candidate.name)


def _names_of_group(group: str) -> set[str]:
    """Return the names that a work of a group can have."""
    return {folded(group), _letters(group)}


def with_kept_owners(
    candidates: Iterable[Candidate], roster: Roster, owners: Mapping[int, RosterEntry]
) -> list[Candidate]:
    """Return the candidates, the works at some places as those of people who keep them.

    owners: by the place; for each, the first who keeps the work.
    """
    given = list(candidates)
    ids = RosterIds(roster, (each.id for place, each in enumerate(given) if place not in owners))
    for place, entry in owners.items():
        own_id, each = ids.take(member_id(entry.person), entry.person), given[place]
        given[place] = _called(
            each, own_id, name=entry.person.name or each.name, work=each.id, person=entry.person
        )
    return given


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


def without_others_folders(
    candidates: Sequence[Candidate],
    found: list[RosterEntry | None],
    folders: Collection[int],
    roster: Roster,
    note: Callable[[str], None],
) -> Collection[int]:
    """Take folders of groups from people in other groups, who are called so; return those of nobody.

    found: the entry of each candidate; those people are taken out.  folders: places of those that no LMS
    named.  They stay theirs where another folder is surely that of one person in a group, and none a group's.
    """
    groups: dict[str, set[str]] = {}
    for entry in roster.entries:
        for group in filter(None, (entry.person.group, *entry.groups)):
            groups.setdefault(folded(group), set()).add(group)
    called = {place: groups.get(_name(candidates[place]), set()) for place in folders}
    doubtful = [
        place
        for place, own in called.items()
        if own and (owner := found[place]) is not None and own.isdisjoint((owner.person.group, *owner.groups))
    ]
    are_groups = any(own and found[place] is None for place, own in called.items())
    are_people = any(not own and _is_in_group(found[place]) for place, own in called.items())
    if not doubtful or (are_people and not are_groups):
        return ()
    for place in doubtful:
        found[place] = None
    if are_groups and not are_people:
        return ()
    tell_called_like_both([candidates[place].name for place in sorted(doubtful)], note)
    return doubtful


def _is_in_group(entry: RosterEntry | None) -> bool:
    return entry is not None and bool(entry.person.group or entry.groups)


def with_team_folders(
    candidates: Sequence[Candidate],
    found: list[RosterEntry | None],
    roster: Roster,
    doubtful: Collection[int] = (),
) -> list[Candidate]:
    """Return the candidates, each folder that is called like a group as the work of its first member.

    found: the entry of each candidate; that member is added.  Where a member handed in alone, the folder
    stays as it is.  So do all where a group handed in two works, since groups are classes there.
    doubtful: places of folders that may be another's.
    """
    taken = Counter(entry.person.group for entry in found if entry is not None and entry.person.group)
    if any(count > 1 for count in taken.values()):
        return list(candidates)
    groups: dict[str, dict[str, list[RosterEntry]]] = {}
    for entry in roster.entries:
        if entry.person.group:
            groups.setdefault(folded(entry.person.group), {}).setdefault(entry.person.group, []).append(entry)
    names = Counter(map(_name, candidates))
    firsts: dict[int, RosterEntry] = {}
    for place, each in enumerate(candidates):
        name = _name(each)
        called = groups.get(name, {})
        is_taken = each.person is not None or found[place] is not None or place in doubtful
        if is_taken or len(called) != 1 or names[name] > 1:
            continue
        ((group, members),) = called.items()
        if not taken[group]:
            firsts[place] = members[0]
    # A folder can have the id of another's first member, and gives it up if it gets one itself.
    count = -1
    while count != len(firsts):
        count = len(firsts)
        ids = {folded(each.id) for place, each in enumerate(candidates) if place not in firsts}
        firsts = {at: one for at, one in firsts.items() if folded(member_id(one.person)) not in ids}
    all_ids = RosterIds(roster, ids)
    given = list(candidates)
    for place, entry in firsts.items():
        found[place], each = entry, candidates[place]
        own_id = all_ids.take(member_id(entry.person), entry.person)
        given[place] = _called(each, own_id, name=each.name, work=each.id, person=Person())
    return given


def _name(candidate: Candidate) -> str:
    return folded(candidate.claimed or candidate.name)


def _letters(name: str) -> str:
    return "".join(filter(str.isalnum, folded(name)))
