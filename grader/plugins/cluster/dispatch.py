"""Dispatches the jobs of a run to the workers of a cluster.  Runs in an event loop.

Each worker is examined, and then gets a few lanes.  A lane takes a job, sends it, and checks the answer.
When a worker is lost, its lanes are cancelled, and other workers get their jobs.
"""

import asyncio
from collections.abc import Callable
from contextlib import suppress
from dataclasses import dataclass
from enum import Enum, auto
from secrets import token_hex
from time import monotonic

from grader.engine.batch import Step
from grader.engine.worker import MarkedSubmission
from grader.marking.totals import failed_internally
from grader.model.errors import Fault, NoSandbox
from grader.plugins.cluster.eligibility import Profile, Requirements, ineligibility
from grader.plugins.cluster.jobs import Jobs, MarkingJob, from_worker
from grader.plugins.cluster.link import ClusterConnection, LinkBroken, NoAnswer, Worker
from grader.plugins.cluster.marker import boot
from grader.plugins.cluster.results import Malformed
from grader.plugins.cluster.site import OTHER, READY, RESULT, UNKNOWN
from grader.plugins.cluster.under_way import UnderWay
from grader.plugins.cluster.workers import WorkerList, called, examined, reason_in
from grader.runtime.code_identity import own_identity
from grader.sandbox.driver import Driver

_LOOK_S = 1.0
_AHEAD = 2
"""Jobs for each thread of a worker, so that no thread waits for work."""
_UNREAD = 200
"""No further job is sent while more results than this wait to be recorded."""
_FAILURES = 3
"""A worker is examined again after this many failures in a row."""
_CHANCES = 2
"""A worker is excluded if it marks nothing between this many examinations."""
_TELL_S = 5.0
"""A note is shown if no worker was eligible for this long."""

GOES_ON = "what is marked is kept; the same command goes on from there"


@dataclass(frozen=True, slots=True)
class ClusterConfig:
    """The part of a run's configuration that its workers must meet.

    own: the profile of the run's own machine.  patience_s: how long to wait for a worker if there is none.
    """

    requirements: Requirements
    own: Profile
    driver: Driver
    patience_s: float
    note: Callable[[str], None]


class _LaneEnd(Enum):
    FORGOTTEN = auto()
    """The worker does not know the run any more, or has another grader by now."""
    FAILING = auto()


@dataclass(slots=True)
class _WorkerState:
    """The state of one worker.

    failures: number of failures in a row.  reason: of the last failure.  succeeded: True if it marked
    something since it was examined.
    """

    worker: Worker
    under_way: UnderWay
    lost: bool = False
    failures: int = 0
    reason: str = ""
    succeeded: bool = False


class Dispatch:
    """Lets the workers mark all jobs.

    profiles: profiles of workers that were examined already, by address.  run_config: pickled, for the
    workers.
    deliver: gets each step.  unread: returns the number of results that wait to be recorded.
    """

    def __init__(
        self,
        link: ClusterConnection,
        workers: WorkerList,
        config: ClusterConfig,
        profiles: dict[str, Profile],
        run_config: bytes,
        jobs: Jobs,
        deliver: Callable[[Step], None],
        unread: Callable[[], int],
    ) -> None:
        self._link = link
        self._workers = workers
        self._config = config
        self._profiles = profiles
        self._run_config = run_config
        self._jobs = jobs
        self._deliver_to = deliver
        self._unread = unread
        self._run = token_hex(16)
        self._employed: dict[str, tuple[_WorkerState, asyncio.Task[None]]] = {}
        """Present workers, each with the task that serves it, by address."""
        self._eligible: set[str] = set()
        """The workers that take jobs now."""
        self._prepared: set[str] = set()
        """The workers that have the run's configuration."""
        self._excluded: dict[str, str] = {}
        """The reasons why workers take no jobs."""
        self._scheduler_seen_s = self._worker_seen_s = self._eligible_seen_s = monotonic()
        self._told = self._missed = False
        self._over = asyncio.Event()

    async def run(self) -> None:
        """Mark all jobs.  Raises `NoSandbox` if no worker is left."""
        try:
            while self._jobs.left:
                await self._update_workers()
                with suppress(TimeoutError):
                    await asyncio.wait_for(self._over.wait(), _LOOK_S)
        finally:
            tasks = [task for _, task in self._employed.values()]
            for task in tasks:
                task.cancel()
            await asyncio.gather(*tasks, return_exceptions=True)
            await self._link.end(self._run, self._prepared)

    async def _update_workers(self) -> None:
        """Employ new workers, drop lost ones, and fail if none are left."""
        try:
            present = await self._workers.present()
            self._scheduler_seen_s = monotonic()
        except LinkBroken:
            if monotonic() - self._scheduler_seen_s > self._config.patience_s:
                raise NoSandbox(
                    Fault(f"the scheduler at {self._link.address} does not answer any more", hint=GOES_ON)
                ) from None
            if not self._missed and monotonic() - self._scheduler_seen_s > _TELL_S:
                self._missed = True
                patience = f"waiting for it, up to {self._config.patience_s:.0f} s"
                self._config.note(f"the scheduler at {self._link.address} does not answer; {patience}")
            return
        self._missed = False
        self._excluded = {address: why for address, why in self._excluded.items() if address in present}
        for address, (state, task) in list(self._employed.items()):
            if task.done():
                task.result()
                del self._employed[address]
            elif address not in present:
                self._config.note(f"lost worker {called(state.worker)}; others mark what it had")
                state.lost = True
                task.cancel()
                del self._employed[address]
        for address in present.keys() - self._employed.keys() - self._excluded.keys():
            worker = present[address]
            state = _WorkerState(worker, UnderWay(worker.threads, self._deliver_to))
            self._employed[address] = (state, asyncio.create_task(self._employ(state)))
        self._require_a_worker()

    def _require_a_worker(self) -> None:
        now = monotonic()
        if self._eligible:
            self._eligible_seen_s, self._told = now, False
        elif now - self._eligible_seen_s > _TELL_S and not self._told:
            self._told = True
            self._config.note("no worker is ready to mark; waiting for one")
        if self._employed:
            # A worker that is busy with other work will come.
            self._worker_seen_s = now
        elif now - self._worker_seen_s > self._config.patience_s:
            reasons = [f"{address}: {why}" for address, why in self._excluded.items()]
            about = f" ({'; '.join(reasons)})" if reasons else ""
            raise NoSandbox(Fault(f"no worker is left that can mark{about}", hint=GOES_ON))

    async def _employ(self, state: _WorkerState) -> None:
        """Examine a worker, and let it mark if it is eligible."""
        address = state.worker.address
        chances = _CHANCES
        try:
            while chances:
                chances -= 1
                reason = await self._ineligibility(state.worker) or await self._prepare(address)
                if reason:
                    self._exclude(state.worker, reason)
                    return
                state.failures, state.succeeded = 0, False
                await self._have_it_mark(state)
                chances = _CHANCES if state.succeeded else chances
            self._exclude(state.worker, f"it failed again and again: {state.reason or 'it forgot the run'}")
        except LinkBroken:
            # It is employed again when a scheduler lists it again.
            return

    async def _ineligibility(self, worker: Worker) -> str:
        profile = self._profiles.pop(worker.address, None)
        if profile is None:
            profile = await examined(self._link, worker, self._config.requirements)
        return ineligibility(profile, self._config.own, self._config.driver)

    async def _prepare(self, address: str) -> str:
        """Send a worker the run's configuration; return the reason if that failed, or ""."""
        try:
            self._prepared.add(address)
            answer = await self._link.ask(
                address, "prepare", run=self._run, boot=boot(), code=own_identity(), config=self._run_config
            )
        except NoAnswer as error:
            return str(error)
        return "" if answer == READY else "its answer can't be understood"

    def _exclude(self, worker: Worker, reason: str) -> None:
        self._excluded[worker.address] = reason
        self._config.note(f"worker {called(worker)} takes no work: {reason}")

    async def _have_it_mark(self, state: _WorkerState) -> _LaneEnd:
        """Keep an eligible worker busy; return the reason why its lanes ended."""
        self._eligible.add(state.worker.address)
        self._jobs.look_again()
        lanes = [asyncio.create_task(self._lane(state)) for _ in range(_AHEAD * state.worker.threads)]
        looking = asyncio.create_task(self._look(state))
        try:
            done, _ = await asyncio.wait(lanes, return_when=asyncio.FIRST_COMPLETED)
            return next(iter(done)).result()
        finally:
            self._eligible.discard(state.worker.address)
            for task in (*lanes, looking):
                task.cancel()
            await asyncio.gather(*lanes, looking, return_exceptions=True)
            self._jobs.look_again()

    async def _lane(self, state: _WorkerState) -> _LaneEnd:
        """Send one job after another to a worker; return the reason why the lane ended."""
        while True:
            while self._unread() > _UNREAD:
                await asyncio.sleep(0.05)
            job = await self._jobs.take(state.worker, self._eligible)
            unreadable = self._jobs.unreadable(job)
            if unreadable is not None:
                self._deliver(unreadable)
                continue
            end = await self._try(state, job)
            if end is not None:
                return end

    async def _look(self, state: _WorkerState) -> None:
        """Ask a worker each second what it is at, while it marks."""
        while True:
            await asyncio.sleep(_LOOK_S)
            if state.under_way:
                state.under_way.look(await self._link.look(state.worker.address, self._run))

    async def _try(self, state: _WorkerState, job: MarkingJob) -> _LaneEnd | None:
        """Let a worker mark one job; return the reason why it should get no other one, or None."""
        state.under_way.add(job)
        try:
            return await self._sent(state, job)
        finally:
            # Where all lanes end, nobody begins the others.
            state.under_way.remove(job, goes_on=state.worker.address in self._eligible)

    async def _sent(self, state: _WorkerState, job: MarkingJob) -> _LaneEnd | None:
        try:
            answer = await self._link.ask(
                state.worker.address,
                "mark",
                run=self._run,
                payload=job.payload,
                sha256=job.sha256,
                evidence=job.evidence,
            )
        except asyncio.CancelledError:
            if state.lost:
                self._deliver(self._jobs.lost(job))
            else:
                self._jobs.put_back(job)
            raise
        except LinkBroken:
            self._jobs.put_back(job)
            return _LaneEnd.FORGOTTEN
        except NoAnswer as error:
            return self._failed(state, job, str(error))
        head, _, body = answer.partition(b"\n")
        kind, _, about = head.partition(b" ")
        if kind in (UNKNOWN, OTHER):
            self._jobs.put_back(job)
            return _LaneEnd.FORGOTTEN
        if kind != RESULT:
            return self._failed(state, job, reason_in(body))
        try:
            marked = from_worker(self._jobs.checked(job, about, body), state.worker)
        except Malformed as error:
            return self._failed(state, job, f"it sent no proper result: {error}")
        return self._accept(state, job, marked)

    def _accept(self, state: _WorkerState, job: MarkingJob, marked: MarkedSubmission) -> _LaneEnd | None:
        """Deliver the result of a job, unless another worker should try it too."""
        if failed_internally(marked.result) and not job.tries and len(self._eligible) > 1:
            # The failure may be the machine's fault.
            return self._failed(state, job, "the grader failed there")
        state.failures, state.succeeded = 0, True
        self._jobs.done()
        self._deliver(marked)
        return None

    def _failed(self, state: _WorkerState, job: MarkingJob, reason: str) -> _LaneEnd | None:
        state.failures += 1
        state.reason = reason
        self._deliver(self._jobs.failed(job, state.worker, reason))
        return _LaneEnd.FAILING if state.failures >= _FAILURES else None

    def _deliver(self, marked: MarkedSubmission | None) -> None:
        if marked is not None:
            self._deliver_to(marked)
        if not self._jobs.left:
            self._over.set()
