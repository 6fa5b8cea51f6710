"""Marks submissions in a worker process of an executor.

`mark` is a plain function of plain arguments, so any `concurrent.futures.Executor` can run it.  A zygote
and the oracle's boxes are expensive, so they are made at the first submission and kept for the following
ones.
"""

import pickle
import sys
from collections.abc import Callable, Sequence
from contextlib import suppress
from dataclasses import dataclass, replace
from fractions import Fraction
from multiprocessing.util import Finalize
from typing import TypeAlias

from grader.engine.provenance import made_here
from grader.engine.run_config import RunConfig
from grader.engine.submission.marker import OnCase, SubmissionMarker, budget_of
from grader.engine.submission.memo import JudgementMemo
from grader.intake import Candidate, read_for
from grader.lab.boxes import OnWait
from grader.lab.evidence import EvidenceCache
from grader.lab.run_inputs import run_inputs
from grader.lab.tools import MarkingTools
from grader.marking.attempts import result_of_attempts
from grader.marking.criteria import overridden_whole
from grader.model.closing import Closing
from grader.model.results import Status, SubmissionResult
from grader.model.submission import Record, Submission
from grader.model.task import Task
from grader.registry.blame import blamed, is_plugins
from grader.registry.registry import PluginFailed, registry
from grader.registry.undoing import undoing
from grader.registry.watch import begin_to_watch
from grader.reports.escape import plain
from grader.runtime.pool import note_case, tell_waiting
from grader.sandbox.budget import Budget
from grader.sandbox.zygote import SandboxFailure
from grader.store.record_parts import pack_work, unpack_work

_ResultFor: TypeAlias = Callable[[Submission], SubmissionResult]


@dataclass(frozen=True, slots=True)
class WorkItem:
    """One submission to mark.

    known: the evidence of an earlier run, as its cache packed it.  postpones: see `SubmissionMarker`.
    """

    candidate: Candidate
    known: bytes = b""
    postpones: bool = False


@dataclass(frozen=True, slots=True)
class MarkedSubmission:
    """A submission with its result.  evidence: for the next run.  work: for the run's record.

    members: the same for the others who handed it in.
    """

    result: SubmissionResult
    evidence: bytes = b""
    work: bytes = b""
    members: tuple["MarkedSubmission", ...] = ()


class Marker(Closing):
    """Marks submissions one after another.  Use it as a context manager, or call `close`.

    on_wait, on_case: see `SubmissionMarker`.
    """

    def __init__(
        self, config: RunConfig, on_wait: OnWait | None = None, on_case: OnCase | None = None
    ) -> None:
        self._config = config
        self._on_wait, self._on_case = on_wait, on_case
        self._inputs = run_inputs(config.task, config.expectations, config.conditions)
        self._memo = JudgementMemo()
        self._tools: MarkingTools | None = None

    def read_and_mark(self, work: WorkItem) -> MarkedSubmission:
        """Read and mark one submission.  Raises `SandboxFailure` and `Postponed`."""
        task = self._config.task
        budget = budget_of(task)
        with budget.spending():
            submission, *members = submissions_of(work.candidate, task)
        return self.mark(submission, work.known, budget, members, postpones=work.postpones)

    def mark(
        self,
        submission: Submission,
        known: bytes = b"",
        budget: Budget | None = None,
        members: Sequence[Submission] = (),
        *,
        postpones: bool = False,
    ) -> MarkedSubmission:
        """Mark a submission that was read already.  Raises `SandboxFailure` and `Postponed`.

        A submission that could not be read is pending: the fault may be this machine's.
        Of several attempts each is marked with a budget of its own.
        known: see `WorkItem`.  budget: the rest after reading it; None for all of it.
        members: the same work as that of others, with their times and reviews; it runs once for all.
        postpones: see `SubmissionMarker`.
        """
        cache = EvidenceCache(known)
        parts = submission.attempts or (submission,)
        left = None if submission.attempts else budget
        results_for: list[_ResultFor] = []
        for part in parts:
            if part.unreadable:
                results_for.append(self._unread)
                continue
            marker = self._marker_of(part, cache, left, postpones=postpones)
            marker.run_cases()
            results_for.append(marker.result_for)
        evidence = cache.packed()
        marked = []
        for each in (submission, *members):
            results = [
                result_for(part)
                for result_for, part in zip(results_for, each.attempts or (each,), strict=True)
            ]
            result = result_of_attempts(self._config.task, each, results) if each.attempts else results[0]
            result = replace(result, made=made_here(self._config))
            marked.append(MarkedSubmission(result, evidence, pack_work(each)))
        return replace(marked[0], members=tuple(marked[1:]))

    def _marker_of(
        self, submission: Submission, cache: EvidenceCache, budget: Budget | None, *, postpones: bool
    ) -> SubmissionMarker:
        if self._tools is None:
            self._tools = MarkingTools(self._config.start, self._config.task)
        return SubmissionMarker(
            self._inputs,
            submission,
            self._tools,
            self._memo,
            cache,
            budget,
            self._on_wait,
            self._on_case,
            shrinks=True,
            postpones=postpones,
        )

    def _unread(self, submission: Submission) -> SubmissionResult:
        reason = submission.unreadable
        return not_marked(self._config.task, submission, reason, is_ours=not submission.is_doubtful).result

    def close(self) -> None:
        if self._tools is not None:
            self._tools.close()
            self._tools = None


def submissions_of(candidate: Candidate, task: Task) -> list[Submission]:
    """Return the submission that was handed in, or that an earlier run recorded, and then its members'."""
    first = unpack_work(candidate.recorded) if candidate.recorded else read_for(task, candidate)
    return [first, *(_of_member(first, member) for member in candidate.members)]


_marker: Marker | None = None


class Sent:
    """The configuration of a run on its way to a fresh process, where it imports the modules of plugins."""

    def __init__(self, config: RunConfig) -> None:
        self.config = config

    def __getstate__(self) -> bytes:
        return pickle.dumps(self.config)

    def __setstate__(self, state: bytes) -> None:
        with undoing():
            self.config = pickle.loads(state)


def prepare_sent(sent: Sent) -> None:
    """In a worker process: prepare for the submissions of a run that was sent to it."""
    prepare(sent.config)


def prepare(config: RunConfig) -> None:
    """In a worker process: prepare for the submissions of a run."""
    global _marker
    begin_to_watch(registry(), _tell)
    _marker = Marker(config, tell_waiting, note_case)
    # A forked worker process does not run the handlers of `atexit`.
    Finalize(None, _marker.close, exitpriority=1)


def _tell(text: str) -> None:
    with suppress(OSError):
        print(f"note: {plain(text)}", file=sys.stderr, flush=True)


def mark(work: WorkItem) -> MarkedSubmission:
    """In a worker process: read and mark one submission.  Raises `SandboxFailure` and `Postponed`."""
    if _marker is None:
        raise SandboxFailure("the worker process was not prepared")
    try:
        return _marker.read_and_mark(work)
    except BaseException as error:
        if isinstance(error, Exception) or not is_plugins(error):
            raise
        # It would end the process, and with it the work of others.
        raise PluginFailed(blamed(error)) from error


def not_marked(
    task: Task, candidate: Candidate | Submission, reason: str, *, is_ours: bool = True
) -> MarkedSubmission:
    """Return the result of a submission that could not be marked: pending, never zero.

    is_ours: the grader failed.  A person's mark for the whole settles it all the same.
    """
    others = candidate.members if isinstance(candidate, Candidate) else ()
    whole = overridden_whole(Fraction(0), (candidate.record or Record()).review)
    result = SubmissionResult(
        id=candidate.id,
        name=candidate.name,
        mark=Fraction(0) if whole is None else whole.after,
        max_mark=task.marks,
        status=Status.PENDING if whole is None else Status.MARKED,
        overrides=() if whole is None else (whole,),
        problems=(f"internal error: {reason}" if is_ours else reason,),
        # So a run of others alone knows that this one did not change.
        sha256="" if isinstance(candidate, Candidate) else candidate.sha256,
        person=candidate.person,
    )
    return MarkedSubmission(result, members=tuple(not_marked(task, member, reason) for member in others))


def _of_member(submission: Submission, member: Candidate) -> Submission:
    """Return a submission as that of another who handed it in.

    What was recorded of a member has attempts with their own times.
    """
    if member.recorded:
        return unpack_work(member.recorded)
    attempts = tuple(
        _of_member(attempt, own) for attempt, own in zip(submission.attempts, member.attempts, strict=True)
    )
    return replace(
        submission,
        id=member.id,
        name=member.name,
        record=member.record,
        person=member.person,
        attempts=attempts,
    )
