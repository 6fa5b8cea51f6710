"""Graders that are stopped or interrupted when all is marked and the report is being written."""

import os
import shutil
import signal
import sys
import time
from collections.abc import Iterator
from pathlib import Path

import pytest
from support.command_line import MINI, SPEC, Done, grader, only_error, reproducible, results
from support.foreground import Foreground

pytestmark = pytest.mark.skipif(sys.platform != "linux", reason="stops a process by a signal")


@pytest.fixture
def work(tmp_path: Path) -> Path:
    """A copy of the small task and its batch."""
    return Path(shutil.copytree(MINI, tmp_path / "work"))


@pytest.fixture
def stopped(work: Path) -> Iterator[Foreground]:
    """A grader that was stopped between its results and its index."""
    for _ in range(10):
        shutil.rmtree(work / "out", ignore_errors=True)
        marking = Foreground("mark", SPEC.name, "submissions", "-o", "out", "-j", "1", folder=work)
        while not (work / "out" / "results.json").exists() and marking.process.poll() is None:
            time.sleep(0.001)
        os.killpg(marking.process.pid, signal.SIGSTOP)
        if not (work / "out" / "index.html").exists():
            break
        marking.end_at_last()
    assert not (work / "out" / "index.html").exists()
    yield marking
    marking.end_at_last()


def again(work: Path) -> Done:
    return grader("mark", work / SPEC.name, work / "submissions", "-o", work / "out")


@pytest.mark.parametrize("command", ["mark", "report"])
def test_nobody_else_writes_into_the_folder_meanwhile(work: Path, stopped: Foreground, command: str) -> None:
    before = results(work / "out")
    done = again(work) if command == "mark" else grader("report", work / "out")
    assert done.returncode == 2
    assert "another grader is writing to this folder" in only_error(done)
    os.killpg(stopped.process.pid, signal.SIGCONT)
    _, said = stopped.process.communicate(timeout=60)
    assert stopped.process.returncode == 0, said
    assert results(work / "out") == before


@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM])
def test_an_interrupt_says_how_to_go_on(work: Path, stopped: Foreground, number: signal.Signals) -> None:
    before = reproducible(results(work / "out"))
    os.killpg(stopped.process.pid, number)
    os.killpg(stopped.process.pid, signal.SIGCONT)
    _, said = stopped.process.communicate(timeout=60)
    assert stopped.process.returncode == 130
    assert said.splitlines()[-1] == (
        "interrupted while the report was written; the same command goes on from there"
    )
    assert not (work / "out" / "index.html").exists()
    done = again(work)
    assert done.returncode == 0, done.stderr
    assert reproducible(results(work / "out")) == before
    assert (work / "out" / "index.html").exists()
