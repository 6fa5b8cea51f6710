"""The jobs of a run on a cluster, one per submission: assigns them to workers and retries them.

A job is sent at least once.  The result is compared with the payload.  A job that was lost, or whose result
does not fit, is sent again, to another worker if there is one.
"""

import asyncio
import hashlib
import pickle
from collections import deque
from collections.abc import Callable, Collection, Iterable
from dataclasses import dataclass, field, replace
from pathlib import Path

from grader.engine.cache.keys import Known
from grader.engine.worker import MarkedSubmission, not_marked, submissions_of
from grader.intake import Candidate
from grader.model.results import MarkOrigin
from grader.model.submission import Submission
from grader.model.task import Task
from grader.plugins.cluster.link import Worker
from grader.plugins.cluster.results import Malformed, decode_marked

_TRIES = 2
_LOSSES = 4
"""A submission that lost this many workers is taken to be the reason."""


_CARRIED_OVER = ("id", "name", "sha256", "content_sha256")
"""The fields that a result takes from its submission."""


@dataclass(slots=True)
class MarkingJob:
    """One submission to be marked.

    submission: None until it is read.  members: the same work as that of the others who handed it in.
    payload: all of these as bytes, with their digest in `sha256`.
    evidence: of an earlier run.  tries: number of failures to mark it.  losses: number of lost workers.
    refused: the workers on which it failed.
    """

    candidate: Candidate
    submission: Submission | None = None
    members: tuple[Submission, ...] = ()
    payload: bytes = b""
    sha256: str = ""
    evidence: bytes = b""
    tries: int = 0
    losses: int = 0
    refused: set[str] = field(default_factory=set)
    is_read: asyncio.Event = field(default_factory=asyncio.Event)

    def read(self, task: Task, known: Known) -> None:
        """Read the submission, and make the payload, without paths of this machine.

        The archive limits hold here, on the run's machine; a worker gets only submissions that passed them.
        """
        submission, *members = submissions_of(self.candidate, task)
        self.evidence = known(self.candidate.id)
        self.payload = pickle.dumps([_without_paths(each) for each in (submission, *members)])
        self.sha256 = hashlib.sha256(self.payload).hexdigest()
        self.submission, self.members = submission, tuple(members)


class Jobs:
    """All jobs of a run, for one event loop.

    want: called with a job that must be read; the reader then sets `is_read`.
    """

    def __init__(
        self, task: Task, candidates: Iterable[Candidate], want: Callable[[MarkingJob], None]
    ) -> None:
        self._task = task
        self._want = want
        self._waiting = deque(map(MarkingJob, candidates))
        self._left = len(self._waiting)
        self._news = asyncio.Event()

    @property
    def left(self) -> int:
        return self._left

    async def take(self, worker: Worker, eligible: Collection[str]) -> MarkingJob:
        """Wait for a job that a worker may try, read it and return it.  eligible: all workers that take jobs.

        Each taken job must end with one of `unreadable`, `put_back`, `lost`, `failed` and `done`.
        """
        while (job := self._next(worker, eligible)) is None:
            self._news.clear()
            await self._news.wait()
        try:
            if job.submission is None:
                self._want(job)
                await job.is_read.wait()
        except BaseException:
            self.put_back(job)
            raise
        return job

    def _next(self, worker: Worker, eligible: Collection[str]) -> MarkingJob | None:
        for place, job in enumerate(self._waiting):
            if worker.address not in job.refused or job.refused.issuperset(eligible):
                del self._waiting[place]
                return job
        return None

    def look_again(self) -> None:
        """Wake the lanes that wait for a job, because the eligible workers have changed."""
        self._news.set()

    def put_back(self, job: MarkingJob) -> None:
        """Take back a job that no worker tried."""
        self._waiting.appendleft(job)
        self._news.set()

    def lost(self, job: MarkingJob) -> MarkedSubmission | None:
        """Take back a job whose worker was lost; return its result if that happened too often."""
        job.losses += 1
        if job.losses < _LOSSES:
            self.put_back(job)
            return None
        return self._given_up(job, f"{job.losses} workers were lost while they marked it")

    def failed(self, job: MarkingJob, worker: Worker, reason: str) -> MarkedSubmission | None:
        """Take back a job on which a worker failed; return its result if it failed too often."""
        job.tries += 1
        job.refused.add(worker.address)
        if job.tries < _TRIES:
            self.put_back(job)
            return None
        return self._given_up(job, reason)

    def unreadable(self, job: MarkingJob) -> MarkedSubmission | None:
        """Return the result of a job that could not be read here, None for one that was read."""
        if job.submission is None or not job.submission.unreadable:
            return None
        return self._given_up(job, job.submission.unreadable)

    def done(self) -> None:
        self._left -= 1
        self._news.set()

    def _given_up(self, job: MarkingJob, reason: str) -> MarkedSubmission:
        self.done()
        return not_marked(self._task, job.candidate, reason)

    def checked(self, job: MarkingJob, about: bytes, body: bytes) -> MarkedSubmission:
        """Return the result that a worker sent for a job.

        about: the digest of the payload that it marked.  Raises `Malformed` if this is no result of the job.
        """
        if about.decode("ascii", "replace") != job.sha256:
            raise Malformed("it marked something else than it was sent")
        marked = decode_marked(body)
        assert job.submission is not None
        sent, found = (job.submission, *job.members), (marked, *marked.members)
        if len(found) != len(sent):
            raise Malformed("it sent the results of another number of people")
        for submission, one in zip(sent, found, strict=True):
            self._check(submission, one)
        return marked

    def _check(self, sent: Submission, marked: MarkedSubmission) -> None:
        result = marked.result
        if any(getattr(result, name) != getattr(sent, name) for name in _CARRIED_OVER):
            raise Malformed("it sent the result of another submission")
        asked = [question.id for question in self._task.questions]
        questions = [question.id for question in result.questions]
        if result.max_mark != self._task.marks or questions not in ([], asked):
            raise Malformed("it sent a result of another task")


def _without_paths(submission: Submission) -> Submission:
    return replace(submission, origin=Path(), attempts=tuple(map(_without_paths, submission.attempts)))


def from_worker(marked: MarkedSubmission, worker: Worker) -> MarkedSubmission:
    """Return what a worker sent, with the address by which it is known here, whatever it says."""
    made = marked.result.made or MarkOrigin(machine="", driver="", python="", grader="")
    result = replace(marked.result, made=replace(made, worker=worker.address, evidence=()))
    members = tuple(from_worker(member, worker) for member in marked.members)
    return replace(marked, result=result, members=members)
