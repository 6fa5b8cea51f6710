"""What `grader mark` does with the files that people keep: times of submission, and reviews."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

from grader.cli.output import tell

if TYPE_CHECKING:
    from grader.intake import Candidate
    from grader.model.task import Task


@dataclass(frozen=True, slots=True)
class Recorded:
    """The batch with what people know and decide; reviews: the file that they keep."""

    candidates: "list[Candidate]"
    reviews: Path


def recorded(
    task: "Task",
    candidates: "list[Candidate]",
    times: Path | None,
    reviews: Path | None,
    *,
    whole_batch: bool,
) -> Recorded:
    """Read the files that go with a batch, and give each submission its record.

    times, reviews: as named by the marker; None: the times of an LMS's export, and the usual file.
    whole_batch: see `read_reviews`.  Raises `UsageError`.
    """
    from grader.records.attach import check_outside, times_of_export, with_records
    from grader.records.reviews import Reviews, read_reviews
    from grader.records.times import read_times, strangers

    ids = [candidate.id for candidate in candidates]
    known = {}
    if times is not None:
        check_outside(times, candidates, "the times")
        known = read_times(times)
        strangers(known, [*ids, *(candidate.name for candidate in candidates)], _note, str(times))
        if task.late is None:
            _note(f"{task.id} has no deadline, so the times change nothing")
    elif task.late is not None:
        known = times_of_export(candidates, _note)
    for extension in task.late.extensions if task.late is not None and whole_batch else ():
        if extension.student not in ids:
            _note(f"the extensions name {extension.student}, who is not in this batch")
    path = reviews or Path("reviews", f"{task.id}.yaml")
    check_outside(path, candidates, "the reviews")
    found = Reviews()
    if path.exists() or (reviews is not None and not _has_criteria(task)):
        found = read_reviews(path, task, set(ids), whole_batch=whole_batch)
    if found.strangers:
        _note(f"{path} has reviews of {len(found.strangers)} more who are not in this batch")
    return Recorded(with_records(candidates, known, found.by_student), path)


def tell_awaited(
    task: "Task", path: Path, awaiting: Mapping[str, Sequence[str]], students: Sequence[str]
) -> None:
    """Add what waits for a person to the file of reviews, and say so; never fails a run."""
    from grader.model.errors import UsageError
    from grader.records.template import Extended, add_awaited

    if not awaiting:
        return
    try:
        done = add_awaited(path, task, awaiting, set(students))
    except OSError as error:
        done = Extended(0, error.strerror or str(error))
    except (UsageError, ValueError) as error:
        done = Extended(0, str(error))
    if done.refusal:
        _note(f"what is awaited was not added to {path}: {done.refusal}")
    count = sum(map(len, awaiting.values()))
    what = "1 criterion awaits" if count == 1 else f"{count} criteria await"
    _note(f"{what} the marker: write the marks into {path}, and mark again")


def _has_criteria(task: "Task") -> bool:
    return any(question.criteria for question in task.questions)


def _note(text: str) -> None:
    from grader.reports.escape import plain

    tell(f"note: {plain(text)}")
