"""One export: which results, to where, and what its maker is told."""

import hashlib
import json
from collections.abc import Callable, Iterator, Sequence
from contextlib import suppress
from dataclasses import dataclass
from fractions import Fraction
from pathlib import Path

from grader.intake.names import listed
from grader.marking.rounding import csv_number
from grader.model.errors import Fault, UsageError
from grader.model.person import Person
from grader.model.results import RunResults, Status, SubmissionResult
from grader.reports.escape import visible
from grader.reports.held import are_released
from grader.reports.views.audience import for_student
from grader.reports.views.submission.submission import submission_view
from grader.reports.views.wording import counted
from grader.reports.words import say, speaking, word
from grader.store.whole_file import replace_bytes, replace_text

_LOOKED_AT = word("Some tests of this task are being looked at again, so this mark may change.")
_EXPORTED = ".exported.json"
"""In the folder of the results: what its exports wrote, so that later ones know it as theirs."""


@dataclass(frozen=True, slots=True)
class Job:
    """An export to make.

    folder: with the results.  target: the file or folder to write.
    sheet: the LMS's own sheet; None for none.  column: the name or id of the column for the marks; empty for
    the one that is called like the task.  zeros: nothing handed in is 0, not an empty cell.
    released: students may see the cases that are hidden until the due date.
    starter: the code that students were given; None for none.  tell: takes sentences for people.
    """

    results: RunResults
    folder: Path
    target: Path
    tell: Callable[[str], None]
    sheet: Path | None = None
    column: str = ""
    zeros: bool = False
    released: bool = False
    starter: Path | None = None

    def needed_sheet(self, where: str) -> Path:
        """Return the sheet.  where: how to get it from the LMS.  Raises `UsageError` if there is none."""
        if self.sheet is None:
            raise UsageError(
                Fault("this format fills in the sheet of the LMS: --sheet is missing", hint=where)
            )
        return self.sheet

    def tell_of_release(self) -> None:
        """Tell that what is written is for students, where their pages are held back."""
        if not are_released(self.folder):
            self.tell("these marks are held back (see grader release); this export shows them to students")

    def beside(self, ending: str) -> Path:
        """Return a path beside the target, called like it but for its ending."""
        return self.target.with_name(self.target.stem + ending)

    def write(self, path: Path, content: bytes) -> Path:
        """Write a file, whole or not at all, and return its path.

        Raises `UsageError` where a file lies there that no export of these results wrote.
        """
        list_of_exports, place = self.folder / _EXPORTED, str(path.absolute())
        known = _exported(list_of_exports)
        # Earlier versions kept no list, and wrote into this folder unless told otherwise.
        is_old = not list_of_exports.exists() and path.parent == self.folder / "exports"
        if path.exists() and not is_old and known.get(place) != hashlib.sha256(path.read_bytes()).hexdigest():
            what = "no export of these results wrote the file that is here, or somebody changed it"
            raise UsageError(Fault(what, str(path), hint="choose another with -o, or move it away"))
        replace_bytes(path, content)
        known[place] = hashlib.sha256(content).hexdigest()
        # Without the note, the next export into this place asks for another one.
        with suppress(OSError):
            replace_text(list_of_exports, json.dumps(known, indent=1) + "\n")
        return path


def _exported(path: Path) -> dict[str, str]:
    """Return the digests of what earlier exports wrote, by path."""
    try:
        found = json.loads(path.read_bytes())
    except (OSError, ValueError, RecursionError):
        return {}
    return found if isinstance(found, dict) else {}


@dataclass(frozen=True, slots=True)
class Row:
    """The mark of one student, without the evidence.  feedback: short, for the student."""

    id: str
    name: str
    person: Person | None
    mark: Fraction
    status: Status
    feedback: str

    def cell(self, zeros: bool) -> str:
        """Return the mark for a sheet; empty where it is pending, or where nothing was handed in."""
        if self.status == Status.NO_SUBMISSION:
            return "0" if zeros else ""
        return csv_number(self.mark) if self.status == Status.MARKED else ""


def rows(job: Job) -> list[Row]:
    """Return the rows of all submissions, and tell which have no mark."""
    found = [
        Row(
            each.id,
            each.name or each.id,
            each.person,
            each.mark,
            each.status,
            feedback(each, job.released, job.results.task.language),
        )
        for each in job.results.submissions
    ]
    tell_of_gaps(job, found)
    return found


def tell_of_gaps(job: Job, found: Sequence[Row]) -> None:
    """Tell whose mark is pending, and who handed in nothing."""
    pending = [row.name for row in found if row.status == Status.PENDING]
    absent = [row.name for row in found if row.status == Status.NO_SUBMISSION]
    if pending:
        job.tell(f"{counted(len(pending), 'mark')} pending, not exported: {listed(pending)}")
    if absent:
        count = f"{len(absent)} without anything to mark"
        job.tell(f"{count}, {'given 0' if job.zeros else 'given no mark'}: {listed(absent)}")


def feedback(submission: SubmissionResult, released: bool, language: str) -> str:
    """Return a short text for the student: the mark and what each question gave, or why there is no mark."""
    with speaking(language):
        return visible("\n".join(_feedback(submission, released)))


def _feedback(submission: SubmissionResult, released: bool) -> Iterator[str]:
    view = submission_view(for_student(submission, released))
    if submission.status == Status.PENDING:
        # What it would be so far stands on the page; here a number would be taken for the mark.
        yield f"{say('Mark')}: {say('pending')}"
        yield view.remark if submission.awaiting else say(_LOOKED_AT)
        yield from view.problems
        return
    yield view.remark or f"{say('Mark')}: {view.mark} {say('of {mark}', mark=view.max_mark)}"
    yield from view.problems
    if submission.status == Status.NO_SUBMISSION:
        return
    for question in view.questions:
        title = f"{question.id} {question.title}".strip()
        yield f"{title}: {question.mark} {say('of {mark}', mark=question.max_mark)} ({question.count})"
    for line in view.mark_breakdown:
        if not line.is_question and line.reason:
            yield f"{line.label} {line.amount}: {line.reason}"


def json_number(mark: Fraction) -> int | float:
    """Return a mark as a number of JSON."""
    return int(mark) if mark.denominator == 1 else float(mark)
