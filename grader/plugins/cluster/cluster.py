"""Marks a run on the workers of a Dask cluster.

Dask runs in an event loop of its own, in a thread.  This module serves the run's other threads, which wait
for that loop and can be interrupted while they wait.
"""

import asyncio
import pickle
from collections.abc import Callable, Coroutine, Generator, Sequence
from concurrent.futures import CancelledError
from contextlib import suppress
from queue import Empty, SimpleQueue
from threading import Thread
from time import monotonic
from typing import Any, TypeAlias, TypeVar

from grader.doctor.doctor import Examination, strongest
from grader.engine.batch import Step
from grader.engine.cache.keys import Known, nothing_known
from grader.engine.host_limits import require_room
from grader.engine.run_config import RunConfig
from grader.intake import Candidate
from grader.model.errors import Fault, NoSandbox
from grader.model.task import Task
from grader.plugins.cluster.dispatch import ClusterConfig, Dispatch
from grader.plugins.cluster.eligibility import (
    Profile,
    Requirements,
    common_driver,
    ineligibility,
    look_at_self,
)
from grader.plugins.cluster.jobs import Jobs, MarkingJob
from grader.plugins.cluster.link import ON_LOOPBACK, Access, ClusterConnection, LinkBroken, Worker
from grader.plugins.cluster.workers import WorkerList, called, examined
from grader.sandbox.driver import Driver, Guarantee
from grader.sandbox.interpreter import find_interpreter

_PATIENCE_S = 60.0
_LOOK_S = 1.0
_STRAGGLERS_S = 10.0
"""How long the first examined worker waits for the others; later ones are examined when the run marks."""
_END_S = 3.0
_TOLD_MAX = 5

_T = TypeVar("_T")
_News: TypeAlias = Step | MarkingJob | None
"""A step, a job that must be read, or None at the end."""


class Cluster:
    """A cluster that one run marks on; see `grader.engine.batch.Machines`.  Call `close` in the end.

    note: called with sentences for people, from any thread.
    patience_s: how long to wait for a worker if there is none.
    """

    def __init__(
        self, access: Access, note: Callable[[str], None], *, patience_s: float = _PATIENCE_S
    ) -> None:
        """Connect.  Raises `UsageError`."""
        self._note = note
        self._patience_s = patience_s
        self._config: ClusterConfig | None = None
        self._profiles: dict[str, Profile] = {}
        self._loop = asyncio.new_event_loop()
        self._thread = Thread(target=self._loop.run_forever, name="grader-cluster", daemon=True)
        self._thread.start()
        self._link: ClusterConnection | None = None
        try:
            self._link = self._wait(ClusterConnection.open(access))
            self._workers = WorkerList(self._link)
        except BaseException:
            self.close()
            raise

    def _wait(self, coroutine: Coroutine[Any, Any, _T]) -> _T:
        """Return the result of a coroutine in the event loop; an interrupt cancels it."""
        future = asyncio.run_coroutine_threadsafe(coroutine, self._loop)
        try:
            return future.result()
        except BaseException:
            future.cancel()
            raise

    def examine(self, task: Task, python: str, required: Driver) -> Examination:
        """Examine this machine and the workers; return the sandbox of a run on all of them.

        Its driver is the strongest that this machine shares with every worker that can mark at all.
        Raises `NoSandbox`, also if no worker can mark.
        """
        requirements = Requirements(task, python, required)
        require_room(task)
        own = look_at_self(requirements)
        if not own.held:
            strongest(find_interpreter(python), required)
        found = self._wait(self._examined(requirements))
        driver = common_driver(own, [profile for _, profile in found])
        reasons = {worker: ineligibility(profile, own, driver) for worker, profile in found}
        if driver is None or all(reasons.values()):
            lines = [f"{called(worker)}: {reason}" for worker, reason in reasons.items()]
            more = f"; and {len(lines) - _TOLD_MAX} others" if len(lines) > _TOLD_MAX else ""
            raise NoSandbox(
                Fault(
                    f"no worker of the cluster is fit to mark ({'; '.join(lines[:_TOLD_MAX])}{more})",
                    hint="workers need the run's own grader, Python and packages; see also `grader doctor`",
                )
            )
        self._profiles = {worker.address: profile for worker, profile in found}
        self._config = ClusterConfig(requirements, own, driver, self._patience_s, self._note)
        return Examination(driver, {each: str(each) in own.held[driver] for each in Guarantee})

    async def _examined(self, requirements: Requirements) -> list[tuple[Worker, Profile]]:
        """Wait for workers, and examine all that come in the process, except slow ones."""
        assert self._link is not None
        tasks: dict[asyncio.Task[Profile], Worker] = {}
        done: set[asyncio.Task[Profile]] = set()
        end = 0.0
        try:
            while not tasks or (not done and monotonic() < end):
                # A worker that is lost here never answers, and others may come instead.
                asked = {each.address for each in tasks.values()}
                for each in await self._wait_for_workers():
                    if each.address not in asked:
                        tasks[asyncio.create_task(examined(self._link, each, requirements))] = each
                        end = monotonic() + self._patience_s
                done, waiting = await asyncio.wait(
                    tasks, timeout=_LOOK_S, return_when=asyncio.FIRST_COMPLETED
                )
            if waiting:
                done |= (await asyncio.wait(waiting, timeout=_STRAGGLERS_S))[0]
        finally:
            for task in tasks:
                task.cancel()
            await asyncio.gather(*tasks, return_exceptions=True)
        found = [
            (tasks[task], task.result()) for task in done if not isinstance(task.exception(), LinkBroken)
        ]
        if not found:
            raise NoSandbox(
                Fault(f"no worker at {self._link.address} answers", hint="are they busy with something else?")
            )
        return sorted(found, key=lambda each: each[0].address)

    async def _wait_for_workers(self) -> list[Worker]:
        """Return the workers, at least one.  Raises `NoSandbox`."""
        assert self._link is not None
        started, noted = monotonic(), False
        while True:
            with suppress(LinkBroken):
                workers = list((await self._workers.present()).values())
                if workers:
                    return workers
            if monotonic() - started > self._patience_s:
                hint = f"start some: dask worker {self._link.address} {ON_LOOPBACK}"
                raise NoSandbox(Fault(f"there is no worker at {self._link.address}", hint=hint))
            if not noted:
                noted = True
                self._note(f"no worker has come yet; waiting for one, up to {self._patience_s:.0f} s")
            await asyncio.sleep(0.5)

    def mark_all(
        self, config: RunConfig, candidates: Sequence[Candidate], known: Known = nothing_known
    ) -> Generator[Step, None, None]:
        """Mark every candidate, and yield the steps as they come; see `Machines.mark_all`.

        known: called in the thread that asks for results.  Raises `NoSandbox` if no worker is left.
        """
        news: SimpleQueue[_News] = SimpleQueue()
        work = self._wait(self._begin(config, candidates, news))
        ended = False
        try:
            while (item := news.get()) is not None:
                if isinstance(item, MarkingJob):
                    item.read(config.task, known)
                    self._loop.call_soon_threadsafe(item.is_read.set)
                else:
                    yield item
            ended = True
            work.result()
        finally:
            if not ended:
                self._loop.call_soon_threadsafe(work.cancel)
                with suppress(Empty):
                    while news.get(timeout=_END_S) is not None:
                        pass

    async def _begin(
        self, config: RunConfig, candidates: Sequence[Candidate], news: "SimpleQueue[_News]"
    ) -> "asyncio.Task[None]":
        """Start to mark; return the task that ends with the last result."""
        assert self._config is not None
        assert self._link is not None
        jobs = Jobs(config.task, candidates, news.put)
        work = Dispatch(
            self._link,
            self._workers,
            self._config,
            self._profiles,
            pickle.dumps(config),
            jobs,
            news.put,
            news.qsize,
        )
        task = asyncio.create_task(work.run())
        task.add_done_callback(lambda _: news.put(None))
        return task

    def close(self) -> None:
        if self._link is not None:
            with suppress(CancelledError):
                self._wait(self._link.close())
        self._loop.call_soon_threadsafe(self._loop.stop)
        self._thread.join(_END_S)
