"""The lines at fault of a submission, for tools that show them beside the code."""

import os
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from grader.exports.job import Job
from grader.model.errors import UsageError
from grader.model.results import CaseResult, SubmissionResult
from grader.model.verdict import Verdict
from grader.reports.views.audience import for_student
from grader.reports.views.case.source import Lines
from grader.reports.views.wording import verdict_wording
from grader.store.run_record import RunRecord

_TITLE_LENGTH = 100
_MESSAGE_LENGTH = 500
_NOT_THE_STUDENTS = frozenset({Verdict.ACCEPTED, Verdict.INTERNAL_ERROR, Verdict.SKIPPED})


@dataclass(frozen=True, slots=True)
class FaultAtLine:
    """A fault, told once for all cases with the same cause.

    file: its path from the current folder; empty where no line is at fault.  line: from 1; 0 for none.
    cases: ids.  key: the same in the next run, as long as case and verdict are.
    """

    file: str
    line: int
    cases: tuple[str, ...]
    title: str
    message: str
    key: str


class Folders:
    """The places of the files of each submission, as far as the record of the run tells."""

    def __init__(self, job: Job) -> None:
        self._origins: dict[str, Path] = {}
        try:
            with RunRecord(job.folder, job.results.run.id) as record:
                for own_id, entry in record.entries().items():
                    if entry.work:
                        self._origins[own_id] = record.work(entry, own_id).origin
        except UsageError:
            job.tell("the record of the run can't be read, so files are named without their folders")

    def path(self, own_id: str, file: str) -> str:
        """Return the path of a file of a submission from the current folder, or its name alone."""
        origin = self._origins.get(own_id)
        if origin is None:
            return file
        place = origin / file if origin.is_dir() else origin
        relative = os.path.relpath(place)
        return file if relative.startswith(os.pardir) or not place.is_file() else relative


def faults_at_lines(job: Job, submission: SubmissionResult, folders: Folders) -> list[FaultAtLine]:
    """Return what the student may know of the faults, in the order of the cases."""
    shown = for_student(submission, job.released)
    lines = Lines(shown.sources)
    found: dict[tuple[str, int, str], tuple[CaseResult, list[str]]] = {}
    for case in shown.cases:
        if case.verdict in _NOT_THE_STUDENTS or case.withheld:
            continue
        for place, message in _places(case, lines):
            found.setdefault((*place, message), (case, []))[1].append(case.id)
    return [
        FaultAtLine(
            folders.path(submission.id, file) if file else "",
            line,
            tuple(dict.fromkeys(ids)),
            f"{case.id} {case.call}"[:_TITLE_LENGTH],
            message[:_MESSAGE_LENGTH],
            f"{submission.id} {case.id} {case.verdict}",
        )
        for (file, line, message), (case, ids) in found.items()
    ]


def _places(case: CaseResult, lines: Lines) -> Iterator[tuple[tuple[str, int], str]]:
    """Yield file and line, and a message: of each finding of a rule, else once for the case."""
    for finding in case.findings or ():
        yield lines.place(finding), finding.message
    if not case.findings:
        frames = (*(case.raised.frames if case.raised is not None else ()), case.stopped_at)
        own = [place for frame in frames if frame is not None and (place := lines.place(frame))[0]]
        yield own[-1] if own else ("", 0), case.message or verdict_wording(case.verdict).word
