"""A marking session: from the submissions' folders to the results and their pages.

This is `grader mark` without its terminal.  A session makes all refusals before it writes anything.  It
records each result as it comes, so the next session continues an interrupted one.
"""

from collections.abc import Callable, Generator, Iterator, Sequence
from contextlib import closing, contextmanager
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Protocol

from grader.engine.batch import Machines
from grader.engine.cache.installed import releases
from grader.engine.cache.keys import nothing_known
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
    refuse_to_write,
    submissions,
)
from grader.engine.proof.prover import Prover, no_proof
from grader.engine.release import hold
from grader.engine.run import mark_batch
from grader.intake import Candidate
from grader.model.events import Event, RunFinished, RunStarted, SpecProven, SubmissionKept, SubmissionMarked
from grader.model.phase import TellPhase
from grader.model.results import RunInfo, RunResults, TaskHead
from grader.model.task import Task
from grader.records.handed_in import Sources, handed_in
from grader.records.of_batch import add_what_awaits, reviews_path
from grader.reports.held import is_held
from grader.reports.render import render
from grader.reports.views.cohort.cohort import Cohort
from grader.runtime.code_identity import own_identity
from grader.runtime.cores import default_processes
from grader.sandbox.driver import Driver
from grader.sandbox.interpreter import find_interpreter
from grader.spec.places import Places
from grader.store.reading import stream_results
from grader.store.record_parts import RecordedRun, pack, pack_spec
from grader.store.results_json import write_texts
from grader.store.run_store import RunStore


@dataclass(frozen=True, slots=True)
class Options:
    """The options of a session.

    folder: for the results.  python: see `find_interpreter`; empty for the spec's choice.
    required: the weakest driver to accept.  jobs: submissions marked at a time; 0 for one per core.
    only: the submissions to mark, empty for all.  starts_over: keep nothing of earlier runs.
    times, reviews, layout, roster: see `Sources`.  released: students may see the hidden cases.
    anyway: mark although the spec has faults that its reference shows.
    earlier: an output folder whose record this one starts with; None for none.
    holds: hold students' pages back, now and later, until they are released.
    """

    folder: Path
    python: str = ""
    required: Driver = Driver.LANDLOCK
    jobs: int = 0
    only: tuple[str, ...] = ()
    starts_over: bool = False
    roster: Path | None = None
    times: Path | None = None
    reviews: Path | None = None
    released: bool = False
    layout: str = ""
    anyway: bool = False
    earlier: Path | None = None
    holds: bool = False


class Display(Protocol):
    """Shows the progress of a run."""

    def say(self, text: str) -> None:
        """Show a line of our own words."""

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
    ) -> None:
        """Find the submissions, and check that the folder can take the results.  Raises `UsageError`.

        note: called with sentences for people.  places: of the task in its spec.
        recorded: the submissions of an earlier run to mark again, instead of those that are handed in; they
        bring their times and reviews along.
        """
        self._task = task
        self._places = places or Places()
        self._options = options
        self._note = note
        self.candidates = list(recorded) or handed_in(
            task, paths, Sources(options.layout, options.roster, options.times, options.reviews), note
        )
        check_apart(options.folder, paths)
        check_writable(options.folder)
        check_task(options.folder, task.id)
        self._store: RunStore | None = None
        self._earlier: RunStore | None = None
        """The record of another folder, which this folder's record starts with."""
        self._known: dict[str, str] = {}
        """The keys of earlier results, by submission."""
        self.total = len(self.candidates)
        self.done = 0
        self.kept = 0

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
        evidence = before.evidence if before is not None else nothing_known
        proven = before.proof if before is not None else no_proof
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

    def record(self, events: Generator[Event, None, None], display: Display) -> None:
        """Follow the run to its end, and write results.json.  Raises `UsageError`."""
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
        with closing(events):
            for event in events:
                match event:
                    case RunStarted(run=run, submissions=total):
                        self.total = total
                        self._store.begin(run.id, self._about(run), pack_spec(self._task))
                        where = f"with Python {run.python}; sandbox: {run.sandbox.driver}"
                        display.say(f"marking {submissions(total)} {where}")
                    case SpecProven(key=key, proof=proof):
                        with _refusing_to_write(folder):
                            self._store.add_proof(key, proof)
                    case SubmissionKept(id=submission_id):
                        kept.append(submission_id)
                        self.kept += 1
                        self.done += 1
                    case SubmissionMarked(result=result, key=key, evidence=evidence, work=work):
                        with _refusing_to_write(folder):
                            self._store.append(result, key, evidence, work)
                        self.done += 1
                    case RunFinished(finished=time):
                        assert run is not None
                        head = RunResults(replace(run, finished=time), TaskHead.of(self._task))
                        with _refusing_to_write(folder):
                            # They are durable already, so the note that they hold can wait until now.
                            self._store.keep(kept)
                            write_texts(folder / RESULTS, head, self._store.texts())
                        self._store.finish()
                display.see(event)

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
        path = reviews_path(self._task, self._options.reviews)
        add_what_awaits(self._task, path, awaiting, [each.id for each in self.candidates], self._note)

    def interruption(self) -> str:
        """Return the message for a session that was interrupted."""
        at = f": {self.done} of {submissions(self.total)} marked"
        if 0 < self.done == self.total:
            at = " while the report was written"
        command = "the same command without --no-cache" if self._options.starts_over else "the same command"
        return f"interrupted{at}; {command} goes on from there"


@contextmanager
def _refusing_to_write(folder: Path) -> Iterator[None]:
    """Turn a full disk in the middle of a run into one message."""
    try:
        yield
    except OSError as error:
        refuse_to_write(folder, error.strerror or str(error))
