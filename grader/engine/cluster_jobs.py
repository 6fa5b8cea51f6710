"""The submissions of a run that are to be marked elsewhere: who gets which, and what is tried again.

A job goes out at least once.  What comes back is held against what was sent; what does not fit, and
what was lost, goes out again, to somebody else where there is somebody else.
"""

import asyncio
import hashlib
import pickle
from collections import deque
from collections.abc import Collection, Iterable
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, field, replace
from pathlib import Path

from grader.engine.cluster_results import Malformed, decode_result
from grader.engine.worker_process import not_marked
from grader.intake import Candidate, read
from grader.model.results import SubmissionResult
from grader.model.submission import Submission
from grader.model.task import Task

_TRIES = 2
_LOSSES = 4
"""So many workers may be lost with a submission before it is taken to be the reason."""


@dataclass(slots=True)
class Job:
    """One submission on its way.

    submission: what was read; payload: the same as bytes, with their digest in `sha256`.
    tries: how often marking it failed.  losses: how often its worker was lost.
    refused: workers that it failed on.
    """

    candidate: Candidate
    submission: Submission | None = None
    payload: bytes = b""
    sha256: str = ""
    tries: int = 0
    losses: int = 0
    refused: set[str] = field(default_factory=set)


class Jobs:
    """All jobs of a run.  To be used from one event loop."""

    def __init__(self, task: Task, candidates: Iterable[Candidate]) -> None:
        self._task = task
        self._waiting = deque(map(Job, candidates))
        self._left = len(self._waiting)
        self._news = asyncio.Event()
        self._reader = ThreadPoolExecutor(1, "grader-intake")

    @property
    def left(self) -> int:
        """How many have no result yet."""
        return self._left

    async def take(self, worker: str, fit: Collection[str]) -> Job:
        """Wait for a job that a worker may try, and return it, read.  fit: all who take work now."""
        while (job := self._next(worker, fit)) is None:
            self._news.clear()
            await self._news.wait()
        try:
            if job.submission is None:
                # The archive limits hold here, on the run's machine; a worker sees what came through.
                loop = asyncio.get_running_loop()
                await loop.run_in_executor(self._reader, _read, job, self._task)
        except asyncio.CancelledError:
            self.put_back(job)
            raise
        return job

    def _next(self, worker: str, fit: Collection[str]) -> Job | None:
        for place, job in enumerate(self._waiting):
            if worker not in job.refused or job.refused.issuperset(fit):
                del self._waiting[place]
                return job
        return None

    def look_again(self) -> None:
        """Have those who wait for a job look again: who is fit has changed."""
        self._news.set()

    def put_back(self, job: Job) -> None:
        """Take a job back that nobody tried."""
        self._waiting.appendleft(job)
        self._news.set()

    def lost(self, job: Job) -> SubmissionResult | None:
        """Take a job back whose worker was lost; return its result if that happened too often."""
        job.losses += 1
        if job.losses < _LOSSES:
            self.put_back(job)
            return None
        return self._given_up(job, f"{job.losses} workers were lost while they had this submission")

    def failed(self, job: Job, worker: str, reason: str) -> SubmissionResult | None:
        """Take a job back that a worker failed on; return its result if it failed too often."""
        job.tries += 1
        job.refused.add(worker)
        if job.tries < _TRIES:
            self.put_back(job)
            return None
        return self._given_up(job, reason)

    def done(self, job: Job, result: SubmissionResult) -> SubmissionResult:
        """Take note that a job has its result, and return it."""
        self._left -= 1
        return result

    def _given_up(self, job: Job, reason: str) -> SubmissionResult:
        return self.done(job, not_marked(self._task, job.candidate, reason).result)

    def checked(self, job: Job, about: bytes, body: bytes) -> SubmissionResult:
        """Return the result that a worker sent for a job.

        about: the digest of what it marked.  Raises `Malformed` where this is no result of that job.
        """
        if about.decode("ascii", "replace") != job.sha256:
            raise Malformed("it marked something else than it was sent")
        result = decode_result(body)
        sent = job.submission
        assert sent is not None
        if (result.id, result.name, result.sha256) != (sent.id, sent.name, sent.sha256):
            raise Malformed("it sent the result of another submission")
        asked = [question.id for question in self._task.questions]
        marked = [question.id for question in result.questions]
        if result.max_mark != self._task.marks or marked not in ([], asked):
            raise Malformed("it sent a result of another task")
        return result

    def close(self) -> None:
        """Read no more submissions."""
        self._reader.shutdown(wait=False, cancel_futures=True)


def _read(job: Job, task: Task) -> None:
    """Read a submission and make it ready to travel: as it is, but for where it was found."""
    submission = read(job.candidate, dict(task.modules))
    job.payload = pickle.dumps(replace(submission, origin=Path()))
    job.sha256 = hashlib.sha256(job.payload).hexdigest()
    job.submission = submission
