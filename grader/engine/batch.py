"""A batch: many submissions, several at a time, one stream of steps.

A fault in one submission does not stop the others.  A worker process that dies is replaced, and the
submissions that it held are tried again, each at most twice.  While a submission waits, it uses no core, and
another one begins.

No more submissions are alive at a time, those that wait among them, than there is memory for.  Where the
system kills a process all the same, that submission is marked at the end, when nothing else is at work.
"""

import sys
from collections import deque
from collections.abc import Callable, Generator, Iterable, Iterator, Mapping, Sequence
from concurrent.futures import BrokenExecutor, Executor, Future
from contextlib import AbstractContextManager
from dataclasses import dataclass, replace
from enum import Enum, auto
from queue import Empty, SimpleQueue
from typing import Any, Protocol, TypeAlias

from grader.doctor.doctor import Examination, strongest
from grader.engine.cache.keys import Known, nothing_known
from grader.engine.host_limits import require_room, room_for
from grader.engine.progress import Begun, RunningSubmissions, Runs
from grader.engine.run_config import RunConfig
from grader.engine.submission.marker import Postponed
from grader.engine.worker import MarkedSubmission, Marker, Sent, WorkItem, mark, not_marked, prepare_sent
from grader.intake import Candidate
from grader.model.errors import Fault, UsageError
from grader.model.task import Task
from grader.registry.blame import blamed, is_plugins
from grader.runtime.cores import default_processes, one_for_each
from grader.runtime.pool import ProcessPool
from grader.runtime.start import pool
from grader.sandbox.driver import Driver
from grader.sandbox.interpreter import find_interpreter

_TRIES = 2
_AHEAD = 4
"""Submissions that the executor holds for each process, so that no process waits for work."""
_SPARE = 16
"""Extra processes that work while submissions wait.  Until then they only cost a fork."""


Step: TypeAlias = Begun | Runs | MarkedSubmission
"""One step of marking a batch."""

MakeExecutor = Callable[[RunConfig, int, int], Executor]
"""Makes an executor, given the numbers of processes and spares, that have called `worker.prepare`."""


class Machines(Protocol):
    """The place where a run's submissions are marked: this machine, or the workers of a cluster."""

    def examine(self, task: Task, python: str, required: Driver) -> Examination:
        """Return the sandbox of a run here.  Raises `NoSandbox`."""

    def mark_all(
        self, config: RunConfig, candidates: Sequence[Candidate], known: Known
    ) -> Generator[Step, None, None]:
        """Mark every candidate; yield the steps as they come.  Called after `examine`.

        known: returns the evidence of an earlier run, given a submission's id.
        Closing the generator ends everything that was started.
        """


@dataclass(frozen=True, slots=True)
class Connector:
    """The way to a kind of cluster.

    connect: takes an address, the options of `--cluster` by name (empty where not given), and what takes
        sentences for people.  Its context yields the cluster, and ends everything that was started.
        Raises `UsageError`.
    """

    connect: Callable[[str, Mapping[str, str], Callable[[str], None]], AbstractContextManager[Machines]]


class ThisMachine:
    """Marks on this machine.

    processes: number of submissions marked at a time; 0 for one per core.
    note: called with a sentence where there is room for fewer.
    """

    def __init__(self, processes: int = 0, note: Callable[[str], None] = lambda _: None) -> None:
        self._processes = processes or default_processes()
        self._note = note

    def examine(self, task: Task, python: str, required: Driver) -> Examination:
        """Return the strongest sandbox that works here.  Raises `NoSandbox`."""
        require_room(task)
        return strongest(find_interpreter(python), required)

    def mark_all(
        self, config: RunConfig, candidates: Sequence[Candidate], known: Known = nothing_known
    ) -> Generator[Step, None, None]:
        """Mark every candidate, in this process if one is marked at a time.

        Raises `UsageError` if the processes cannot be started.
        """
        processes = min(self._processes, len(candidates))
        room = room_for(config.task)
        if room.most < processes:
            self._note(f"{room.most} at a time and not {processes}, for {room.want}")
        return mark_all(config, candidates, processes, known=known, most=room.most)


def process_pool(config: RunConfig, processes: int, spare: int) -> Executor:
    """Return a pool of processes that are ready for `config`."""
    return pool(processes, prepare_sent, Sent(config), one_for_each(processes), spare)


def mark_all(
    config: RunConfig,
    candidates: Sequence[Candidate],
    processes: int,
    make_executor: MakeExecutor = process_pool,
    known: Known = nothing_known,
    most: int = sys.maxsize,
) -> Generator[Step, None, None]:
    """Mark every candidate; see `Machines.mark_all`.

    processes: 1 marks in this process, one submission after another.
    most: how many submissions may be alive at a time, with those that wait.
    Raises `UsageError` if the processes cannot be started.
    """
    processes = min(processes, most)
    if processes == 1:
        yield from _mark_here(config, candidates, known)
        return
    waiting = deque(_Try(WorkItem(candidate, postpones=True)) for candidate in candidates)
    postponed: list[WorkItem] = []
    while waiting:
        spare = min(_SPARE, max(0, len(waiting) - processes), most - processes)
        try:
            executor = make_executor(config, processes, spare)
        except OSError as error:
            reason = f"{processes} processes to mark with cannot be started: {error.strerror or error}"
            raise UsageError(Fault(reason, hint="start fewer with -j; with -j 1 there are none")) from error
        try:
            ahead = _AHEAD * processes + spare
            yield from _until_broken(executor, config, waiting, ahead, known, postponed)
        finally:
            executor.shutdown(cancel_futures=True)
    # Now nothing else is alive.
    yield from _mark_alone(config, postponed)


def _mark_here(config: RunConfig, candidates: Sequence[Candidate], known: Known) -> Iterator[Step]:
    postponed: list[WorkItem] = []
    work = (WorkItem(candidate, known(candidate.id), postpones=True) for candidate in candidates)
    yield from _one_by_one(config, work, postponed)
    yield from _mark_alone(config, postponed)


def _mark_alone(config: RunConfig, postponed: Sequence[WorkItem]) -> Iterator[Step]:
    if postponed:
        yield from _one_by_one(config, postponed, [])


def _one_by_one(config: RunConfig, works: Iterable[WorkItem], postponed: list[WorkItem]) -> Iterator[Step]:
    with Marker(config) as marker:
        for work in works:
            yield Begun(work.candidate)
            try:
                marked = marker.read_and_mark(work)
            except Postponed as later:
                postponed.append(WorkItem(work.candidate, *later.args))
                continue
            except BaseException as error:
                if not isinstance(error, Exception) and not is_plugins(error):
                    raise
                marked = not_marked(config.task, work.candidate, _in_words(error))
            yield marked


class _News(Enum):
    BEGUN = auto()
    """Comes with the note that the submission's process shares with this one."""
    WAITS = auto()
    """Comes with True if the submission waits, else False."""
    ENDED = auto()


@dataclass(frozen=True, slots=True)
class _Try:
    """A try at a work item.  number: 1 for the first."""

    work: WorkItem
    number: int = 1


def _until_broken(
    executor: Executor,
    config: RunConfig,
    waiting: deque[_Try],
    most: int,
    known: Known,
    postponed: list[WorkItem],
) -> Iterator[Step]:
    """Mark the waiting submissions until a worker dies; put back those that it held.

    most: the most submissions handed over at a time.  postponed: gets those that are to be marked alone.
    """
    running: dict[Future[MarkedSubmission], _Try] = {}
    news: SimpleQueue[tuple[_News, Future[MarkedSubmission], Any]] = SimpleQueue()
    running_now = RunningSubmissions()
    broken = False
    if isinstance(executor, ProcessPool):
        executor.on_begin = lambda future, note: news.put((_News.BEGUN, future, note))
        executor.on_wait = lambda future, waits: news.put((_News.WAITS, future, waits))
    while (waiting and not broken) or running:
        while waiting and not broken and len(running) < most:
            taken = waiting.popleft()
            candidate = taken.work.candidate
            try:
                future = executor.submit(mark, replace(taken.work, known=known(candidate.id)))
            except BrokenExecutor:
                # The process died over earlier submissions; this one was not tried.
                waiting.appendleft(taken)
                broken = True
                break
            running[future] = taken
            future.add_done_callback(lambda done: news.put((_News.ENDED, done, None)))
        yield from running_now.look()
        try:
            kind, future, about = news.get(timeout=running_now.next_look_in_s)
        except Empty:
            continue
        if kind is _News.BEGUN:
            yield running_now.begin(future, running[future].work.candidate, about)
            continue
        if kind is _News.WAITS:
            running_now.wait(future, about)
            continue
        running_now.end(future)
        tried = running.pop(future)
        if future.cancelled():
            waiting.appendleft(tried)
            broken = True
            continue
        error = future.exception()
        if error is None:
            yield future.result()
            continue
        if isinstance(error, Postponed):
            postponed.append(WorkItem(tried.work.candidate, *error.args))
            continue
        broken = broken or isinstance(error, BrokenExecutor)
        if tried.number < _TRIES:
            waiting.appendleft(replace(tried, number=tried.number + 1))
        else:
            yield not_marked(config.task, tried.work.candidate, _in_words(error))


def _in_words(error: BaseException) -> str:
    return blamed(error)
