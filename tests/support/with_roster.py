"""Works that nobody reads, and what becomes of them beside a roster."""

from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path

from grader.intake import Candidate, SourceKind
from grader.model.person import Person
from grader.records.attach_roster import with_roster
from grader.records.roster import roster_of
from grader.records.sheet import sheet_of


def candidate(own_id: str, person: Person | None = None, work: str = "") -> Candidate:
    """Return a candidate of an id; with a person, as a download names them; with a work, of several."""
    name = person.name if person is not None and person.name else own_id
    if work:
        person = replace(person or Person(), work=work)
    return Candidate(own_id, name, SourceKind.FOLDER, Path("/work", own_id), person=person)


def attached(candidates: Sequence[Candidate], text: str) -> tuple[dict[str, Candidate], str]:
    """Return the candidates with what a roster says, by their ids, and what was told."""
    notes: list[str] = []
    roster = roster_of(sheet_of(text.encode(), "roster.csv", "the roster"))
    found = with_roster(candidates, roster, True, notes.append, lambda each: each.id, {}).candidates
    assert len({each.id for each in found}) == len(found)
    return {each.id: each for each in found}, "\n".join(notes)
