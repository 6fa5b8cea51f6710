"""Starts the grader's own worker processes, which end with it.

The grader alone acts on Ctrl-C and on a request to end: it ends its processes itself.  When the grader is
killed, the kernel ends them.
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
from grader.runtime.pool import Helper, ProcessPool, SharedNote, answer
from grader.worker.walls import kernel

_Shared = TypeVar("_Shared")

_SAFE_PATH = "PYTHONSAFEPATH"
_INTERRUPTS = {signal.SIGINT, signal.SIGTERM} | ({signal.SIGHUP} if hasattr(signal, "SIGHUP") else set())


def pool(
    processes: int,
    prepare: Callable[[_Shared], None],
    shared: _Shared,
    cores: Sequence[int] = (),
    spare: int = 0,
) -> ProcessPool:
    """Start processes that call `prepare(shared)`, and return their pool.

    cores: the core that each process keeps to, by number; empty where they keep to none.
    spare: the number of further processes, which keep to no core, for while the work of others waits.

    The processes are forked where that is safe, since a fresh Python would import everything again.
    Raises `OSError` where they cannot be started.
    """
    make: type[BaseProcess] = multiprocessing.get_context("spawn").Process
    forks = _may_fork()
    if forks:
        make = multiprocessing.get_context("fork").Process
    helpers: list[Helper] = []
    try:
        with _safe_path():
            if not forks and sys.platform != "win32":
                # Otherwise the first fresh process starts the tracker, which lets interrupts through again.
                resource_tracker.ensure_running()
        with _safe_path(), _without_interrupts():
            for number in range(processes + spare):
                ours, theirs = multiprocessing.Pipe()
                core = cores[number] if number < len(cores) else None
                note = SharedNote() if forks else None
                arguments = (theirs, prepare, shared, core, os.getpid(), note)
                # A daemon ends with us even if an interrupt comes before our caller has the pool.
                process = make(target=_live, args=arguments, daemon=True)
                helpers.append(Helper(process, ours, note))
                process.start()
                # The process alone has its end now, so the channel closes when it ends.
                theirs.close()
        return ProcessPool(helpers, processes)
    except BaseException as error:
        for helper in helpers:
            helper.end()
        if isinstance(error, RuntimeError):  # no thread can be started
            raise OSError(str(error)) from error
        raise


def _may_fork() -> bool:
    """Tell whether this process has a single thread.  Else a fork could copy a lock that is held."""
    return sys.platform == "linux" and len(os.listdir("/proc/self/task")) == 1


@contextmanager
def _safe_path() -> Iterator[None]:
    """Have fresh processes import nothing from the current folder, which may be a student's."""
    before = os.environ.get(_SAFE_PATH)
    os.environ[_SAFE_PATH] = "1"
    try:
        yield
    finally:
        if before is None:
            del os.environ[_SAFE_PATH]
        else:
            os.environ[_SAFE_PATH] = before


@contextmanager
def _without_interrupts() -> Iterator[None]:
    """Block interrupts while the context is open, for this process and those that it starts.

    A process that is interrupted while it still imports its modules would print a traceback.
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
    note: SharedNote | None,
) -> None:
    """In a process of a pool: get ready, and work until the grader ends.  grader: its pid."""
    # Ctrl-C and the end of the terminal reach every process of the group; the grader alone acts on them.
    for number in _INTERRUPTS - {signal.SIGTERM}:
        signal.signal(number, signal.SIG_IGN)
    # A fork inherits the grader's own handler.
    signal.signal(signal.SIGTERM, signal.SIG_DFL)
    signal.pthread_sigmask(signal.SIG_UNBLOCK, _INTERRUPTS)
    _end_with(grader)
    if core is not None:
        keep_to(core)
    prepare(shared)
    answer(channel, note)


def _end_with(grader: int) -> None:
    """Have the kernel end this process when the grader is killed.

    Otherwise it would wait for work without end: processes that were forked after it hold our end of its
    channel.
    """
    if sys.platform == "linux":
        kernel.prctl(kernel.PR_SET_PDEATHSIG, signal.SIGKILL)
        if os.getppid() != grader:
            os._exit(1)
