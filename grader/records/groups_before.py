"""Who was in which group when the works of a task were marked last: that stays for these works.

A course has one roster for all its tasks, and people change groups between them.  So where the roster has
another group than the results, a person stays in that of the results as long as its own work is there, and
who handed in without a group stays without one.  Who came to a work after it was marked has no part in it
unless a person says so.  A task that was marked while nobody was in a group stays one of single works.

A group can have another name since, on the roster or in the download, see `_new_name` and `_with_old_names`.
Where it is not sure which work is a group's, the roster counts.

A group that a download named stays out of this: the download of now says whose its works are.
"""

from collections import Counter
from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path

from grader.intake.names import listed
from grader.model.errors import UsageError
from grader.model.person import Person
from grader.model.results import Status, SubmissionResult
from grader.records.attach_roster import Matching
from grader.records.last_run import GROUPS
from grader.records.owners.doubts import UNKNOWN
from grader.records.roster import Roster, RosterEntry
from grader.records.roster_notes import shown
from grader.records.teams import names_of_group
from grader.store.reading import stream_results, texts

_GROUP = '"group": '
"""Stands in each line of results of who is in a group; in a student's text quotes are escaped."""
_WAY_OUT = f"--without {GROUPS} goes by the roster"


@dataclass(frozen=True, slots=True)
class _Member:
    """A person of the last results.  work: the digest; empty where nothing was there."""

    person: Person
    work: str
    is_in_doubt: bool

    @property
    def was_alone(self) -> bool:
        """Whether this person had a work and no group."""
        in_group = self.person.group or self.person.by_download
        return bool(self.work) and not in_group and not self.is_in_doubt

    @property
    def names(self) -> set[str]:
        """Names that another work of this person alone can have."""
        return names_of_group(self.person.id) | names_of_group(self.person.name)


Works = Mapping[str, Sequence[Collection[str]]]
"""The names of each work that is there, by the digest."""


def with_groups_before(
    roster: Roster,
    results: Path | None,
    works_now: Callable[[], Works] | None,
    note: Callable[[str], None],
    *,
    goes_without: bool,
) -> Roster:
    """Return the roster, each person in the group in which the same work was marked last.

    results: of the last run.  works_now: returns the works; None where these are not known yet, so that each
    counts as the same.
    goes_without: the roster counts, and what that changes is told.
    """
    has_groups = any(entry.person.group or entry.groups for entry in roster.entries)
    before = _members(results, even_without=has_groups) if results is not None else []
    works = _works(before)
    if works is None:
        return roster
    if has_groups and not goes_without and _were_single(before):
        note(f"the last run had no groups, so those of the roster do not count for this task; {_WAY_OUT}")
        single = (replace(_in_group(entry, ""), groups=()) for entry in roster.entries)
        return replace(roster, entries=tuple(single))
    found = Matching([each.person for each in before], roster.entries, ()).found
    known = {entry.line: each for each, entry in zip(before, found, strict=True) if entry is not None}
    if not works or not _any_elsewhere(roster, known, works):
        return roster
    kept = _Kept({}, {}, set())
    if not goes_without:
        there = None if works_now is None else works_now()
        homes = {group: group for group in works} if there is None else _homes(roster, known, works, there)
        roster = _with_old_names(roster, known, works, homes, there or {})
        alone = _alone(roster, known, there)
        kept = _Kept(homes, alone, {*homes.values(), *alone.values()} - {""})
    entries, told = [], _Told([], [], [])
    for entry in roster.entries:
        entries.append(_as_before(entry, known.get(entry.line), works, kept, told))
    _tell(told, note)
    return replace(roster, entries=tuple(entries))


def _any_elsewhere(roster: Roster, known: Mapping[int, _Member], works: Collection[str]) -> bool:
    return any(_is_elsewhere(one.person.group, known.get(one.line), works) for one in roster.entries)


def _were_single(before: Collection[_Member]) -> bool:
    """Tell whether there were works and no groups."""
    return any(each.work for each in before) and not any(
        each.person.group or each.person.by_download for each in before
    )


def _alone(roster: Roster, known: Mapping[int, _Member], there: Works | None) -> dict[int, str]:
    """Return the group on the roster of each who handed in alone and still does, by the line."""
    called = {name for works in (there or {}).values() for names in works for name in names}
    return {
        entry.line: entry.person.group
        for entry in roster.entries
        if (one := known.get(entry.line)) and one.was_alone
        if there is None or one.work in there or not called.isdisjoint(one.names)
    }


def _homes(
    roster: Roster, known: Mapping[int, _Member], works: Mapping[str, str], there: Works
) -> dict[str, str]:
    """Return the name that each group has now whose own work is there."""
    groups = ({entry.person.group for entry in roster.entries} | works.keys()) - {""}
    called = {group: names_of_group(group) for group in groups}
    owners = {
        work: [[group for group in groups if not called[group].isdisjoint(names)] for names in there[work]]
        for work in {*works.values()} & there.keys()
    }
    times = Counter(works.values())
    homes, moved = {}, {}
    for group, work in works.items():
        found = owners.get(work, [])
        # Of equal works, one under the old name is another group's where nobody has stayed there.
        has_stayed = times[work] == 1 or group in _now_in(roster, known, group)
        # What is called like no group is a member's folder, or an LMS's that names no groups.
        if (has_stayed and any(group in each for each in found)) or found.count([]) >= times[work]:
            homes[group] = group
        elif times[work] == 1 and (name := _new_name(roster, known, works, there, group, found)):
            moved[group] = name
    taken = Counter([*homes.values(), *moved.values()])
    return homes | {group: name for group, name in moved.items() if taken[name] == 1}


def _new_name(
    roster: Roster,
    known: Mapping[int, _Member],
    works: Mapping[str, str],
    there: Works,
    group: str,
    owners: Sequence[Sequence[str]],
) -> str:
    """Return the one name under which a group's work is there, if somebody who was in it is there now.

    A new work under the old name may be the group's own; then it has no new name.
    """
    found = {each for names in owners for each in names}
    old = names_of_group(group)
    is_new = any(old & {*names} for work in there.keys() - {*works.values()} for names in there[work])
    if len(found) != 1 or is_new:
        return ""
    (name,) = found
    return name if any(name == now for now in _now_in(roster, known, group)) else ""


def _now_in(roster: Roster, known: Mapping[int, _Member], group: str) -> set[str]:
    """Return the groups on the roster of those who were in a group."""
    return {
        entry.person.group
        for entry in roster.entries
        if entry.line in known and known[entry.line].person.group == group
    }


def _with_old_names(
    roster: Roster,
    known: Mapping[int, _Member],
    works: Mapping[str, str],
    homes: Mapping[str, str],
    there: Works,
) -> Roster:
    """Return the roster, a new group without a work by the name of an old one whose members are all in it."""
    groups = {entry.person.group for entry in roster.entries}
    names = {homes.get(group, group) for group in works}
    called = {name for each in there.values() for work in each for name in work}
    old_names = {}
    for group, home in homes.items():
        now = _now_in(roster, known, group)
        if home not in groups and len(now) == 1:
            (new,) = now
            if new and new not in names and called.isdisjoint(names_of_group(new)):
                old_names[new] = home
    entries = (
        _in_group(entry, old_names[entry.person.group]) if entry.person.group in old_names else entry
        for entry in roster.entries
    )
    return replace(roster, entries=tuple(entries))


@dataclass(frozen=True, slots=True)
class _Told:
    """The people whose group on the roster is another one, as they are told.

    stay: in the group of the results.  go: to that of the roster.  later: came after the work was marked.
    """

    stay: list[str]
    go: list[str]
    later: list[str]


def _members(results: Path, *, even_without: bool) -> list[_Member]:
    """Return the people of the last results; nobody where these can't be read.

    even_without: also where they have no groups.
    """
    try:
        found = stream_results(results).submissions
        # To read all results takes longer than to look for a key of theirs.
        if not even_without and not any(_GROUP in text for text in texts(found)):
            return []
        return [_member(each, each.person) for each in found if each.person is not None]
    except UsageError:
        return []


def _member(result: SubmissionResult, person: Person) -> _Member:
    group = "" if person.by_download else person.group
    return _Member(replace(person, id=result.id, group=group), _work(result), UNKNOWN in result.problems)


def _work(result: SubmissionResult) -> str:
    if result.status is Status.NO_SUBMISSION:
        return ""
    return result.instead.work if result.instead is not None else result.content_sha256


def _works(members: Iterable[_Member]) -> dict[str, str] | None:
    """Return the work of each group that had one; None where groups handed in one by one."""
    found: dict[str, set[tuple[str, str]]] = {}
    for each in members:
        if each.person.group and each.work:
            own = each.person.work or each.person.id
            found.setdefault(each.person.group, set()).add((own, each.work))
    if any(len(works) > 1 for works in found.values()):
        return None
    return {group: work for group, ((_, work),) in found.items()}


def _is_elsewhere(group: str, before: _Member | None, works: Collection[str]) -> bool:
    """Tell whether the group on the roster is another than before, and a work may have another person so."""
    if before is None:
        return group in works
    old = before.person.group
    return group != old and (group in works or old in works or before.was_alone)


@dataclass(frozen=True, slots=True)
class _Kept:
    """The works of the last run that are there.

    homes: the names now of groups whose own work it is.  alone: the lines of people in no group whose it is.
    joined: the groups on the roster that would have such a work.
    """

    homes: Mapping[str, str]
    alone: Collection[int]
    joined: Collection[str]


def _as_before(
    entry: RosterEntry, before: _Member | None, works: Collection[str], kept: _Kept, told: _Told
) -> RosterEntry:
    """Return an entry in the group that counts."""
    now, old = entry.person.group, before.person.group if before is not None else ""
    name = shown(entry.person)
    home, is_gone = kept.homes.get(old, old), old in works and old not in kept.homes
    if home == now and not is_gone:
        return entry
    stays = old in kept.homes or entry.line in kept.alone
    if not stays and now not in kept.joined:
        if before is not None and _is_elsewhere(now, before, works):
            told.go.append(f"{name} ({now or 'no group'}, was in {old or 'no group'})")
        return entry
    # A group that had no work may hand in yet: what comes is not theirs who left it before.
    if not stays and (old or before is None or before.is_in_doubt):
        told.later.append(f"{name} ({now})")
        return _in_group(entry, "", is_later=True)
    told.stay.append(f"{name} ({home or 'no group'}, now in {now or 'no group'})")
    return _in_group(entry, home)


def _in_group(entry: RosterEntry, group: str, *, is_later: bool = False) -> RosterEntry:
    person = replace(entry.person, group=group)
    return replace(entry, person=person, handing_in=(), is_later=is_later)


def _tell(told: _Told, note: Callable[[str], None]) -> None:
    if told.stay:
        note(f"the groups of the last run count for the works that it marked: {_all(told.stay)}; {_WAY_OUT}")
    if told.later:
        what = "pending, since they came to a group after its work was marked"
        note(f"{what}: {_all(told.later)}; {_WAY_OUT}")
    if told.go:
        note(f"count for another group than in the last run, as the roster says: {_all(told.go)}")


def _all(names: Collection[str]) -> str:
    return listed(names, len(names))
