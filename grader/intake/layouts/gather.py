"""Puts the pieces of a download together: one candidate for each attempt of each person.

Files of a flat download are one student's by the id that the LMS gave.  A name counts only as a check: two
names with one id are refused.
"""

from collections.abc import Iterable, Iterator
from dataclasses import replace
from operator import attrgetter
from pathlib import Path

from grader.intake.candidate import NO_FILE, Candidate, ChosenFile, SourceKind
from grader.intake.layouts.piece import Layout, Piece
from grader.intake.layouts.recognise import Recognised
from grader.intake.names import is_junk, listed, named, safe_id, shown
from grader.intake.trees.tree import Parts
from grader.model.errors import Fault, UsageError
from grader.model.submission import Record


def gather(found: Recognised, path: Path, *, is_zip_file: bool, where: str) -> Iterator[Candidate]:
    """Yield the candidates of a download, by owner; the attempts of each in their order.

    path: of the folder or the zip.  Raises `UsageError` where two people have one id, the order of attempts
    is not known, or the names are those of several assignments.
    """
    _check_one_assignment(found.pieces, where)
    by_owner: dict[str, list[Piece]] = {}
    for piece in found.pieces:
        by_owner.setdefault(piece.owner, []).append(piece)
    for owner, pieces in sorted(by_owner.items()):
        _check_one_name(found.layout, owner, pieces, where)
        by_attempt: dict[str, list[Piece]] = {}
        for piece in pieces:
            by_attempt.setdefault(piece.attempt, []).append(piece)
        if len(by_attempt) > 1 and any(piece.time is None for piece in pieces):
            raise UsageError(_no_order(pieces, where))
        for number, (_, parts) in enumerate(sorted(by_attempt.items()), 1):
            attempt = f"attempt-{number}" if len(by_attempt) > 1 else ""
            yield from _candidates(parts, _Place(path, found.folder, is_zip_file), attempt, where)


class _Place:
    """The folder that holds the pieces: on disk, or in a zip."""

    def __init__(self, path: Path, folder: Parts, is_zip_file: bool) -> None:
        self._path, self._folder, self._is_zip_file = path, folder, is_zip_file

    def of(self, piece: Piece) -> tuple[Path, Parts]:
        """Return the path and the inside of a candidate, as in `Candidate`."""
        parts = (*self._folder, piece.entry)
        return (self._path, parts) if self._is_zip_file else (self._path.joinpath(*parts), ())


def _candidates(pieces: list[Piece], place: _Place, attempt: str, where: str) -> Iterator[Candidate]:
    """Yield the candidates of one attempt: one for each person who handed it in."""
    read = [piece for piece in pieces if not piece.left_out]
    notes = [
        f"{_as_told(piece)} {piece.left_out}" for piece in pieces if piece.left_out and not _is_ours(piece)
    ]
    first = read[0] if read else pieces[0]
    path, inside = place.of(first)
    files: tuple[ChosenFile, ...] = ()
    problem, kind = "", SourceKind.FILES
    if not read:
        kind, problem = SourceKind.UNREAD, NO_FILE + (f": {listed(notes)}" if notes else "")
        notes = []
    elif not all(piece.name for piece in read):
        if len(read) > 1:
            names = listed(piece.entry for piece in read)
            raise UsageError(Fault(f"it is not sure which of these counts: {names}", where))
        kind = SourceKind.FOLDER
    else:
        files = tuple(_chosen(read, notes))
    time = max((piece.time for piece in pieces if piece.time is not None), default=None)
    for person in first.people:
        own_id = person.id or first.owner  # made safe and unique with all others
        yield Candidate(
            own_id,
            named(person.name) or safe_id(own_id),
            kind,
            path,
            inside,
            problem,
            tuple(notes),
            Record(time) if time is not None else None,
            student=f"{first.owner}/{person.id}" if attempt else "",  # until ids are given
            attempt=attempt,
            files=files,
            person=replace(person, work=first.owner) if len(first.people) > 1 else person,
            is_late=any(piece.is_late for piece in pieces),
            login_in=first.login_in,
        )


def _as_told(piece: Piece) -> str:
    """Return the name of a piece for its student: as it was handed in, without the ids of the LMS."""
    return shown(piece.name) if piece.name and piece.name != piece.entry else "a part of it"


def _is_ours(piece: Piece) -> bool:
    return piece.left_out.startswith("is Blackboard's")


def _chosen(pieces: Iterable[Piece], notes: list[str]) -> Iterator[ChosenFile]:
    """Yield the files of an attempt, by the names that they were handed in with; note which do not count."""
    by_name: dict[str, list[Piece]] = {}
    for piece in pieces:
        if not is_junk(piece.name):
            by_name.setdefault(piece.name, []).append(piece)
    for name, twins in by_name.items():
        *earlier, last = sorted(twins, key=attrgetter("upload"))
        yield ChosenFile(last.entry, name)
        if earlier:
            notes.append(f"{shown(name)} was uploaded {len(twins)} times; the last upload counts")


def _check_one_assignment(pieces: Iterable[Piece], where: str) -> None:
    # The file of another assignment would be taken for another attempt.
    names = sorted({piece.assignment for piece in pieces} - {""})
    if len(names) > 1:
        raise UsageError(
            Fault(
                f"these are names of {len(names)} assignments: {listed(names)}",
                where,
                hint="move away what is of another assignment",
            )
        )


def _check_one_name(layout: Layout, owner: str, pieces: Iterable[Piece], where: str) -> None:
    names = sorted({person.name for piece in pieces for person in piece.people[:1]})
    if len(names) > 1:
        raise UsageError(
            Fault(f"it is not sure whose work this is: {owner} in {layout.title} is {listed(names)}", where)
        )


def _no_order(pieces: Iterable[Piece], where: str) -> Fault:
    names = listed(piece.entry for piece in pieces)
    return Fault(
        f"the order of these attempts is not known, since a time in them can't be read: {names}", where
    )
