"""Every sample batch gets exactly what is declared for it.

Generic over `specs/*.yaml`.  Declarations stand in `submissions/<task>/expected.yaml` and in
`specs/<task>/wrong/expected.yaml`: by folder the mark, the questions' marks and the verdicts of the
cases that tell most; where it matters also `status`, `late_s`, and `penalties`, the marks taken off.
Where a batch has `times.yaml` or `reviews.yaml` beside its folders, these count, as for `make mark`.
The wrong and the right programs beside a spec are marked by `validate`: see `test_validate_specs.py`.

Where a case is declared to run into its time limit, the suite does not wait for all of a long one.

Each batch is one test, which tells all that differs: spread over several, it would be marked by each
process of the suite anew.
"""

from pathlib import Path
from typing import Any

import pytest
from support.declared import differences, read_declared
from support.marked_samples import SPECS, marked_sample

from grader.authoring.programs import folders_of
from grader.course.reading.course_file import read_course
from grader.spec import load_task

ROOT = Path(__file__).parents[2]
AT_LEAST = 8


def _wrong(name: str) -> Path:
    return ROOT / "specs" / name / "wrong"


def _samples(name: str) -> Path:
    return ROOT / "submissions" / name


def test_there_are_specs() -> None:
    assert SPECS


def test_the_course_of_the_samples_has_each_of_them_with_the_files_beside_it() -> None:
    """`make mark` marks this course."""
    tasks = {task.name: task for task in read_course(ROOT / "course.yaml").tasks}
    assert tasks.keys() == {name for name in SPECS if _samples(name).is_dir()}
    for name, task in tasks.items():
        assert (task.spec, task.submissions) == (SPECS[name], (_samples(name),))
        assert task.reports == ROOT / "reports" / name
        times, reviews = _samples(name) / "times.yaml", _samples(name) / "reviews.yaml"
        assert task.times == ((times,) if times.exists() else ())
        assert (reviews in task.reviews) == reviews.exists()
        late = load_task(task.spec).late
        assert late is None or late.deadline == task.due


@pytest.mark.parametrize("name", SPECS)
@pytest.mark.parametrize("place", [_samples, _wrong], ids=["samples", "wrong"])
def test_every_folder_is_declared(name: str, place: Any) -> None:
    batch = place(name)
    assert batch.is_dir(), f"{batch.relative_to(ROOT)} is missing"
    assert {path.name for path in folders_of(batch)} == set(read_declared(batch))
    assert len(read_declared(batch)) >= AT_LEAST


@pytest.mark.parametrize("name", SPECS)
@pytest.mark.parametrize("place", [_samples, _wrong], ids=["samples", "wrong"])
def test_every_declaration_is_complete(name: str, place: Any) -> None:
    task = load_task(SPECS[name])
    questions = {question.id for question in task.questions}
    cases = {case.id for case in task.cases}
    for declaration in read_declared(place(name)).values():
        assert set(declaration["questions"]) == questions
        assert set(declaration["verdicts"]) <= cases


@pytest.mark.parametrize("name", SPECS)
def test_samples_get_their_declared_marks(tmp_path_factory: pytest.TempPathFactory, name: str) -> None:
    results = {result.id: result for result in marked_sample(name, tmp_path_factory).submissions}
    assert differences(results, read_declared(_samples(name))) == {}
