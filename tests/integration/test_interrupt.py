"""Ctrl-C and its relatives in the middle of a batch: soon over, quietly, and nothing left behind."""

import os
import signal
import sys
import time
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from support import endless
from support.foreground import Foreground
from support.processes import comes_true
from support.rows import first_of
from support.trees import MakeTree

pytestmark = pytest.mark.skipif(sys.platform != "linux", reason="looks at processes in /proc")

LONGEST_S = 600.0
"""Far less than the batch takes without an interrupt; `benchmarks/interrupt.py` tells how soon it is over."""


@pytest.fixture
def batch(make_folder: MakeTree) -> Path:
    """A spec, and twenty submissions that never come to an end."""
    return make_folder("slow", endless.files(20))


class Running(Foreground):
    """`grader mark` on the batch."""

    def __init__(self, batch: Path, *options: str) -> None:
        super().__init__("mark", "slow.yaml", "batch", "-o", "out", *options, folder=batch)
        self.output = batch / "out"
        self.said = ""

    def wait_until_marking(self) -> None:
        assert self.process.stderr is not None
        self.said = self.process.stderr.readline()
        while self.said.endswith(" …\n"):  # a slow machine is waited for
            self.said = self.process.stderr.readline()
        assert self.said.startswith("marking 20 submissions"), self.said

    def wait_until_boxes_run(self, boxes: int) -> None:
        """Wait until so many student programs use the processor."""
        deadline = time.monotonic() + 600
        while time.monotonic() < deadline:
            self.look()
            names = [Path(f"/proc/{pid}/comm") for pid, _ in self.seen]
            running = [path for path in names if path.exists() and path.read_text() == "grader-box\n"]
            if len(running) >= boxes:
                return
            time.sleep(0.05)
        raise AssertionError("no student program was started")

    def wait_until_interrupts_are_caught(self) -> None:
        """Wait until the grader's own code runs; before that, Python answers a signal in its own way."""
        status = Path(f"/proc/{self.process.pid}/status")

        def caught() -> bool:
            (mask,) = (line.split()[1] for line in status.read_text().splitlines() if "SigCgt" in line)
            return bool(int(mask, 16) >> (signal.SIGTERM - 1) & 1)

        assert comes_true(caught, within_s=600)

    def end(self, number: int, *, group: bool) -> str:
        """Send a signal; return all that the grader said.  Fails if it does not end."""
        self.look()
        if group:
            os.killpg(self.process.pid, number)
        else:
            self.process.send_signal(number)
        stdout, stderr = self.process.communicate(timeout=LONGEST_S)
        assert stdout == ""
        return self.said + stderr


Start = Callable[..., Running]


@pytest.fixture
def start(batch: Path) -> Iterator[Start]:
    """Start a run; it is killed after the test if it still runs."""
    started: list[Running] = []

    def make(*options: str) -> Running:
        started.append(Running(batch, *options))
        return started[-1]

    yield make
    for running in started:
        running.end_at_last()


@pytest.mark.parametrize("jobs", ["1", "2"])
def test_control_c_ends_a_batch_at_once(start: Start, jobs: str) -> None:
    running = start("-j", jobs)
    running.wait_until_marking()
    running.wait_until_boxes_run(int(jobs))
    said = running.end(signal.SIGINT, group=True)
    assert running.process.returncode == 130
    assert said.splitlines()[1:] == [
        "interrupted: 0 of 20 submissions marked; the same command goes on from there"
    ]
    assert running.leaves_nothing_running()
    assert not (running.output / "results.json").exists()


def test_how_to_go_on_where_everything_was_to_be_marked_anew(start: Start) -> None:
    running = start("-j", "1", "--no-cache")
    running.wait_until_marking()
    said = running.end(signal.SIGINT, group=True)
    assert said.splitlines()[1:] == [
        "interrupted: 0 of 20 submissions marked; the same command without --no-cache goes on from there"
    ]


@pytest.mark.parametrize("delay_s", [0.0, 0.3])
def test_control_c_while_the_workers_start(start: Start, delay_s: float) -> None:
    running = start("-j", "2")
    running.wait_until_marking()
    time.sleep(delay_s)
    said = running.end(signal.SIGINT, group=True)
    assert running.process.returncode == 130
    assert len(said.splitlines()) == 2, said
    assert running.leaves_nothing_running()


@pytest.mark.parametrize("delay_s", [0.0, 0.2])
def test_control_c_before_anything_is_marked(start: Start, delay_s: float) -> None:
    running = start()
    running.wait_until_interrupts_are_caught()
    time.sleep(delay_s)
    said = running.end(signal.SIGINT, group=True)
    assert running.process.returncode == 130
    assert "Traceback" not in said
    assert running.leaves_nothing_running()


@pytest.mark.parametrize("number", first_of([signal.SIGTERM, signal.SIGHUP]))
def test_a_request_to_terminate_is_an_interrupt(start: Start, number: signal.Signals) -> None:
    running = start("-j", "2")
    running.wait_until_marking()
    running.wait_until_boxes_run(2)
    said = running.end(number, group=number == signal.SIGHUP)
    assert running.process.returncode == 130
    assert said.splitlines()[1].startswith("interrupted: ")
    assert running.leaves_nothing_running()


@pytest.mark.parametrize("jobs", ["1", "2"])
def test_a_grader_that_is_killed_leaves_nothing_running(start: Start, jobs: str) -> None:
    running = start("-j", jobs)
    running.wait_until_marking()
    running.wait_until_boxes_run(int(jobs))
    running.end(signal.SIGKILL, group=False)
    assert running.leaves_nothing_running()


def test_while_the_sandbox_is_looked_at(start: Start, tmp_path: Path) -> None:
    """Where the second Python does not start, an interrupt is not kept waiting for it."""
    stuck = tmp_path / "python"
    stuck.write_text(
        f"#!/bin/sh\n"
        f"case \"$*\" in *zygote.main*) exec {sys.executable} -c 'import time; time.sleep(60)';; esac\n"
        f'exec {sys.executable} "$@"\n'
    )
    stuck.chmod(0o755)
    running = start("--python", str(stuck))
    assert comes_true(
        lambda: any("time.sleep(60)" in command_of(pid) for pid, _ in running.look()), within_s=600
    )
    said = running.end(signal.SIGINT, group=False)
    assert "Traceback" not in said
    assert running.process.returncode == 130
    assert running.leaves_nothing_running()


def command_of(pid: int) -> str:
    """Return the command line of a process, nothing where it is gone."""
    try:
        return Path(f"/proc/{pid}/cmdline").read_text()
    except OSError:
        return ""
