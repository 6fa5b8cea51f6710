"""Teams that are named by the group's name alone: the first member on the roster stands for them.

The other members have the same work by `attach_roster`.  An LMS takes characters out of a group's name, so
names of a download are compared by their letters and digits; a name that two groups or a person could have
decides nothing.  Where no LMS named a folder, it is a group's if it is called exactly like the group.
"""

from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import replace

from grader.intake import Candidate
from grader.intake.names import folded, safe_id
from grader.model.person import Person
from grader.records.roster import Roster, RosterEntry


def with_groups_of_works(roster: Roster, candidates: Iterable[Candidate]) -> Roster:
    """Return the roster, whoever is in several groups in the one of which a work is there.

    Where several of them handed in a work, or none did, nothing tells which it is; then see `handing_in`.
    """
    names: set[str] = set()
    for each in candidates:
        if each.person is None:
            names.add(folded(each.claimed or each.name))
        elif "moodle" in each.person.ids:
            names.add(_letters(each.name))
    entries = []
    for entry in roster.entries:
        if len(entry.groups) > 1:
            there = tuple(each for each in entry.groups if {folded(each), _letters(each)} & names)
            group = there[0] if len(there) == 1 else "" if there else entry.person.group
            entry = replace(entry, person=replace(entry.person, group=group), handing_in=there)
        entries.append(entry)
    return replace(roster, entries=tuple(entries))


def with_first_members(candidates: Iterable[Candidate], roster: Roster) -> list[Candidate]:
    """Return the candidates, each team as the work of its first member, with the member's id of that LMS."""
    people = {_letters(entry.person.name) for entry in roster.entries}
    groups: dict[str, dict[str, list[RosterEntry]]] = {}
    for entry in roster.entries:
        key = _letters(entry.person.group)
        if key and key not in people:
            groups.setdefault(key, {}).setdefault(entry.person.group, []).append(entry)
    return [_as_member(each, groups.get(_letters(each.name), {})) for each in candidates]


def _as_member(candidate: Candidate, groups: dict[str, list[RosterEntry]]) -> Candidate:
    """Return a team's candidate as its first member's.  groups: those of its name, with their members."""
    if candidate.person is None or len(groups) != 1 or "moodle" not in candidate.person.ids:
        return candidate
    (members,) = groups.values()
    person = replace(members[0].person, work=candidate.id)
    number = person.ids.get("moodle", "")
    own_id = f"moodle-{safe_id(number)}" if number else candidate.id
    return replace(candidate, id=own_id, name=person.name, person=person)


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
    ids = {folded(each.id) for each in candidates}
    given = list(candidates)
    for place, each in enumerate(candidates):
        name = folded(each.claimed or each.name)
        called = groups.get(name, {})
        if each.person is not None or found[place] is not None or len(called) != 1 or names[name] > 1:
            continue
        ((group, members),) = called.items()
        first = members[0].person
        own_id = safe_id(first.id or first.mail.partition("@")[0] or first.name)
        if not taken[group] and folded(own_id) not in ids:
            found[place] = members[0]
            attempts = tuple(replace(one, id=own_id, student=own_id) for one in each.attempts)
            student = own_id if each.student else ""
            given[place] = replace(
                each, id=own_id, student=student, attempts=attempts, person=Person(work=each.id)
            )
    return given


def _letters(name: str) -> str:
    return "".join(filter(str.isalnum, folded(name)))
