"""Gives each submission of a batch its record: its time, and the decisions of people."""

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import replace
from datetime import datetime
from pathlib import Path

from grader.intake import Candidate
from grader.intake.discovery import ignore
from grader.intake.names import shown
from grader.model.errors import Fault, UsageError
from grader.model.submission import Record, Review


def with_records(
    candidates: Iterable[Candidate],
    times: Mapping[str, Sequence[datetime]],
    reviews: Mapping[str, Review],
    on_note: Callable[[str], None] = ignore,
) -> list[Candidate]:
    """Return the candidates, each with its record, and their attempts with theirs.

    times: by any of `names_in_times`, earliest first.  The latest counts for a submission without attempts;
    without any, the time with which it was found.  reviews: by id; they hold for each attempt.
    """
    found = []
    for candidate in candidates:
        own = next(filter(None, map(times.get, names_in_times(candidate))), ())
        review = reviews.get(candidate.id, Review())
        found_with = candidate.record or Record()
        record = replace(found_with, submitted=own[-1] if own else found_with.submitted, review=review)
        attempts = _attempts_with_times(candidate, own, review, on_note)
        found.append(replace(candidate, record=record, attempts=attempts))
    return found


def names_in_times(candidate: Candidate) -> tuple[str, ...]:
    """Return the names by which a file of times may mean a submission.

    They are its id and the original name of its folder or file; of an LMS's download not the student's
    name, since two students can share it.
    """
    place = (candidate.path.name, *candidate.inside)[-1]
    own = (candidate.id, place) if candidate.person is not None else (candidate.id, candidate.name)
    return (*own, candidate.work) if candidate.work else own


def _attempts_with_times(
    candidate: Candidate, times: Sequence[datetime], review: Review, on_note: Callable[[str], None]
) -> tuple[Candidate, ...]:
    """Return the attempts with their records: the times in their order, where there is one for each.

    Otherwise the latest time holds for all, since nothing in a student's folder may make it earlier.  An
    attempt keeps the time that it has from where it was found.
    """
    attempts = candidate.attempts
    if attempts and times and len(times) != len(attempts):
        counts = f"{len(attempts)} attempts and {len(times)} {'time' if len(times) == 1 else 'times'}"
        on_note(f"{shown(candidate.name)} has {counts}; all are taken for handed in at the latest")
        times = [times[-1]] * len(attempts)
    own = [each.record or Record() for each in attempts]
    known: Sequence[datetime | None] = times or [each.submitted for each in own]
    return tuple(
        replace(each, record=Record(time, review, record.extension))
        for each, time, record in zip(attempts, known, own, strict=False)
    )


def check_outside(path: Path, candidates: Iterable[Candidate], what: str) -> None:
    """Raise `UsageError` for a marker's file inside a submission: the student could have made it."""
    place = path.resolve()
    for candidate in (each for one in candidates for each in (one, *one.attempts)):
        if not candidate.inside and place.is_relative_to(candidate.path):
            message = f"{what} can't be read from here: this is among what {candidate.id} handed in"
            raise UsageError(Fault(message, str(path), hint="keep it outside of the submissions"))
