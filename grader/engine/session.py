"""A marking session: from the submissions' folders to the results and their pages.

This is `grader mark` without its terminal.  A session makes all refusals before it writes anything.  It
records each result as it comes, so the next session continues an interrupted one.
"""

from collections.abc import Callable, Generator, Sequence
from contextlib import closing
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Protocol

from grader.course.terms import KIND, CourseSource, terms_beside, with_terms
from grader.engine.batch import Machines
from grader.engine.cache.installed import releases
from grader.engine.cache.keys import Known, nothing_known
from grader.engine.output_folder import (
    RESULTS,
    check_apart,
    check_task,
    check_writable,
    earlier_store,
    existing_store,
    make_folder,
    new_store,
    note_absent,
    note_unmarked,
    refusing_to_write,
    submissions,
)
from grader.engine.proof.prover import Prover, no_proof
from grader.engine.provenance import made_by, with_earlier
from grader.engine.release import hold
from grader.engine.remembered import remembered
from grader.engine.run import mark_batch
from grader.engine.unsettled import IsSettled, place_of, published
from grader.intake import Candidate
from grader.model.errors import Fault, UsageError
from grader.model.events import (
    Event,
    RunFinished,
    RunStarted,
    SpecProven,
    SubmissionKept,
    SubmissionMarked,
    TellPhase,
)
from grader.model.results import RunInfo, RunResults, SubmissionResult, TaskHead
from grader.model.task import Task
from grader.records.beside import NO_SOURCES, RunFiles, Sources, files_beside, run_files
from grader.records.first_seen import AUTHOR, MarkedBefore, moved_marks, telling_of_moved, with_works
from grader.records.handed_in import handed_in
from grader.records.instead import with_instead
from grader.records.last_run import written_to
from grader.records.of_batch import add_what_awaits
from grader.records.whose import Whose
from grader.reports.foreign import check_ours
from grader.reports.held import is_held
from grader.reports.render import render
from grader.reports.student_files import FOLDERS
from grader.reports.views.cohort.cohort import Cohort
from grader.reports.written_pages import STAFF_FOLDER
from grader.runtime.code_identity import own_identity
from grader.runtime.cores import default_processes
from grader.sandbox.driver import Driver
from grader.sandbox.interpreter import find_interpreter
from grader.spec.places import Places
from grader.store.reading import stream_results
from grader.store.record_parts import KeptFile, RecordedRun, pack, pack_spec
from grader.store.results_json import submission_of, write_texts
from grader.store.run_store import RunStore


@dataclass(frozen=True, slots=True)
class Options:
    """The options of a session.

    folder: for the results.  python: see `find_interpreter`; empty for the spec's choice.
    required: the weakest driver to accept.  jobs: submissions marked at a time; 0 for one per core.
    only: the submissions to mark, empty for all.  starts_over: keep nothing of earlier runs.
    sources: what the marker names beside the submissions.  released: students may see the hidden cases.
    anyway: mark although the spec has faults that its reference shows.
    again: machines whose marks are thrown away and made again.
    earlier: an output folder whose record this one starts with; None for none.
    holds: hold students' pages back, now and later, until they are released.
    course: the task of a course that is marked; None for a spec by itself.
    terms: what the course says of it; None to find out.
    """

    folder: Path
    python: str = ""
    required: Driver = Driver.LANDLOCK
    jobs: int = 0
    only: tuple[str, ...] = ()
    starts_over: bool = False
    sources: Sources = NO_SOURCES
    released: bool = False
    anyway: bool = False
    again: tuple[str, ...] = ()
    earlier: Path | None = None
    holds: bool = False
    course: CourseSource | None = None
    terms: KeptFile | None = None


class Display(Protocol):
    """Shows the progress of a run."""

    def say(self, text: str) -> None:
        """Show a line of our own words."""

    def note(self, text: str) -> None:
        """Show what a person has to know, also one who wants no progress; called from any thread."""

    def see(self, event: Event) -> None:
        """Take in an event of the run."""


class Session:
    """One session.  Use it as a context manager, in which `begin`, `record` and `render` come in this order.

    candidates: the submissions.  total: number of submissions in the run.  done: those with a result.
    kept: number of those results that come from earlier runs.
    """

    def __init__(
        self,
        task: Task,
        paths: Sequence[Path],
        options: Options,
        note: Callable[[str], None],
        *,
        places: Places | None = None,
        recorded: Sequence[Candidate] = (),
        recorded_files: tuple[KeptFile, ...] = (),
        recorded_results: Path | None = None,
    ) -> None:
        """Find the submissions, and check that the folder can take the results.  Raises `UsageError`.

        note: called with sentences for people.  places: of the task in its spec.
        recorded: the submissions of an earlier run to mark again, instead of those that are handed in; they
        bring their times and reviews along.  recorded_files: those that these were read from.
        recorded_results: the results of that run.
        """
        self._task = task
        self._places = places or Places()
        self._options = options
        self._note = note
        self._files = RunFiles()
        check_writable(options.folder)
        if recorded:
            terms = next((file for file in recorded_files if file.kind == KIND), None)
            instead: tuple[KeptFile, ...] = ()
            self._task, _ = with_terms(task, terms)
            self.candidates = list(recorded)
        else:
            last = remembered(options.folder, options.earlier, task.id)
            sources = options.sources
            terms = options.terms or terms_beside(
                options.course, last, note, goes_without=KIND in options.sources.without
            )
            self._task, granted = with_terms(task, terms)
            self._files = files_beside(task, sources, last, note)
            found = handed_in(self._task, paths, sources, note, self._files, granted, last)
            self.candidates, instead = with_instead(self._task, found, sources, last, note)
        kept = recorded_files or (*self._files.every, *filter(None, (terms,)), *instead)
        self._kept_files = written_to(options.folder, kept)
        self._options = options = replace(options, only=_ids_of(options.only, self.candidates))
        check_apart(options.folder, paths)
        check_task(options.folder, task.id)
        holds = options.holds or is_held(options.folder)
        check_ours(
            options.folder, [each.id for each in self.candidates], (STAFF_FOLDER,) if holds else FOLDERS
        )
        self._store: RunStore | None = None
        self._again: set[str] = set()
        """The submissions whose earlier results count for nothing, since a machine had a part in them."""
        self._earlier: RunStore | None = None
        """The record of another folder, which this folder's record starts with."""
        self._compared = recorded_results
        self._before: MarkedBefore | None = None
        """Earlier results, where the record has none of an id; None until they are asked for."""
        self._known: dict[str, str] = {}
        """The keys of earlier results, by submission."""
        self.total = len(self.candidates)
        self.done = 0
        self.kept = 0

    @property
    def task(self) -> Task:
        """The task, with the deadline of its course if its spec has none."""
        return self._task

    def __enter__(self) -> "Session":
        """Open the record of earlier runs, and compare it with the submissions.  Raises `UsageError`."""
        folder, earlier = self._options.folder, self._options.earlier
        self._store = existing_store(folder)
        try:
            if earlier is not None:
                self._earlier = earlier_store(earlier, folder, self._task.id)
            if self._store is not None:
                self._store.claim(self._task.id)
                self._known = self._store.keys()
                if self._earlier is not None:
                    self._note(
                        f"{folder} has a record of its own, which is used instead of that in {earlier}"
                    )
            elif self._earlier is not None:
                self._known = self._earlier.keys()
            note_unmarked(folder, self.candidates, self._options.only, self._known, self._note)
            note_absent(folder, self.candidates, self._known, self._note)
        except BaseException:
            self.__exit__()
            raise
        return self

    def __exit__(self, *_: object) -> None:
        for store in (self._store, self._earlier):
            if store is not None:
                store.close()

    def begin(self, machines: Machines, tell: TellPhase) -> Generator[Event, None, None]:
        """Prepare the run, and return the events that `record` follows.

        Raises `UsageError`, `SpecNotProven` and `NoSandbox`, before anything is written.
        """
        options, known = self._options, self._known
        before = self._store or self._earlier
        evidence = self._evidence_of(before) if before is not None else nothing_known
        proven = before.proof if before is not None else no_proof
        if options.again:
            self._again = made_by(before, options.again, known) if before is not None else set()
            if before is None:
                message = "there is no record of an earlier run, so no machine made a mark"
                raise UsageError(Fault(message, str(options.folder)))
            known = {name: key for name, key in known.items() if name not in self._again}
            by = ", ".join(options.again)
            self._note(f"{submissions(len(self._again))} that {by} had a part in will be marked again")
        if options.starts_over:
            evidence, proven = nothing_known, no_proof
            # With `only`, the results of all other submissions are kept.
            known = {name: key for name, key in known.items() if options.only and name not in options.only}
        return mark_batch(
            self._task,
            self.candidates,
            python=options.python,
            required=options.required,
            known=known,
            evidence=evidence,
            only=options.only,
            machines=machines,
            tell=tell,
            prover=Prover(self._places, options.anyway, proven),
            threads=options.jobs or default_processes(),
        )

    def _evidence_of(self, before: RunStore) -> Known:
        def evidence(submission_id: str) -> bytes:
            return b"" if submission_id in self._again else before.evidence(submission_id)

        return evidence

    def record(
        self,
        events: Generator[Event, None, None],
        display: Display,
        is_settled: IsSettled | None = None,
    ) -> bool:
        """Follow the run to its end, and write results.json.  Raises `UsageError`.

        is_settled: is given a file with the results before anybody else can see them; where it says no, they
        are not published, this returns False, and the next session marks again from the record.
        """
        folder = self._options.folder
        if self._store is None:
            make_folder(folder)
            if self._earlier is not None:
                self._store = self._earlier.copied_to(folder)
            else:
                self._store = new_store(folder, self._task.id)
        if self._options.holds or (self._earlier is not None and is_held(self._earlier.folder)):
            hold(folder)
        run: RunInfo | None = None
        kept: list[str] = []
        moved: list[str] = []
        with closing(events), telling_of_moved(moved, display.note):
            for event in events:
                match event:
                    case RunStarted(run=begun, submissions=total):
                        self.total = total
                        run = replace(begun, files=run_files(self._kept_files))
                        self._store.begin(run.id, self._about(run), pack_spec(self._task))
                        where = f"with Python {run.python}; sandbox: {run.sandbox.driver}"
                        display.say(f"marking {submissions(total)} {where}")
                    case SpecProven(key=key, proof=proof):
                        with refusing_to_write(folder):
                            self._store.add_proof(key, proof)
                    case SubmissionKept(id=submission_id):
                        kept.append(submission_id)
                        self.kept += 1
                        self.done += 1
                    case SubmissionMarked(result=result, key=key, evidence=evidence, work=work):
                        if not self._options.starts_over and result.id not in self._again:
                            result = with_earlier(result, self._store)
                        before = self._result_before(result.id)
                        result = with_works(result, before)
                        moved += moved_marks(result, before)
                        event = replace(event, result=result)
                        with refusing_to_write(folder):
                            self._store.append(result, key, evidence, work)
                        self.done += 1
                    case RunFinished(finished=time):
                        assert run is not None
                        head = RunResults(replace(run, finished=time), TaskHead.of(self._task))
                        with refusing_to_write(folder):
                            # They are durable already, so the note that they hold can wait until now.
                            self._store.keep(kept)
                            # Where the disk is full, the texts end here, and not after their database.
                            with closing(self._store.texts()) as texts:
                                write_texts(place_of(folder, is_settled), head, texts)
                display.see(event)
        assert self._store is not None
        if not published(folder, is_settled):
            return False
        self._store.finish()
        return True

    def _result_before(self, submission_id: str) -> SubmissionResult | None:
        """Return an earlier result with marks by hand: of the record or, without one, of the results file."""
        assert self._store is not None
        text = self._store.text(submission_id) if self._compared is None else ""
        if AUTHOR in text:
            return submission_of(text)
        if self._before is None:
            folder = self._options.folder if self._earlier is None else self._earlier.folder
            self._before = MarkedBefore(self._compared or folder / RESULTS, self.candidates)
        return self._before.of(submission_id)

    def text_of(self, submission_id: str) -> str:
        """Return a recorded result as a line of results.json; empty if it is missing or damaged."""
        return self._store.text(submission_id) if self._store is not None else ""

    def _about(self, run: RunInfo) -> bytes:
        """Return how the run was started, for its record."""
        python = self._options.python or self._task.python
        interpreter = find_interpreter(python)
        return pack(
            RecordedRun(
                info=run,
                python=python,
                command=interpreter.command,
                code=own_identity(),
                packages=tuple(releases(self._task.packages, interpreter)),
                files=self._kept_files,
            )
        )

    def render(self) -> tuple[RunResults, Cohort]:
        """Write the pages; return the results and the figures of the cohort.

        The record stays open while pages are written, so that no other grader writes into the folder between
        our files.  Raises `UsageError`.
        """
        options, processes = self._options, self._options.jobs or default_processes()
        results = stream_results(options.folder / RESULTS)
        return results, render(results, options.folder, options.released, processes)

    def add_what_awaits(self, cohort: Cohort) -> None:
        """Add the criteria that await a person to the file of reviews."""
        awaiting = {row.id: row.awaiting for row in cohort.rows if row.awaiting}
        works = {row.id: row.work for row in cohort.rows if row.awaiting}
        add_what_awaits(self._task, self._files.reviews, awaiting, works, self.candidates, self._note)

    def interruption(self) -> str:
        """Return the message for a session that was interrupted."""
        at = f": {self.done} of {submissions(self.total)} marked"
        if 0 < self.done == self.total:
            at = " while the report was written"
        command = "the same command without --no-cache" if self._options.starts_over else "the same command"
        return f"interrupted{at}; {command} goes on from there"


def _ids_of(names: Sequence[str], candidates: Sequence[Candidate]) -> tuple[str, ...]:
    """Return the ids of the submissions that are named; a name of none as it is.  Raises `UsageError`."""
    whose = Whose(candidates)
    found = []
    for name in names:
        ids = [each.id for each in whose.of(name)] or [name]
        if len(ids) > 1:
            raise UsageError(Fault(f"{name!r} may be any of {', '.join(ids)}", hint="name one by its id"))
        found += ids
    return tuple(found)
