"""Processes of the grader's own that share its work: they are started for it and end with it.

What Ctrl-C and a request to end mean is the grader's business alone.  It ends its processes in
every case but one, when it is killed; then the kernel does.
"""

import multiprocessing
import os
import signal
import sys
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import Executor, ProcessPoolExecutor
from contextlib import contextmanager
from multiprocessing.queues import SimpleQueue
from typing import TypeVar

from grader.engine.cores import keep_to
from grader.worker import kernel

_Shared = TypeVar("_Shared")


def pool(
    processes: int, prepare: Callable[[_Shared], None], shared: _Shared, cores: Sequence[int] = ()
) -> Executor:
    """Return a pool of processes that have called `prepare` with what all of their work has in common.

    cores: the number of a core for each process to keep to; empty where they keep to none.

    They are forked where that is safe, since a fresh Python would import everything again.
    Hand work to it within `without_interrupts`, and `end` it.
    """
    context = multiprocessing.get_context("fork" if _may_fork() else "spawn")
    free_cores = context.SimpleQueue()
    for core in cores:
        free_cores.put(core)
    return ProcessPoolExecutor(
        processes,
        mp_context=context,
        initializer=_begin,
        initargs=(prepare, shared, free_cores if cores else None),
    )


def _may_fork() -> bool:
    """Whether this process has a single thread, so that a fork would copy no lock held for ever."""
    return sys.platform == "linux" and len(os.listdir("/proc/self/task")) == 1


def _begin(
    prepare: Callable[[_Shared], None], shared: _Shared, free_cores: "SimpleQueue[int] | None"
) -> None:
    """In a process of a pool: live and die with the grader, and get ready."""
    # Ctrl-C at the terminal reaches every process of the group; the grader decides what it means.
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    # A fork of the grader has the grader's own answer to this; a pool ends its processes with it.
    signal.signal(signal.SIGTERM, signal.SIG_DFL)
    signal.pthread_sigmask(signal.SIG_UNBLOCK, {signal.SIGINT, signal.SIGTERM})
    _end_with_the_grader()
    if free_cores is not None:
        keep_to(free_cores.get())
    prepare(shared)


def _end_with_the_grader() -> None:
    """Have the kernel end this process when the grader is killed and cannot do so itself.

    Otherwise it would wait for work for ever: it holds the other end of its own queue.
    """
    if sys.platform == "linux":
        kernel.prctl(kernel.PR_SET_PDEATHSIG, signal.SIGKILL)
        grader = multiprocessing.parent_process()
        if grader is not None and not grader.is_alive():
            os._exit(1)


@contextmanager
def without_interrupts() -> Iterator[None]:
    """Hold Ctrl-C and our own request to end back from what is started meanwhile, until it is ready for them.

    A pool starts its processes when it is first handed something, and they inherit the mask; one
    that is interrupted while it still imports its modules would print a traceback.
    """
    before = signal.pthread_sigmask(signal.SIG_BLOCK, {signal.SIGINT, signal.SIGTERM})
    try:
        yield
    finally:
        signal.pthread_sigmask(signal.SIG_SETMASK, before)


def end(executor: Executor) -> None:
    """End an executor at once, with whatever it still runs."""
    # Only a local pool has processes of ours; they would otherwise finish what they are at.
    processes = list((getattr(executor, "_processes", None) or {}).values())
    executor.shutdown(wait=not processes, cancel_futures=True)
    for process in processes:
        process.terminate()
    for process in processes:
        process.join()
