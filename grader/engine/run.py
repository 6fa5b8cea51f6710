"""A whole run: turns a spec and submissions into a stream of events.

It knows neither the terminal nor the result files; see `session` for those.
"""

import secrets
from collections.abc import Collection, Generator, Iterable, Iterator, Mapping, Sequence
from concurrent.futures import Future
from contextlib import closing
from dataclasses import dataclass, replace
from datetime import UTC, datetime
from difflib import get_close_matches
from pathlib import Path
from threading import Thread
from types import MappingProxyType
from typing import TypeVar

from grader import __version__
from grader.doctor.doctor import Examination
from grader.engine.batch import Machines, Step, ThisMachine
from grader.engine.cache.keys import Known, conditions_key, nothing_known, result_key, run_key
from grader.engine.host_limits import room_for
from grader.engine.locked import require_locked
from grader.engine.progress import Begun, Runs
from grader.engine.proof.marking import ReferenceMarks, mark_reference_in_threads, unproven
from grader.engine.proof.prover import Proof, Prover
from grader.engine.run_config import prepare_run, starting_sandbox
from grader.engine.submission.required_tools import tools_of
from grader.intake import Candidate, digest
from grader.intake.names import listed
from grader.marking.totals import failed_internally
from grader.model.errors import Fault, NoSandbox, UsageError
from grader.model.events import (
    CaseUnderWay,
    Event,
    RunFinished,
    RunStarted,
    SpecProven,
    SubmissionKept,
    SubmissionMarked,
    SubmissionStarted,
    TellPhase,
    ignore_phase,
)
from grader.model.results import RunInfo, SandboxInfo
from grader.model.task import Task
from grader.registry.identity import plugins_in_marks
from grader.runtime.build import own_code, own_commit
from grader.sandbox.data_files import data_folder
from grader.sandbox.driver import Driver, Guarantee
from grader.sandbox.interpreter import find_interpreter
from grader.sandbox.tools.toolchains import compilers_of
from grader.sandbox.zygote import Zygote
from grader.store.record_parts import unpack_work

_Item = TypeVar("_Item")

NOTHING_KNOWN: Mapping[str, str] = MappingProxyType({})
"""No results of earlier runs."""

_AGAIN = "again "
"""Prefix of the key of a result that reports a failure of ours: it counts, but the next run tries again."""

_MOST_NAMED = 8
_GOLDEN = 0x9E3779B97F4A7C15
"""The golden ratio as a fraction of 64 bits: its multiples are spread most evenly."""


def now() -> str:
    """Return the time, ISO 8601 in UTC, to the second."""
    return datetime.now(UTC).strftime("%Y-%m-%dT%H:%M:%SZ")


def new_run_id() -> str:
    """Return the id of a run: its time, and what tells it from another of that second."""
    return f"{datetime.now(UTC):%Y%m%dT%H%M%SZ}-{secrets.token_hex(3)}"


def mark_batch(
    task: Task,
    candidates: Sequence[Candidate],
    *,
    python: str = "",
    required: Driver = Driver.LANDLOCK,
    known: Mapping[str, str] = NOTHING_KNOWN,
    evidence: Known = nothing_known,
    only: Collection[str] = (),
    machines: Machines | None = None,
    tell: TellPhase = ignore_phase,
    prover: Prover | None = None,
    threads: int = 1,
) -> Generator[Event, None, None]:
    """Prepare a run, and return its events as they happen.

    python: see `find_interpreter`; empty for the spec's choice.  required: the weakest driver to accept.
    known: the keys of the results of earlier runs, by submission; the run keeps those that still hold.
    evidence: returns the evidence of an earlier run, given a submission's id.
    only: the submissions to mark, empty for all; others are in the run only if their results still hold.
    machines: the machines that mark; None for this one.  tell: called with each phase of the preparation.
    prover: proves the spec by its reference, on this machine; None to trust the spec.  threads: the most that
        mark the reference.
    Raises `UsageError`, `SpecNotProven` and `NoSandbox` at once, before there is anything to record.
    Closing the generator ends everything that was started.
    """
    machines = machines or ThisMachine()
    python = python or task.python
    interpreter = find_interpreter(python)
    require_locked(task, interpreter)
    tools = tools_of(task) | compilers_of(task.toolchains)
    tell("examining the sandbox")
    examining = _begin_to_examine(machines, task, python, required)
    digests = _digests(task, candidates, known)
    examination = examining.result()
    conditions = conditions_key(task, examination.driver, examination.held, interpreter)
    plan = _plan(candidates, run_key(task, conditions, tools), known, digests, only)
    driver = examination.driver
    threads = min(threads, room_for(task).most)
    proof = _proof(task, plan.key, driver, python, prover, threads, tell)
    run = RunInfo(
        id=new_run_id(),
        grader=__version__,
        spec_sha256=task.spec_sha256,
        seed=task.seed,
        python=interpreter.version,
        sandbox=SandboxInfo(
            str(examination.driver), {str(name): held for name, held in examination.held.items()}
        ),
        lock_sha256=task.lock.sha256 if task.lock is not None else "",
        tools=tools,
        plugins=plugins_in_marks(),
        started=now(),
        spec_faults=tuple(map(_one_line, proof.faults)),
        commit=own_commit(),
        code=own_code(),
    )
    if not plan.to_mark:
        return _events(run, plan, proof.kept, None)
    tell("asking the reference")
    # Where the spec has faults, a checker that raises may be one of them.
    config = prepare_run(unproven(task) if proof.faults else task, driver, python, proof.expectations)
    if examination.held[Guarantee.FILES_WRITE]:
        # Without this guarantee a case may read files that an earlier one wrote, and its evidence would
        # depend on that one too.
        config = replace(config, conditions=conditions)
    return _events(run, plan, proof.kept, machines.mark_all(config, plan.to_mark, evidence))


def _proof(
    task: Task, key: str, driver: Driver, python: str, prover: Prover | None, threads: int, tell: TellPhase
) -> Proof:
    """Return the proof of the spec.  Raises `SpecNotProven` and `NoSandbox`."""
    if prover is None:
        return Proof()

    def mark() -> ReferenceMarks:
        def start() -> Zygote:
            return Zygote(driver, find_interpreter(python), task.preloaded, data=data_folder(task.data))

        with starting_sandbox(task):
            return mark_reference_in_threads(task, start, threads, tell)

    tell("checking the reference")
    return prover.prove(task, key, mark)


def _one_line(fault: Fault) -> str:
    return f"{fault.where}: {fault.message}" if fault.where else fault.message


@dataclass(frozen=True, slots=True)
class _Plan:
    """The kept results, and the submissions to mark.  key: see `run_key`."""

    key: str
    kept: tuple[str, ...]
    to_mark: tuple[Candidate, ...]


def _begin_to_examine(machines: Machines, task: Task, python: str, required: Driver) -> "Future[Examination]":
    """Begin to examine the sandbox in a thread, since this mostly waits.

    The thread need not be joined: an interrupt ends this process, and all that the thread started.
    """
    examining: Future[Examination] = Future()

    def examine() -> None:
        try:
            examining.set_result(machines.examine(task, python, required))
        except BaseException as error:
            examining.set_exception(error)

    Thread(target=examine, daemon=True).start()
    return examining


def _digests(task: Task, candidates: Sequence[Candidate], known: Mapping[str, str]) -> dict[str, str]:
    """Return the digests of the submissions whose earlier results may still hold."""
    modules = task.asked
    return {
        candidate.id: recorded_digest(candidate) if candidate.recorded else digest(candidate, modules)
        for candidate in candidates
        if known.get(candidate.id)
    }


def recorded_digest(candidate: Candidate) -> str:
    return unpack_work(candidate.recorded).sha256


def _plan(
    candidates: Sequence[Candidate],
    key: str,
    known: Mapping[str, str],
    digests: Mapping[str, str],
    only: Collection[str],
) -> _Plan:
    unknown = set(only) - {candidate.id for candidate in candidates}
    if unknown:
        name = sorted(unknown)[0]
        near = get_close_matches(name, [candidate.id for candidate in candidates], 1)
        hint = f"did you mean {near[0]}?" if near else _some_of(candidates)
        raise UsageError(Fault(f"there is no submission {name!r}", hint=hint))
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
    return _Plan(key, tuple(kept), spread(list(_one_for_each_work(to_mark))))


def _some_of(candidates: Sequence[Candidate]) -> str:
    names = ", ".join(candidate.id for candidate in candidates[:_MOST_NAMED])
    return f"there is {names}{', …' if len(candidates) > _MOST_NAMED else ''}"


def _one_for_each_work(candidates: Iterable[Candidate]) -> Iterator[Candidate]:
    """Yield the candidates; of those who handed in a work together, the first with the others as members.

    In place of the work of one of them another may be marked.
    """
    by_work: dict[tuple[Path, str, tuple[str, ...]] | int, list[Candidate]] = {}
    for number, candidate in enumerate(candidates):
        # Two downloads can have one name for two groups; members with other deadlines have other commits.
        is_shared = candidate.work and not candidate.is_apart
        key = (candidate.path, candidate.work, candidate.commits) if is_shared else number
        by_work.setdefault(key, []).append(candidate)
    for first, *others in by_work.values():
        yield replace(first, members=tuple(others)) if others else first


def spread(items: Sequence[_Item]) -> tuple[_Item, ...]:
    """Return the items in an order in which neighbours are far apart.

    Slow submissions often stand together, such as a group of friends in an alphabet.  In that order they
    could come last, with one core at work, and no earlier estimate of the remaining time would be right.
    """
    places = sorted(range(len(items)), key=lambda place: place * _GOLDEN % (1 << 64))
    return tuple(items[place] for place in places)


def _events(
    run: RunInfo, plan: _Plan, proof: str, marking: Generator[Step, None, None] | None
) -> Generator[Event, None, None]:
    """Yield the events of a run.

    proof: of the spec, to be kept; empty if there is none.
    marking: marks as planned; None if there is nothing to mark.
    Raises `NoSandbox` at the end if somebody has no result, since that would be told as nothing handed in.
    """
    by_id = {each.id: each for candidate in plan.to_mark for each in (candidate, *candidate.members)}
    awaited = set(by_id)
    yield RunStarted(run, len(plan.kept) + len(by_id))
    if proof:
        yield SpecProven(plan.key, proof)
    for submission_id in plan.kept:
        yield SubmissionKept(submission_id)
    if marking is not None:
        with closing(marking):
            for step in marking:
                if isinstance(step, Begun):
                    yield SubmissionStarted(step.candidate.id, step.candidate.name)
                elif isinstance(step, Runs):
                    yield CaseUnderWay(step.candidate.id, step.case, step.waits)
                else:
                    for member in step.members:
                        yield SubmissionStarted(member.result.id, member.result.name)
                    for marked in (step, *step.members):
                        awaited.discard(marked.result.id)
                        key = result_key(plan.key, by_id[marked.result.id], marked.result.sha256)
                        again = _AGAIN if failed_internally(marked.result) else ""
                        yield SubmissionMarked(marked.result, again + key, marked.evidence, marked.work)
    if awaited:
        what = f"the machines that marked gave no result for {listed(sorted(awaited))}"
        raise NoSandbox(Fault(what, hint="what is marked is kept; the same command goes on from there"))
    yield RunFinished(now())
