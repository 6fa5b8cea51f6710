"""Puts a roster beside the submissions: who handed in what, and who handed in nothing.

People are found by `matching`.  A name that only looks alike decides nothing: see `owners.doubts`.
"""

import unicodedata
from collections import Counter
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import groupby
from pathlib import Path

from grader.intake import Candidate, SourceKind
from grader.intake.names import folded, listed, named, safe_id
from grader.model.person import Person
from grader.model.submission import Record
from grader.records.groups.teams import with_team_folders, without_others_folders
from grader.records.matching import Matching
from grader.records.owners.doubts import UNKNOWN, Doubts, doubts_of, tell_doubts
from grader.records.owners.roster_ids import RosterIds, absent_id, member_id
from grader.records.roster import Roster, RosterEntry
from grader.records.roster_notes import shown, tell
from grader.records.whose import is_apart, pending

Digest = Callable[[Candidate], str]
"""Returns the digest of what a candidate handed in; empty for nothing that the task asks for."""


_MOST_TOLD = 30
"""Groups of which it is told who has the work of whom."""


@dataclass(frozen=True, slots=True)
class Holding:
    """What a person on the roster has.

    id: of their submission.  place: of the work among those that were found; None for none.
    is_own: they handed it in themselves; else it is that of their group.
    """

    id: str
    place: int | None = None
    is_own: bool = False


@dataclass(frozen=True, slots=True)
class Attached:
    """Submissions beside a roster.

    candidates: see `with_roster`.  found: the ids of the works that were found, by their places;
    empty for one that is none.
    holdings: by the line of the person.
    """

    candidates: list[Candidate]
    found: list[str]
    holdings: Mapping[int, Holding]


def with_roster(
    candidates: Sequence[Candidate],
    roster: Roster,
    has_deadline: bool,
    note: Callable[[str], None],
    digest: Digest,
    kept: Mapping[int, int],
) -> Attached:
    """Return the candidates with all that the roster knows, and one for each person who handed in nothing.

    has_deadline: of the task; without one, extensions change nothing.
    kept: the places of works that people have whatever their group is, by their lines.
    Members of a group of the roster who surely handed in nothing have its work, if there is one alone.
    """
    bare = {place for place, each in enumerate(candidates) if each.person is None}
    found = Matching(list(map(_as_handed_in, candidates)), roster.entries, bare).found
    empty = _empty_beside_others(candidates, found, digest, kept)
    if not empty:
        return _attached(candidates, roster, has_deadline, note, digest, kept)
    names = listed(candidates[place].name for place in empty)
    note(f"nothing that the task asks for, so the work of the group counts: {names}")
    left = [place for place in range(len(candidates)) if place not in empty]
    others = [candidates[place] for place in left]
    numbers = {place: number for number, place in enumerate(left)}
    kept = {line: numbers[place] for line, place in kept.items()}
    attached = _attached(others, roster, has_deadline, note, digest, kept)
    ids = dict(zip(left, attached.found, strict=True))
    return Attached(
        attached.candidates,
        [ids.get(place, "") for place in range(len(candidates))],
        {
            line: each if each.place is None else replace(each, place=left[each.place])
            for line, each in attached.holdings.items()
        },
    )


def _empty_beside_others(
    candidates: Sequence[Candidate],
    found: Sequence[RosterEntry | None],
    digest: Digest,
    kept: Mapping[int, int],
) -> Collection[int]:
    """Return the places of works that are none, of people who keep another one or whose group has one.

    Where two works of a group differ, groups are classes that hand in one by one.
    """
    keeping = {place: kept.get(entry.line, place) for place, entry in enumerate(found) if entry is not None}
    beside_kept = {at for at, place in keeping.items() if at != place and not digest(candidates[at])}
    groups: dict[str, list[int]] = {}
    for place, (each, entry) in enumerate(zip(candidates, found, strict=True)):
        group = entry.person.group if entry is not None else each.claimed or each.name
        if group:
            groups.setdefault(folded(group), []).append(place)
    empty: set[int] = set()
    for places in groups.values():
        if len(places) == 1 or all(found[place] is None for place in places):
            continue
        digests = {place: digest(candidates[place]) for place in places}
        works = {*digests.values()} - {""}
        if len(works) > 1:
            return beside_kept
        if works:
            empty |= {place for place in places if not digests[place] and found[place] is not None}
    return empty | beside_kept


def _attached(
    candidates: Sequence[Candidate],
    roster: Roster,
    has_deadline: bool,
    note: Callable[[str], None],
    digest: Digest,
    kept: Mapping[int, int],
) -> Attached:
    """Return the same where all works are some."""
    bare = {place for place, each in enumerate(candidates) if each.person is None}
    groups = {group for entry in roster.entries for group in (entry.person.group, *entry.groups) if group}
    handed_in = [_as_handed_in(each) for each in candidates]
    # Clones have the logins of people and never other ids, so a team's is not a person's who is called so.
    are_teams = [each.person is None and each.login_in and each.name in groups for each in candidates]
    people = [Person() if is_team else one for one, is_team in zip(handed_in, are_teams, strict=True)]
    matching = Matching(people, roster.entries, bare)
    found = matching.found
    folders = {place for place, each in enumerate(candidates) if place in bare or each.login_in}
    doubtful = without_others_folders(candidates, found, folders, roster, note)
    candidates = _with_ids_of_roster(candidates, found, roster)
    candidates = with_team_folders(candidates, found, roster, doubtful)
    ids = RosterIds(roster, (each.id for each in candidates))
    own = [_known(each, found[place], ids) for place, each in enumerate(candidates)]
    if not has_deadline and any(entry.is_extended for entry in roster.entries):
        note(f"the task has no deadline, so the extensions in {roster.where} change nothing")
    holdings = {
        entry.line: Holding(each.id, place, is_own=_is_own(each))
        for place, (each, entry) in enumerate(zip(own, found, strict=True))
        if entry is not None
    }
    for place, entry in matching.twice.items():
        holding = holdings.get(entry.line)
        # A folder that is called like a group may have been taken from this person again.
        if found[place] is None and holding is not None and (first := holding.place) is not None:
            note(_two_works(entry, own[first], own[place]))
            own[first] = pending(own[first], UNKNOWN)
    missing = [entry for entry in roster.entries if entry.line not in holdings]
    keeping = [entry for entry in missing if entry.line in kept]
    missing = [entry for entry in missing if entry.line not in kept]
    unknown = {folded(each.name) for each, entry in zip(candidates, found, strict=True) if entry is None}
    doubts = doubts_of(handed_in, found, bare, folders, missing)
    # Who may have a work of their own has no other's, unless that is named as the group's.
    said = {each.person.group for each in own if each.person is not None and each.work}
    sure = [
        entry
        for entry in missing
        if folded(entry.person.group) not in unknown
        and entry.line not in doubts.alike
        and (entry.line not in doubts.others or entry.person.group in said)
    ]
    sharing = [(entry, kept[entry.line]) for entry in keeping]
    sharing += _of_groups(own, roster, sure, digest, note)
    shared = []
    for entry, place in sharing:
        shared.append(_shared(own[place], entry, ids))
        holdings[entry.line] = Holding(shared[-1].id, place)
    own = _with_work(own, {each.work for each in shared})
    waiting = [entry for entry in missing if entry.line not in holdings]
    doubts = doubts.without(holdings)
    absent = [_absent(entry, ids, doubts) for entry in waiting]
    holdings |= {entry.line: Holding(each.id) for entry, each in zip(waiting, absent, strict=True)}
    by_name = [place for place in matching.by_name if found[place] is not None]
    if by_name:
        names = listed(own[place].name for place in by_name)
        note(f"{len(by_name)} found on the roster by the whole name alone: {names}")
    on_roster = [entry or matching.twice.get(place) for place, entry in enumerate(found)]
    tell(candidates, on_roster, roster, absent, note)
    tell_doubts(doubts, candidates, found, waiting, note)
    return Attached([*own, *shared, *absent], [each.id for each in own], holdings)


def _two_works(entry: RosterEntry, one: Candidate, other: Candidate) -> str:
    return (
        f"{shown(entry.person)} has two works, {one.path.name} ({one.id}) and {other.path.name} ({other.id}),"
        " and is pending: leave out the one that does not count"
    )


def _is_own(candidate: Candidate) -> bool:
    """Tell whether a person handed in a work themselves, and no name of a group says whose it is."""
    return not candidate.work or (candidate.person is not None and candidate.person.by_download)


def _as_handed_in(candidate: Candidate) -> Person:
    """Return what is known of a student; where no layout tells, the name of the folder may be any id."""
    if candidate.person is not None:
        return candidate.person
    exact = unicodedata.normalize("NFC", candidate.claimed or candidate.name)
    return Person(id=exact, name=candidate.name, ids={"login": safe_id(exact)})


def _known(candidate: Candidate, entry: RosterEntry | None, all_ids: RosterIds) -> Candidate:
    """Return a candidate with its person's name, ids, mail, group and extension."""
    if entry is None:
        return candidate
    found, before = entry.person, candidate.person or Person()
    person = Person(
        id=candidate.id,
        name=found.name or before.name,
        mail=found.mail or before.mail,
        ids={**before.ids, **found.ids},
        group=found.group or before.group,
        by_download=before.by_download and not found.group,
        work=before.work,
    )
    extension = entry.extension(candidate.id)
    attempts = tuple(
        replace(each, person=person, record=_extended(each.record, entry, candidate.id))
        for each in candidate.attempts
    )
    record = _extended(candidate.record, entry, candidate.id) if extension else candidate.record
    name = named(person.name) or candidate.name
    ids = all_ids.of(found)
    return replace(candidate, name=name, person=person, roster_ids=ids, record=record, attempts=attempts)


def _extended(record: Record | None, entry: RosterEntry, student: str) -> Record | None:
    extension = entry.extension(student)
    return record if extension is None else replace(record or Record(), extension=extension)


def _of_groups(
    own: Sequence[Candidate],
    roster: Roster,
    missing: Sequence[RosterEntry],
    digest: Digest,
    note: Callable[[str], None],
) -> Iterator[tuple[RosterEntry, int]]:
    """Yield those who have the work of their group, each with the place of that work.

    A column of groups can also mean classes that hand in one by one.  So it counts only where no group of the
    roster handed in two works that differ.
    """
    works: dict[str, dict[str, int]] = {}
    for place, each in enumerate(own):
        if each.person is not None and each.person.group:
            works.setdefault(each.person.group, {}).setdefault(each.work or each.id, place)
    waiting = sorted((one for one in missing if one.person.group in works), key=lambda one: one.person.group)
    several = [group for group, each in works.items() if len(each) > 1]
    differing = (group for group in several if len({digest(own[each]) for each in works[group].values()}) > 1)
    if waiting and (group := next(differing, "")):
        note(f"groups on the roster hand in one by one (see {group}), so no work counts for others")
        return
    told = 0
    for told, (group, entries) in enumerate(groupby(waiting, key=lambda one: one.person.group), 1):
        place = next(iter(works[group].values()))
        members = list(entries)
        if told <= _MOST_TOLD:
            names = listed(shown(entry.person) for entry in members)
            note(f"the work of {own[place].name} counts for the whole group {group}: {names}")
        yield from ((entry, place) for entry in members)
    if told > _MOST_TOLD:
        note(f"so it is in {told - _MOST_TOLD} more groups")


def _shared(work: Candidate, entry: RosterEntry, ids: RosterIds) -> Candidate:
    """Return a copy of a work for another person who has it."""
    new_id = ids.take(member_id(entry.person), entry.person)
    person, name = Person(work=work.work or work.id), entry.person.name or new_id
    copy = replace(_as_if_not_extended(work), id=new_id, name=name, person=person, student="")
    attempts = tuple(replace(_as_if_not_extended(each), id=new_id, student="") for each in work.attempts)
    return _known(replace(copy, attempts=attempts), entry, ids)


def _as_if_not_extended(work: Candidate) -> Candidate:
    """Return a work without its extension: an extension holds for one member alone."""
    return replace(work, record=replace(work.record, extension=None)) if work.record is not None else work


def _with_work(own: Iterable[Candidate], shared: Collection[str]) -> list[Candidate]:
    """Return the candidates; those whose work counts for others too have the name of that work."""
    return [
        replace(each, person=replace(each.person, work=each.id))
        if each.person is not None and each.id in shared and not each.work
        else each
        for each in own
    ]


def _absent(entry: RosterEntry, ids: RosterIds, doubts: Doubts) -> Candidate:
    """Return the candidate of a person who handed in nothing, or of whom this is not sure."""
    new_id = ids.take(absent_id(entry.person), entry.person)
    person = replace(entry.person, id=new_id)
    candidate = _known(
        Candidate(new_id, person.name or new_id, SourceKind.ABSENT, Path(), person=person), entry, ids
    )
    reason = doubts.reason(entry.line) or entry.doubt
    return pending(candidate, reason) if reason else candidate


def _with_ids_of_roster(
    candidates: Sequence[Candidate], found: Sequence[RosterEntry | None], roster: Roster
) -> list[Candidate]:
    """Return the candidates; who has the id of the roster keeps it, whatever others are called."""
    lines = Counter(folded(entry.person.id) for entry in roster.entries)
    taken = {folded(each.id) for each in candidates}
    given = []
    for each, entry in zip(candidates, found, strict=True):
        wanted = entry.person.id if entry is not None and is_apart(each) else ""
        if (
            wanted
            and lines[folded(wanted)] == 1
            and wanted == safe_id(wanted)
            and folded(wanted) not in taken
        ):
            attempts = tuple(replace(one, id=wanted, student=wanted) for one in each.attempts)
            each = replace(each, id=wanted, student=wanted if each.student else "", attempts=attempts)
        given.append(each)
    return given
