"""A batch: many submissions, several at a time, one stream of events.

Nothing that happens to one submission stops the others.  A worker process that dies is
replaced, and the submissions it held are tried again, each at most twice.
"""

import multiprocessing
import os
import signal
import sys
from collections.abc import Callable, Generator, Iterator, Sequence
from concurrent.futures import FIRST_COMPLETED, Executor, Future, ProcessPoolExecutor, wait
from concurrent.futures.process import BrokenProcessPool
from contextlib import contextmanager

from grader.engine.worker_process import KeptMarker, Order, mark, not_marked, prepare_in_pool
from grader.intake import Candidate
from grader.model.results import SubmissionResult

_TRIES = 2
_AHEAD = 4
"""Submissions handed to the executor for each process, so that none waits for work."""

MakeExecutor = Callable[[Order, int], Executor]
"""Makes an executor whose workers have called `worker_process.prepare`."""


def process_pool(order: Order, processes: int) -> Executor:
    """Return a pool of processes that are ready for `order`.

    They are forked where that is safe, since a fresh Python would import everything again.
    """
    return ProcessPoolExecutor(
        processes,
        mp_context=multiprocessing.get_context("fork" if _may_fork() else "spawn"),
        initializer=prepare_in_pool,
        initargs=(order,),
    )


def _may_fork() -> bool:
    """Whether this process has a single thread, so that a fork would copy no lock held for ever."""
    return sys.platform == "linux" and len(os.listdir("/proc/self/task")) == 1


def mark_all(
    order: Order,
    candidates: Sequence[Candidate],
    processes: int,
    make_executor: MakeExecutor = process_pool,
) -> Generator[SubmissionResult, None, None]:
    """Mark every candidate and yield the results as they come, in no particular order.

    processes: 1 marks in this process.  Closing the generator ends all that was started.
    """
    if processes == 1:
        yield from _mark_here(order, candidates)
        return
    waiting = [(candidate, 1) for candidate in reversed(candidates)]
    while waiting:
        executor = make_executor(order, processes)
        try:
            yield from _until_broken(executor, order, waiting, processes)
        finally:
            _end(executor)


def _mark_here(order: Order, candidates: Sequence[Candidate]) -> Iterator[SubmissionResult]:
    """Mark one after another in this process."""
    with KeptMarker(order) as marker:
        for candidate in candidates:
            try:
                result = marker.mark(candidate)
            except Exception as error:
                result = not_marked(order.task, candidate, _in_words(error))
            yield result


def _until_broken(
    executor: Executor, order: Order, waiting: list[tuple[Candidate, int]], processes: int
) -> Iterator[SubmissionResult]:
    """Mark what is waiting, taking it from the end; put back what a dead worker left."""
    running: dict[Future[SubmissionResult], tuple[Candidate, int]] = {}
    broken = False
    while (waiting and not broken) or running:
        while waiting and not broken and len(running) < _AHEAD * processes:
            candidate, attempt = waiting.pop()
            with _without_interrupts():
                running[executor.submit(mark, candidate)] = (candidate, attempt)
        done, _ = wait(running, return_when=FIRST_COMPLETED)
        for future in done:
            candidate, attempt = running.pop(future)
            error = future.exception()
            if error is None:
                yield future.result()
                continue
            broken = broken or isinstance(error, BrokenProcessPool)
            if attempt < _TRIES:
                waiting.append((candidate, attempt + 1))
            else:
                yield not_marked(order.task, candidate, _in_words(error))


@contextmanager
def _without_interrupts() -> Iterator[None]:
    """Hold Ctrl-C and our own request to end back from what is started meanwhile, until it is ready for them.

    A pool starts its processes when it is first handed something, and they inherit the mask; one
    that is interrupted while it still imports its modules would print a traceback.
    """
    before = signal.pthread_sigmask(signal.SIG_BLOCK, {signal.SIGINT, signal.SIGTERM})
    try:
        yield
    finally:
        signal.pthread_sigmask(signal.SIG_SETMASK, before)


def _in_words(error: BaseException) -> str:
    return f"{type(error).__name__}: {error}"


def _end(executor: Executor) -> None:
    """End an executor at once, with whatever it still runs."""
    # Only a local pool has processes of ours; they would otherwise finish what they are at.
    processes = list((getattr(executor, "_processes", None) or {}).values())
    executor.shutdown(wait=not processes, cancel_futures=True)
    for process in processes:
        process.terminate()
    for process in processes:
        process.join()
