"""Graders that are stopped or interrupted when all is marked and the report is being written."""

import os
import signal
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest
from support.command_line import (
    SPEC,
    Done,
    begins_with,
    grader,
    only_error,
    reproducible,
    results,
    small_task,
)
from support.foreground import Foreground
from support.rows import first_of

pytestmark = pytest.mark.skipif(sys.platform != "linux", reason="stops a process by a signal")


STOPS_ITSELF = """
import os, signal

replace = os.replace

def stops(source, target, **options):
    replace(source, target, **options)
    if os.path.basename(target) == "results.json":
        os.kill(os.getpid(), signal.SIGSTOP)

os.replace = stops
"""
"""Stops a grader as soon as its results are written, before its pages are."""


@pytest.fixture
def work(tmp_path: Path) -> Path:
    """A copy of the small task and of a part of its batch."""
    return small_task(tmp_path / "work", ["student-01", "student-02"])


@pytest.fixture
def stopped(work: Path, tmp_path: Path) -> Iterator[Foreground]:
    """A grader that was stopped between its results and its index."""
    paths = begins_with(STOPS_ITSELF, tmp_path / "site")
    command = ("mark", SPEC.name, "submissions", "-o", "out", "-j", "1")
    marking = Foreground(*command, folder=work, PYTHONPATH=paths)
    _, status = os.waitpid(marking.process.pid, os.WUNTRACED)
    assert os.WIFSTOPPED(status), marking.process.communicate()
    assert (work / "out" / "results.json").exists()
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
    _, said = stopped.process.communicate()
    assert stopped.process.returncode == 0, said
    assert results(work / "out") == before


@pytest.mark.parametrize("number", first_of([signal.SIGINT, signal.SIGTERM]))
def test_an_interrupt_says_how_to_go_on(work: Path, stopped: Foreground, number: signal.Signals) -> None:
    before = reproducible(results(work / "out"))
    os.killpg(stopped.process.pid, number)
    os.killpg(stopped.process.pid, signal.SIGCONT)
    _, said = stopped.process.communicate()
    assert stopped.process.returncode == 130
    assert said.splitlines()[-1] == (
        "interrupted while the report was written; the same command goes on from there"
    )
    assert not (work / "out" / "index.html").exists()
    done = again(work)
    assert done.returncode == 0, done.stderr
    assert reproducible(results(work / "out")) == before
    assert (work / "out" / "index.html").exists()
