"""The submissions of a run that are to be marked elsewhere: who gets which, and what is tried again.

A job goes out at least once.  What comes back is held against what was sent; what does not fit, and
what was lost, goes out again, to another worker where there is one.
"""

import asyncio
import hashlib
import pickle
from collections import deque
from collections.abc import Callable, Collection, Iterable
from dataclasses import dataclass, field, replace
from pathlib import Path

from grader.cluster.link import Worker
from grader.cluster.results import Malformed, decode_marked
from grader.engine.cache.keys import Known
from grader.engine.worker import Marked, not_marked
from grader.intake import Candidate, read
from grader.model.submission import Submission
from grader.model.task import Task

_TRIES = 2
_LOSSES = 4
"""So many workers may be lost with a submission before it is taken to be the reason."""


_CARRIED_OVER = ("id", "name", "sha256", "content_sha256")
"""What a result has as its submission has it."""


@dataclass(slots=True)
class Job:
    """One submission on its way.

    submission: what was read; payload: the same as bytes, with their digest in `sha256`.
    evidence: that of an earlier run.
    tries: how often marking it failed.  losses: how often its worker was lost.
    refused: workers that it failed on.
    """

    candidate: Candidate
    submission: Submission | None = None
    payload: bytes = b""
    sha256: str = ""
    evidence: bytes = b""
    tries: int = 0
    losses: int = 0
    refused: set[str] = field(default_factory=set)
    is_read: asyncio.Event = field(default_factory=asyncio.Event)

    def read(self, task: Task, known: Known) -> None:
        """Make it ready to travel: as it was handed in, but for where it was found.

        The archive limits hold here, on the run's machine; a worker sees what came through.
        """
        submission = read(self.candidate, dict(task.modules), task.repairs)
        self.evidence = known(self.candidate.id)
        self.payload = pickle.dumps(replace(submission, origin=Path()))
        self.sha256 = hashlib.sha256(self.payload).hexdigest()
        self.submission = submission


class Jobs:
    """All jobs of a run.  To be used from one event loop.

    want: is called with a job that is to be read; `is_read` is to be set afterwards.
    """

    def __init__(self, task: Task, candidates: Iterable[Candidate], want: Callable[[Job], None]) -> None:
        self._task = task
        self._want = want
        self._waiting = deque(map(Job, candidates))
        self._left = len(self._waiting)
        self._news = asyncio.Event()

    @property
    def left(self) -> int:
        """How many have no result yet."""
        return self._left

    async def take(self, worker: Worker, fit: Collection[str]) -> Job:
        """Wait for a job that a worker may try, and return it, read.  fit: all who take work now.

        Each job that is taken ends with one of `unreadable`, `put_back`, `lost`, `failed` and `done`.
        """
        while (job := self._next(worker, fit)) is None:
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

    def _next(self, worker: Worker, fit: Collection[str]) -> Job | None:
        for place, job in enumerate(self._waiting):
            if worker.address not in job.refused or job.refused.issuperset(fit):
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

    def lost(self, job: Job) -> Marked | None:
        """Take a job back whose worker was lost; return its result if that happened too often."""
        job.losses += 1
        if job.losses < _LOSSES:
            self.put_back(job)
            return None
        return self._given_up(job, f"{job.losses} workers were lost while they marked it")

    def failed(self, job: Job, worker: Worker, reason: str) -> Marked | None:
        """Take a job back that a worker failed on; return its result if it failed too often."""
        job.tries += 1
        job.refused.add(worker.address)
        if job.tries < _TRIES:
            self.put_back(job)
            return None
        return self._given_up(job, reason)

    def unreadable(self, job: Job) -> Marked | None:
        """Return the result of a job that could not be read here, which no worker can help; else None."""
        if job.submission is None or not job.submission.unreadable:
            return None
        return self._given_up(job, job.submission.unreadable)

    def done(self) -> None:
        """Take note that a job has its result."""
        self._left -= 1
        self._news.set()

    def _given_up(self, job: Job, reason: str) -> Marked:
        self.done()
        return not_marked(self._task, job.candidate, reason)

    def checked(self, job: Job, about: bytes, body: bytes) -> Marked:
        """Return what a worker sent for a job.

        about: the digest of what it marked.  Raises `Malformed` where this is no result of that job.
        """
        if about.decode("ascii", "replace") != job.sha256:
            raise Malformed("it marked something else than it was sent")
        marked = decode_marked(body)
        result, sent = marked.result, job.submission
        assert sent is not None
        if any(getattr(result, name) != getattr(sent, name) for name in _CARRIED_OVER):
            raise Malformed("it sent the result of another submission")
        asked = [question.id for question in self._task.questions]
        questions = [question.id for question in result.questions]
        if result.max_mark != self._task.marks or questions not in ([], asked):
            raise Malformed("it sent a result of another task")
        return marked
