"""Marks programs in a folder, and compares them with what is declared for them: see `validation.programs`."""

from collections.abc import Collection, Iterable
from pathlib import Path

from grader.authoring import programs
from grader.authoring.programs import EXPECTED, Declaration, declared_of, slow_cases, with_short_limits
from grader.engine.run import mark_batch
from grader.intake import Candidate, discover
from grader.model.events import SubmissionMarked
from grader.model.results import SubmissionResult
from grader.model.task import Task
from grader.plugins.validate.work.jobs import result_facts
from grader.records.attach import with_records
from grader.records.reviews.content import Reviews
from grader.records.reviews.reading import read_reviews
from grader.records.times.by_student import read_times

_LONG_S = 1.0


def read_declared(batch: Path) -> dict[str, Declaration]:
    path = batch / EXPECTED
    assert path.is_file(), f"{path} is missing"
    return programs.read_declarations(path)


def telling_few(task: Task, batch: Path, most: int) -> list[Path]:
    """Return folders of a batch, each with a verdict that those before lack, without those that take long."""
    limits = {case.id: case.limits.time_s for case in task.cases}
    found, seen = list[Path](), set[str]()
    for name, declaration in read_declared(batch).items():
        verdicts = {"accepted", *declaration.get("verdicts", {}).values()}
        is_long = any(limits.get(case, 0) > _LONG_S for case in slow_cases(declaration))
        if not is_long and not verdicts <= seen and len(found) < most:
            found.append(batch / name)
            seen |= verdicts
    return found


def mark_folders(
    task: Task, folders: Iterable[Path], beside: Path | None = None, only: Collection[str] = ()
) -> dict[str, SubmissionResult]:
    """Mark what is in the folders; beside: where files that people keep may lie.  only: empty for all."""
    candidates = discover(list(folders), task.asked)
    if beside:
        candidates = _with_records(task, candidates, beside)
    events = mark_batch(task, candidates, only=only)
    return {event.result.id: event.result for event in events if isinstance(event, SubmissionMarked)}


def mark_declared(
    task: Task, folders: list[Path], declared: dict[str, Declaration], beside: Path | None = None
) -> dict[str, SubmissionResult]:
    """Mark what is in the folders, with shorter limits where they are declared to be met."""
    groups: dict[frozenset[str], list[str]] = {}
    for name, declaration in declared.items():
        groups.setdefault(slow_cases(declaration), []).append(name)
    results: dict[str, SubmissionResult] = {}
    for slow, names in groups.items():
        results |= mark_folders(with_short_limits(task, slow), folders, beside, names)
    return results


def _with_records(task: Task, candidates: list[Candidate], beside: Path) -> list[Candidate]:
    times, reviews = beside / "times.yaml", beside / "reviews.yaml"
    students = {candidate.id for candidate in candidates}
    known = read_times(times) if times.exists() else {}
    decided = read_reviews(reviews, task, students, whole_batch=True) if reviews.exists() else Reviews()
    return with_records(candidates, known, decided.by_student)


def differences(
    results: dict[str, SubmissionResult], declared: dict[str, Declaration]
) -> dict[str, list[tuple[str, str, str]]]:
    """Return by folder what was declared and what came of it, where these differ."""
    found = {
        name: list(programs.differences(declared_of(result_facts(results[name]), declaration), declaration))
        for name, declaration in declared.items()
    }
    return {name: parts for name, parts in found.items() if parts}
