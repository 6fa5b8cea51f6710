"""Every sample batch, every wrong and every right program gets exactly what is declared for it.

Generic over `specs/*.yaml`.  Declarations stand in `submissions/<task>/expected.yaml` and in
`specs/<task>/wrong/expected.yaml`: by folder the mark, the questions' marks and the verdicts of the
cases that tell most; where it matters also `status`, `late_s`, and `penalties`, the marks taken off.
Where a batch has `times.yaml` or `reviews.yaml` beside its folders, these count, as for `make mark`.
What is in `specs/<task>/right/` gets full marks, as far as nobody marks by hand; cases that may take more
than a minute are for `benchmarks/right_programs.py`, which marks the same programs by whole specs.

Where a case is declared to run into its time limit, the suite does not wait for all of a long one.

Each batch is one test, which tells all that differs: spread over several, it would be marked by each
process of the suite anew.
"""

from collections.abc import Collection, Iterable
from pathlib import Path
from typing import Any

import pytest

from grader.engine.run import mark_batch
from grader.engine.self_check import with_cases
from grader.intake import Candidate, discover
from grader.marking.rounding import format_mark
from grader.model.events import SubmissionMarked
from grader.model.results import SubmissionResult
from grader.model.task import Task
from grader.records.attach import with_records
from grader.records.reviews import Reviews, read_reviews
from grader.records.times import read_times
from grader.spec import load_task
from grader.validation.programs import (
    EXPECTED,
    Declaration,
    as_declared,
    differences,
    folders_of,
    marks_by_cases,
    read_declarations,
    slow_cases,
    with_short_limits,
)

ROOT = Path(__file__).parents[2]
SPECS = {path.stem: path for path in sorted((ROOT / "specs").glob("*.yaml"))}
RIGHT = sorted(name for name in SPECS if (ROOT / "specs" / name / "right").is_dir())
AT_LEAST = 8
LONG_S = 60


def _wrong(name: str) -> Path:
    return ROOT / "specs" / name / "wrong"


def _samples(name: str) -> Path:
    return ROOT / "submissions" / name


def _declared(batch: Path) -> dict[str, Declaration]:
    path = batch / EXPECTED
    assert path.is_file(), f"{path.relative_to(ROOT)} is missing"
    return read_declarations(path)


def _mark(
    task: Task, folders: Iterable[Path], beside: Path | None = None, only: Collection[str] = ()
) -> dict[str, SubmissionResult]:
    """Mark what is in the folders; beside: where files that people keep may lie.  only: empty for all."""
    candidates = discover(list(folders), dict(task.modules))
    if beside:
        candidates = _with_records(task, candidates, beside)
    events = mark_batch(task, candidates, only=only)
    return {event.result.id: event.result for event in events if isinstance(event, SubmissionMarked)}


def _mark_declared(
    task: Task, folders: list[Path], declared: dict[str, Declaration], beside: Path | None = None
) -> dict[str, SubmissionResult]:
    """Mark what is in the folders, with shorter limits where they are declared to be met."""
    groups: dict[frozenset[str], list[str]] = {}
    for name, declaration in declared.items():
        groups.setdefault(slow_cases(declaration), []).append(name)
    results: dict[str, SubmissionResult] = {}
    for slow, names in groups.items():
        results |= _mark(with_short_limits(task, slow), folders, beside, names)
    return results


def _with_records(task: Task, candidates: list[Candidate], beside: Path) -> list[Candidate]:
    times, reviews = beside / "times.yaml", beside / "reviews.yaml"
    students = {candidate.id for candidate in candidates}
    known = read_times(times) if times.exists() else {}
    decided = read_reviews(reviews, task, students, whole_batch=True) if reviews.exists() else Reviews()
    return with_records(candidates, known, decided.by_student)


def _differences(
    results: dict[str, SubmissionResult], declared: dict[str, Declaration]
) -> dict[str, list[tuple[str, str, str]]]:
    """Return by folder what was declared and what came of it, where these differ."""
    found = {
        name: list(differences(as_declared(results[name], declaration), declaration))
        for name, declaration in declared.items()
    }
    return {name: parts for name, parts in found.items() if parts}


def test_there_are_specs() -> None:
    assert SPECS


@pytest.mark.parametrize("name", SPECS)
@pytest.mark.parametrize("place", [_samples, _wrong], ids=["samples", "wrong"])
def test_every_folder_is_declared(name: str, place: Any) -> None:
    batch = place(name)
    assert batch.is_dir(), f"{batch.relative_to(ROOT)} is missing"
    assert {path.name for path in folders_of(batch)} == set(_declared(batch))
    assert len(_declared(batch)) >= AT_LEAST


@pytest.mark.parametrize("name", SPECS)
@pytest.mark.parametrize("place", [_samples, _wrong], ids=["samples", "wrong"])
def test_every_declaration_is_complete(name: str, place: Any) -> None:
    task = load_task(SPECS[name])
    questions = {question.id for question in task.questions}
    cases = {case.id for case in task.cases}
    for declaration in _declared(place(name)).values():
        assert set(declaration["questions"]) == questions
        assert set(declaration["verdicts"]) <= cases


@pytest.mark.timeout(600)
@pytest.mark.parametrize("name", SPECS)
def test_samples_get_their_declared_marks(name: str) -> None:
    batch = _samples(name)
    results = _mark_declared(load_task(SPECS[name]), [batch], _declared(batch), beside=batch)
    assert _differences(results, _declared(batch)) == {}


@pytest.mark.timeout(600)
@pytest.mark.parametrize("name", SPECS)
def test_wrong_programs_get_their_declared_marks(name: str) -> None:
    task, batch = load_task(SPECS[name]), _wrong(name)
    results = _mark_declared(task, folders_of(batch), _declared(batch))
    assert _differences(results, _declared(batch)) == {}
    assert [name for name, result in results.items() if result.mark >= marks_by_cases(task)] == []


@pytest.mark.timeout(600)
@pytest.mark.parametrize("name", RIGHT)
def test_right_programs_get_full_marks(name: str) -> None:
    whole = load_task(SPECS[name])
    task = with_cases(whole, lambda case: case.limits.time_s <= LONG_S)
    assert [question.id for question in task.questions] == [
        question.id for question in whole.questions if question.cases
    ]
    results = _mark(task, folders_of(ROOT / "specs" / name / "right"))
    assert {name: format_mark(result.mark) for name, result in results.items()} == dict.fromkeys(
        results, format_mark(marks_by_cases(task))
    )
    assert results
