"""Finds the logins of a roster in names such as `homework-amy`, where no download tells where one begins.

What the names have in common is no login's end: all of a class can be called `uni-amy`, `uni-bob`.  Nor is a
login that a name ends with its owner's for sure: `homework-amy-smith` is not `smith`'s.  A clone of a team
ends with the team's name, and that can be the login of somebody in another team.
"""

from collections import Counter
from collections.abc import Callable, Collection, Iterable, Mapping
from dataclasses import dataclass, replace

from grader.intake import Candidate
from grader.intake.names import folded, readable, safe_id
from grader.model.person import Person
from grader.records.roster import Roster
from grader.records.roster_notes import tell_called_like_both, words_in

_GITHUB = "github"


def with_logins(
    candidates: Iterable[Candidate], roster: Roster, note: Callable[[str], None]
) -> list[Candidate]:
    """Return the candidates; whose login is a guess has the roster's, or is known by a name alone.

    A login, or the group of a clone, is the longest one that a name ends with, behind a hyphen or an
    underscore.  It is sure where nothing stands before it, or what stands before others, too.
    """
    given = list(candidates)
    known = {kind: _Ends.of(roster, kind) for kind in set(map(_kind, given))}
    ends = {place: known[_kind(each)].longest(each) for place, each in enumerate(given) if each.login_in}
    starts = {place: folded(given[place].login_in).removesuffix(end) for place, end in ends.items() if end}
    taken = {folded(each.id) for each in given}
    both = []
    sure = _sure(starts, {place: folded(given[place].login_in) for place in ends})
    for place, end in ends.items():
        kind = _kind(given[place])
        is_sure = place in starts and (starts[place] in sure or _is_first_word(starts[place], kind))
        login, group = known[kind].owner(end) if is_sure else ("", "")
        given[place] = _known(given[place], kind, login, taken) if login else _bare(given[place], group)
        if is_sure and not login and not group:
            both.append(given[place].name)
    tell_called_like_both(both, note)
    return given


def _kind(candidate: Candidate) -> str:
    """Return the kind of a login that is a guess; clones whose names have nothing in common have none."""
    return next(iter(candidate.person.ids if candidate.person is not None else ()), _GITHUB)


@dataclass(frozen=True, slots=True)
class _Ends:
    """What the names can end with.

    logins: by the form in which they are compared, but for those that two have.  groups: those on the roster
    that have a name, as GitHub writes it; of names that are no clone's, none.
    members: for each login, the groups of its owner.
    """

    logins: Mapping[str, str]
    groups: Mapping[str, set[str]]
    members: Mapping[str, set[str]]

    @classmethod
    def of(cls, roster: Roster, kind: str) -> "_Ends":
        known: dict[str, list[str]] = {}
        groups: dict[str, set[str]] = {}
        members = {}
        for entry in roster.entries:
            login, own = entry.person.ids.get(kind, ""), {entry.person.group, *entry.groups}
            known.setdefault(folded(login), []).append(login)
            members[login] = own
            for group in own if kind == _GITHUB else ():
                groups.setdefault(_slug(group), set()).add(group)
        groups.pop("", None)
        return cls({key: own[0] for key, own in known.items() if key and len(own) == 1}, groups, members)

    def longest(self, candidate: Candidate) -> str:
        """Return the longest login or group at the end of a name; empty for none."""
        name = folded(candidate.login_in)
        ends = (name[at:] for at in (0, *(at + 1 for at, c in enumerate(name) if c in "-_")))
        return next((end for end in ends if end in self.logins or _slug(end) in self.groups), "")

    def owner(self, end: str) -> tuple[str, str]:
        """Return the login or the group that an end means, the other one empty; both where it is not sure."""
        login, groups = self.logins.get(end, ""), self.groups.get(_slug(end), set())
        if login:
            return (login, "") if not groups or not self.members[login].isdisjoint(groups) else ("", "")
        return "", next(iter(groups)) if len(groups) == 1 else ""


def _slug(name: str) -> str:
    """Return the name of a team as GitHub writes it: small letters without accents, hyphens between."""
    return "-".join(words_in(name))


def _sure(starts: Mapping[int, str], names: Mapping[int, str]) -> set[str]:
    """Return the texts behind which a login begins for sure.  starts: before the logins, by place.

    All of several names begin so, or two of them have such a login.  And no other text begins more names; of
    two where one begins with the other, that counts which stands before more logins.
    """
    times = Counter(filter(None, starts.values()))
    begun = {start: sum(name.startswith(start) for name in names.values()) for start in times}

    def outweighs(other: str, start: str) -> bool:
        is_nested = other.startswith(start) or start.startswith(other)
        return begun[other] > begun[start] or (is_nested and times[other] >= times[start])

    several = [start for start in times if times[start] > 1 or begun[start] == len(names) > 1]
    return {"", *(s for s in several if not any(outweighs(other, s) for other in times if other != s))}


def _is_first_word(start: str, kind: str) -> bool:
    """Tell whether no login can begin before: Blackboard's names have the assignment's in front.

    A clone's folder can have any name.
    """
    return kind == "blackboard" and not any(c in "-_" for c in start[:-1])


def _known(candidate: Candidate, kind: str, login: str, taken: Collection[str]) -> Candidate:
    """Return a candidate with its login.

    taken: the ids of all.  An id that was made of the guess is made of the login.
    """
    person = candidate.person or Person(name=candidate.name)
    own_id, other = candidate.id, f"{kind}-{safe_id(login)}"
    if own_id == f"{kind}-{safe_id(person.ids.get(kind, ''))}" and folded(other) not in taken:
        own_id = other
    person = replace(person, ids={kind: login})
    attempts = tuple(_with_id(replace(each, person=person), own_id) for each in candidate.attempts)
    return _with_id(replace(candidate, person=person, attempts=attempts), own_id)


def _bare(candidate: Candidate, group: str) -> Candidate:
    """Return a candidate that only its name tells of, or that of the group."""
    name, claimed = group or readable(candidate.login_in), group or candidate.claimed
    attempts = tuple(replace(each, name=name, claimed=claimed, person=None) for each in candidate.attempts)
    return replace(candidate, name=name, claimed=claimed, person=None, attempts=attempts)


def _with_id(candidate: Candidate, own_id: str) -> Candidate:
    return replace(candidate, id=own_id, student=own_id if candidate.student else "")
