"""What a run found out, as the document `results.json` (schema `grader-results/1`).

From model objects to plain data, and from there to the file: one submission a line, so
that a run of ten thousand can be written and read one at a time, and so that two runs can
be compared line by line.  The text is pure ASCII (JSON escapes), so the file is safe to
look at in a terminal.  Reading it back is in `grader.store.reading`.
"""

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from fractions import Fraction
from pathlib import Path
from typing import TYPE_CHECKING

from grader.marking.rounding import format_mark
from grader.model.results import CaseResult, Difference, QuestionResult, Raised, SubmissionResult
from grader.model.task import Task
from grader.store.document_types import (
    SCHEMA,
    CaseDocument,
    DifferenceDocument,
    QuestionDocument,
    RaisedDocument,
    ResultsDocument,
    RunDocument,
    SubmissionDocument,
    TimingDocument,
)
from grader.store.json_text import json_text
from grader.store.output_text import kept_output
from grader.store.people_document import criterion_document, override_document, penalty_document
from grader.store.people_document import encodable as _text
from grader.store.step_document import add_steps
from grader.store.whole_file import replacing

if TYPE_CHECKING:
    from grader.model.events import RunInfo
    from grader.model.results import Timing

__all__ = [
    "SCHEMA",
    "TaskHead",
    "submission_document",
    "to_document",
    "write_json",
    "write_results",
    "write_texts",
]


@dataclass(frozen=True, slots=True)
class TaskHead:
    """What the document says about the task."""

    id: str
    title: str
    max_mark: Fraction

    @classmethod
    def of(cls, task: Task) -> "TaskHead":
        """Return the head of a validated task."""
        return cls(id=task.id, title=task.title, max_mark=task.marks)


def to_document(run: "RunInfo", task: TaskHead, submissions: Iterable[SubmissionResult]) -> ResultsDocument:
    """Return the whole document in memory, its submissions in the order of their ids."""
    document = _head(run, task)
    ordered = sorted(submissions, key=lambda submission: submission.id)
    document["submissions"] = [submission_document(submission) for submission in ordered]
    return document


def submission_document(submission: SubmissionResult) -> SubmissionDocument:
    """Return the part of the document that tells of one submission."""
    document: SubmissionDocument = {
        "id": _text(submission.id),
        "name": _text(submission.name),
        "mark": format_mark(submission.mark),
        "max_mark": format_mark(submission.max_mark),
        "status": submission.status.value,
        "sha256": submission.content_sha256,
        "late_s": submission.late_s,
        "penalties": [penalty_document(penalty) for penalty in submission.penalties],
        "overrides": [override_document(override) for override in submission.overrides],
        "problems": [_text(problem) for problem in submission.problems],
        "notes": [_text(note) for note in submission.notes],
        "questions": [_question(question) for question in submission.questions],
    }
    if submission.awaiting:
        document["awaiting"] = list(submission.awaiting)
    if submission.deadline:
        document["deadline"] = submission.deadline
        document["submitted"] = submission.submitted
    if submission.rules:
        from grader.store.rule_document import rule_document  # few tasks have rules

        document["rules"] = [rule_document(rule) for rule in submission.rules]
    return document


def write_json(path: Path, document: ResultsDocument) -> None:
    """Write the document to `path`, whole or not at all; its submissions are iterated once."""
    write_texts(path, document, map(json_text, document["submissions"]))


def write_texts(path: Path, head: ResultsDocument, submissions: Iterable[str]) -> None:
    """Write a document whose submissions are texts already, as `json_text` makes them.

    head: its own submissions are not looked at.
    """
    with replacing(path, encoding="ascii", durable=True) as file:
        file.writelines(_lines(head, submissions))


def write_results(
    path: Path, run: "RunInfo", task: TaskHead, submissions: Iterable[SubmissionResult]
) -> None:
    """Write what `to_document` would give, one submission at a time.

    submissions: in the order of their ids; each is let go once it is written.
    """
    document = _head(run, task)
    document["submissions"] = (submission_document(submission) for submission in submissions)
    write_json(path, document)


def _head(run: "RunInfo", task: TaskHead) -> ResultsDocument:
    described: RunDocument = {
        "id": run.id,
        "grader": run.grader,
        "spec_sha256": run.spec_sha256,
        "seed": run.seed,
        "python": run.python,
        "started": run.started,
        "finished": run.finished,
        "sandbox": {"driver": run.driver, "guarantees": dict(run.guarantees)},
    }
    if run.tools:
        described["tools"] = dict(run.tools)
    return {
        "schema": SCHEMA,
        "run": described,
        "task": {"id": task.id, "title": _text(task.title), "max_mark": format_mark(task.max_mark)},
        "submissions": [],
    }


def _question(question: QuestionResult) -> QuestionDocument:
    document: QuestionDocument = {
        "id": question.id,
        "title": _text(question.title),
        "mark": format_mark(question.mark),
        "max_mark": format_mark(question.max_mark),
        "verdict": question.verdict.value,
        "award": question.award,
        "cases": [_case(case) for case in question.cases],
    }
    if question.criteria:
        document["criteria"] = [criterion_document(criterion) for criterion in question.criteria]
    return document


def _case(case: CaseResult) -> CaseDocument:
    document: CaseDocument = {
        "id": case.id,
        "call": _text(case.call),
        "verdict": case.verdict.value,
        "visibility": case.visibility.value,
        "score": format_mark(case.score),
        "weight": format_mark(case.weight),
        "group": case.group,
        "cpu_s": round(case.cpu_s, 6),
        "wall_s": round(case.wall_s, 6),
        "peak_rss_b": case.peak_rss_b,
        "time_limit_s": case.time_limit_s,
        "message": _text(case.message),
        "expected": _text(case.expected),
        "actual": _text(case.actual),
        "difference": _difference(case.difference) if case.difference else None,
        "stdout": _text(kept_output(case.stdout)),
        "stderr": _text(kept_output(case.stderr)),
        "raised": _raised(case.raised) if case.raised else None,
        "hint": _text(case.hint),
    }
    if case.printed or case.expected_print or case.steps:
        add_steps(document, case)
    if case.given or case.dialogue:
        from grader.store.program_document import add_program  # few specs run programs

        add_program(document, case)
    if case.timing is not None:
        document["timing"] = _timing(case.timing)
    if case.pictures:
        from grader.store.pictures import picture_document  # few runs have any

        document["pictures"] = [picture_document(picture) for picture in case.pictures]
    if case.findings is not None:
        from grader.store.rule_document import finding_document

        document["findings"] = [finding_document(finding) for finding in case.findings]
    if case.near_limit:
        document["near_limit"] = True
    if case.picture_note:
        document["picture_note"] = _text(case.picture_note)
    return document


def _timing(timing: "Timing") -> TimingDocument:
    return {
        "reference_s": round(timing.reference_s, 6),
        "submission_s": round(timing.submission_s, 6),
        "ratio": round(timing.ratio, 4),
        "spread": round(timing.spread, 4),
        "rounds": timing.rounds,
        "full": format_mark(timing.full),
        "none": format_mark(timing.none),
    }


def _difference(difference: Difference) -> DifferenceDocument:
    return {
        "where": _text(difference.where),
        "expected": _text(difference.expected),
        "actual": _text(difference.actual),
    }


def _raised(raised: Raised) -> RaisedDocument:
    return {
        "type": _text(raised.type_name),
        "message": _text(raised.message),
        "frames": [
            {
                "file": _text(frame.file),
                "line": frame.line,
                "function": _text(frame.function),
                "source": _text(frame.source),
            }
            for frame in raised.frames
        ],
    }


def _lines(document: ResultsDocument, submissions: Iterable[str]) -> Iterator[str]:
    yield "{\n"
    for key, value in document.items():
        if key != "submissions":
            yield f'"{key}": {json_text(value)},\n'
    yield '"submissions": [\n'
    separator = ""
    for submission in submissions:
        yield separator + submission
        separator = ",\n"
    yield "\n]\n}\n" if separator else "]\n}\n"
