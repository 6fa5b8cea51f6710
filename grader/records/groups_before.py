"""Who was in which group when the works of a task were marked last: that stays for these works.

A course has one roster for all its tasks, and people change groups between them.  So where the roster has
another group than the results, those of the results count as long as the group's work is the same.  Who came
to a group after its work was marked has no part in it unless a person says so.

A group can have another name since, on the roster or in the download.  It is the same one if its work is
there under the new name, or if all who were in it are in one group now.

A group that a download named stays out of this: the download of now says whose its works are.
"""

from collections.abc import Callable, Collection, Iterable, Mapping
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

    def called(self, new_names: Mapping[str, str]) -> "_Member":
        """Return the member with the group's new name."""
        group = new_names.get(self.person.group, self.person.group)
        return replace(self, person=replace(self.person, group=group))


def with_groups_before(
    roster: Roster,
    results: Path | None,
    works_now: Callable[[], Mapping[str, Collection[str]]] | None,
    note: Callable[[str], None],
    *,
    goes_without: bool,
) -> Roster:
    """Return the roster, each person in the group in which the same work was marked last.

    results: of the last run.  works_now: returns the digests of the works, each with the names of those who
    handed it in; None where these are not known yet, so that each counts as the same.
    goes_without: the roster counts, and what that changes is told.
    """
    before = _members(results) if results is not None else []
    works = _works(before)
    if not works:
        return roster
    found = Matching([each.person for each in before], roster.entries, ()).found
    known = {entry.line: each for each, entry in zip(before, found, strict=True) if entry is not None}
    if not _any_elsewhere(roster, known, works):
        return roster
    same: Collection[str] = set()
    if not goes_without:
        there = dict.fromkeys(works.values(), ()) if works_now is None else works_now()
        new_names = _new_names(roster, works, there)
        works = {new_names.get(group, group): work for group, work in works.items()}
        known = {line: each.called(new_names) for line, each in known.items()}
        same = {group for group, work in works.items() if work in there}
        roster = _with_old_names(roster, known, works, same)
    entries, told = [], _Told([], [], [])
    for entry in roster.entries:
        member = known.get(entry.line)
        is_moved = _is_elsewhere(entry.person.group, member, works)
        entries.append(_as_before(entry, member, same, works, told) if is_moved else entry)
    _tell(told, note)
    return replace(roster, entries=tuple(entries))


def _any_elsewhere(roster: Roster, known: Mapping[int, _Member], works: Collection[str]) -> bool:
    return any(_is_elsewhere(one.person.group, known.get(one.line), works) for one in roster.entries)


def _new_names(
    roster: Roster, works: Mapping[str, str], there: Mapping[str, Collection[str]]
) -> dict[str, str]:
    """Return the new name of each group whose work is there under the name of another group alone."""
    groups = {entry.person.group for entry in roster.entries} - {""}
    found = {}
    for group, work in works.items():
        names = set(there.get(work, ()))
        others = [each for each in groups if names & names_of_group(each)]
        if not names & names_of_group(group) and len(others) == 1:
            found[group] = others[0]
    return found


def _with_old_names(
    roster: Roster, known: Mapping[int, _Member], works: Collection[str], same: Collection[str]
) -> Roster:
    """Return the roster, a new group by the name of an old one whose members are all in it."""
    groups = {entry.person.group for entry in roster.entries}
    now: dict[str, set[str]] = {}
    for entry in roster.entries:
        before = known[entry.line].person.group if entry.line in known else ""
        if before in same and before not in groups:
            now.setdefault(before, set()).add(entry.person.group)
    old_names = {
        new: old for old, news in now.items() if len(news) == 1 for new in news if new and new not in works
    }
    entries = (
        _called(entry, old_names[entry.person.group]) if entry.person.group in old_names else entry
        for entry in roster.entries
    )
    return replace(roster, entries=tuple(entries))


def _called(entry: RosterEntry, group: str) -> RosterEntry:
    return replace(entry, person=replace(entry.person, group=group))


@dataclass(frozen=True, slots=True)
class _Told:
    """The people whose group on the roster is another one, as they are told.

    stay: in the group of the results.  go: to that of the roster.  later: came after the work was marked.
    """

    stay: list[str]
    go: list[str]
    later: list[str]


def _members(results: Path) -> list[_Member]:
    """Return the people of the last results; nobody where these have no groups, or can't be read."""
    try:
        found = stream_results(results).submissions
        # To read all results takes longer than to look for a key of theirs.
        if not any(_GROUP in text for text in texts(found)):
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


def _works(members: Iterable[_Member]) -> dict[str, str]:
    """Return the work of each group that had one; none where groups handed in one by one."""
    found: dict[str, set[tuple[str, str]]] = {}
    for each in members:
        if each.person.group and each.work:
            own = each.person.work or each.person.id
            found.setdefault(each.person.group, set()).add((own, each.work))
    if any(len(works) > 1 for works in found.values()):
        return {}
    return {group: work for group, ((_, work),) in found.items()}


def _is_elsewhere(group: str, before: _Member | None, works: Collection[str]) -> bool:
    """Tell whether the group on the roster is another than before, and one of the two had a work."""
    if before is None:
        return group in works
    return group != before.person.group and (group in works or before.person.group in works)


def _as_before(
    entry: RosterEntry, before: _Member | None, same: Collection[str], works: Collection[str], told: _Told
) -> RosterEntry:
    """Return an entry that is elsewhere, in the group that counts.  same: those whose work did not change."""
    now, old = entry.person.group, before.person.group if before is not None else ""
    name = shown(entry.person)
    if old not in same and now not in same:
        if before is not None:
            told.go.append(f"{name} ({now or 'no group'}, was in {old or 'no group'})")
        return entry
    if old not in works and (before is None or before.is_in_doubt):
        told.later.append(f"{name} ({now})")
        return _in_group(entry, "", is_later=True)
    told.stay.append(f"{name} ({old or 'no group'}, now in {now or 'no group'})")
    return _in_group(entry, old)


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
