"""The records of a batch: reads the times and the reviews that go with it, and adds what awaits a person."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from types import MappingProxyType

from grader.intake import Candidate
from grader.intake.names import listed, shown
from grader.model.errors import Fault, UsageError
from grader.model.policy import Extension
from grader.model.submission import Record, Review
from grader.model.task import Task
from grader.records.attach import check_outside, with_records
from grader.records.beside import RunFiles
from grader.records.granted import Granted
from grader.records.owners.earlier import NamesOfAll, may_be_now
from grader.records.reviews.reading import reviews_in
from grader.records.reviews.template import add_awaited
from grader.records.times.by_student import Times, by_student, in_zone, times_in, together
from grader.records.times.worksheet import worksheet_in, worksheet_times
from grader.records.whose import Whose, pending, tell_doubt
from grader.store.record_parts import KeptFile


def known_times(
    task: Task,
    candidates: Sequence[Candidate],
    files: RunFiles,
    granted: Granted,
    note: Callable[[str], None],
    *,
    of_roster: bool,
) -> Times:
    """Return the times of the files that go with the batch, in their zones.  Raises `UsageError`.

    of_roster: without such files, those of a roster that is Moodle's worksheet of the assignment count.
    """
    known = []
    named = [file for file in files.times if worksheet_in(file.content, str(file.path)) is None]
    for file in files.times:
        check_outside(file.path, candidates, "the times")
        if task.late is not None or file in named:
            known.append(times_in(file.path, file.content))
        else:
            # It can be the sheet that the marks go into: without a deadline its dates keep nobody waiting.
            known.append(_if_known(file, note))
    if named and task.late is None:
        note(f"{task.id} has no deadline, so the times change nothing")
    if not files.times and files.roster is not None and task.late is not None and of_roster:
        known.append(_of_roster(files.roster, note))
    if any(each.tzinfo is None for times in known for every in times.values() for each in every):
        note(f"times without a zone were taken for {granted.zone_shown(task)}")
    return together(in_zone(times, granted.zone_for(task)) for times in known)


def _if_known(file: KeptFile, note: Callable[[str], None]) -> Times:
    """Return the times in a worksheet; where they can't be read, that is told."""
    try:
        return times_in(file.path, file.content)
    except UsageError as error:
        note(f"the times in {file.path} do not count: {error.faults[0].message}")
        return {}


def _of_roster(roster: KeptFile, note: Callable[[str], None]) -> Times:
    """Return the times in a roster that is Moodle's worksheet; where they can't be read, that is told."""
    sheet = worksheet_in(roster.content, str(roster.path))
    if sheet is None:
        return {}
    try:
        found = by_student(worksheet_times(sheet))
    except UsageError as error:
        note(f"the roster's times do not count: {error.faults[0].message}; give them with --times")
        return {}
    note(f"the times of the submissions come from the roster, {roster.path}")
    return found


def with_records_of_batch(
    task: Task,
    candidates: Sequence[Candidate],
    times: Times,
    reviews: Sequence[KeptFile],
    note: Callable[[str], None],
    *,
    whole_batch: bool,
    results: Path | None = None,
    others: Mapping[str, str] = MappingProxyType({}),
) -> list[Candidate]:
    """Return the candidates with their records, from the files that go with the batch.

    times: see `known_times`.  whole_batch: see `read_reviews`.  results: of the last run.
    others: see `ids_of_others`.  Raises `UsageError`.
    """
    has_criteria = any(question.criteria for question in task.questions)
    for file in reviews:
        if file.path.exists() or has_criteria:
            # A file that is not there is written where the task has criteria, and only there.
            check_outside(file.path, candidates, "the reviews")
    whose = Whose(candidates)
    known = NamesOfAll(whose.names(), results) if whole_batch else whose.names()
    written: dict[str, str] = {}

    def id_of(name: str) -> str:
        return written.setdefault(name, whose.id_of(name))

    found = reviews_in(reviews, task, known, whole_batch=whole_batch, id_of=id_of)
    names = ", ".join(str(file.path) for file in reviews)
    given_to = {own_id for own_id, review in found.by_student.items() if review != Review()}
    hint = "write mails or whole names there, or give ids on the roster that stay the same"
    if faults := [
        Fault(f"`{shown(name)}` {others[name]}", names, hint=hint)
        for name, own_id in written.items()
        if name in others and own_id in given_to
    ]:
        raise UsageError(*faults)
    given = with_records(candidates, times, found.by_student, note, has_attempts=task.attempts is not None)
    strangers = []
    for name, own in found.by_student.items():
        if whose.of(name) or (own == Review() and name not in found.strangers):
            continue
        meant = known.of_earlier(name) if isinstance(known, NamesOfAll) else ()
        if not (them := may_be_now(meant, candidates)):
            strangers.append(name)
            continue
        tell_doubt(name, "there is a review of", them, note)
        ids = {each.id for each in them}
        given = [pending(each) if each.id in ids else each for each in given]
    if strangers:
        count = f"{len(strangers)} more who are not in this batch"
        note(f"{names} has reviews of {count}: {listed(strangers)}")
    return given


def with_extensions(
    task: Task,
    candidates: Sequence[Candidate],
    granted: Sequence[Extension],
    note: Callable[[str], None],
    *,
    whole_batch: bool,
) -> list[Candidate]:
    """Return the candidates with the spec's extensions, where these use another name than the id.

    granted: further extensions, which no spec has.  A name of nobody is told and not refused, also with a
    roster: people leave, and one spec may serve two classes.
    """
    given = list(candidates)
    whose = Whose(candidates)
    strangers: list[str] = []
    of_spec = task.late.extensions if task.late is not None else ()
    for extension in (*of_spec, *granted):
        found = whose.of(extension.student)
        if not found and whole_batch:
            strangers.append(extension.student)
        is_sure = bool(whose.sure(extension.student))
        if found and not is_sure:
            tell_doubt(extension.student, "the extensions name", found, note)
        for place, each in enumerate(candidates):
            is_known = each.id == extension.student and extension in of_spec
            if each not in found or is_known:
                continue
            given[place] = _extended(given[place], extension, task) if is_sure else pending(each)
    if strangers:
        be = "is" if len(strangers) == 1 else "are"
        note(f"the extensions name {listed(strangers)}, who {be} not in this batch")
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
    candidates: Sequence[Candidate],
    note: Callable[[str], None],
) -> None:
    """Add the criteria that await a person to the first file of reviews, and say so; never fails a run.

    awaiting: the criteria, by student.  works: the digests of their works.  candidates: all of the batch.
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
        whose = Whose(candidates)
        students = {each.id for each in candidates}
        known = reviews_in(others, task, students, whole_batch=False, id_of=whose.id_of)
        refusal = add_awaited(
            first.path, task, awaiting, students, works, known, first.content, id_of=whose.id_of
        )
    except OSError as error:
        refusal = error.strerror or str(error)
    except (UsageError, ValueError) as error:
        refusal = str(error)
    if refusal:
        note(f"what is awaited was not added to {first.path}: {refusal}")
    note(f"{what}: write the marks into {first.path}, and mark again; or mark on a page: grader review")
