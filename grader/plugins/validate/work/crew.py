"""Does jobs in several processes, but those with a result of an earlier run.

Jobs are begun before their results are asked for, so that no core is idle while a long one runs.
"""

from collections.abc import Callable, Sequence
from concurrent.futures import FIRST_COMPLETED, BrokenExecutor, Future, wait
from dataclasses import dataclass
from multiprocessing.util import Finalize

from grader.engine.run_config import RunConfig
from grader.model.closing import Closing
from grader.model.errors import Fault, UsageError
from grader.model.task import Task
from grader.plugins.validate.work.jobs import Job, JobContext, Result
from grader.plugins.validate.work.known import JobCache
from grader.runtime.cores import one_for_each
from grader.runtime.pool import ProcessPool
from grader.runtime.start import pool
from grader.sandbox.zygote import SandboxFailure

TellDone = Callable[[str, int, int], None]
"""Is told what is being done, how many jobs are done, and how many have been begun so far."""


@dataclass(frozen=True, slots=True)
class PendingJob:
    """A job that was begun.  key: of its result.  future: None where it is known, or comes later."""

    job: Job
    key: str
    future: Future[Result] | None = None


class JobPool(Closing):
    """Does jobs.  Use it as a context manager.

    prepare: prepares the run, once there is a job whose result is not known.
    processes: 1 does them in this process, when their results are asked for.  tell: see `TellDone`.
    kept: number of results that came from an earlier run.
    """

    def __init__(
        self,
        task: Task,
        prepare: Callable[[], RunConfig],
        known: JobCache,
        processes: int,
        tell: TellDone,
    ) -> None:
        self._task = task
        self._known = known
        self._tell = tell
        self._processes = processes
        self._make_config = prepare
        self._pool: ProcessPool | None = None
        self._bench: JobContext | None = None
        self._open: dict[Future[Result], str] = {}
        """The keys of the results that are still to come."""
        self._total = self._done = 0
        self.kept = 0

    def begin(self, jobs: Sequence[Job]) -> list[PendingJob]:
        """Begin jobs; see `begin_one`."""
        return [self.begin_one(job) for job in jobs]

    def begin_one(self, job: Job) -> PendingJob:
        """Begin a job; `results` returns its result.  Raises `UsageError` where the sandbox fails."""
        key = self._known.key(job, self._task)
        if self._known.find(key) is not None:
            self.kept += 1
            return PendingJob(job, key)
        self._total += 1
        if self._processes == 1:
            return PendingJob(job, key)
        if self._pool is None:
            self._pool = pool(self._processes, _prepare, self._make_config(), one_for_each(self._processes))
        try:
            future: Future[Result] = self._pool.submit(_run, job)
        except BrokenExecutor as failure:
            raise _failed(failure) from failure
        self._open[future] = key
        return PendingJob(job, key, future)

    def results(self, stage: str, begun: Sequence[PendingJob]) -> list[Result]:
        """Return the results of jobs, in order.  stage: for people.

        Raises `UsageError` where the sandbox fails.
        """
        self._tell(stage, self._done, self._total)
        try:
            self._await(stage, {one.future for one in begun if one.future is not None})
            return [self._result(stage, one) for one in begun]
        except (SandboxFailure, BrokenExecutor) as failure:
            raise _failed(failure) from failure

    def do(self, stage: str, jobs: Sequence[Job]) -> list[Result]:
        """Begin jobs, and return their results."""
        return self.results(stage, self.begin(jobs))

    def _await(self, stage: str, wanted: set[Future[Result]]) -> None:
        """Wait until all wanted jobs are done, and count the others that end meanwhile."""
        while not all(future.done() for future in wanted):
            ended, _ = wait(self._open, return_when=FIRST_COMPLETED)
            for future in ended:
                key = self._open.pop(future)
                if not future.cancelled() and future.exception() is None:
                    # At once, so that an interrupted run loses nothing.
                    self._known.add(key, future.result())
            self._done += len(ended)
            self._tell(stage, self._done, self._total)

    def _result(self, stage: str, begun: PendingJob) -> Result:
        known = self._known.find(begun.key)
        if known is not None:
            return known[0]
        if begun.future is not None:
            result = begun.future.result()
        else:
            if self._bench is None:
                self._bench = JobContext(self._make_config())
            result = begun.job.run(self._bench)
            self._done += 1
            self._tell(stage, self._done, self._total)
        self._known.add(begun.key, result)
        return result

    def close(self) -> None:
        if self._pool is not None:
            self._pool.shutdown(cancel_futures=True)
        if self._bench is not None:
            self._bench.close()


def _failed(failure: Exception) -> UsageError:
    return UsageError(Fault(f"the sandbox fails: {failure}", hint="see grader doctor"))


_bench: JobContext | None = None


def _prepare(config: RunConfig) -> None:
    """In a process of the pool: get ready."""
    global _bench
    _bench = JobContext(config)
    # A forked process does not run the handlers of `atexit`.
    Finalize(None, _bench.close, exitpriority=1)


def _run(job: Job) -> Result:
    """In a process of the pool: do a job.  Raises `SandboxFailure`."""
    assert _bench is not None
    return job.run(_bench)
