"""Marking on a cluster: workers come, are examined, get jobs, fail, leave.  Runs in an event loop.

Each worker has a few lanes, each of which waits for a job, sends it and looks at what comes back.  A
worker that is lost has its lanes cancelled, which gives their jobs to others.
"""

import asyncio
from collections.abc import Callable
from contextlib import suppress
from dataclasses import dataclass
from enum import Enum, auto
from secrets import token_hex
from time import monotonic

from grader.cluster.fitness import Profile, Question, unfitness
from grader.cluster.jobs import Job, Jobs
from grader.cluster.link import Link, LinkBroken, NoAnswer, Worker
from grader.cluster.marker import boot
from grader.cluster.results import Malformed
from grader.cluster.site import OTHER, READY, RESULT, UNKNOWN
from grader.cluster.workers import Roster, called, examined, reason_in
from grader.engine.worker import Marked
from grader.marking.totals import failed_internally
from grader.model.errors import Fault, NoSandbox
from grader.runtime.own_code import own_code
from grader.sandbox.driver import Driver

_LOOK_S = 1.0
_AHEAD = 2
"""Jobs that a worker has for each of its threads, so that none waits for work."""
_UNREAD = 200
"""Results that wait to be recorded; with more of them no further job is handed out."""
_FAILURES = 3
"""A worker that fails so often in a row is examined again."""
_CHANCES = 2
_TELL_S = 5.0

GOES_ON = "what is marked is kept; the same command goes on from there"


class NoWorker(NoSandbox):
    """No worker of a cluster can mark, or none is left."""


@dataclass(frozen=True, slots=True)
class Crew:
    """What a run and its workers have in common.

    own: what the run's own machine is.  patience_s: how long to wait for a worker where there is none.
    """

    question: Question
    own: Profile
    driver: Driver
    patience_s: float
    note: Callable[[str], None]


class _End(Enum):
    """Why a worker's lanes came to an end."""

    FORGOTTEN = auto()
    """It does not know of the run, or has another grader by now."""
    FAILING = auto()


@dataclass(slots=True)
class _Post:
    """One worker at work.

    failures: in a row.  reason: of the last of them.  succeeded: once at least since it was examined.
    """

    worker: Worker
    lost: bool = False
    failures: int = 0
    reason: str = ""
    succeeded: bool = False


class Dispatch:
    """Marks all jobs on whoever is there.

    profiles: of workers that were examined already, by address.  deliver: is given each result.
    unread: returns how many results wait to be recorded.
    """

    def __init__(
        self,
        link: Link,
        roster: Roster,
        crew: Crew,
        profiles: dict[str, Profile],
        order: bytes,
        jobs: Jobs,
        deliver: Callable[[Marked], None],
        unread: Callable[[], int],
    ) -> None:
        self._link = link
        self._roster = roster
        self._crew = crew
        self._profiles = profiles
        self._order = order
        self._jobs = jobs
        self._deliver_to = deliver
        self._unread = unread
        self._run = token_hex(16)
        self._employed: dict[str, tuple[_Post, asyncio.Task[None]]] = {}
        self._fit: set[str] = set()
        self._prepared: set[str] = set()
        self._excluded: dict[str, str] = {}
        self._heard = self._somebody = self._marking = monotonic()
        self._told = False
        self._over = asyncio.Event()

    async def run(self) -> None:
        """Mark everything.  Raises `NoWorker` where nobody is left to do it."""
        try:
            while self._jobs.left:
                await self._look_round()
                with suppress(TimeoutError):
                    await asyncio.wait_for(self._over.wait(), _LOOK_S)
        finally:
            tasks = [task for _, task in self._employed.values()]
            for task in tasks:
                task.cancel()
            await asyncio.gather(*tasks, return_exceptions=True)
            await self._link.end(self._run, self._prepared)

    async def _look_round(self) -> None:
        """Employ who came, let go who left, and see to it that there is somebody."""
        try:
            present = await self._roster.present()
            self._heard = monotonic()
        except LinkBroken:
            if monotonic() - self._heard > self._crew.patience_s:
                raise NoWorker(
                    Fault(f"the scheduler at {self._link.address} does not answer any more", hint=GOES_ON)
                ) from None
            return
        self._excluded = {address: why for address, why in self._excluded.items() if address in present}
        for address, (post, task) in list(self._employed.items()):
            if task.done():
                task.result()
                del self._employed[address]
            elif address not in present:
                self._crew.note(f"lost worker {called(post.worker)}; others mark what it had")
                post.lost = True
                task.cancel()
                del self._employed[address]
        for address in present.keys() - self._employed.keys() - self._excluded.keys():
            post = _Post(present[address])
            self._employed[address] = (post, asyncio.create_task(self._employ(post)))
        self._see_to_it_that_there_is_somebody()

    def _see_to_it_that_there_is_somebody(self) -> None:
        now = monotonic()
        if self._fit:
            self._marking, self._told = now, False
        elif now - self._marking > _TELL_S and not self._told:
            self._told = True
            self._crew.note("no worker is ready to mark; waiting for one")
        if self._employed:
            # One that is there but busy with something else is waited for.
            self._somebody = now
        elif now - self._somebody > self._crew.patience_s:
            reasons = [f"{address}: {why}" for address, why in self._excluded.items()]
            about = f" ({'; '.join(reasons)})" if reasons else ""
            raise NoWorker(Fault(f"no worker is left that can mark{about}", hint=GOES_ON))

    async def _employ(self, post: _Post) -> None:
        """Examine a worker, and have it mark if it is fit."""
        address = post.worker.address
        chances = _CHANCES
        try:
            while chances:
                chances -= 1
                reason = await self._unfitness(post.worker) or await self._prepare(address)
                if reason:
                    self._exclude(post.worker, reason)
                    return
                post.failures, post.succeeded = 0, False
                await self._have_it_mark(post)
                chances = _CHANCES if post.succeeded else chances
            self._exclude(post.worker, f"it failed again and again: {post.reason or 'it forgot the run'}")
        except LinkBroken:
            # It is employed anew once there is a scheduler again that has it.
            return

    async def _unfitness(self, worker: Worker) -> str:
        profile = self._profiles.pop(worker.address, None)
        if profile is None:
            profile = await examined(self._link, worker, self._crew.question)
        return unfitness(profile, self._crew.own, self._crew.driver)

    async def _prepare(self, address: str) -> str:
        """Hand a worker the order; return why that can't be done, empty where it was."""
        try:
            self._prepared.add(address)
            answer = await self._link.ask(
                address, "prepare", run=self._run, boot=boot(), code=own_code(), order=self._order
            )
        except NoAnswer as error:
            return str(error)
        return "" if answer == READY else "its answer can't be understood"

    def _exclude(self, worker: Worker, reason: str) -> None:
        self._excluded[worker.address] = reason
        self._crew.note(f"worker {called(worker)} takes no work: {reason}")

    async def _have_it_mark(self, post: _Post) -> _End:
        """Keep a fit worker busy until something is wrong with it."""
        self._fit.add(post.worker.address)
        self._jobs.look_again()
        lanes = [asyncio.create_task(self._lane(post)) for _ in range(_AHEAD * post.worker.threads)]
        try:
            done, _ = await asyncio.wait(lanes, return_when=asyncio.FIRST_COMPLETED)
            return next(iter(done)).result()
        finally:
            self._fit.discard(post.worker.address)
            for lane in lanes:
                lane.cancel()
            await asyncio.gather(*lanes, return_exceptions=True)
            self._jobs.look_again()

    async def _lane(self, post: _Post) -> _End:
        """Send one job after another to a worker."""
        while True:
            while self._unread() > _UNREAD:
                await asyncio.sleep(0.05)
            job = await self._jobs.take(post.worker, self._fit)
            unreadable = self._jobs.unreadable(job)
            if unreadable is not None:
                self._deliver(unreadable)
                continue
            end = await self._try(post, job)
            if end is not None:
                return end

    async def _try(self, post: _Post, job: Job) -> _End | None:
        """Have a worker mark one job; return why it should get no other one, None for no reason."""
        try:
            answer = await self._link.ask(
                post.worker.address,
                "mark",
                run=self._run,
                payload=job.payload,
                sha256=job.sha256,
                evidence=job.evidence,
            )
        except asyncio.CancelledError:
            if post.lost:
                self._deliver(self._jobs.lost(job))
            else:
                self._jobs.put_back(job)
            raise
        except LinkBroken:
            self._jobs.put_back(job)
            return _End.FORGOTTEN
        except NoAnswer as error:
            return self._failed(post, job, str(error))
        head, _, body = answer.partition(b"\n")
        kind, _, about = head.partition(b" ")
        if kind in (UNKNOWN, OTHER):
            self._jobs.put_back(job)
            return _End.FORGOTTEN
        if kind != RESULT:
            return self._failed(post, job, reason_in(body))
        try:
            marked = self._jobs.checked(job, about, body)
        except Malformed as error:
            return self._failed(post, job, f"it sent no proper result: {error}")
        return self._accept(post, job, marked)

    def _accept(self, post: _Post, job: Job, marked: Marked) -> _End | None:
        """See to it that the result of a job counts, or another one does."""
        if failed_internally(marked.result) and not job.tries and len(self._fit) > 1:
            # It may be the machine's fault, so another one has a say.
            return self._failed(post, job, "the grader failed there")
        post.failures, post.succeeded = 0, True
        self._jobs.done()
        self._deliver(marked)
        return None

    def _failed(self, post: _Post, job: Job, reason: str) -> _End | None:
        post.failures += 1
        post.reason = reason
        self._deliver(self._jobs.failed(job, post.worker, reason))
        return _End.FAILING if post.failures >= _FAILURES else None

    def _deliver(self, marked: Marked | None) -> None:
        if marked is not None:
            self._deliver_to(marked)
        if not self._jobs.left:
            self._over.set()
