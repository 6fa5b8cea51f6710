"""Keeps works with those who had them when a task was marked last, whatever their groups are now.

A course has one roster for all its tasks, and people change groups between them.  So first each work goes by
the roster and the download of now.  Then, if the last run had a roster:

- Who had a work with others keeps it as long as it is there, known by its digest.
- Who had no part in a work has none now: neither in one that others had, nor in a later one of who handed in
  alone.  Who surely had nothing, and was in no group, still has nothing; the others are pending.

What people hand in themselves is theirs.  So names of groups decide nothing here, and can change.  A group
that a download names stays out of this: the download of now says whose its works are.
"""

from collections.abc import Callable, Collection, Iterator, Mapping
from contextlib import suppress
from dataclasses import replace

from grader.intake import Candidate
from grader.intake.names import listed
from grader.model.errors import UsageError
from grader.records.attach_roster import Attached
from grader.records.groups.joining import Joining, Kept
from grader.records.groups.then_and_now import Before, Now, works_before
from grader.records.last_run import GROUPS, ROSTER, LastRun
from grader.records.owners.doubts import LATER, TORN, UNKNOWN
from grader.records.roster import Roster, RosterEntry, roster_in
from grader.records.roster_notes import shown
from grader.records.whose import pending

_WAY_OUT = f"--without {GROUPS} goes by the roster"
_MOST_NAMED = 100
_PENDING = (
    (LATER, "they came to a group after its work was marked", _WAY_OUT),
    (TORN, "works of their group differ now", "`alone: true` in the spec says that groups do not count"),
)
"""Why people are pending, as it is told, and the way out."""


def with_works_before(
    roster: Roster,
    last: LastRun,
    joining: Joining,
    note: Callable[[str], None],
    *,
    goes_without: bool,
) -> list[Candidate]:
    """Return the submissions beside a roster; who had a work with others in the last run has it.

    goes_without: the roster counts, and what that changes is told.
    """
    notes: list[str] = []
    attached = joining.with_roster(roster, Kept(), notes.append)
    now = Now(attached, joining.digest)
    then = last_roster(last)
    before = None
    if last.results is not None and then is not None:
        before = works_before(last.results, roster, then, shares=any(now.shares()))
    if before is not None:
        changes = _Changes(roster, before, now)
        if changes.places_change and not goes_without:
            notes, attached = _changed(changes, joining)
        notes += changes.told(goes_without=goes_without)
    for text in notes:
        note(text)
    return attached.candidates


def last_roster(last: LastRun) -> Roster | None:
    """Return the roster of the last run; None if it had none."""
    with suppress(UsageError):
        for file in last.files:
            if file.kind == ROSTER:
                return roster_in(file.path, file.content)
    return None


def _changed(changes: "_Changes", joining: Joining) -> tuple[list[str], Attached]:
    """Return the submissions with the works that people keep, and what is told of the roster."""
    while True:
        notes: list[str] = []
        attached = joining.with_roster(changes.roster(), changes.kept, notes.append)
        now = Now(attached, joining.digest)
        # A work that is kept is its group's again, and then of others there, too.
        if not changes.added(now):
            break
    lost = {now.id(line) for line, place in changes.kept.places.items() if now.place(line) != place}
    candidates = [pending(each, UNKNOWN) if each.id in lost else each for each in attached.candidates]
    return notes, replace(attached, candidates=candidates)


class _Changes:
    """What becomes of a roster where people keep works, or have no part in one.

    now: who has which work as the roster says.
    """

    def __init__(self, roster: Roster, before: Before, now: Now) -> None:
        self._roster, self._before, self._now = roster, before, now
        places = before.kept(now)
        groups = {line: self._group_of(line, place, places) for line, place in places.items()}
        self._apart = before.apart(now, places) | dict.fromkeys(before.torn(now, groups), TORN)
        places = {line: place for line, place in places.items() if line not in self._apart}
        self._groups = {line: groups[line] for line in places}
        self._moved = {line for line, place in places.items() if now.place(line) != place}
        self._entries = {entry.line: entry for entry in roster.entries}
        owners: dict[int, RosterEntry] = {}
        for line in sorted(places):
            if not (any(map(now.is_own, now.holders[places[line]])) or before.is_of_leaver(line)):
                owners.setdefault(places[line], self._entries[line])
        self.kept = Kept(places, owners)
        self._names = self._other_names()

    @property
    def places_change(self) -> bool:
        return bool(self._moved or self._apart)

    def added(self, now: Now) -> bool:
        """Take in who else has a share without a part in the work, and tell whether there is anybody."""
        apart = self._before.apart(now, self.kept.places)
        are_more = not apart.keys() <= self._apart.keys()
        self._apart = apart | self._apart
        return are_more

    def roster(self) -> Roster:
        """Return the roster, each person in the group that counts."""
        return replace(self._roster, entries=tuple(map(self._entry, self._roster.entries)))

    def _entry(self, entry: RosterEntry) -> RosterEntry:
        if entry.line in self._apart:
            return _in_group(entry, "", doubt=self._apart[entry.line])
        group = self._groups.get(entry.line, self._names.get(entry.person.group, entry.person.group))
        return entry if group == entry.person.group else _in_group(entry, group)

    def _group_of(self, line: int, place: int, places: Mapping[int, int]) -> str:
        """Return the group of those who have a person's work anyway, or else that of the last run."""
        there = (each for each in self._now.holders[place] if places.get(each) == place)
        had = self._before.of(line)
        return next(map(self._now.group, there), had.group if had is not None else "")

    def _other_names(self) -> dict[str, str]:
        """Return the groups that count in place of new names on the roster alone.

        Such a group has no work, and all of its members that keep works were in one.
        """
        groups: dict[str, set[str]] = {}
        for line in self._moved:
            groups.setdefault(self._now.group(line), set()).add(self._groups[line])
        with_work = {self._now.group(each) for holders in self._now.holders.values() for each in holders}
        return {
            new: next(iter(old))
            for new, old in groups.items()
            if new and len(old) == 1 and new not in with_work
        }

    def told(self, *, goes_without: bool) -> Iterator[str]:
        """Yield what is told, each person by name."""
        went = sorted({*self._moved, *self._apart}) if goes_without else self._gone()
        if going := [
            f"{self._name(line)} ({self._now_in(line)}, was in {self._was_in(line)})" for line in went
        ]:
            yield f"count for another group than in the last run, as the roster says: {_listed(going)}"
        if goes_without:
            return
        stay = [(line, self._groups[line]) for line in sorted(self._moved)]
        stay += [(line, "") for line, doubt in self._apart.items() if not doubt]
        if stay:
            names = [self._name(line) + self._then_and_now(line, group) for line, group in stay]
            yield f"the works of the last run count for those who had them: {_listed(names)}; {_WAY_OUT}"
        for doubt, what, way in _PENDING:
            lines = [line for line, each in self._apart.items() if each == doubt]
            if lines:
                names = [f"{self._name(line)} ({self._now_in(line)})" for line in lines]
                yield f"pending, since {what}: {_listed(names)}; {way}"

    def _gone(self) -> Iterator[int]:
        """Yield who is in another group, while the work that they had with others is there no more."""
        for line in self._entries:
            had = self._before.of(line)
            if had is None or not had.together or line in self.kept.places or line in self._apart:
                continue
            if not self._now.is_own(line) and had.group != self._now.group(line):
                yield line

    def _then_and_now(self, line: int, group: str) -> str:
        now = self._now.group(line)
        return "" if now == group else f" ({_or_none(group)}, now in {_or_none(now)})"

    def _name(self, line: int) -> str:
        return shown(self._entries[line].person)

    def _now_in(self, line: int) -> str:
        return _or_none(self._now.group(line))

    def _was_in(self, line: int) -> str:
        had = self._before.of(line)
        return _or_none(had.group if had is not None else "")


def _or_none(group: str) -> str:
    return group or "no group"


def _listed(names: Collection[str]) -> str:
    return listed(names, _MOST_NAMED)


def _in_group(entry: RosterEntry, group: str, *, doubt: str = "") -> RosterEntry:
    person, groups = replace(entry.person, group=group), (group,) if group else ()
    return replace(entry, person=person, groups=groups, handing_in=(), doubt=doubt)
