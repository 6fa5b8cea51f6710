"""The records of a batch: reads the times and the reviews that go with it, and adds what awaits a person."""

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import replace

from grader.intake import Candidate
from grader.intake.names import listed
from grader.model.errors import UsageError
from grader.model.policy import Extension
from grader.model.submission import Record
from grader.model.task import Task
from grader.records.attach import check_outside, with_records
from grader.records.reviews import reviews_in
from grader.records.template import add_awaited
from grader.records.times import Times, strangers, times_in
from grader.records.whose import Whose, pending, tell_doubt
from grader.store.record_parts import KeptFile


def known_times(
    task: Task, candidates: Sequence[Candidate], file: KeptFile | None, note: Callable[[str], None]
) -> Times:
    """Return the times of the file that goes with the batch; without one, none.  Raises `UsageError`."""
    if file is None:
        return {}
    check_outside(file.path, candidates, "the times")
    known = times_in(file.path, file.content)
    strangers(known, Whose(candidates).names(), note, str(file.path))
    if task.late is None:
        note(f"{task.id} has no deadline, so the times change nothing")
    return known


def with_records_of_batch(
    task: Task,
    candidates: Sequence[Candidate],
    times: Times,
    reviews: Sequence[KeptFile],
    note: Callable[[str], None],
    *,
    whole_batch: bool,
) -> list[Candidate]:
    """Return the candidates with their records, from the files that go with the batch.

    times: see `known_times`.  whole_batch: see `read_reviews`.  Raises `UsageError`.
    """
    has_criteria = any(question.criteria for question in task.questions)
    for file in reviews:
        if file.path.exists() or has_criteria:
            # A file that is not there is written where the task has criteria, and only there.
            check_outside(file.path, candidates, "the reviews")
    found = reviews_in(reviews, task, Whose(candidates).ids(), whole_batch=whole_batch)
    if found.strangers:
        names = ", ".join(str(file.path) for file in reviews)
        count = f"{len(found.strangers)} more who are not in this batch"
        note(f"{names} has reviews of {count}: {listed(found.strangers)}")
    return with_records(candidates, times, found.by_student, note)


def with_extensions(
    task: Task, candidates: Sequence[Candidate], note: Callable[[str], None], *, whole_batch: bool
) -> list[Candidate]:
    """Return the candidates with the spec's extensions, where these use another name than the id."""
    given = list(candidates)
    whose = Whose(candidates)
    for extension in task.late.extensions if task.late is not None else ():
        found = whose.of(extension.student)
        if not found and whole_batch:
            note(f"the extensions name {extension.student}, who is not in this batch")
        is_sure = bool(whose.sure(extension.student))
        if found and not is_sure:
            tell_doubt(extension.student, "the extensions name", found, note)
        for place, each in enumerate(candidates):
            if each not in found or each.id == extension.student:
                continue
            given[place] = _extended(given[place], extension, task) if is_sure else pending(each)
    return given


def _extended(candidate: Candidate, extension: Extension, task: Task) -> Candidate:
    """Return a candidate, its deadline the latest of those that the roster and the spec grant."""
    late, record = task.late, candidate.record or Record()
    assert late is not None
    own = replace(extension, student=candidate.id)
    if record.extension is not None:
        latest = max(late.deadline_of(candidate.id, each) for each in (own, record.extension))
        own = Extension(candidate.id, latest)
    attempts = tuple(
        replace(each, record=replace(each.record or Record(), extension=own)) for each in candidate.attempts
    )
    return replace(candidate, record=replace(record, extension=own), attempts=attempts)


def add_what_awaits(
    task: Task,
    reviews: Sequence[KeptFile],
    awaiting: Mapping[str, Sequence[str]],
    works: Mapping[str, str],
    students: Iterable[str],
    note: Callable[[str], None],
) -> None:
    """Add the criteria that await a person to the first file of reviews, and say so; never fails a run.

    awaiting: the criteria, by student.  works: the digests of their works.  students: all of the batch.
    """
    if not awaiting:
        return
    count = sum(map(len, awaiting.values()))
    what = f"{'1 criterion awaits' if count == 1 else f'{count} criteria await'} the marker"
    if not reviews:
        note(f"{what}; they are not written down, as there shall be no reviews")
        return
    first, *others = reviews
    try:
        known = reviews_in(others, task, set(students), whole_batch=False)
        refusal = add_awaited(first.path, task, awaiting, set(students), works, known, first.content)
    except OSError as error:
        refusal = error.strerror or str(error)
    except (UsageError, ValueError) as error:
        refusal = str(error)
    if refusal:
        note(f"what is awaited was not added to {first.path}: {refusal}")
    note(f"{what}: write the marks into {first.path}, and mark again")
