"""The workers of a cluster: lists those that are present, and examines them."""

import json
import pickle
from dataclasses import dataclass, field
from time import monotonic

import grader
from grader.plugins.cluster.eligibility import Profile, Requirements, decode_profile
from grader.plugins.cluster.link import ClusterConnection, NoAnswer, Worker
from grader.plugins.cluster.marker import boot
from grader.plugins.cluster.site import FAILED, OTHER, PROFILE
from grader.runtime.code_identity import own_identity, python_version

_REASON_B = 2000
"""The most bytes of UTF-8 that are shown of a worker's reason for a failure."""

SILENCE_S = 15.0
"""A worker is lost after this long without a report to its scheduler; workers report about every second."""


@dataclass(slots=True)
class WorkerList:
    """The workers that are present.

    heard: for each worker by address, the time of its last report to the scheduler, by the scheduler's clock
    and by ours, which may differ.
    """

    link: ClusterConnection
    heard: dict[str, tuple[float, float]] = field(default_factory=dict)

    async def present(self) -> dict[str, Worker]:
        """Return the workers that can take requests, by address.  Raises `LinkBroken`."""
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


async def examined(link: ClusterConnection, worker: Worker, requirements: Requirements) -> Profile:
    """Let a worker examine its machine.  Raises `LinkBroken`; never returns if the worker is lost."""
    try:
        answer = await link.ask(
            worker.address,
            "examine",
            boot=boot(),
            code=own_identity(),
            requirements=pickle.dumps(requirements),
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
    """Return a worker's reason for a failure, cut if it is long."""
    return body[:_REASON_B].decode("utf-8", "replace")


def _other_code(body: bytes) -> str:
    """Return words for the difference between a worker's grader and ours."""
    try:
        said = json.loads(body)
        version, python = str(said["version"]), str(said["python"])
    except (ValueError, KeyError, TypeError):
        version = python = ""
    if not version:
        return "it has no grader"
    if version != grader.__version__:
        return f"it has grader {version}, and the run {grader.__version__}"
    if python != python_version():
        return f"its grader runs on Python {python}, and the run's on {python_version()}"
    return f"it says that it has grader {version}, but its code is another one"


def called(worker: Worker) -> str:
    """Return the name of a worker for people."""
    return worker.address if worker.name in ("", worker.address) else f"{worker.name} ({worker.address})"
