"""The works of a finished run as codes, with what everybody was given taken out."""

from collections.abc import Collection, Iterable, Iterator, Sequence
from dataclasses import dataclass
from zlib import crc32

from grader.engine.record import FinishedRun
from grader.model.results import SubmissionResult
from grader.model.submission import SourceFile, Submission
from grader.plugins.similar.scanner import LONGEST, Scanned, Scanner
from grader.records.groups.shared_works import first_members
from grader.store.run_record import RunRecord
from grader.wire.notebook import cells_of

GRAM = 12
"""Codes in a row that are looked for: about a line and a half.  Shorter runs occur in all programs."""
_SAMPLED = 4
"""One of so many runs is kept, the same ones of every work: enough to find what is alike."""


_PUBLISHED_GRAM = 20
"""Codes in a row that count as the reference's: some three lines, which hardly come about by chance."""


@dataclass(frozen=True, slots=True)
class WorkPart:
    """A function, a class's head, or code between them, without what was given.

    codes: those that are the student's own.  places: for each, its file (by number) and line.
    """

    codes: bytes
    places: tuple[tuple[int, int], ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class Work:
    """One work.  owner: id of its submission; works of one owner are not compared with each other.

    attempt: empty where there is one alone.  own: number of codes that were not given.
    prints: hashes of some of its own runs.  digest: see `Scanned`; empty if the work was too long.
    written: number of codes that are no starter code.
    published: those of them that are the reference's too, each with its file (by number) and line.
    """

    owner: str
    name: str
    attempt: str
    files: tuple[SourceFile, ...]
    parts: tuple[WorkPart, ...]
    own: int
    prints: frozenset[int]
    digest: str
    written: int = 0
    published: tuple[tuple[int, int], ...] = ()

    @property
    def label(self) -> str:
        return f"{self.name} ({self.attempt})" if self.attempt else self.name

    @property
    def published_share(self) -> float:
        """Return the share of what is no starter code that is the reference."""
        return len(self.published) / self.written if self.written else 0.0


@dataclass(frozen=True, slots=True)
class Works:
    """The works of a run.  unread: labels of those that could not be scanned."""

    works: tuple[Work, ...]
    unread: tuple[str, ...]


class GivenCode:
    """The runs of code that everybody was given or can have: starter code, and the reference."""

    def __init__(self, scanner: Scanner, starter: Iterable[str], reference: Iterable[str] = ()) -> None:
        self._starter: set[bytes] = set()
        self._reference: set[bytes] = set()
        self._published: set[bytes] = set()
        for text in starter:
            if (scanned := scanner.scan(text)) is not None:
                self._starter.update(_grams(scanned.codes))
        for text in reference:
            if (scanned := scanner.scan(text)) is not None:
                self._reference.update(_grams(scanned.codes))
                self._published.update(_grams(scanned.codes, _PUBLISHED_GRAM))

    def own(self, codes: bytes) -> list[int]:
        """Return the positions of the codes that are neither starter code nor the reference's."""
        found = zip(_covered(codes, self._starter), _covered(codes, self._reference), strict=True)
        return [at for at, given in enumerate(found) if not any(given)]

    def written(self, codes: bytes) -> list[int]:
        """Return the positions of the codes that are no starter code."""
        return [at for at, is_given in enumerate(_covered(codes, self._starter)) if not is_given]

    def published(self, codes: bytes) -> set[int]:
        """Return the positions of the codes in long runs of the reference."""
        covered = _covered(codes, self._published, _PUBLISHED_GRAM)
        return {at for at, is_published in enumerate(covered) if is_published}


def _covered(codes: bytes, runs: Collection[bytes], length: int = GRAM) -> bytearray:
    """Return for each code whether it is in one of the runs."""
    covered = bytearray(len(codes))
    for at, gram in enumerate(_grams(codes, length)):
        if gram in runs:
            covered[at : at + length] = b"\1" * length
    return covered


def works_of(run: FinishedRun, record: RunRecord, scanner: Scanner, given: GivenCode) -> Works:
    """Return all works of a run, read from its record; a group's once.

    Raises `UsageError` and `SandboxFailure`.
    """
    entries = record.entries()
    first = first_members(run.results.submissions)
    works: list[Work] = []
    unread: list[str] = []
    for result in run.results.submissions:
        entry = entries.get(result.id)
        if entry is None or not entry.work or first.get(result.id, result.id) != result.id:
            continue
        for submission in _attempts(record.work(entry, result.id)):
            work = as_work(result, submission, scanner, given)
            if work is not None:
                works.append(work)
            elif submission.files:
                unread.append(result.name)
    return Works(tuple(works), tuple(unread))


def _attempts(work: Submission) -> Sequence[Submission]:
    return work.attempts or (work,)


def as_work(
    result: SubmissionResult, submission: Submission, scanner: Scanner, given: GivenCode
) -> Work | None:
    """Return a submission as a work; None if it has no source, or none that can be scanned."""
    files = tuple(file for _, file in sorted(submission.files.items()))
    scans = [scanner.scan(file.bare, [cell.first for cell in cells_of(file.text)]) for file in files]
    if not scans or None in scans:
        return None
    whole = [scan for scan in scans if scan is not None]
    parts: list[WorkPart] = []
    prints: set[int] = set()
    left = LONGEST
    written, published = 0, list[tuple[int, int]]()
    for number, scan in enumerate(whole):
        theirs, taken = given.written(scan.codes), given.published(scan.codes)
        written += len(theirs)
        published += [(number, scan.lines[at]) for at in theirs if at in taken]
        own = given.own(scan.codes)[:left]
        left -= len(own)
        parts += _parts(scan, number, own)
        kept = set(own)
        runs = (gram for at, gram in enumerate(_grams(scan.codes)) if at in kept and at + GRAM - 1 in kept)
        prints.update(print_ for print_ in map(crc32, runs) if print_ % _SAMPLED == 0)
    digests = [scan.digest for scan in whole]
    return Work(
        owner=result.id,
        name=result.name,
        attempt=submission.attempt,
        files=files,
        parts=tuple(parts),
        own=LONGEST - left,
        prints=frozenset(prints),
        digest=" ".join(digests) if all(digests) else "",
        written=written,
        published=tuple(published),
    )


_LEAST_PART = 24
_MOST_PARTS = 60
"""A work of many tiny functions has its neighbours joined, so that a comparison of two works is bounded."""


def _parts(scan: Scanned, file: int, own: Sequence[int]) -> Iterator[WorkPart]:
    least = max(_LEAST_PART, len(own) // _MOST_PARTS)
    starts = iter((*scan.parts[1:], len(scan.codes)))
    end = next(starts)
    part: list[int] = []
    for at in own:
        if at >= end:
            while at >= end:
                end = next(starts)
            if len(part) >= least:
                yield _part(scan, file, part)
                part = []
        part.append(at)
    if part:
        yield _part(scan, file, part)


def _part(scan: Scanned, file: int, positions: Sequence[int]) -> WorkPart:
    return WorkPart(
        bytes(scan.codes[at] for at in positions), tuple((file, scan.lines[at]) for at in positions)
    )


def _grams(codes: bytes, length: int = GRAM) -> Iterator[bytes]:
    return (codes[at : at + length] for at in range(len(codes) - length + 1))
