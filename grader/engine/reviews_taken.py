"""Takes the marks that people gave since a run into its results, and runs nothing.

`grader report` does this.  It goes by the record alone: the spec, the works, and the results of the cases are
those of the run.  So it needs no sandbox and no submissions, and a marker can do it on another machine.

What a person gives changes little of a result, and marking computes these parts again.  First it computes
them from the reviews that the run read.  If that is not what the run recorded, something else had a part in
them, and the submission is left to `grader mark`.
"""

from collections.abc import Callable, Collection, Generator, Mapping, Sequence
from contextlib import closing
from dataclasses import dataclass, replace
from pathlib import Path

from grader.course.terms import KIND as COURSE
from grader.course.terms import decided_since, with_terms
from grader.engine.freshness import of_same_inputs
from grader.engine.output_folder import refuse_to_write
from grader.engine.record import FinishedRun, recorded_task
from grader.engine.run import new_run_id, now
from grader.judge.rules import reason_of
from grader.lab.rule_outcome import due_for_rejection
from grader.marking.penalties import DuePenalty
from grader.marking.questions import question_result
from grader.marking.totals import submission_result
from grader.model.errors import Fault, UsageError
from grader.model.results import RuleEffect, RunResults, Status, SubmissionResult, TaskHead
from grader.model.submission import Record, Review, Submission
from grader.model.task import SpecFile, Task
from grader.records.beside import run_files
from grader.records.decided import named_people
from grader.records.file_text import is_there
from grader.records.first_seen import moved_marks, with_works
from grader.records.last_run import LEFT, REVIEWS, as_they_lie, beside_now, lies_now, written_to
from grader.records.reviews.files import reviews_again, tell_of_others, were_named
from grader.records.reviews.reading import reviews_in
from grader.store.record_parts import KeptFile, RecordedRun, pack, pack_spec, pack_work
from grader.store.results_json import RESULTS_FILE, submission_of, submission_text, write_texts
from grader.store.run_store import RunStore
from grader.store.summaries import summary_of


@dataclass(frozen=True, slots=True)
class Waiting:
    """What people gave since a run, read and not yet taken in.

    begun: the start of the run, as its record has it.  files: the reviews as they are now.
    changes: the submissions whose review is another one.  others: names that `grader mark` has to look at.
    everyone: all submissions of the run.
    """

    run: FinishedRun
    task: Task
    begun: RecordedRun
    files: tuple[KeptFile, ...]
    changes: tuple["_Change", ...]
    others: tuple[str, ...]
    everyone: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Taken:
    """What came of the reviews since a run.

    ids: the submissions that have another result now.  left: those that `grader mark` has to look at.
    moved: in words, marks of criteria that are others than before.
    older_spec: the spec changed since the run, and what is taken in goes by the older one.
    """

    ids: tuple[str, ...] = ()
    left: tuple[str, ...] = ()
    moved: tuple[str, ...] = ()
    older_spec: bool = False


@dataclass(frozen=True, slots=True)
class _Change:
    """A submission whose review is another one now."""

    work: Submission
    before: Review
    now: Review


def waiting_reviews(run: FinishedRun, note: Callable[[str], None]) -> Waiting | None:
    """Return what people gave since a run; None where they gave nothing, and without a record.

    note: called with sentences for people.
    Raises `UsageError` if the reviews cannot be read, or the record lacks what they are about.
    """
    try:
        opened = run.record()
    except UsageError:
        return None
    with opened as record:
        try:
            begun = record.run()
        except UsageError:
            return None
        spec = _spec_now(record.spec().files[0].path, begun.files, run.folder)
        begun = replace(begun, files=as_they_lie(begun.files, run.folder))
        before = tuple(file for file in begun.files if file.kind == REVIEWS)
        left = {str(file.path) for file in begun.files if file.kind == LEFT}
        awaits = any(each.awaiting for each in run.results.submissions)
        files = _reviews_now(begun.files, spec, run.results.task.id, note, awaits=awaits)
        terms = next((file for file in begun.files if file.kind == COURSE), None)
        decided = decided_since(terms) if terms is not None else []
        if files == before and not left and not decided:
            return None
        task, _ = with_terms(recorded_task(record), terms)
        works = {
            name: record.work(entry, name) if entry.work else None for name, entry in record.entries().items()
        }
    was, is_now = (_reviews(task, works, each) for each in (before, files))
    differing = {name for name in {*was, *is_now} if was.get(name, Review()) != is_now.get(name, Review())}
    changes, others = [], []
    answered = _answered(decided, works)
    for name in sorted(differing | left | answered):
        work, now = works.get(name), is_now.get(name, Review())
        if work is None or name in answered:
            others.append(name)
        elif _recorded(work) == now:
            continue
        elif name in left:
            others.append(name)
        else:
            changes.append(_Change(work, was.get(name, Review()), now))
    if not changes and not others:
        return None
    return Waiting(run, task, begun, files, tuple(changes), tuple(others), tuple(works))


def _spec_now(spec: Path, files: Collection[KeptFile], folder: Path) -> Path:
    """Return where the spec of a run lies now, or would lie: reviews can be copied without it.

    spec: its path then, absolute.  files: those of the run.  folder: where the record lies now.
    """
    now = lies_now(spec, files, folder)
    places = ((file.path, beside_now(file.path, files, folder)) for file in files if file.kind == REVIEWS)
    came_along = any(here != path and is_there(here, "the reviews") for path, here in places)
    return beside_now(spec, files, folder) if now == spec and came_along else now


def _reviews_now(
    files: Collection[KeptFile], spec: Path, task_id: str, note: Callable[[str], None], *, awaits: bool
) -> tuple[KeptFile, ...]:
    """Return the reviews of a run as a person left them: those that the next run takes if it names none.

    files: those of the run.  spec: where it lies now.  awaits: a person has to mark something.
    """
    before = [file.path for file in files if file.kind == REVIEWS]
    is_gone = not is_there(spec, "the spec") and not all(is_there(path, "the reviews") for path in before)
    if (before or awaits) and is_gone and not were_named(files, task_id):
        hint = "mark again with the spec where it is now"
        raise UsageError(Fault("the spec is gone, and reviews beside it", str(spec), hint=hint))
    if not before:
        return ()
    found = reviews_again(files, spec, task_id, note, tells_all=False, keeps_lost=True)
    tell_of_others(found, spec, task_id, note)
    return found


def _answered(decided: Sequence[str], works: Mapping[str, Submission | None]) -> set[str]:
    """Return the ids of those whose requests were answered since; of others what the answers call them."""
    known = [work for work in works.values() if work is not None]
    named = {text: [work.id for work in named_people(known, None, text)] for text in decided}
    return {name for text, names in named.items() for name in names or [text]}


def take(waiting: Waiting, store: RunStore) -> Taken:
    """Take into the results what people gave, as a run of its own that keeps all other results.

    store: the record of the run, open for writing.  Raises `UsageError`.
    """
    if store.last_run() != waiting.run.results.run.id:
        return Taken(left=(*waiting.others, *(change.work.id for change in waiting.changes)))
    earlier: dict[str, SubmissionResult] = {}
    given: dict[str, tuple[SubmissionResult, Submission]] = {}
    left = list(waiting.others)
    of_course = any(file.kind == COURSE for file in waiting.begun.files)
    for change in waiting.changes:
        name = change.work.id
        text = store.text(name)
        recorded = submission_of(text) if text else None
        result = _given(waiting.task, change, recorded) if recorded is not None else None
        if recorded is None or result is None or (of_course and _spends_otherwise(recorded, result)):
            left.append(name)
        else:
            earlier[name] = recorded
            given[name] = with_works(result, recorded), _with_review(change.work, change.now)
    moved = [words for result, _ in given.values() for words in moved_marks(result, earlier[result.id])]
    if given:
        _write(waiting, store, given, left)
    older_spec = bool(given) and any(map(_is_another_now, waiting.task.files))
    return Taken(tuple(sorted(given)), tuple(sorted(left)), tuple(sorted(moved)), older_spec)


def _write(
    waiting: Waiting,
    store: RunStore,
    given: Mapping[str, tuple[SubmissionResult, Submission]],
    left: Sequence[str],
) -> None:
    """Write results with the works that they are about.

    left: the names whose marks by hand are not in the results, though the files that are recorded have them.
    """
    begun, folder = waiting.begun, waiting.run.folder
    others = (file for file in begun.files if file.kind not in (REVIEWS, LEFT))
    kept = (*others, *waiting.files, *(KeptFile(LEFT, Path(name), b"") for name in left))
    files = written_to(folder, kept)
    info = replace(waiting.run.results.run, id=new_run_id(), started=now(), files=run_files(files))

    def recorded() -> Generator[str, None, None]:
        # If anything ends this, the record is as before, and so are the results: their file is not whole yet.
        with store.together():
            store.begin(info.id, pack(replace(begun, info=info, files=files)), pack_spec(waiting.task))
            for name, (result, work) in given.items():
                # Without a key, the next run marks the submission by what it finds then.
                store.append(result, "", store.evidence(name), pack_work(work))
            store.keep(name for name in waiting.everyone if name not in given)
            yield from store.texts()

    head = RunResults(replace(info, finished=now()), TaskHead.of(waiting.task))
    try:
        with of_same_inputs(folder), closing(recorded()) as lines:
            write_texts(folder / RESULTS_FILE, head, lines)
    except OSError as error:
        refuse_to_write(folder, error.strerror or str(error))
    store.finish()


def _reviews(task: Task, ids: Collection[str], files: Sequence[KeptFile]) -> Mapping[str, Review]:
    """Return what files of reviews say, by the name that stands there.  Raises `UsageError`.

    Only an id is sure to mean one submission; whom another name may mean depends on what is handed in.
    """
    return reviews_in(files, task, ids, whole_batch=False).by_student


def _recorded(work: Submission) -> Review:
    return (work.record or Record()).review


def _with_review(work: Submission, review: Review) -> Submission:
    return replace(work, record=replace(work.record or Record(), review=review))


def _given(task: Task, change: _Change, recorded: SubmissionResult) -> SubmissionResult | None:
    """Return a result with what a person gave; None where it is for `grader mark` to find.

    recorded: the result before.
    """
    work = change.work
    # An answer to a request is in no file of reviews; attempts have results that the record does not keep.
    is_plain = work.record is not None and _recorded(work) == change.before and not work.attempts
    dues = _dues(task, recorded)
    if not is_plain or dues is None or recorded.status is Status.NO_SUBMISSION:
        return None
    again = _with(task, _with_review(work, change.before), recorded, dues)
    if _without_works(again) != _without_works(recorded):
        return None
    return _with(task, _with_review(work, change.now), recorded, dues)


def _is_another_now(file: SpecFile) -> bool:
    """Tell whether a file of the spec says something else now; one that is gone says nothing."""
    try:
        return file.path.is_file() and file.path.read_bytes() != file.content
    except OSError:
        return False


def _spends_otherwise(before: SubmissionResult, now: SubmissionResult) -> bool:
    """Tell whether a course may give another deadline: nobody spends a slip day on a mark set to zero."""
    return summary_of(before).is_set_to_zero != summary_of(now).is_set_to_zero


def _with(
    task: Task, work: Submission, recorded: SubmissionResult, dues: Sequence[DuePenalty]
) -> SubmissionResult:
    """Return a recorded result with the parts that follow from the work's review.

    dues: the penalties for broken rules.
    """
    cases = {each.id: each.cases for each in recorded.questions}
    questions = tuple(question_result(one, cases.get(one.id, ())) for one in task.questions)
    found = submission_result(task, work, questions, dues)
    return replace(
        recorded,
        mark=found.mark,
        status=found.status,
        questions=found.questions,
        penalties=found.penalties,
        overrides=found.overrides,
        awaiting=found.awaiting,
        caps=found.caps,
        remarks=found.remarks,
    )


def _dues(task: Task, result: SubmissionResult) -> tuple[DuePenalty, ...] | None:
    """Return the penalties for broken rules; None where the result does not tell how much a rule takes."""
    broken = [(rule, one) for rule, one in zip(task.rules, result.rules, strict=False) if one.broken]
    rejecting = [one for _, one in broken if one.effect is RuleEffect.REJECTED]
    if rejecting:
        return due_for_rejection(task, rejecting[0])
    if any(rule.takes is not None and rule.each is not None for rule, _ in broken):
        return None
    return tuple(
        DuePenalty(reason_of(one), rule.takes)
        for rule, one in broken
        if rule.takes is not None and rule.takes.amount
    )


def _without_works(result: SubmissionResult) -> str:
    """Return a result as text, without the works that marks by hand were made for."""
    # The results before had a part in those.
    questions = tuple(
        replace(each, criteria=tuple(replace(one, work="") for one in each.criteria))
        for each in result.questions
    )
    overrides = tuple(replace(one, work="") for one in result.overrides)
    return submission_text(replace(result, questions=questions, overrides=overrides))
