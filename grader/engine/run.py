"""A whole run: spec and submissions in, a stream of events out.

What `grader mark` does, without the terminal and without the files.
"""

import secrets
from collections.abc import Collection, Generator, Iterable, Mapping, Sequence
from concurrent.futures import Future
from contextlib import closing
from dataclasses import dataclass, replace
from datetime import UTC, datetime
from threading import Thread
from types import MappingProxyType
from typing import TYPE_CHECKING, Protocol

from grader import __version__
from grader.doctor.doctor import Examination, strongest
from grader.engine.cache.keys import Known, conditions_key, nothing_known, result_key, run_key
from grader.engine.spread import spread
from grader.intake import Candidate, digest
from grader.marking.totals import failed_internally
from grader.model.errors import Fault, UsageError
from grader.model.events import (
    CaseUnderWay,
    Event,
    RunFinished,
    RunStarted,
    SubmissionKept,
    SubmissionMarked,
    SubmissionStarted,
    TellPhase,
    tell_nobody,
)
from grader.model.results import RunInfo, SandboxInfo
from grader.model.task import Task
from grader.sandbox.driver import Driver, Guarantee
from grader.sandbox.interpreter import Interpreter, find_interpreter

if TYPE_CHECKING:  # a run whose results all hold marks nothing
    from grader.engine.batch import Step
    from grader.engine.worker import Order


class Machines(Protocol):
    """Other machines that mark a run instead of this one, such as a cluster."""

    def examine(self, task: Task, python: str, required: Driver) -> Examination:
        """Return what a run on all of them has for a sandbox.  Raises `NoSandbox`."""

    def mark_all(
        self, order: "Order", candidates: Iterable[Candidate], known: Known
    ) -> "Generator[Step, None, None]":
        """Mark every candidate; yield results as they come.  Comes after `examine`."""


NOTHING_KNOWN: Mapping[str, str] = MappingProxyType({})
"""No results of earlier runs."""

_AGAIN = "again "
"""Before the key of a result that tells of our own failure: it holds, and is tried again by the next run."""


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
    machines: Machines | None = None,
    tell: TellPhase = tell_nobody,
) -> Generator[Event, None, None]:
    """Prepare a run, and return what then happens, as it happens.

    python: see `find_interpreter`; empty for what the spec says.  required: the weakest driver
    to accept.  processes: 0 for one for each core.  known: the keys of the results of earlier
    runs, by submission; those that still hold are kept.  evidence: returns what an earlier run found
    about the cases of a submission, given its id.  only: the submissions to mark, empty for
    all; of the others, only results that still hold are in the run.  machines: mark instead of
    processes of this machine.  tell: is told what the preparation is at.
    Raises `UsageError` and `NoSandbox` at once, before there is anything to record.  Closing the
    generator ends all that was started.
    """
    python = python or task.python
    interpreter = find_interpreter(python)
    tools = tools_of(task)
    tell("examining the sandbox")
    if machines is None:
        examining = _examined_beside(interpreter, required)
        digests = _digests(task, candidates, known)
        examination = examining.result()
    else:
        examination = machines.examine(task, python, required)
        digests = _digests(task, candidates, known)
    conditions = conditions_key(task, examination, interpreter)
    plan = _plan(candidates, run_key(task, conditions, tools), known, digests, only)
    run = _run_info(task, examination, interpreter.version, tools)
    if not plan.to_mark:
        return _events(run, plan, None)
    from grader.engine.order import prepare_order

    tell("asking the reference")
    order = prepare_order(task, examination.driver, python)
    if examination.held[Guarantee.FILES_WRITE]:
        # Else a case may have read what an earlier one wrote, and its evidence depends on that one as well.
        order = replace(order, conditions=conditions)
    if machines is not None:
        return _events(run, plan, machines.mark_all(order, plan.to_mark, evidence))
    from grader.engine.batch import mark_all
    from grader.runtime.cores import default_processes

    at_a_time = min(processes or default_processes(), len(plan.to_mark))
    return _events(run, plan, mark_all(order, plan.to_mark, at_a_time, known=evidence))


@dataclass(frozen=True, slots=True)
class _Plan:
    """Which results are kept, and what is to be marked; key: see `run_key`."""

    key: str
    kept: tuple[str, ...]
    to_mark: tuple[Candidate, ...]


def _examined_beside(interpreter: Interpreter, required: Driver) -> "Future[Examination]":
    """Begin to find out what the sandbox holds, which is to wait, for the most part.

    In a thread that nobody has to wait for: an interrupt ends this process, and all that the thread started.
    """
    examining: Future[Examination] = Future()

    def examine() -> None:
        try:
            examining.set_result(strongest(interpreter, required))
        except BaseException as error:
            examining.set_exception(error)

    Thread(target=examine, daemon=True).start()
    return examining


def _digests(task: Task, candidates: Sequence[Candidate], known: Mapping[str, str]) -> dict[str, str]:
    """Return the digests of the submissions that have a result of an earlier run which may still hold."""
    modules = dict(task.modules)
    return {candidate.id: digest(candidate, modules) for candidate in candidates if known.get(candidate.id)}


def _plan(
    candidates: Sequence[Candidate],
    key: str,
    known: Mapping[str, str],
    digests: Mapping[str, str],
    only: Collection[str],
) -> _Plan:
    unknown = set(only) - {candidate.id for candidate in candidates}
    if unknown:
        raise UsageError(Fault(f"there is no submission {sorted(unknown)[0]!r}", hint="see --only"))
    kept, to_mark, stale = [], [], []
    for candidate in candidates:
        sha256, earlier = digests.get(candidate.id), known.get(candidate.id, "")
        holds = sha256 is not None and earlier.removeprefix(_AGAIN) == result_key(key, candidate, sha256)
        if holds and not earlier.startswith(_AGAIN):
            kept.append(candidate.id)
        elif not only or candidate.id in only:
            to_mark.append(candidate)
        elif holds:
            kept.append(candidate.id)
        elif candidate.id in known:
            stale.append(candidate.id)
    if stale:
        others = "another submission" if len(stale) == 1 else f"{len(stale)} other submissions"
        reason = f"the results of {others} no longer hold, such as {stale[0]}'s"
        raise UsageError(Fault(reason, hint="mark all of them, or choose another folder with -o"))
    return _Plan(key, tuple(kept), spread(to_mark))


def _events(
    run: RunInfo, plan: _Plan, marking: "Generator[Step, None, None] | None"
) -> Generator[Event, None, None]:
    """Tell of a run.  marking: marks what the plan says; None where there is nothing to mark."""
    yield RunStarted(run, len(plan.kept) + len(plan.to_mark))
    for submission_id in plan.kept:
        yield SubmissionKept(submission_id)
    if marking is not None:
        from grader.engine.progress import Begun, Runs

        by_id = {candidate.id: candidate for candidate in plan.to_mark}
        with closing(marking):
            for marked in marking:
                if isinstance(marked, Begun):
                    yield SubmissionStarted(marked.candidate.id, marked.candidate.name)
                    continue
                if isinstance(marked, Runs):
                    yield CaseUnderWay(marked.candidate.id, marked.case, marked.waits)
                    continue
                result = marked.result
                key = result_key(plan.key, by_id[result.id], result.sha256)
                if failed_internally(result):
                    key = _AGAIN + key
                yield SubmissionMarked(result, key, marked.evidence)
    yield RunFinished(now())


def tools_of(task: Task) -> dict[str, str]:
    """Return the tools that a task's rules need, with their versions.  Raises `UsageError`."""
    if not task.has_rules:
        return {}
    from grader.engine.submission.rules import tools_of as tools_of_rules

    return tools_of_rules(task)


def _run_info(task: Task, examination: Examination, python: str, tools: Mapping[str, str]) -> RunInfo:
    return RunInfo(
        id=f"{datetime.now(UTC):%Y%m%dT%H%M%SZ}-{secrets.token_hex(3)}",
        grader=__version__,
        spec_sha256=task.spec_sha256,
        seed=task.seed,
        python=python,
        sandbox=SandboxInfo(
            str(examination.driver), {str(name): held for name, held in examination.held.items()}
        ),
        tools=dict(tools),
        started=now(),
    )


def finished(run: RunInfo, time: str) -> RunInfo:
    """Return `run` with the time of its end."""
    return replace(run, finished=time)
