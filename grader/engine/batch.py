"""A batch: many submissions, several at a time, one stream of events.

Nothing that happens to one submission stops the others.  A worker process that dies is replaced, and the
submissions it held are tried again, each at most twice.  While something of a submission waits, it uses no
core, and another submission is begun.
"""

from collections import deque
from collections.abc import Callable, Generator, Iterator, Sequence
from concurrent.futures import BrokenExecutor, Executor, Future
from dataclasses import dataclass, replace
from enum import Enum, auto
from queue import Empty, SimpleQueue
from typing import Any, TypeAlias

from grader.engine.cache.keys import Known, nothing_known
from grader.engine.progress import Begun, Runs, UnderWay
from grader.engine.worker import KeptMarker, Marked, Order, Work, mark, not_marked, prepare
from grader.intake import Candidate
from grader.model.errors import Fault, UsageError
from grader.runtime.cores import one_for_each
from grader.runtime.pool import ProcessPool
from grader.runtime.start import pool

_TRIES = 2
_AHEAD = 4
"""Submissions handed to the executor for each process, so that none waits for work."""
_SPARE = 16
"""Processes more than work at a time, for submissions that wait.  They cost a fork until they are needed."""


Step: TypeAlias = Begun | Runs | Marked
"""What happens while a batch is marked."""

MakeExecutor = Callable[[Order, int, int], Executor]
"""Makes an executor of so many processes, and so many spare ones, that called `worker_process.prepare`."""


def process_pool(order: Order, processes: int, spare: int) -> Executor:
    """Return a pool of processes that are ready for `order`."""
    return pool(processes, prepare, order, one_for_each(processes), spare)


def mark_all(
    order: Order,
    candidates: Sequence[Candidate],
    processes: int,
    make_executor: MakeExecutor = process_pool,
    known: Known = nothing_known,
) -> Generator[Step, None, None]:
    """Mark every candidate; yield when each is begun, which of its cases take long, and what becomes of it.

    The first two are told where they are known.

    processes: 1 marks in this process, one submission after another.  known: returns the evidence of an
    earlier run, given a submission's id.  Closing the generator ends all that was started.  Raises
    `UsageError` where the processes cannot be started.
    """
    if processes == 1:
        yield from _mark_here(order, candidates, known)
        return
    waiting = deque(_Try(Work(candidate)) for candidate in candidates)
    while waiting:
        spare = min(_SPARE, max(0, len(waiting) - processes))
        try:
            executor = make_executor(order, processes, spare)
        except OSError as error:
            reason = f"{processes} processes to mark with cannot be started: {error.strerror or error}"
            raise UsageError(Fault(reason, hint="start fewer with -j; with -j 1 there are none")) from error
        try:
            yield from _until_broken(executor, order, waiting, _AHEAD * processes + spare, known)
        finally:
            executor.shutdown(cancel_futures=True)


def _mark_here(order: Order, candidates: Sequence[Candidate], known: Known) -> Iterator[Step]:
    """Mark one after another in this process."""
    with KeptMarker(order) as marker:
        for candidate in candidates:
            yield Begun(candidate)
            try:
                marked = marker.mark(Work(candidate, known(candidate.id)))
            except Exception as error:
                marked = not_marked(order.task, candidate, _in_words(error))
            yield marked


class _News(Enum):
    """What there is to tell of a piece of work: with its slip, with whether it waits, and with nothing."""

    BEGUN = auto()
    WAITS = auto()
    ENDED = auto()


@dataclass(frozen=True, slots=True)
class _Try:
    """Work that is to be done, or being done.  number: 1 for the first time."""

    work: Work
    number: int = 1


def _until_broken(
    executor: Executor, order: Order, waiting: deque[_Try], most: int, known: Known
) -> Iterator[Step]:
    """Mark what is waiting; put back what a dead worker left.  most: submissions handed over at a time."""
    running: dict[Future[Marked], _Try] = {}
    news: SimpleQueue[tuple[_News, Future[Marked], Any]] = SimpleQueue()
    under_way = UnderWay()
    broken = False
    if isinstance(executor, ProcessPool):
        executor.on_begin = lambda future, slip: news.put((_News.BEGUN, future, slip))
        executor.on_wait = lambda future, waits: news.put((_News.WAITS, future, waits))
    while (waiting and not broken) or running:
        while waiting and not broken and len(running) < most:
            taken = waiting.popleft()
            candidate = taken.work.candidate
            try:
                future = executor.submit(mark, replace(taken.work, known=known(candidate.id)))
            except BrokenExecutor:
                # It died over what it has already; this was not tried.
                waiting.appendleft(taken)
                broken = True
                break
            running[future] = taken
            future.add_done_callback(lambda done: news.put((_News.ENDED, done, None)))
        yield from under_way.look()
        try:
            kind, future, told = news.get(timeout=under_way.patience_s)
        except Empty:
            continue
        if kind is _News.BEGUN:
            yield under_way.begin(future, running[future].work.candidate, told)
            continue
        if kind is _News.WAITS:
            under_way.wait(future, told)
            continue
        under_way.end(future)
        tried = running.pop(future)
        if future.cancelled():
            waiting.appendleft(tried)
            broken = True
            continue
        error = future.exception()
        if error is None:
            yield future.result()
            continue
        broken = broken or isinstance(error, BrokenExecutor)
        if tried.number < _TRIES:
            waiting.appendleft(replace(tried, number=tried.number + 1))
        else:
            yield not_marked(order.task, tried.work.candidate, _in_words(error))


def _in_words(error: BaseException) -> str:
    return f"{type(error).__name__}: {error}"
