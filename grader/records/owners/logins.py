"""Finds the logins of a roster in names such as `homework-amy`, where no download tells where one begins.

What the names have in common is no login's end: all of a class can be called `uni-amy`, `uni-bob`.  Nor is a
login that a name ends with its owner's for sure: `homework-amy-smith` is not `smith`'s.
"""

from collections import Counter
from collections.abc import Collection, Iterable, Mapping
from dataclasses import replace

from grader.intake import Candidate
from grader.intake.names import folded, readable, safe_id
from grader.model.person import Person
from grader.records.roster import Roster


def with_logins(candidates: Iterable[Candidate], roster: Roster) -> list[Candidate]:
    """Return the candidates; whose login is a guess has the roster's, or is known by the folder's name alone.

    A login is the longest one that a name ends with, behind a hyphen or an underscore.  It is sure where
    nothing stands before it, or what stands before others, too.
    """
    given = list(candidates)
    logins = {kind: _logins(roster, kind) for kind in set(map(_kind, given))}
    ends = {place: _end(each, logins[_kind(each)]) for place, each in enumerate(given) if each.login_in}
    starts = {place: folded(given[place].login_in).removesuffix(end) for place, end in ends.items() if end}
    taken = {folded(each.id) for each in given}
    sure = _sure(starts, {place: folded(given[place].login_in) for place in ends})
    for place, end in ends.items():
        kind = _kind(given[place])
        is_sure = place in starts and (starts[place] in sure or _is_first_word(starts[place], kind))
        given[place] = _known(given[place], kind, logins[kind][end] if is_sure else "", taken)
    return given


def _kind(candidate: Candidate) -> str:
    """Return the kind of a login that is a guess; clones whose names have nothing in common have none."""
    return next(iter(candidate.person.ids if candidate.person is not None else ()), "github")


def _logins(roster: Roster, kind: str) -> dict[str, str]:
    """Return the logins of the roster by the form in which they are compared, but for those that two have."""
    known: dict[str, list[str]] = {}
    for login in (entry.person.ids.get(kind, "") for entry in roster.entries):
        known.setdefault(folded(login), []).append(login)
    return {key: own[0] for key, own in known.items() if key and len(own) == 1}


def _end(candidate: Candidate, logins: Mapping[str, str]) -> str:
    """Return the longest login at the end of a name; empty for none."""
    name = folded(candidate.login_in)
    places = [0, *(at + 1 for at, c in enumerate(name) if c in "-_")]
    return next((name[at:] for at in places if name[at:] in logins), "")


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
    """Return a candidate with its login; with none, one that only its name tells of.

    taken: the ids of all.  An id that was made of the guess is made of the login.
    """
    person = candidate.person or Person(name=candidate.name)
    if not login:
        name = readable(candidate.login_in)
        attempts = tuple(replace(each, name=name, person=None) for each in candidate.attempts)
        return replace(candidate, name=name, person=None, attempts=attempts)
    own_id, other = candidate.id, f"{kind}-{safe_id(login)}"
    if own_id == f"{kind}-{safe_id(person.ids.get(kind, ''))}" and folded(other) not in taken:
        own_id = other
    person = replace(person, ids={kind: login})
    attempts = tuple(_with_id(replace(each, person=person), own_id) for each in candidate.attempts)
    return _with_id(replace(candidate, person=person, attempts=attempts), own_id)


def _with_id(candidate: Candidate, own_id: str) -> Candidate:
    return replace(candidate, id=own_id, student=own_id if candidate.student else "")
