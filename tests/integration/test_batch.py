"""A batch goes on whatever becomes of its processes, and says which marks it could not find out."""

import multiprocessing
import os
import signal
import subprocess
import sys
from collections.abc import Generator, Iterable, Sequence
from concurrent.futures import BrokenExecutor, Executor, Future, ProcessPoolExecutor, ThreadPoolExecutor
from fractions import Fraction
from pathlib import Path
from typing import Any, TypeAlias

import pytest
from support import command_line
from support.command_line import BATCH, COMMAND, SPEC, environment, reproducible, results
from support.marking import cases, question
from support.processes import descendants
from support.rows import first_of

from grader.engine import worker as worker_process
from grader.engine.batch import MakeExecutor, Step, ThisMachine, mark_all
from grader.engine.cache.keys import Known, nothing_known
from grader.engine.progress import Begun
from grader.engine.run import mark_batch
from grader.engine.run_config import RunConfig, prepare_run
from grader.engine.worker import MarkedSubmission, Marker, not_marked, prepare
from grader.intake import Candidate, discover
from grader.model.errors import NoSandbox, UsageError
from grader.model.results import Status, SubmissionResult
from grader.model.verdict import Verdict
from grader.sandbox.driver import Driver
from grader.spec import load_task

STUDENTS = ("student-01", "student-04")

Found: TypeAlias = tuple[Fraction, list[Verdict]]
"""A mark, and the verdicts of all cases."""


def marked_of(steps: Iterable[Step]) -> list[MarkedSubmission]:
    return [step for step in steps if isinstance(step, MarkedSubmission)]


@pytest.mark.parametrize("processes", first_of([1, 2]))
def test_each_submission_is_told_when_it_is_begun(processes: int) -> None:
    """In the process that marks it, not when it is handed to the pool; in each case before its result."""
    task = load_task(SPEC)
    candidates = discover([BATCH], dict(task.modules))
    begun: set[str] = set()
    most = 0
    for step in mark_all(prepare_run(task, Driver.LANDLOCK, ""), candidates, processes):
        if isinstance(step, Begun):
            begun.add(step.candidate.id)
            most = max(most, len(begun))
        elif isinstance(step, MarkedSubmission):
            begun.remove(step.result.id)
    assert not begun
    assert most <= processes


class _Forgetful(ThisMachine):
    def mark_all(
        self, config: RunConfig, candidates: Sequence[Candidate], known: Known = nothing_known
    ) -> Generator[Step, None, None]:
        yield from super().mark_all(config, candidates[1:], known)


def test_a_run_in_which_somebody_got_no_result_does_not_end_as_if_all_had_one() -> None:
    """As by a plugin's cluster: who is missing would be taken for somebody who handed in nothing."""
    task = load_task(SPEC)
    candidates = [one for one in discover([BATCH], dict(task.modules)) if one.id in STUDENTS]
    steps = mark_batch(task, candidates, machines=_Forgetful())
    found: list[str] = []
    with pytest.raises(NoSandbox, match="gave no result for student-0"):
        found += [type(step).__name__ for step in steps]
    assert "RunFinished" not in found


_TELLS = """
import sys
from pathlib import Path
from grader.engine.batch import mark_all
from grader.engine.run_config import RunConfig, prepare_run
from grader.engine.progress import Runs
from grader.intake import discover
from grader.sandbox.driver import Driver
from grader.spec import load_task

task = load_task(Path("sample.yaml"))
candidates = discover([Path("batch")], dict(task.modules))
for step in mark_all(prepare_run(task, Driver.LANDLOCK, ""), candidates, 2):
    if isinstance(step, Runs):
        print(step.candidate.id, step.case, step.waits, flush=True)
"""


def test_a_case_that_takes_long_is_told_and_that_it_waits(tmp_path: Path) -> None:
    """By forks of the grader, which has no other thread in a process of its own."""
    (tmp_path / "sample.yaml").write_text(
        "task: sample\ntitle: Sample\nmarks: 1\nmodules: {work: work.py}\n"
        + question("{call: soon(), returns: 0}", "{call: later(), returns: 0}", "{call: soon(), returns: 0}")
    )
    for name, body in (("quick", "pass"), ("sleeps", "time.sleep(60)")):
        (tmp_path / "batch" / name).mkdir(parents=True)
        (tmp_path / "batch" / name / "work.py").write_text(
            f"import time\n\ndef soon():\n    return 0\n\ndef later():\n    {body}\n    return 0\n"
        )
    with subprocess.Popen(
        [sys.executable, "-c", _TELLS], cwd=tmp_path, env=environment(), stdout=subprocess.PIPE, text=True
    ) as marking:
        assert marking.stdout is not None
        assert "sleeps 1.2 True\n" in iter(marking.stdout.readline, "")
        marking.terminate()


@pytest.mark.parametrize("processes", first_of([1, 2]))
def test_a_sandbox_that_does_not_start_leaves_every_mark_pending(tmp_path: Path, processes: int) -> None:
    task = load_task(SPEC)
    # It answers questions about itself as a Python does, and cannot be started otherwise.
    python = tmp_path / "python"
    python.write_text(f'#!/bin/sh\ncase "$*" in *-I*) exec {sys.executable} "$@";; esac\nexit 9\n')
    python.chmod(0o755)
    order = RunConfig(task, Driver.POSIX, str(python), {})
    candidates = discover([BATCH], dict(task.modules))
    marked = [each.result for each in marked_of(mark_all(order, candidates, processes))]
    assert sorted(result.id for result in marked) == sorted(candidate.id for candidate in candidates)
    assert {result.status for result in marked} == {Status.PENDING}
    assert all(result.problems[0].startswith("internal error: SandboxFailure") for result in marked)


def test_any_executor_does_the_work(monkeypatch: pytest.MonkeyPatch) -> None:
    """A pool of threads, and one of fresh processes, find what marking here finds."""
    task = load_task(SPEC)
    order = prepare_run(task, Driver.LANDLOCK, "")
    candidates = discover([BATCH / name for name in STUDENTS], dict(task.modules))

    def found(make_executor: MakeExecutor) -> dict[str, Found]:
        return {
            each.result.id: _found(each.result)
            for each in marked_of(mark_all(order, candidates, 2, make_executor))
        }

    expected = {each.result.id: _found(each.result) for each in marked_of(mark_all(order, candidates, 1))}
    assert {name: mark for name, (mark, _) in expected.items()} == {"student-01": 6, "student-04": 5}
    spawned = multiprocessing.get_context("spawn")
    assert found(lambda order, most, spare: ProcessPoolExecutor(1, spawned, prepare, (order,))) == expected
    with Marker(order) as marker:
        monkeypatch.setattr(worker_process, "_marker", marker)
        assert found(lambda order, most, spare: ThreadPoolExecutor(1)) == expected


class _Dies(Executor):
    """A pool whose process is killed with the first submission, before it is handed the second."""

    def submit(self, call: Any, /, *arguments: Any, **_: Any) -> "Future[Any]":
        if getattr(self, "is_broken", False):
            raise BrokenExecutor("a process is gone")
        self.is_broken = True
        future: Future[Any] = Future()
        future.set_exception(BrokenExecutor("a process is gone"))
        return future


class _Works(Executor):
    """Says of each submission that it was not marked, but comes to its end."""

    def submit(self, call: Any, /, *arguments: Any, **_: Any) -> "Future[Any]":
        future: Future[Any] = Future()
        future.set_result(not_marked(load_task(SPEC), arguments[0].candidate, "done"))
        return future


def test_a_pool_that_breaks_while_it_is_handed_work_is_replaced() -> None:
    task = load_task(SPEC)
    candidates = discover([BATCH], dict(task.modules))
    pools: list[Executor] = [_Works(), _Dies()]
    order = RunConfig(task, Driver.POSIX, "", {})
    made = mark_all(order, candidates, 2, lambda order, most, spare: pools.pop())
    marked = [each.result for each in marked_of(made)]
    assert not pools
    assert sorted(result.id for result in marked) == sorted(candidate.id for candidate in candidates)
    assert {problem for result in marked for problem in result.problems if "internal" in problem} == {
        "internal error: done"
    }


class _Cancels(Executor):
    """A pool that breaks before it begins anything."""

    def submit(self, call: Any, /, *arguments: Any, **_: Any) -> "Future[Any]":
        future: Future[Any] = Future()
        future.cancel()
        return future


def test_what_no_process_had_begun_was_not_tried() -> None:
    """However often pools break over others."""
    task = load_task(SPEC)
    candidates = discover([BATCH / name for name in STUDENTS], dict(task.modules))
    pools: list[Executor] = [_Works(), *(_Cancels() for _ in range(5))]
    order = RunConfig(task, Driver.POSIX, "", {})
    made = mark_all(order, candidates, 2, lambda order, most, spare: pools.pop())
    marked = [each.result for each in marked_of(made)]
    assert not pools
    assert sorted(result.id for result in marked) == sorted(candidate.id for candidate in candidates)
    assert {problem for result in marked for problem in result.problems} == {"internal error: done"}


@pytest.mark.parametrize("beyond", [0, 1], ids=["a job for each core", "one more"])
@pytest.mark.acceptance  # it marks twice, with a job for each core
def test_where_there_is_a_job_for_each_core_each_keeps_to_one(tmp_path: Path, beyond: int) -> None:
    """With all that it starts, boxes too; otherwise what takes long may go to any."""
    cores = os.sched_getaffinity(0)
    (tmp_path / "sample.yaml").write_text(
        "task: sample\ntitle: Sample\nmarks: 1\nmodules: {work: work.py}\n"
        + question("{call: cores(), returns: 0}")
    )
    for number in range(4 * len(cores)):
        folder = tmp_path / "batch" / f"student-{number:02}"
        folder.mkdir(parents=True)
        (folder / "work.py").write_text(
            "import os, time\n\n"
            "def cores():\n    time.sleep(0.1)\n    return sorted(os.sched_getaffinity(0))\n"
        )
    task = load_task(tmp_path / "sample.yaml")
    order = prepare_run(task, Driver.NAMESPACES, "")
    done = mark_all(order, discover([tmp_path / "batch"], dict(task.modules)), len(cores) + beyond)
    told = {cases(marked.result)["1.1"].actual for marked in marked_of(done)}
    single = {f"[{core}]" for core in cores}
    assert told <= {*single, str(sorted(cores))} if beyond else told == single
    assert os.sched_getaffinity(0) == cores


@pytest.mark.acceptance  # `hostile/holes/test_host_kills.py` has what the host kills
def test_a_worker_process_that_is_killed_costs_no_mark(marked: command_line.Marked, tmp_path: Path) -> None:
    killed = False
    while not killed:  # a batch may be over before it is looked at
        process = subprocess.Popen(
            [COMMAND, "mark", SPEC, BATCH, "-o", tmp_path / "out", "-j", "2", "--quiet", "--no-cache"],
            env=environment(),
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            text=True,
        )
        while not killed and process.poll() is None:
            below = [pid for pid, _ in descendants(process.pid)]
            workers = [pid for pid in below if _is_worker(pid, process.pid)]
            if workers and any(map(_is_box, below)):
                os.kill(workers[0], signal.SIGKILL)
                killed = True
        _, stderr = process.communicate()
        assert process.returncode == 0, stderr
    assert reproducible(results(tmp_path / "out")) == reproducible(results(marked.folder))


def _found(result: SubmissionResult) -> Found:
    return result.mark, [case.verdict for question in result.questions for case in question.cases]


def _is_worker(pid: int, grader: int) -> bool:
    """Whether it is a fork of the grader, or was spawned by it."""
    try:
        command = Path(f"/proc/{pid}/cmdline").read_bytes()
        like_grader = command == Path(f"/proc/{grader}/cmdline").read_bytes()
    except OSError:
        return False
    return pid != grader and (like_grader or b"spawn_main" in command)


def _is_box(pid: int) -> bool:
    """Whether it is one at work, so that marking has begun where there are worker processes."""
    try:
        return Path(f"/proc/{pid}/comm").read_text() == "grader-box\n"
    except OSError:
        return False


def test_where_the_processes_cannot_be_started_one_message_says_so() -> None:
    def make(_: RunConfig, processes: int, spare: int) -> Executor:
        raise BlockingIOError(11, f"no room for {processes}")

    task = load_task(SPEC)
    candidates = discover([BATCH], dict(task.modules))
    with pytest.raises(UsageError, match="2 processes to mark with cannot be started: no room for 2"):
        list(mark_all(prepare_run(task, Driver.POSIX, ""), candidates, 2, make))
