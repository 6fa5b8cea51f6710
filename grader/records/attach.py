"""Gives each submission of a batch its record: its time, and the decisions of people."""

import re
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import datetime
from pathlib import Path

from grader.intake import Candidate, Kind
from grader.intake.archive import batch_zip
from grader.intake.discovery import ignore
from grader.intake.folder import FolderTree
from grader.intake.names import shown
from grader.intake.tree import Allowance, Entry, Parts, Refused, Tree, Unreadable
from grader.model.errors import Fault, UsageError
from grader.model.submission import Record, Review
from grader.records.file_text import MAX_FILE_B, decoded
from grader.records.gradescope import METADATA, gradescope_times

_GRADESCOPE_FOLDER = re.compile(r"submission_[0-9]+")


def with_records(
    candidates: Iterable[Candidate],
    times: Mapping[str, Sequence[datetime]],
    reviews: Mapping[str, Review],
    on_note: Callable[[str], None] = ignore,
) -> list[Candidate]:
    """Return the candidates, each with its record, and their attempts with theirs.

    times: by id, or by the submission's original name, earliest first.  The latest counts for a submission
    without attempts.  reviews: by id; they hold for each attempt.
    """
    found = []
    for candidate in candidates:
        own = times.get(candidate.id) or times.get(candidate.name) or times.get(candidate.work) or ()
        review = reviews.get(candidate.id, Review())
        extension = candidate.record.extension if candidate.record is not None else None
        record = Record(own[-1] if own else None, review, extension)
        attempts = _attempts_with_times(candidate, own, review, on_note)
        found.append(replace(candidate, record=record, attempts=attempts))
    return found


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


def times_of_export(
    candidates: Sequence[Candidate], on_note: Callable[[str], None]
) -> dict[str, tuple[datetime, ...]]:
    """Return the times that Gradescope's exports among the submissions state, by folder.

    An export is a folder or zip in which every student's folder is called `submission_` and a
    number, and beside them, never in one of them, lies its metadata file.  Raises `UsageError`.
    """
    found: dict[str, tuple[datetime, ...]] = {}
    for place, names in _places(candidates).items():
        if all(map(_GRADESCOPE_FOLDER.fullmatch, names)):
            text = _metadata(place)
            if text is not None:
                times = gradescope_times(text, f"{place.path}/{METADATA}")
                on_note(f"times of submission: those of {METADATA} in {place.path.name}")
                found |= {name: (time,) for name, time in times.items() if name in names}
    return found


@dataclass(frozen=True, slots=True)
class _Place:
    """The folder that holds the students' folders, on disk or in a zip."""

    path: Path
    is_zip: bool = False
    inside: Parts = ()


def _places(candidates: Iterable[Candidate]) -> dict[_Place, list[str]]:
    found: dict[_Place, list[str]] = {}
    for candidate in candidates:
        if candidate.kind is Kind.ABSENT:
            continue
        if candidate.inside:
            place = _Place(candidate.path, True, candidate.inside[:-1])
        else:
            place = _Place(candidate.path.parent)
        found.setdefault(place, []).append(candidate.name)
    return found


def _metadata(place: _Place) -> str | None:
    """Return the text of the metadata file, None if there is none.  Raises `UsageError`."""
    where = f"{place.path}/{METADATA}"
    try:
        if place.is_zip:
            tree: Tree = batch_zip(place.path)
            if METADATA not in tree.level(place.inside).files:
                return None
            content = _content(tree, place.inside, tree.entry(place.inside, METADATA))
        else:
            with FolderTree(place.path) as folder:
                level = folder.level(())
                if level.unread:
                    raise Unreadable(level.unread)
                if METADATA not in level.files:
                    return None
                content = _content(folder, (), folder.entry((), METADATA))
    except Refused as refused:
        raise UsageError(Fault(f"the times can't be read: it {refused}", where)) from None
    except OSError as error:
        raise UsageError(Fault(f"the times can't be read: {error.strerror}", where)) from None
    return decoded(content, where, "the times")


def _content(tree: Tree, folder: Parts, entry: Entry) -> bytes:
    return b"".join(Allowance().take(tree, folder, entry, MAX_FILE_B))
