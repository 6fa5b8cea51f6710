"""Ids for people who are in a batch by the roster.

Such an id is made of what the roster says of the person.  Where several people of a roster would have one id,
each gets a digest of their mail, or of what else is theirs alone.  So another order of the roster changes no
id, and a name in a file of reviews never means somebody else.  An id with the digest means the person also
where no other would have the id any more.
"""

from collections import Counter
from collections.abc import Iterable, Iterator

from grader.intake.names import apart, folded, safe_id, shown
from grader.model.person import KINDS, Person
from grader.records.owners.identity import by_own_id_alone
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


def ids_of_others(then: Roster, now: Roster) -> dict[str, str]:
    """Return the ids that two rosters give to different people, and whose each was and is.

    The number of a line is another person's as soon as somebody leaves.
    """
    before = {entry.person.id: entry.person for entry in then.entries if entry.person.id}
    pairs = ((before[each.person.id], each.person) for each in now.entries if each.person.id in before)
    return {
        new.id: f"was {shown(old.name)} on the roster of the last run, and is {shown(new.name)} now"
        for old, new in pairs
        if by_own_id_alone(old, new, new.id)
    }


class RosterIds:
    """Gives ids to people of a roster, each of them once.  taken: the ids that works have."""

    def __init__(self, roster: Roster, taken: Iterable[str]) -> None:
        people = [entry.person for entry in roster.entries]
        wanted = ({folded(member_id(one)), folded(absent_id(one))} for one in people)
        self._times = Counter(own_id for both in wanted for own_id in both)
        self._taken = {folded(each) for each in taken}
        self._facts = Counter(fact for one in people for fact in _facts(one))

    def of(self, person: Person) -> tuple[str, ...]:
        """Return the person's own id, those that the roster would give, and all with the digest."""
        texts = (person.id, *person.ids.values(), person.mail.partition("@")[0], person.name)
        given = [each for each in (absent_id(person), member_id(person)) if each]
        with_digest = (apart(each, self._fact(person)) for each in (*given, *texts) if each)
        return tuple(dict.fromkeys(filter(None, (person.id, *given, *with_digest))))

    def take(self, wanted: str, person: Person) -> str:
        """Return the wanted id, or one with a digest where others have it or may want it."""
        exact = self._fact(person)
        is_shared = self._times[folded(wanted)] > 1 or folded(wanted) in self._taken
        own_id, number = apart(wanted, exact) if is_shared else wanted, 0
        while folded(own_id) in self._taken:
            # Nothing tells two such people apart.
            number += 1
            own_id = apart(wanted, f"{exact}\n{number}")
        self._taken.add(folded(own_id))
        return own_id

    def _fact(self, person: Person) -> str:
        """Return the first fact that nobody else has, or all of them."""
        facts = list(_facts(person))
        return next((fact for fact in facts if self._facts[fact] == 1), "\n".join(facts))


def _facts(person: Person) -> Iterator[str]:
    """Yield what is known of a person, with what changes least in front."""
    ids = (f"{kind} {text}" for kind, text in sorted(person.ids.items()) if kind != "moodle")
    facts = (folded(person.mail), f"student {person.id}" if person.id else "", *ids, f"name {person.name}")
    yield from filter(None, facts)
