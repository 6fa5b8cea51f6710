"""A whole run: spec and submissions in, a stream of events out.

What `grader mark` does, without the terminal and without the files.
"""

import secrets
from collections.abc import Callable, Collection, Generator, Mapping, Sequence
from contextlib import closing
from dataclasses import dataclass, replace
from datetime import UTC, datetime
from functools import partial
from types import MappingProxyType
from typing import TYPE_CHECKING, TypeAlias

from grader import __version__
from grader.engine.batch import Known, mark_all, nothing_known
from grader.engine.cores import default_processes
from grader.engine.oracle import Oracle
from grader.engine.prepared import ask_reference, asks_reference
from grader.engine.reuse import conditions_key, result_key, run_key
from grader.engine.worker_process import Marked, Order
from grader.intake import Candidate, read
from grader.marking.totals import failed_internally
from grader.model.errors import Fault, NoSandbox, UsageError
from grader.model.events import Event, RunFinished, RunStarted, SubmissionKept, SubmissionMarked
from grader.model.run_info import RunInfo
from grader.model.task import Task
from grader.sandbox.doctor import Examination, strongest
from grader.sandbox.driver import Driver
from grader.sandbox.interpreter import find_interpreter
from grader.sandbox.zygote import SandboxFailure, Zygote

if TYPE_CHECKING:  # few runs use one
    from grader.engine.cluster import Cluster

NOTHING_KNOWN: Mapping[str, str] = MappingProxyType({})
"""No results of earlier runs."""


_Mark: TypeAlias = Callable[[Order, Sequence[Candidate]], Generator[Marked, None, None]]
"""What marks all candidates of an order, as `mark_all` does."""


def now() -> str:
    """Return the time, ISO 8601 in UTC, to the second."""
    return datetime.now(UTC).strftime("%Y-%m-%dT%H:%M:%SZ")


def mark_batch(
    task: Task,
    candidates: Sequence[Candidate],
    *,
    python: str = "",
    required: Driver = Driver.LANDLOCK,
    processes: int = 0,
    known: Mapping[str, str] = NOTHING_KNOWN,
    evidence: Known = nothing_known,
    only: Collection[str] = (),
    cluster: "Cluster | None" = None,
) -> Generator[Event, None, None]:
    """Prepare a run, and return what then happens, as it happens.

    python: see `find_interpreter`; empty for what the spec says.  required: the weakest driver
    to accept.  processes: 0 for one for each core.  known: the keys of the results of earlier
    runs, by submission; those that still hold are kept.  evidence: returns what an earlier run found
    about the cases of a submission, given its id.  only: the submissions to mark, empty for
    all; of the others, only results that still hold are in the run.  cluster: marks instead of
    processes of this machine.
    Raises `UsageError` and `NoSandbox` at once, before there is anything to record.  Closing the
    generator ends all that was started.
    """
    python = python or task.python
    interpreter = find_interpreter(python)
    tools = tools_of(task)
    if cluster is None:
        examination = strongest(interpreter, required)
    else:
        examination = cluster.examine(task, python, required)
    conditions = conditions_key(task, examination.driver, interpreter)
    plan = _plan(task, candidates, run_key(task, conditions, tools), known, only)
    order = None
    if plan.to_mark:
        order = replace(prepare_order(task, examination.driver, python), conditions=conditions)
    run = _run_info(task, examination, interpreter.version, tools)
    if cluster is not None:
        return _events(run, plan, order, partial(cluster.mark_all, known=evidence))
    at_a_time = min(processes or default_processes(), max(1, len(plan.to_mark)))
    return _events(run, plan, order, partial(mark_all, processes=at_a_time, known=evidence))


@dataclass(frozen=True, slots=True)
class _Plan:
    """Which results are kept, and what is to be marked; key: see `run_key`."""

    key: str
    kept: tuple[str, ...]
    to_mark: tuple[Candidate, ...]


def _plan(
    task: Task, candidates: Sequence[Candidate], key: str, known: Mapping[str, str], only: Collection[str]
) -> _Plan:
    unknown = set(only) - {candidate.id for candidate in candidates}
    if unknown:
        raise UsageError(Fault(f"there is no submission {sorted(unknown)[0]!r}", hint="see --only"))
    modules = dict(task.modules)
    kept, to_mark, stale = [], [], []
    for candidate in candidates:
        if known.get(candidate.id) and known[candidate.id] == result_key(
            key, candidate, read(candidate, modules).sha256
        ):
            kept.append(candidate.id)
        elif not only or candidate.id in only:
            to_mark.append(candidate)
        elif candidate.id in known:
            stale.append(candidate.id)
    if stale:
        reason = f"the results of {len(stale)} other submissions no longer hold, such as {stale[0]}'s"
        raise UsageError(Fault(reason, hint="mark all of them, or choose another folder with -o"))
    return _Plan(key, tuple(kept), tuple(to_mark))


def _events(run: RunInfo, plan: _Plan, order: Order | None, mark: _Mark) -> Generator[Event, None, None]:
    yield RunStarted(run, len(plan.kept) + len(plan.to_mark))
    for submission_id in plan.kept:
        yield SubmissionKept(submission_id)
    if order is not None:
        by_id = {candidate.id: candidate for candidate in plan.to_mark}
        with closing(mark(order, plan.to_mark)) as all_marked:
            for marked in all_marked:
                result = marked.result
                # What we failed to mark is tried again by the next run.
                holds = not failed_internally(result)
                key = result_key(plan.key, by_id[result.id], result.sha256) if holds else ""
                yield SubmissionMarked(result, key, marked.evidence)
    yield RunFinished(now())


def prepare_order(task: Task, driver: Driver, python: str) -> Order:
    """Ask the reference for all that is expected, and bundle what every submission needs."""
    if not asks_reference(task) and not task.packages:
        return Order(task, driver, python, {})
    try:
        with Zygote(driver, find_interpreter(python), task.preloaded) as zygote:
            oracle = Oracle(zygote, task)
            try:
                known = ask_reference(task, oracle)
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


def tools_of(task: Task) -> dict[str, str]:
    """Return the tools that a task's rules need, with their versions.  Raises `UsageError`."""
    if not task.has_rules:
        return {}
    from grader.engine.rules import tools_of as tools_of_rules

    return tools_of_rules(task)


def _run_info(task: Task, examination: Examination, python: str, tools: Mapping[str, str]) -> RunInfo:
    return RunInfo(
        id=f"{datetime.now(UTC):%Y%m%dT%H%M%SZ}-{secrets.token_hex(3)}",
        grader=__version__,
        spec_sha256=task.spec_sha256,
        seed=task.seed,
        python=python,
        driver=str(examination.driver),
        guarantees={str(name): held for name, held in examination.held.items()},
        tools=dict(tools),
        started=now(),
    )


def finished(run: RunInfo, time: str) -> RunInfo:
    """Return `run` with the time of its end."""
    return replace(run, finished=time)
