"""What a keeper makes of a scratch folder that it cannot look at, or that somebody may still write to."""

import os
import subprocess
import sys
from pathlib import Path

import pytest

from grader.worker.keeper.scratch import Scratch
from grader.worker.settings import Settings
from grader.worker.walls import jail

SETTINGS = Settings(False, False, False, False, (), (), (), (), (), (), -1, 1 << 20, 10)


@pytest.fixture
def scratch(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Scratch:
    monkeypatch.setattr(jail, "SCRATCH", str(tmp_path))
    return Scratch(SETTINGS)


def test_a_folder_that_cannot_be_looked_at_was_used(scratch: Scratch, tmp_path: Path) -> None:
    tmp_path.rmdir()
    assert not scratch.is_unused()


def test_a_file_and_what_is_left_of_it_are_seen(scratch: Scratch, tmp_path: Path) -> None:
    (tmp_path / "file").touch()
    assert not scratch.is_unused()
    (tmp_path / "file").unlink()
    assert not scratch.is_unused()


BESIDE_ONE_THAT_LIVES = """
import os, signal
from grader.worker.walls import jail
from grader.worker.keeper.scratch import Scratch

jail.SCRATCH = os.getcwd()
jail.discard_scratch = jail.make_scratch = lambda *_: print("touched")
scratch = Scratch(None)
ended, living = os.fork() or os._exit(0), os.fork() or signal.pause()
os.waitid(os.P_PID, ended, os.WEXITED | os.WNOWAIT)
try:
    scratch.replace()
except OSError as error:
    print(error)
os.kill(living, signal.SIGKILL)
os.waitid(os.P_PID, living, os.WEXITED | os.WNOWAIT)
scratch.replace()
"""


def test_a_folder_is_not_replaced_beside_a_process_that_lives(tmp_path: Path) -> None:
    done = subprocess.run(
        [sys.executable, "-c", BESIDE_ONE_THAT_LIVES],
        cwd=tmp_path,
        env={**os.environ, "PYTHONPATH": str(Path(jail.__file__).parents[2])},
        capture_output=True,
        text=True,
        check=True,
    )
    assert done.stdout == "a process of an earlier case has not ended\ntouched\ntouched\n"
