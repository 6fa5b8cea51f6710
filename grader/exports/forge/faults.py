"""The lines at fault of a submission, for tools that show them beside the code."""

import os
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from grader.exports.job import Job
from grader.model.errors import UsageError
from grader.model.results import CaseResult, Frame, SubmissionResult
from grader.model.verdict import Verdict
from grader.reports.views.audience import for_student
from grader.reports.views.wording import verdict_wording
from grader.store.run_record import RunRecord

_TITLE_LENGTH = 100
_MESSAGE_LENGTH = 500
_NOT_THE_STUDENTS = frozenset({Verdict.ACCEPTED, Verdict.INTERNAL_ERROR, Verdict.SKIPPED})


@dataclass(frozen=True, slots=True)
class FaultAtLine:
    """What went wrong, told once for all cases with the same cause.

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
    """Where the files of each submission lie, as far as the record of the run tells."""

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
    files = {f"{source.module}.py": source.file for source in shown.sources}
    lengths = {source.file: source.text.count("\n") + 1 for source in shown.sources}
    found: dict[tuple[str, int, str], tuple[CaseResult, list[str]]] = {}
    for case in (case for question in shown.questions for case in question.cases):
        if case.verdict in _NOT_THE_STUDENTS or case.withheld:
            continue
        for file, line, message in _places(case, files):
            # A frame is the claim of hostile code.
            place = (file, line) if 0 < line <= lengths.get(file, 0) else ("", 0)
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


def _places(case: CaseResult, files: dict[str, str]) -> Iterator[tuple[str, int, str]]:
    """Yield file, line and message: each finding of a rule, else one.  files: names, by modules' files."""
    message = case.message or verdict_wording(case.verdict).word
    for finding in case.findings or ():
        yield finding.file, finding.line, finding.message
    if not case.findings:
        frames = case.raised.frames if case.raised is not None else ()
        own = [frame for frame in (*frames, case.stopped_at) if frame is not None and frame.file in files]
        frame = own[-1] if own else Frame("", 0, "")
        yield files.get(frame.file, ""), frame.line, message
