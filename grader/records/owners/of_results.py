"""Whom a name in a file of reviews means, by the results of a run and the roster that it had."""

from collections.abc import Callable, Collection, Iterable
from contextlib import suppress
from pathlib import Path

from grader.intake import Candidate, SourceKind
from grader.model.errors import UsageError
from grader.model.person import Person
from grader.model.results import SubmissionResult
from grader.records.last_run import ROSTER
from grader.records.matching import Matching
from grader.records.roster import RosterEntry, roster_in
from grader.records.whose import Whose
from grader.store.record_parts import KeptFile


class People:
    """The people of a run, as far as its results have been noted."""

    def __init__(self) -> None:
        self._people: dict[str, Person] = {}

    def noted(
        self, results: Iterable[tuple[SubmissionResult, str]]
    ) -> Iterable[tuple[SubmissionResult, str]]:
        """Yield results as they are, and note their people."""
        for result, text in results:
            self._people[result.id] = result.person or Person(name=result.name)
            yield result, text

    def id_of(self, files: Collection[KeptFile]) -> Callable[[str], str]:
        """Return what gives the id that a name means; the name itself where that is not sure.

        files: those of the run.
        """
        entries: tuple[RosterEntry, ...] = ()
        for file in files:
            if file.kind == ROSTER:
                with suppress(UsageError):
                    entries = roster_in(file.path, file.content).entries
        found = Matching(list(self._people.values()), entries, ()).found
        pairs = zip(self._people.items(), found, strict=True)
        whose = Whose(_candidate(own_id, person, entry) for (own_id, person), entry in pairs)
        return whose.id_of


def _candidate(own_id: str, person: Person, entry: RosterEntry | None) -> Candidate:
    ids = (entry.person.id,) if entry is not None and entry.person.id else ()
    return Candidate(own_id, person.name, SourceKind.FOLDER, Path(), person=person, roster_ids=ids)
