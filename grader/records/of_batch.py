"""The records of a batch: reads the times and the reviews that go with it, and adds what awaits a person."""

from collections.abc import Callable, Iterable, Mapping, Sequence
from pathlib import Path

from grader.intake import Candidate
from grader.model.errors import Fault, UsageError
from grader.model.task import Task
from grader.records.attach import check_outside, names_in_times, with_records
from grader.records.reviews import Reviews, read_reviews
from grader.records.template import add_awaited
from grader.records.times import Times, read_times, strangers


def reviews_path(task: Task, named: Path | None) -> Path:
    """Return the path of the file of reviews: the one that the marker named, or the usual one."""
    return named or Path("reviews", f"{task.id}.yaml")


def known_times(
    task: Task, candidates: Sequence[Candidate], path: Path | None, note: Callable[[str], None]
) -> Times:
    """Return the times of the file that the marker named; without one, none.  Raises `UsageError`."""
    if path is None:
        return {}
    check_outside(path, candidates, "the times")
    known = read_times(path)
    names = [name for candidate in candidates for name in names_in_times(candidate)]
    strangers(known, names, note, str(path))
    if task.late is None:
        note(f"{task.id} has no deadline, so the times change nothing")
    return known


def with_records_of_batch(
    task: Task,
    candidates: Sequence[Candidate],
    times: Times,
    reviews: Path | None,
    note: Callable[[str], None],
    *,
    whole_batch: bool,
) -> list[Candidate]:
    """Return the candidates with their records, from the files that go with the batch.

    times: see `known_times`.  reviews: the file that the marker named; without it, the usual file is taken.
    whole_batch: see `read_reviews`.  Raises `UsageError`.
    """
    ids = [candidate.id for candidate in candidates]
    for extension in task.late.extensions if task.late is not None and whole_batch else ():
        if extension.student not in ids:
            note(f"the extensions name {extension.student}, who is not in this batch")
    path = reviews_path(task, reviews)
    found = Reviews()
    has_criteria = any(question.criteria for question in task.questions)
    if path.exists() or has_criteria:
        # A file that is not there is written where the task has criteria, and only there.
        check_outside(path, candidates, "the reviews")
    if reviews is not None and not has_criteria and not path.exists():
        hint = "this task has no criteria, so there is nothing to write into a new file"
        raise UsageError(Fault("the reviews can't be read: there is no such file", str(path), hint=hint))
    if path.exists():
        found = read_reviews(path, task, set(ids), whole_batch=whole_batch)
    if found.strangers:
        note(f"{path} has reviews of {len(found.strangers)} more who are not in this batch")
    return with_records(candidates, times, found.by_student, note)


def add_what_awaits(
    task: Task,
    path: Path,
    awaiting: Mapping[str, Sequence[str]],
    students: Iterable[str],
    note: Callable[[str], None],
) -> None:
    """Add the criteria that await a person to the file of reviews, and say so; never fails a run.

    awaiting: the criteria, by student.  students: all of the batch.
    """
    if not awaiting:
        return
    try:
        refusal = add_awaited(path, task, awaiting, set(students))
    except OSError as error:
        refusal = error.strerror or str(error)
    except (UsageError, ValueError) as error:
        refusal = str(error)
    if refusal:
        note(f"what is awaited was not added to {path}: {refusal}")
    count = sum(map(len, awaiting.values()))
    what = "1 criterion awaits" if count == 1 else f"{count} criteria await"
    note(f"{what} the marker: write the marks into {path}, and mark again")
