"""What a course grants to a batch: extensions, which are added to the roster's, and the zone of times."""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from datetime import UTC, datetime, tzinfo
from zoneinfo import ZoneInfo

from grader.intake.names import listed, shown
from grader.model.errors import Fault, UsageError
from grader.model.policy import Extension
from grader.model.task import Task
from grader.records.decided import Decision
from grader.records.roster import Roster, RosterEntry


@dataclass(frozen=True, slots=True)
class Granted:
    """What a course says of a batch.

    extensions: beside those of the spec and the roster.  decisions: marks after requests to look again.
    zone: of times that come without one; None where the course has none.
    """

    extensions: tuple[Extension, ...] = ()
    zone: ZoneInfo | None = None
    decisions: tuple[Decision, ...] = ()

    def zone_for(self, task: Task) -> tzinfo:
        """Return the zone of times that come without one: the course's, else the deadline's."""
        deadline = task.late.deadline if task.late is not None else None
        return self.zone or (deadline.tzinfo if deadline is not None else None) or UTC

    def zone_shown(self, task: Task) -> str:
        """Return that zone for people: its name, or what it adds to UTC."""
        if self.zone is not None:
            return self.zone.key
        return f"the deadline's, {datetime(2000, 1, 1, tzinfo=self.zone_for(task)):UTC%z}"


NOTHING_GRANTED = Granted()


def with_granted(
    roster: Roster, granted: Sequence[Extension], deadline: datetime
) -> tuple[Roster, tuple[Extension, ...]]:
    """Return the roster with these extensions, and those of them that name nobody on it.

    deadline: that of all.  Where a person has several, the latest counts.
    Raises `UsageError` for a name that two people have.
    """
    entries = {entry.line: entry for entry in roster.entries}
    others, faults = [], []
    for extension in granted:
        found = roster.named(extension.student)
        if len(found) > 1:
            ids = listed(entry.person.id or entry.person.mail or f"line {entry.line}" for entry in found)
            what = f"an extension names {shown(extension.student)}, which may be {ids}"
            faults.append(Fault(what, roster.where, hint="write the id"))
        elif found:
            line = found[0].line
            entries[line] = _extended(entries[line], extension, deadline)
        else:
            others.append(extension)
    if faults:
        raise UsageError(*faults)
    return replace(roster, entries=tuple(entries.values())), tuple(others)


def _extended(entry: RosterEntry, extension: Extension, deadline: datetime) -> RosterEntry:
    """Return an entry with a further extension; of two, the one that ends later."""

    before = entry.extension(extension.student)
    if before is not None and before.ends(deadline) >= extension.ends(deadline):
        return entry
    return replace(entry, deadline=extension.deadline, extra_s=extension.extra_s)
