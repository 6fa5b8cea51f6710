"""Marks the programs in a folder, and compares them with what is declared for them.

A declaration has by folder the mark, the questions' marks and the verdicts of the cases that tell most; where
it matters also `status`, `late_s`, and `penalties`, the marks taken off.
"""

from collections.abc import Collection, Iterable
from dataclasses import replace
from fractions import Fraction
from pathlib import Path
from typing import Any

import yaml

from grader.engine.run import mark_batch
from grader.intake import Candidate, discover
from grader.marking.rounding import format_mark
from grader.model.case import Case
from grader.model.events import SubmissionMarked
from grader.model.results import SubmissionResult
from grader.model.task import Task
from grader.model.verdict import Verdict
from grader.records.attach import with_records
from grader.records.reviews import Reviews, read_reviews
from grader.records.times import read_times

SHORT_S = 0.25


def read_declared(batch: Path) -> dict[str, Any]:
    path = batch / "expected.yaml"
    assert path.is_file(), f"{path} is missing"
    declared: dict[str, Any] = yaml.safe_load(path.read_text(encoding="utf-8"))
    return declared


def folders_of(batch: Path) -> list[Path]:
    """Return the folders of a batch; a cache of Python's is nobody's work."""
    return sorted(path for path in batch.iterdir() if path.is_dir() and path.name != "__pycache__")


def mark_folders(
    task: Task, folders: Iterable[Path], beside: Path | None = None, only: Collection[str] = ()
) -> dict[str, SubmissionResult]:
    """Mark what is in the folders; beside: where files that people keep may lie.  only: empty for all."""
    candidates = discover(list(folders), dict(task.modules))
    if beside:
        candidates = _with_records(task, candidates, beside)
    events = mark_batch(task, candidates, only=only)
    return {event.result.id: event.result for event in events if isinstance(event, SubmissionMarked)}


def mark_declared(
    task: Task, folders: list[Path], declared: dict[str, Any], beside: Path | None = None
) -> dict[str, SubmissionResult]:
    """Mark what is in the folders, with shorter limits where they are declared to be met."""
    groups: dict[frozenset[str], list[str]] = {}
    for name, declaration in declared.items():
        verdicts = _as_found(declaration)["verdicts"]
        slow = frozenset(case for case, verdict in verdicts.items() if verdict == Verdict.TIME_LIMIT)
        groups.setdefault(slow, []).append(name)
    results: dict[str, SubmissionResult] = {}
    for slow, names in groups.items():
        results |= mark_folders(_shorter(task, slow), folders, beside, names)
    return results


def _shorter(task: Task, slow: Collection[str]) -> Task:
    """Return the task with shorter time limits for the cases that are slow."""

    def shortened(case: Case) -> Case:
        time_s = min(case.limits.time_s, SHORT_S)
        return replace(case, limits=replace(case.limits, time_s=time_s)) if case.id in slow else case

    return replace(
        task,
        questions=tuple(
            replace(question, cases=tuple(map(shortened, question.cases))) for question in task.questions
        ),
    )


def _with_records(task: Task, candidates: list[Candidate], beside: Path) -> list[Candidate]:
    times, reviews = beside / "times.yaml", beside / "reviews.yaml"
    students = {candidate.id for candidate in candidates}
    known = read_times(times) if times.exists() else {}
    decided = read_reviews(reviews, task, students, whole_batch=True) if reviews.exists() else Reviews()
    return with_records(candidates, known, decided.by_student)


def by_cases(task: Task) -> Fraction:
    """Return the marks that a program can get without anybody's looking at it."""
    return sum((question.marks for question in task.questions if question.cases), Fraction(0))


def _found(result: SubmissionResult, declared: dict[str, Any]) -> dict[str, Any]:
    """Return of a result what a declaration speaks of, in the same form."""
    verdicts = {case.id: str(case.verdict) for question in result.questions for case in question.cases}
    found: dict[str, Any] = {
        "mark": format_mark(result.mark),
        "questions": {question.id: format_mark(question.mark) for question in result.questions},
        "verdicts": {
            name: verdicts.get(name, "no such case") for name in map(str, declared["verdicts"] or {})
        },
    }
    if "status" in declared:
        found["status"] = str(result.status)
    if "late_s" in declared:
        found["late_s"] = str(result.late_s)
    if "penalties" in declared:
        found["penalties"] = format_mark(sum((one.amount for one in result.penalties), Fraction(0)))
    return found


def _as_found(declared: dict[str, Any]) -> dict[str, Any]:
    """Return a declaration with its ids and marks as text, however YAML took them."""
    return {
        key: {str(name): str(what) for name, what in (value or {}).items()}
        if key in ("questions", "verdicts")
        else str(value)
        for key, value in declared.items()
    }


def differences(results: dict[str, SubmissionResult], declared: dict[str, Any]) -> dict[str, Any]:
    """Return by folder what was declared and what came of it, where these differ."""
    differing = {}
    for name, declaration in declared.items():
        expected, found = _as_found(declaration), _found(results[name], declaration)
        parts = {key: (expected.get(key), found[key]) for key in found if expected.get(key) != found[key]}
        if parts:
            differing[name] = parts
    return differing
