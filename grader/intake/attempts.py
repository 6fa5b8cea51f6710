"""Finds the several attempts of one student, where the task says which of them counts.

The attempts of a student are one candidate of the batch, since they have one mark.  They come from numbered
folders in the student's folder, or as candidates that name the same student.
"""

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import suppress
from dataclasses import replace

from grader.intake.candidate import Candidate, SourceKind
from grader.intake.layouts.plain import Expected, attempts_in
from grader.intake.names import readable, shown
from grader.intake.trees.archive import batch_zip
from grader.intake.trees.folder import FolderTree
from grader.intake.trees.tree import Refused

MOST_ATTEMPTS = 20
"""The most attempts of a student that are marked, the latest ones: each may use the whole budget."""


def with_attempts(
    candidates: Iterable[Candidate], modules: Mapping[str, str], on_note: Callable[[str], None]
) -> list[Candidate]:
    """Return the candidates, one for each student, with all attempts of those who have several.

    modules: module name -> file name, as in the spec.
    """
    expected = Expected(modules)
    found = []
    for candidate in gathered(candidates):
        attempts = candidate.attempts or tuple(_numbered(candidate, expected))
        if len(attempts) > MOST_ATTEMPTS:
            left_out = len(attempts) - MOST_ATTEMPTS
            note = f"only the latest {MOST_ATTEMPTS} attempts are marked; {left_out} earlier were left out"
            on_note(f"{shown(candidate.name)}: {note}")
            candidate = replace(candidate, notes=(*candidate.notes, note), left_out=left_out)
        found.append(replace(candidate, attempts=attempts[-MOST_ATTEMPTS:]))
    return found


def latest_only(candidates: Iterable[Candidate], on_note: Callable[[str], None]) -> list[Candidate]:
    """Return the candidates, of each student the latest attempt, where the task does not say which counts."""
    found, several = [], 0
    for candidate in gathered(candidates):
        if candidate.attempts:
            several += 1
            note = f"this is the last of {len(candidate.attempts)} attempts; the earlier ones do not count"
            last = candidate.attempts[-1]
            candidate = replace(last, student="", attempt="", notes=(*last.notes, note))
        found.append(candidate)
    if several:
        have = "student has" if several == 1 else "students have"
        on_note(f"{several} {have} several attempts; the last of each counts (see `attempts` in the spec)")
    return found


def gathered(candidates: Iterable[Candidate]) -> Iterator[Candidate]:
    """Yield one candidate for each student, at the place of the first attempt.

    Candidates of the same student are attempts, in the order given.
    """
    by_student: dict[str, list[Candidate]] = {}
    for number, candidate in enumerate(candidates):
        by_student.setdefault(candidate.student or f"/{number}", []).append(candidate)
    for attempts in by_student.values():
        alone = attempts[0]
        yield _one_of(attempts) if len(attempts) > 1 else replace(alone, id=alone.student or alone.id)


def _one_of(attempts: Sequence[Candidate]) -> Candidate:
    student = attempts[-1].student
    named = [
        replace(each, id=student, attempt=each.attempt or f"attempt-{number}")
        for number, each in enumerate(attempts, 1)
    ]
    return replace(named[-1], attempt="", notes=(), attempts=tuple(named))


def _numbered(candidate: Candidate, expected: Expected) -> Iterator[Candidate]:
    """Yield the attempts in numbered folders of a student's folder; none where it is one work.

    The folders in a student's own zip are the student's claim, and with them the times: it is one attempt.
    What cannot be opened is left to `reading`, where it becomes the student's problem.
    """
    if candidate.problem or candidate.commit or candidate.kind is not SourceKind.FOLDER:
        return
    names: tuple[str, ...] = ()
    with suppress(Refused, OSError):
        if candidate.inside:
            names = attempts_in(batch_zip(candidate.path), candidate.inside, expected)
        else:
            with FolderTree(candidate.path) as tree:
                names = attempts_in(tree, (), expected)
    for name in names:
        attempt = replace(candidate, student=candidate.id, attempt=readable(name))
        if candidate.inside:
            yield replace(attempt, inside=(*candidate.inside, name))
        else:
            yield replace(attempt, path=candidate.path / name)
