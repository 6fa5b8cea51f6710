"""Processes of the grader's own that share its work: they are started for it and end with it.

What Ctrl-C and a request to end mean is the grader's business alone.  It ends its processes in
every case but one, when it is killed; then the kernel does.
"""

import multiprocessing
import os
import signal
import sys
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from multiprocessing import resource_tracker
from multiprocessing.connection import Connection
from multiprocessing.process import BaseProcess
from typing import TypeVar

from grader.runtime.cores import keep_to
from grader.runtime.pool import Helper, ProcessPool, answer
from grader.runtime.slip import Slip
from grader.worker.walls import kernel

_Shared = TypeVar("_Shared")

_INTERRUPTS = {signal.SIGINT, signal.SIGTERM} | ({signal.SIGHUP} if hasattr(signal, "SIGHUP") else set())


def pool(
    processes: int,
    prepare: Callable[[_Shared], None],
    shared: _Shared,
    cores: Sequence[int] = (),
    spare: int = 0,
) -> ProcessPool:
    """Start processes that call `prepare` with what all of their work has in common, and return their pool.

    cores: the number of a core for each process to keep to; empty where they keep to none.
    spare: so many more, which keep to no core, for while the work of others waits.

    They are forked where that is safe, since a fresh Python would import everything again.
    Raises `OSError` where they cannot be started.
    """
    make: type[BaseProcess] = multiprocessing.get_context("spawn").Process
    forks = _may_fork()
    if forks:
        make = multiprocessing.get_context("fork").Process
    elif sys.platform != "win32":
        # The first fresh process would start it, which lets interrupts through again.
        resource_tracker.ensure_running()
    helpers: list[Helper] = []
    try:
        with _without_interrupts():
            for number in range(processes + spare):
                ours, theirs = multiprocessing.Pipe()
                core = cores[number] if number < len(cores) else None
                # A daemon: should an interrupt come between our return and its use, it still ends with us.
                slip = Slip() if forks else None
                live = (theirs, prepare, shared, core, os.getpid(), slip)
                process = make(target=_live, args=live, daemon=True)
                helpers.append(Helper(process, ours, slip))
                process.start()
                # What the process has alone ends with it, and we hear of that.
                theirs.close()
        return ProcessPool(helpers, processes)
    except BaseException as error:
        for helper in helpers:
            helper.end()
        if isinstance(error, RuntimeError):  # no thread can be started
            raise OSError(str(error)) from error
        raise


def _may_fork() -> bool:
    """Whether this process has a single thread, so that a fork would copy no lock held for ever."""
    return sys.platform == "linux" and len(os.listdir("/proc/self/task")) == 1


@contextmanager
def _without_interrupts() -> Iterator[None]:
    """Hold Ctrl-C and our own request to end back from what is started meanwhile, until it is ready for them.

    A process inherits the mask; one that is interrupted while it still imports its modules would
    print a traceback.
    """
    before = signal.pthread_sigmask(signal.SIG_BLOCK, _INTERRUPTS)
    try:
        yield
    finally:
        signal.pthread_sigmask(signal.SIG_SETMASK, before)


def _live(
    channel: "Connection[bytes, bytes]",
    prepare: Callable[[_Shared], None],
    shared: _Shared,
    core: int | None,
    grader: int,
    slip: Slip | None,
) -> None:
    """In a process of a pool: live and die with the grader, get ready, and work.  grader: its pid."""
    # Ctrl-C and the end of the terminal reach every process of the group; the grader decides what they mean.
    for number in _INTERRUPTS - {signal.SIGTERM}:
        signal.signal(number, signal.SIG_IGN)
    # A fork of the grader has the grader's own answer to this.
    signal.signal(signal.SIGTERM, signal.SIG_DFL)
    signal.pthread_sigmask(signal.SIG_UNBLOCK, _INTERRUPTS)
    _end_with(grader)
    if core is not None:
        keep_to(core)
    prepare(shared)
    answer(channel, slip)


def _end_with(grader: int) -> None:
    """Have the kernel end this process when the grader is killed and cannot do so itself.

    Otherwise it would wait for work for ever: those that were forked after it hold our end of its channel.
    """
    if sys.platform == "linux":
        kernel.prctl(kernel.PR_SET_PDEATHSIG, signal.SIGKILL)
        if os.getppid() != grader:
            os._exit(1)
