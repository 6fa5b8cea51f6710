"""Ids for people who are in a batch by the roster.

Such an id is made of what the roster says of the person.  Where several people of a roster would have one id,
each gets a digest of what is known of their own.  So another order of the roster changes no id, and a name in
a file of reviews never means somebody else.
"""

from collections import Counter
from collections.abc import Iterable

from grader.intake.names import apart, folded, safe_id
from grader.model.person import KINDS, Person
from grader.records.roster import Roster


def member_id(person: Person) -> str:
    """Return the id that a member of a group has, whoever of them comes first on the roster.

    Moodle's number comes late, since it is that of one assignment.
    """
    own = (person.ids.get(kind, "") for kind in KINDS if kind != "moodle")
    number = person.ids.get("moodle", "")
    last = (person.mail.partition("@")[0], number and f"moodle-{number}", person.name)
    return safe_id(next(filter(None, (person.id, *own, *last)), ""))


def absent_id(person: Person) -> str:
    """Return the id that a person has who handed in nothing."""
    own = (person.ids.get(kind, "") for kind in KINDS)
    return safe_id(next(filter(None, (person.id, *own, person.mail.partition("@")[0], person.name)), ""))


class RosterIds:
    """Gives ids to people of a roster, each of them once.  taken: the ids that works have."""

    def __init__(self, roster: Roster, taken: Iterable[str]) -> None:
        people = [entry.person for entry in roster.entries]
        wanted = ({folded(member_id(one)), folded(absent_id(one))} for one in people)
        self._times = Counter(own_id for both in wanted for own_id in both)
        self._taken = {folded(each) for each in taken}

    def take(self, wanted: str, person: Person) -> str:
        """Return the wanted id, or one with a digest where others have it or may want it."""
        ids = (f"{kind} {text}" for kind, text in sorted(person.ids.items()) if kind != "moodle")
        exact = "\n".join((person.id, person.mail, person.name, *ids))
        is_shared = self._times[folded(wanted)] > 1 or folded(wanted) in self._taken
        own_id, number = apart(wanted, exact) if is_shared else wanted, 0
        while folded(own_id) in self._taken:
            # Nothing tells two such people apart.
            number += 1
            own_id = apart(wanted, f"{exact}\n{number}")
        self._taken.add(folded(own_id))
        return own_id
