"""The works of a run as a marker sees them: in which order, under which name, and what was handed in."""

import hashlib
from collections.abc import Iterable, Iterator, Sequence
from contextlib import suppress
from dataclasses import dataclass, replace
from fractions import Fraction
from pathlib import Path

from grader.intake.candidate import Candidate, SourceKind
from grader.intake.layouts.plain import Expected
from grader.intake.names import is_zip
from grader.intake.opening import opened
from grader.intake.reading import work_digest
from grader.intake.trees.tree import Allowance, Refused
from grader.marking.totals import equal_by
from grader.model.results import CriterionResult, RunInfo, Status, SubmissionResult, TaskHead
from grader.model.task import Task
from grader.reports.html.pages import Pages
from grader.reports.views.case.source import LINES_MAX, pieces_of
from grader.reviewing.blind import unnamed
from grader.store.results_json import submission_of

_LONGEST_LINE = 1000
_MOST_FILES = 200
SHOWN_MAX_B = 32 << 20
_MAGIC = (
    (b"\x89PNG\r\n\x1a\n", "image/png"),
    (b"\xff\xd8\xff", "image/jpeg"),
    (b"GIF87a", "image/gif"),
    (b"GIF89a", "image/gif"),
    (b"%PDF-", "application/pdf"),
)
"""What a browser shows by itself; all else is text, whatever its name says."""


@dataclass(frozen=True, slots=True)
class Work:
    """One work.  number: from 1, in the order in which it is shown.  text: its line of the results.

    label: the student's name; of blind marking, the number.  digest: of its content; empty where none is.
    equal: the numbers of the works that are the same byte for byte.
    """

    number: int
    id: str
    label: str
    group: str
    digest: str
    text: str
    equal: tuple[int, ...] = ()

    def result(self, blind: bool) -> SubmissionResult:
        """Return the whole result.  blind: without what names the student."""
        found = submission_of(self.text)
        return unnamed(found, self.label) if blind else found


def key_of(task_id: str, work: Work) -> str:
    """Return what a work is found by, which names nobody, and which no spreadsheet takes for a number."""
    return "w" + hashlib.sha256(f"{task_id}/{work.id}".encode()).hexdigest()[:12]


def works_of(results: Iterable[tuple[SubmissionResult, str]], task_id: str, blind: bool) -> list[Work]:
    """Return the works of a run that a person can mark.

    results: each with its line.  blind: in an order that tells nothing, and under numbers.
    """
    found = [(result, text) for result, text in results if result.status is not Status.NO_SUBMISSION]
    if blind:
        found.sort(key=lambda each: hashlib.sha256(f"{task_id}\0{each[0].id}".encode()).digest())
    same: dict[str, list[int]] = {}
    for number, (result, _) in enumerate(found, 1):
        if equal_by(result):
            same.setdefault(equal_by(result), []).append(number)
    return [
        Work(
            number=number,
            id=result.id,
            label=f"Work {number}" if blind else result.name or result.id,
            group=result.person.group if result.person is not None and not blind else "",
            digest=result.content_sha256,
            text=text,
            equal=tuple(each for each in same.get(equal_by(result), ()) if each != number),
        )
        for number, (result, text) in enumerate(found, 1)
    ]


def sources(result: SubmissionResult) -> list[dict[str, object]]:
    """Return the files that were marked, as plain data: names and lines."""
    return [
        {
            "file": piece.file,
            "lines": [line[:_LONGEST_LINE] for line in piece.text.split("\n", LINES_MAX)[:LINES_MAX]],
        }
        for piece in pieces_of(result.sources)
    ]


def without_marks_by_hand(result: SubmissionResult) -> SubmissionResult:
    """Return a result as it was before anybody marked by hand, for a second marker who shall not know."""
    questions = tuple(
        replace(
            question,
            mark=Fraction(0),
            criteria=tuple(
                CriterionResult(
                    id=each.id, title=each.title, description=each.description, max_mark=each.max_mark
                )
                for each in question.criteria
            ),
        )
        if question.criteria
        else question
        for question in result.questions
    )
    mark = sum((question.mark for question in questions), Fraction(0))
    return replace(result, questions=questions, mark=mark, overrides=(), remarks=(), status=Status.PENDING)


def report_page(result: SubmissionResult, run: RunInfo, task: TaskHead) -> str:
    """Return the page with everything about a work, for the staff."""
    return Pages(run, task).staff(result, links=False)


# -- files ---------------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class HandedIn:
    """A file of a work.  name: as it was handed in, so of any content."""

    name: str
    size_b: int


class Files:
    """The files of one work, where they still lie as they were when it was marked."""

    def __init__(self, task: Task, origin: Path | None, digest: str) -> None:
        """origin: where the work was read from; None where nobody knows.  digest: of its content then."""
        self._task, self._digest = task, digest
        self._candidate = _candidate(origin) if origin is not None else None

    def names(self) -> Sequence[HandedIn] | str:
        """Return the files, or why they can't be shown."""
        if why := self._why_not():
            return why
        return [HandedIn(name, size_b) for name, size_b in self._entries()]

    def _why_not(self) -> str:
        if self._candidate is None:
            return "the files that were handed in are not where they were"
        try:
            now = work_digest(self._candidate, self._task.asked)
        except (OSError, Refused):
            return "the files that were handed in can't be read now"
        if not self._digest or now != self._digest:
            return "the files that were handed in have changed since they were marked"
        return ""

    def _entries(self) -> Iterator[tuple[str, int]]:
        assert self._candidate is not None
        with suppress(Refused), opened(self._candidate, Allowance(), Expected(self._task.asked)) as found:
            for entry in found.contents.entries[:_MOST_FILES]:
                if entry.parts and not entry.refusal:
                    yield entry.name, entry.size_b

    def content(self, number: int) -> tuple[bytes, str] | None:
        """Return a file, counted from 0, and the kind that its bytes say; None where there is none."""
        if self._candidate is None or self._why_not():
            return None
        with suppress(Refused), opened(self._candidate, Allowance(), Expected(self._task.asked)) as found:
            shown = [entry for entry in found.contents.entries if entry.parts and not entry.refusal]
            if number < min(len(shown), _MOST_FILES):
                taken = Allowance().take(found.tree, found.folder, shown[number], SHOWN_MAX_B)
                content = b"".join(taken)
                return content, kind_of(content)
        return None


def kind_of(content: bytes) -> str:
    """Return the media type of a file by its first bytes; text for all that a browser does not draw."""
    return next((kind for magic, kind in _MAGIC if content.startswith(magic)), "text/plain")


def _candidate(origin: Path) -> Candidate | None:
    """Return what lies where a work was read from; None where nothing does."""
    for path in (origin, *origin.parents):
        if path.is_symlink() or not path.exists():
            continue
        inside = origin.relative_to(path).parts
        if inside and not (path.is_file() and is_zip(path.name)):
            return None
        name = (path.name, *inside)[-1]
        if path.is_dir():
            kind = SourceKind.FOLDER
        elif is_zip(name):
            kind = SourceKind.ZIP
        else:
            kind = SourceKind.FILE if not inside or "." in name else SourceKind.FOLDER
        return Candidate("work", "work", kind, path, inside=inside)
    return None
