"""The workers of a cluster: which of them are there, and what each is found to be when it is examined."""

import json
import pickle
from dataclasses import dataclass, field
from time import monotonic

import grader
from grader.cluster.fitness import Profile, Question, decode_profile
from grader.cluster.link import Link, NoAnswer, Worker
from grader.cluster.marker import boot
from grader.cluster.site import FAILED, OTHER, PROFILE
from grader.runtime.own_code import own_code, own_python

_REASON_B = 2000
"""How much of what a worker says about a failure is told, in bytes of UTF-8."""

SILENCE_S = 15.0
"""A worker that its scheduler has not heard of for so long is lost; it writes every second or so."""


@dataclass(slots=True)
class Roster:
    """Who is there.

    heard: by address, when the scheduler last heard of a worker, by its clock and by ours: the two
    may differ.
    """

    link: Link
    heard: dict[str, tuple[float, float]] = field(default_factory=dict)

    async def present(self) -> dict[str, Worker]:
        """Return the workers that can be asked something, by address.  Raises `LinkBroken`."""
        now = monotonic()
        workers = await self.link.workers()
        before = self.heard
        self.heard = {}
        for worker in workers:
            last = before.get(worker.address)
            news = last is None or last[0] != worker.last_seen
            self.heard[worker.address] = (worker.last_seen, now) if last is None or news else last
        return {
            worker.address: worker
            for worker in workers
            if worker.takes_work and now - self.heard[worker.address][1] < SILENCE_S
        }


async def examined(link: Link, worker: Worker, question: Question) -> Profile:
    """Have a worker find out what it can do.  Raises `LinkBroken`; waits for ever for one that is lost."""
    try:
        answer = await link.ask(
            worker.address, "examine", boot=boot(), code=own_code(), question=pickle.dumps(question)
        )
    except NoAnswer as error:
        return Profile(f"it has no grader, or quite another one ({error})")
    kind, _, body = answer.partition(b"\n")
    if kind == PROFILE:
        return decode_profile(body)
    if kind == OTHER:
        return Profile(_other_code(body))
    reason = reason_in(body) if kind == FAILED else "its answer can't be understood"
    return Profile(reason)


def reason_in(body: bytes) -> str:
    """Return what a worker says about a failure, cut where it is long."""
    return body[:_REASON_B].decode("utf-8", "replace")


def _other_code(body: bytes) -> str:
    """Say in what its grader is not ours."""
    try:
        said = json.loads(body)
        version, python = str(said["version"]), str(said["python"])
    except (ValueError, KeyError, TypeError):
        version = python = ""
    if not version:
        return "it has no grader"
    if version != grader.__version__:
        return f"it has grader {version}, and the run {grader.__version__}"
    if python != own_python():
        return f"its grader runs on Python {python}, and the run's on {own_python()}"
    return f"it says that it has grader {version}, but its code is another one"


def called(worker: Worker) -> str:
    """Return what people know a worker by."""
    return worker.address if worker.name in ("", worker.address) else f"{worker.name} ({worker.address})"
