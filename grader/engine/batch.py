"""A batch: many submissions, several at a time, one stream of events.

Nothing that happens to one submission stops the others.  A worker process that dies is
replaced, and the submissions it held are tried again, each at most twice.  A submission with a
case that was near its time limit, or that waited, is marked once more at the end, when nothing else
of ours runs.
"""

from collections.abc import Callable, Generator, Iterator, Sequence
from concurrent.futures import BrokenExecutor, Executor, Future
from dataclasses import replace
from queue import SimpleQueue
from typing import TypeAlias

from grader.engine.cores import one_for_each
from grader.engine.own_processes import pool
from grader.engine.process_pool import ProcessPool
from grader.engine.reuse import Known, nothing_known
from grader.engine.worker_process import KeptMarker, Marked, Order, Work, mark, not_marked, prepare
from grader.intake import Candidate
from grader.model.errors import Fault, UsageError
from grader.model.frozen import dataclass

_TRIES = 2
_AHEAD = 4
"""Submissions handed to the executor for each process, so that none waits for work."""


@dataclass(frozen=True, slots=True)
class Begun:
    """A process begins to mark a submission."""

    candidate: Candidate


Step: TypeAlias = Begun | Marked
"""What happens while a batch is marked."""

MakeExecutor = Callable[[Order, int], Executor]
"""Makes an executor whose workers have called `worker_process.prepare`."""


def process_pool(order: Order, processes: int) -> Executor:
    """Return a pool of processes that are ready for `order`."""
    return pool(processes, prepare, order, one_for_each(processes))


def mark_all(
    order: Order,
    candidates: Sequence[Candidate],
    processes: int,
    make_executor: MakeExecutor = process_pool,
    known: Known = nothing_known,
) -> Generator[Step, None, None]:
    """Mark every candidate; yield when each is begun, where that is known, and what becomes of it.

    processes: 1 marks in this process.  known: returns the evidence of an earlier run, given a
    submission's id.  Closing the generator ends all that was started.  Raises `UsageError` where the
    processes cannot be started.
    """
    if processes == 1:
        yield from _mark_here(order, candidates, known)
        return
    waiting = _Waiting(candidates, known)
    while waiting:
        try:
            executor = make_executor(order, processes)
        except OSError as error:
            reason = f"{processes} processes to mark with cannot be started: {error.strerror or error}"
            raise UsageError(Fault(reason, hint="start fewer with -j; with -j 1 there are none")) from error
        try:
            yield from _until_broken(executor, order, waiting, processes)
        finally:
            executor.shutdown(cancel_futures=True)


def _mark_here(order: Order, candidates: Sequence[Candidate], known: Known) -> Iterator[Step]:
    """Mark one after another in this process."""
    with KeptMarker(order) as marker:
        for candidate in candidates:
            yield Begun(candidate)
            try:
                marked = marker.mark(Work(candidate, known(candidate.id), alone=True))
            except Exception as error:
                marked = not_marked(order.task, candidate, _in_words(error))
            yield marked


@dataclass(frozen=True, slots=True)
class _Try:
    """Work that is to be done, or being done.  number: 1 for the first time."""

    work: Work
    number: int = 1


class _Waiting:
    """What is still to be marked: first everything, then, one at a time, what has to run alone."""

    def __init__(self, candidates: Sequence[Candidate], known: Known) -> None:
        self._first = [_Try(Work(candidate)) for candidate in reversed(candidates)]
        self._alone: list[_Try] = []
        self._known = known

    def __bool__(self) -> bool:
        return bool(self._first or self._alone)

    def take(self, running: int, most: int) -> _Try | None:
        """Return what to start while so many are running; None where nothing may be."""
        if self._first and running < most:
            found = self._first.pop()
            return replace(found, work=replace(found.work, known=self._known(found.work.candidate.id)))
        if self._alone and not self._first and not running:
            return self._alone.pop()
        return None

    def give_back(self, taken: _Try) -> None:
        """Have something done that was taken and not begun."""
        (self._alone if taken.work.alone else self._first).append(taken)

    def put_back(self, failed: _Try) -> None:
        """Try something once more."""
        self.give_back(replace(failed, number=failed.number + 1))

    def put_aside(self, done: _Try, evidence: bytes) -> None:
        """Have something marked again when nothing else runs."""
        self._alone.append(_Try(Work(done.work.candidate, evidence, alone=True)))


def _until_broken(executor: Executor, order: Order, waiting: _Waiting, processes: int) -> Iterator[Step]:
    """Mark what is waiting; put back what a dead worker left."""
    running: dict[Future[Marked], _Try] = {}
    news: SimpleQueue[tuple[bool, Future[Marked]]] = SimpleQueue()
    """Work that ended, or was begun: which of the two, and the work."""
    broken = False
    if isinstance(executor, ProcessPool):
        executor.on_begin = lambda future: news.put((False, future))
    while (waiting and not broken) or running:
        while not broken and (taken := waiting.take(len(running), _AHEAD * processes)) is not None:
            try:
                future = executor.submit(mark, taken.work)
            except BrokenExecutor:
                # It died over what it has already; this was not tried.
                waiting.give_back(taken)
                broken = True
                break
            running[future] = taken
            future.add_done_callback(lambda done: news.put((True, done)))
        is_over, future = news.get()
        if not is_over:
            yield Begun(running[future].work.candidate)
            continue
        tried = running.pop(future)
        if future.cancelled():
            waiting.give_back(tried)
            broken = True
            continue
        error = future.exception()
        if error is not None:
            broken = broken or isinstance(error, BrokenExecutor)
            if tried.number < _TRIES:
                waiting.put_back(tried)
            else:
                yield not_marked(order.task, tried.work.candidate, _in_words(error))
            continue
        marked = future.result()
        if marked.near_limit:
            waiting.put_aside(tried, marked.evidence)
        else:
            yield marked


def _in_words(error: BaseException) -> str:
    return f"{type(error).__name__}: {error}"
