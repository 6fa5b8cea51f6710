"""A whole run: spec and submissions in, a stream of events out.

What `grader mark` does, without the terminal and without the files.
"""

import os
import secrets
from collections.abc import Generator, Sequence
from contextlib import closing
from dataclasses import replace
from datetime import UTC, datetime

from grader import __version__
from grader.engine.attempt import asks_reference, expectations
from grader.engine.batch import mark_all
from grader.engine.oracle import Oracle
from grader.engine.worker_process import Order
from grader.intake import Candidate
from grader.model.errors import Fault, NoSandbox
from grader.model.events import Event, RunFinished, RunStarted, SubmissionMarked
from grader.model.results import RunInfo
from grader.model.task import Task
from grader.sandbox.doctor import Examination, strongest
from grader.sandbox.driver import Driver
from grader.sandbox.interpreter import find_interpreter
from grader.sandbox.zygote import SandboxFailure, Zygote


def now() -> str:
    """Return the time, ISO 8601 in UTC, to the second."""
    return datetime.now(UTC).strftime("%Y-%m-%dT%H:%M:%SZ")


def default_processes() -> int:
    """Return how many submissions to mark at a time: one for each core we may use."""
    return len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1


def mark_batch(
    task: Task,
    candidates: Sequence[Candidate],
    *,
    python: str = "",
    required: Driver = Driver.LANDLOCK,
    processes: int = 0,
) -> Generator[Event, None, None]:
    """Prepare a run, and return what then happens, as it happens.

    python: see `find_interpreter`; empty for what the spec says.  required: the weakest driver
    to accept.  processes: 0 for one for each core.  Raises `UsageError` and `NoSandbox` at once,
    before there is anything to record.  Closing the generator ends all that was started.
    """
    python = python or task.python
    interpreter = find_interpreter(python)
    examination = strongest(interpreter, required)
    order = prepare_order(task, examination.driver, python)
    run = _run_info(task, examination, interpreter.version)
    return _events(run, order, candidates, min(processes or default_processes(), max(1, len(candidates))))


def _events(
    run: RunInfo, order: Order, candidates: Sequence[Candidate], processes: int
) -> Generator[Event, None, None]:
    yield RunStarted(run, len(candidates))
    with closing(mark_all(order, candidates, processes)) as results:
        for result in results:
            yield SubmissionMarked(result)
    yield RunFinished(now())


def prepare_order(task: Task, driver: Driver, python: str) -> Order:
    """Ask the reference for all that is expected, and bundle what every submission needs."""
    if not asks_reference(task) and not task.packages:
        return Order(task, driver, python, {})
    try:
        with Zygote(driver, find_interpreter(python), task.packages) as zygote:
            oracle = Oracle(zygote, task)
            try:
                known = expectations(task, oracle)
            finally:
                oracle.close()
    except SandboxFailure as failure:
        hint = "are the spec's packages installed for the submissions' Python?  See --python"
        raise NoSandbox(
            Fault(
                f"the sandbox does not start: {failure}",
                hint=hint if task.packages else "see `grader doctor`",
            )
        ) from failure
    return Order(task, driver, python, known)


def _run_info(task: Task, examination: Examination, python: str) -> RunInfo:
    return RunInfo(
        id=f"{datetime.now(UTC):%Y%m%dT%H%M%SZ}-{secrets.token_hex(3)}",
        grader=__version__,
        spec_sha256=task.spec_sha256,
        seed=task.seed,
        python=python,
        driver=str(examination.driver),
        guarantees={str(name): held for name, held in examination.held.items()},
        started=now(),
    )


def finished(run: RunInfo, time: str) -> RunInfo:
    """Return `run` with the time of its end."""
    return replace(run, finished=time)
