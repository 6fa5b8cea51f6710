"""Marking in a process of its own: what an executor's worker does with one submission.

`mark` is a plain function of plain arguments, so any `concurrent.futures.Executor` can run it.
What is expensive to make, a zygote and the oracle's boxes, is made at the first submission and
kept for the following ones of the same order.
"""

from dataclasses import dataclass
from fractions import Fraction
from multiprocessing.util import Finalize

from grader.engine.cache.evidence import EvidenceBook
from grader.engine.submission.boxes import OnWait
from grader.engine.submission.marker import Attempt, OnCase, budget_of
from grader.engine.submission.memo import Recall
from grader.engine.submission.prepared import Expectations, prepared
from grader.engine.submission.tools import Workplace
from grader.intake import Candidate, read
from grader.model.results import Status, SubmissionResult
from grader.model.submission import Submission
from grader.model.task import Task
from grader.runtime.cores import only_core
from grader.runtime.pool import note_case, tell_waiting
from grader.sandbox.budget import Budget
from grader.sandbox.driver import Driver
from grader.sandbox.interpreter import find_interpreter
from grader.sandbox.zygote import SandboxFailure, Zygote


@dataclass(frozen=True, slots=True)
class Order:
    """What all submissions of a run have in common; it can be pickled.

    python: as `find_interpreter` takes it.
    conditions: see `grader.engine.cache.keys.conditions_key`; empty where no evidence is to be kept.
    """

    task: Task
    driver: Driver
    python: str
    expectations: Expectations
    conditions: str = ""


@dataclass(frozen=True, slots=True)
class Work:
    """One submission to be marked.

    known: the evidence of an earlier run, as its `EvidenceBook` packed it.
    """

    candidate: Candidate
    known: bytes = b""


@dataclass(frozen=True, slots=True)
class Marked:
    """What became of a submission.

    evidence: for the next run.
    """

    result: SubmissionResult
    evidence: bytes = b""


class Marker:
    """Marks submissions one after another.  Use it as a context manager, or call `close`.

    on_wait: is told when something of a submission waits, and uses no core, and when it goes on.
    on_case: is called with each case before it runs.
    """

    def __init__(self, order: Order, on_wait: OnWait | None = None, on_case: OnCase | None = None) -> None:
        """Start the zygote.  Raises `SandboxFailure`."""
        self._order = order
        self._on_wait, self._on_case = on_wait, on_case
        self._prepared = prepared(order.task, order.expectations, order.conditions)
        self._recall = Recall()
        interpreter = find_interpreter(order.python)

        def start() -> Zygote:
            return Zygote(order.driver, interpreter, order.task.preloaded, core=only_core())

        self._workplace = Workplace(start, order.task)

    def mark(self, submission: Submission, known: bytes = b"", budget: Budget | None = None) -> Marked:
        """Mark one submission.  Raises `SandboxFailure` where the sandbox fails before anything runs.

        known: see `Work`.  budget: what it may still use, given what reading it has cost.
        """
        book = EvidenceBook(known)
        attempt = Attempt(
            self._prepared,
            submission,
            self._workplace,
            self._recall,
            book,
            budget,
            self._on_wait,
            self._on_case,
        )
        return Marked(attempt.run(), book.packed())

    def close(self) -> None:
        """End the zygote and all boxes."""
        self._workplace.close()

    def __enter__(self) -> "Marker":
        return self

    def __exit__(self, *_: object) -> None:
        self.close()


class KeptMarker:
    """A marker that is made at the first submission and kept for the following ones.

    on_wait, on_case: see `Marker`.
    """

    def __init__(self, order: Order, on_wait: OnWait | None = None, on_case: OnCase | None = None) -> None:
        self._order = order
        self._on_wait, self._on_case = on_wait, on_case
        self._marker: Marker | None = None

    def mark(self, work: Work) -> Marked:
        """Read and mark one submission.  Raises `SandboxFailure`."""
        task = self._order.task
        budget = budget_of(task)
        with budget.spending():
            submission = read(work.candidate, dict(task.modules), task.repairs)
        return self.mark_read(submission, work.known, budget)

    def mark_read(self, submission: Submission, known: bytes = b"", budget: Budget | None = None) -> Marked:
        """Mark a submission that was read already.  Raises `SandboxFailure`.

        One that could not be read is pending: what this machine cannot read may well be there.
        known: see `Work`.  budget: what it may still use; None for all of it.
        """
        if submission.unreadable:
            return not_marked(self._order.task, submission, submission.unreadable)
        if self._marker is None:
            self._marker = Marker(self._order, self._on_wait, self._on_case)
        return self._marker.mark(submission, known, budget)

    def close(self) -> None:
        """End the marker, if one was made."""
        if self._marker is not None:
            self._marker.close()
            self._marker = None

    def __enter__(self) -> "KeptMarker":
        return self

    def __exit__(self, *_: object) -> None:
        self.close()


_marker: KeptMarker | None = None


def prepare(order: Order) -> None:
    """In a worker process: get ready for the submissions of one order."""
    global _marker
    _marker = KeptMarker(order, tell_waiting, note_case)
    # Not `atexit`: a forked worker process ends without it.
    Finalize(None, _marker.close, exitpriority=1)


def mark(work: Work) -> Marked:
    """In a worker process: read and mark one submission.  Raises `SandboxFailure`."""
    if _marker is None:
        raise SandboxFailure("the worker process was not prepared")
    return _marker.mark(work)


def not_marked(task: Task, candidate: Candidate | Submission, reason: str) -> Marked:
    """Return what becomes of a submission that we failed to mark: pending, never zero."""
    return Marked(
        SubmissionResult(
            id=candidate.id,
            name=candidate.name,
            mark=Fraction(0),
            max_mark=task.marks,
            status=Status.PENDING,
            problems=(f"internal error: {reason}",),
        )
    )
