"""Joins the works of a batch with what a roster says of people and groups, as often as that is asked."""

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from datetime import datetime, timedelta

from grader.intake import Candidate
from grader.intake.attempts import latest_only, with_attempts
from grader.intake.layouts.commits import with_commits
from grader.intake.reading import digest_of_asked
from grader.model.policy import Extension
from grader.model.task import Task
from grader.records.attach_roster import Attached, with_roster
from grader.records.beside import RunFiles
from grader.records.groups.teams import (
    with_first_members,
    with_groups_of_works,
    with_kept_owners,
    with_members_of_teams,
)
from grader.records.of_batch import with_extensions
from grader.records.owners.logins import with_logins
from grader.records.roster import Roster, RosterEntry
from grader.records.times.by_student import Times, strangers
from grader.records.whose import Whose
from grader.records.worksheet_people import people_of_worksheets, with_numbers


@dataclass(frozen=True, slots=True)
class Kept:
    """The works that people keep, whatever their groups are.

    places: by the lines of these people.  owners: of works that nobody handed in by their own name, the first
    who keeps it, by the place.
    """

    places: Mapping[int, int] = field(default_factory=dict)
    owners: Mapping[int, RosterEntry] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class Joining:
    """The works of a batch, and the files that go with it.

    works: those that were found.  times: of all who handed in.  extensions: beside the roster's.
    has_clones: a commit of each is still to be chosen.  whole_batch: who is not in the batch is a mistake.
    """

    task: Task
    works: Sequence[Candidate]
    files: RunFiles
    times: Times
    extensions: Sequence[Extension]
    has_clones: bool
    whole_batch: bool

    def with_roster(self, roster: Roster, kept: Kept, note: Callable[[str], None]) -> Attached:
        """Return the candidates with what a roster says, see `finished`."""
        people = with_members_of_teams(with_logins(self.works, roster, note), roster)
        known = people_of_worksheets(self.files.times)
        roster = with_numbers(with_groups_of_works(roster, people), people, known)
        people = with_first_members(with_kept_owners(people, roster, kept.owners), roster)
        has_deadline = self.task.late is not None
        attached = with_roster(people, roster, has_deadline, note, self.digest, kept.places)
        return replace(attached, candidates=self.finished(attached.candidates, note))

    def finished(self, candidates: Sequence[Candidate], note: Callable[[str], None]) -> list[Candidate]:
        """Return the candidates with their extensions, clones with the commits that count."""
        if self.files.times:
            # A member of a group that handed in together is in the batch by the roster alone.
            names = ", ".join(str(file.path) for file in self.files.times)
            strangers(self.times, Whose(candidates).of, note, names)
        given = with_extensions(self.task, candidates, self.extensions, note, whole_batch=self.whole_batch)
        if not self.has_clones:
            return given
        whose = Whose(given)
        pushed = {each.id for name in self.times for each in whose.of(name)}
        several = self.task.attempts is not None
        chosen = with_commits(given, _end_for(self.task), pushed, every_attempt=several)
        return one_each(self.task, chosen, note)

    def digest(self, candidate: Candidate) -> str:
        """Return the digest of what was handed in; empty for nothing that the task asks for."""
        return digest_of_asked(candidate, self.task.asked)


def one_each(task: Task, candidates: Iterable[Candidate], note: Callable[[str], None]) -> list[Candidate]:
    """Return a candidate for each student, with the attempts that the task wants."""
    if task.attempts is not None:
        return with_attempts(candidates, task.asked, note)
    return latest_only(candidates, note)


def _end_for(task: Task) -> Callable[[Candidate], datetime]:
    late = task.late
    assert late is not None

    def end(candidate: Candidate) -> datetime:
        extension = candidate.record.extension if candidate.record is not None else None
        return late.deadline_of(candidate.id, extension) + timedelta(seconds=late.grace_s)

    return end
