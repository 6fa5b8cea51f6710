"""Teams that a download names by the group's name alone: the first member on the roster stands for them.

The other members have the same work by `attach_roster`.  An LMS takes characters out of a group's name, so
names are compared by their letters and digits; a name that two groups or a person could have decides nothing.
"""

from collections.abc import Iterable
from dataclasses import replace

from grader.intake import Candidate
from grader.intake.names import folded, safe_id
from grader.records.roster import Roster, RosterEntry


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


def _letters(name: str) -> str:
    return "".join(filter(str.isalnum, folded(name)))
