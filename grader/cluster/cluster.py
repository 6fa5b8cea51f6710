"""Marking a batch on the workers of a Dask cluster: the face that a run sees.

Dask lives in an event loop of its own, in a thread; here is the side of those who wait for it, and who
can be interrupted meanwhile.
"""

import asyncio
import pickle
from collections.abc import Callable, Coroutine, Generator, Iterable
from concurrent.futures import CancelledError
from contextlib import suppress
from queue import Empty, SimpleQueue
from threading import Thread
from time import monotonic
from typing import Any, TypeAlias, TypeVar

from grader.cluster.dispatch import Crew, Dispatch, NoWorker
from grader.cluster.fitness import Profile, Question, common_driver, look_at_self, unfitness
from grader.cluster.jobs import Job, Jobs
from grader.cluster.link import Access, Link, LinkBroken, Worker
from grader.cluster.workers import Roster, called, examined
from grader.doctor.doctor import Examination, strongest
from grader.engine.batch import Step
from grader.engine.cache.keys import Known, nothing_known
from grader.engine.worker import Marked, Order
from grader.intake import Candidate
from grader.model.errors import Fault
from grader.model.task import Task
from grader.sandbox.driver import Driver, Guarantee
from grader.sandbox.interpreter import find_interpreter

__all__ = ["Access", "Cluster", "NoWorker"]

_PATIENCE_S = 60.0
_LOOK_S = 1.0
_STRAGGLERS_S = 10.0
"""How long the first worker that is fit waits for the others; they are examined later then."""
_END_S = 3.0
_TOLD_MAX = 5

_T = TypeVar("_T")
_News: TypeAlias = Marked | Job | None
"""A result, a job that is to be read, or nothing more to come."""


class Cluster:
    """A cluster that one run marks on.  Call `close` in the end.

    note: is told in a sentence what people should know meanwhile, from any thread.
    patience_s: how long to wait for a worker where there is none.
    """

    def __init__(
        self, access: Access, note: Callable[[str], None], *, patience_s: float = _PATIENCE_S
    ) -> None:
        """Connect.  Raises `UsageError`."""
        self._note = note
        self._patience_s = patience_s
        self._crew: Crew | None = None
        self._profiles: dict[str, Profile] = {}
        self._loop = asyncio.new_event_loop()
        self._thread = Thread(target=self._loop.run_forever, name="grader-cluster", daemon=True)
        self._thread.start()
        self._link: Link | None = None
        try:
            self._link = self._wait(Link.open(access))
            self._roster = Roster(self._link)
        except BaseException:
            self.close()
            raise

    def _wait(self, coroutine: Coroutine[Any, Any, _T]) -> _T:
        """Return what comes of something in the event loop; it is ended where we are interrupted."""
        future = asyncio.run_coroutine_threadsafe(coroutine, self._loop)
        try:
            return future.result()
        except BaseException:
            future.cancel()
            raise

    def examine(self, task: Task, python: str, required: Driver) -> Examination:
        """Examine this machine and the workers; return what a run on all of them has for a sandbox.

        That is the strongest driver that this machine shares with every worker that can mark at all.
        Raises `NoSandbox` and, where no worker can mark, `NoWorker`.
        """
        question = Question(task, python, required)
        own = look_at_self(question)
        if not own.held:
            strongest(find_interpreter(python), required)
        found = self._wait(self._examined(question))
        driver = common_driver(own, [profile for _, profile in found])
        reasons = {worker: unfitness(profile, own, driver) for worker, profile in found}
        if driver is None or all(reasons.values()):
            lines = [f"{called(worker)}: {reason}" for worker, reason in reasons.items()]
            more = f"; and {len(lines) - _TOLD_MAX} others" if len(lines) > _TOLD_MAX else ""
            raise NoWorker(
                Fault(
                    f"no worker of the cluster is fit to mark ({'; '.join(lines[:_TOLD_MAX])}{more})",
                    hint="workers need the run's own grader, Python and packages; see also `grader doctor`",
                )
            )
        self._profiles = {worker.address: profile for worker, profile in found}
        self._crew = Crew(question, own, driver, self._patience_s, self._note)
        return Examination(driver, {each: str(each) in own.held[driver] for each in Guarantee})

    async def _examined(self, question: Question) -> list[tuple[Worker, Profile]]:
        """Wait for workers; examine them, and who comes meanwhile; leave out who takes long."""
        assert self._link is not None
        tasks: dict[asyncio.Task[Profile], Worker] = {}
        done: set[asyncio.Task[Profile]] = set()
        end = 0.0
        try:
            while not tasks or (not done and monotonic() < end):
                # Who is lost meanwhile never answers, and others may come in their place.
                asked = {each.address for each in tasks.values()}
                for each in await self._somebody():
                    if each.address not in asked:
                        tasks[asyncio.create_task(examined(self._link, each, question))] = each
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
            raise NoWorker(
                Fault(f"no worker at {self._link.address} answers", hint="are they busy with something else?")
            )
        return sorted(found, key=lambda each: each[0].address)

    async def _somebody(self) -> list[Worker]:
        assert self._link is not None
        started, told = monotonic(), False
        while True:
            with suppress(LinkBroken):
                workers = list((await self._roster.present()).values())
                if workers:
                    return workers
            if monotonic() - started > self._patience_s:
                hint = f"start some: dask worker {self._link.address}"
                raise NoWorker(Fault(f"there is no worker at {self._link.address}", hint=hint))
            if not told:
                told = True
                self._note(f"no worker has come yet; waiting for one, up to {self._patience_s:.0f} s")
            await asyncio.sleep(0.5)

    def mark_all(
        self, order: Order, candidates: Iterable[Candidate], known: Known = nothing_known
    ) -> Generator[Step, None, None]:
        """Mark every candidate and yield what becomes of each as it comes, in no particular order.

        `examine` comes first.  known: as in `grader.engine.batch.mark_all`; it is called in the thread
        that asks for results.  Raises `NoWorker` where nobody is left to mark.  Closing the generator
        ends what the workers do for it.
        """
        news: SimpleQueue[_News] = SimpleQueue()
        work = self._wait(self._begin(order, candidates, news))
        ended = False
        try:
            while (item := news.get()) is not None:
                if isinstance(item, Job):
                    item.read(order.task, known)
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
        self, order: Order, candidates: Iterable[Candidate], news: "SimpleQueue[_News]"
    ) -> "asyncio.Task[None]":
        """Start what marks."""
        assert self._crew is not None
        assert self._link is not None
        jobs = Jobs(order.task, candidates, news.put)
        work = Dispatch(
            self._link,
            self._roster,
            self._crew,
            self._profiles,
            pickle.dumps(order),
            jobs,
            news.put,
            news.qsize,
        )
        task = asyncio.create_task(work.run())
        task.add_done_callback(lambda _: news.put(None))
        return task

    def close(self) -> None:
        """Leave the cluster."""
        if self._link is not None:
            with suppress(CancelledError):
                self._wait(self._link.close())
        self._loop.call_soon_threadsafe(self._loop.stop)
        self._thread.join(_END_S)
