"""`grader report` with several processes: full disks, killed processes, and Ctrl-C in the middle."""

import os
import resource
import signal
import sys
import time
from collections.abc import Iterator
from pathlib import Path

import pytest
from support.command_line import COMMAND, only_error, run
from support.foreground import Foreground
from support.many_results import write_many_results

from grader.runtime.cores import default_processes

pytestmark = [
    pytest.mark.acceptance,
    pytest.mark.skipif(sys.platform != "linux", reason="looks at processes in /proc"),
    pytest.mark.skipif(default_processes() < 2, reason="with one core there is one process"),
]

NOTE = (
    "note: there is no run.sqlite here: it can't be told whether results.json was changed, "
    "nor which marks by hand are new\n"
)
COUNT = 600
"""Students whose pages take a second or more."""


class Rendering(Foreground):
    """`grader report` on the results of many students."""

    def __init__(self, folder: Path) -> None:
        super().__init__("report", folder, folder=folder)
        self.folder = folder

    def wait_until_rendering(self) -> None:
        """Wait until there are pages, and processes that write them."""
        deadline = time.monotonic() + 600
        while time.monotonic() < deadline:
            assert self.process.poll() is None, "it was over too soon"
            if len(self.look()) > 2 and any((self.folder / "students").glob("student-*.html")):
                return
            time.sleep(0.02)
        raise AssertionError("there are no processes that render")

    def workers(self) -> list[int]:
        return [pid for pid, _ in self.look() if pid != self.process.pid]


@pytest.fixture
def rendering(tmp_path: Path) -> Iterator[Rendering]:
    started = Rendering(write_many_results(tmp_path / "out", COUNT))
    yield started
    started.end_at_last()


@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM])
def test_an_interrupt_ends_it_at_once_and_leaves_nothing(rendering: Rendering, number: int) -> None:
    rendering.wait_until_rendering()
    os.killpg(rendering.process.pid, number)
    stdout, stderr = rendering.process.communicate(timeout=30)
    assert (rendering.process.returncode, stdout, stderr) == (
        130,
        "",
        f"{NOTE}interrupted while the report was written; the same command writes all of it\n",
    )
    assert rendering.leaves_nothing_running()
    assert not (rendering.folder / "index.html").exists()
    assert list(rendering.folder.rglob("*.part")) == []


def test_a_grader_that_is_killed_leaves_no_process(rendering: Rendering) -> None:
    rendering.wait_until_rendering()
    rendering.process.kill()
    rendering.process.communicate(timeout=30)
    assert rendering.leaves_nothing_running()


def test_a_process_that_is_killed_costs_no_page(rendering: Rendering) -> None:
    rendering.wait_until_rendering()
    os.kill(rendering.workers()[0], signal.SIGKILL)
    _, stderr = rendering.process.communicate()
    assert rendering.process.returncode == 0, stderr
    assert stderr == f"{NOTE}report: {rendering.folder / 'index.html'}\n"
    for part in ("staff", "students"):
        assert len(list((rendering.folder / part).glob("student-*.html"))) == COUNT
    assert (rendering.folder / "junit.xml").read_text("utf-8").count("<testsuite ") == COUNT
    assert list(rendering.folder.rglob("*.part")) == []


def test_a_disk_that_is_full(tmp_path: Path) -> None:
    def small_files() -> None:
        resource.setrlimit(resource.RLIMIT_FSIZE, (16_000, 16_000))

    folder = write_many_results(tmp_path / "out", COUNT)
    done = run([COMMAND, "report", folder], before=small_files)
    assert done.returncode == 2
    assert "the report cannot be written: File too large" in only_error(done)
    assert list(folder.rglob("*.part")) == []
    assert not (folder / "index.html").exists()
