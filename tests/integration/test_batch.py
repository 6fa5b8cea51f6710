"""A batch goes on whatever becomes of its processes, and says which marks it could not find out."""

import os
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest
from command_line import BATCH, COMMAND, SPEC, Marked, environment, reproducible, results
from processes import descendants

from grader.engine.batch import mark_all
from grader.engine.worker_process import Order
from grader.intake import discover
from grader.model.results import Status
from grader.sandbox.driver import Driver
from grader.spec import load_task


@pytest.mark.parametrize("processes", [1, 2])
def test_a_sandbox_that_does_not_start_leaves_every_mark_pending(tmp_path: Path, processes: int) -> None:
    task = load_task(SPEC)
    # It answers questions about itself as a Python does, and cannot be started otherwise.
    python = tmp_path / "python"
    python.write_text(f'#!/bin/sh\ncase "$*" in *-I*) exec {sys.executable} "$@";; esac\nexit 9\n')
    python.chmod(0o755)
    order = Order(task, Driver.POSIX, str(python), {})
    candidates = discover([BATCH], dict(task.modules))
    marked = [each.result for each in mark_all(order, candidates, processes)]
    assert sorted(result.id for result in marked) == sorted(candidate.id for candidate in candidates)
    assert {result.status for result in marked} == {Status.PENDING}
    assert all(result.problems[0].startswith("internal error: SandboxFailure") for result in marked)


def test_a_worker_process_that_is_killed_costs_no_mark(marked: Marked, tmp_path: Path) -> None:
    process = subprocess.Popen(
        [COMMAND, "mark", SPEC, BATCH, "-o", tmp_path / "out", "-j", "2", "--quiet"],
        env=environment(),
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
    )
    workers: list[int] = []
    while not workers and process.poll() is None:
        time.sleep(0.05)
        below = [pid for pid, _ in descendants(process.pid)]
        if any(map(_is_box, below)):
            workers += [pid for pid in below if _is_worker(pid, process.pid)]
    os.kill(workers[0], signal.SIGKILL)
    _, stderr = process.communicate(timeout=100)
    assert process.returncode == 0, stderr
    assert reproducible(results(tmp_path / "out")) == reproducible(results(marked.folder))


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
