"""Control groups, on the kernel's own files: processes are held in them, and ended, wherever they went."""

import os
import subprocess
from pathlib import Path

import pytest

from grader.sandbox import control_group
from grader.sandbox.driver import Driver
from grader.sandbox.interpreter import find_interpreter
from grader.sandbox.zygote import Zygote


@pytest.fixture
def group() -> control_group.ControlGroup:
    # Which controllers this host lets us have does not matter for membership.
    made = control_group.make(()) if os.path.isdir("/sys/fs/cgroup") else None
    if made is None:
        pytest.skip("this host gives us no control group")
    return made


def test_a_group_holds_and_ends_all_that_a_process_started(group: control_group.ControlGroup) -> None:
    script = "read go; setsid sleep 100 & (sleep 100 &) ; echo; wait"
    with subprocess.Popen(["sh", "-c", script], stdin=subprocess.PIPE, stdout=subprocess.PIPE) as process:
        assert process.stdin is not None
        assert process.stdout is not None
        group.take(process.pid)
        process.stdin.write(b"\n")
        process.stdin.close()
        process.stdout.readline()
        members = (folder_of(group) / "cgroup.procs").read_text().split()
        assert len(members) >= 3
        group.close()
        assert process.wait(10) == -9
        # What read from the same pipe is gone as well, wherever it was.
        assert process.stdout.read() == b""
    assert not folder_of(group).exists()


def test_a_group_of_nobody_is_removed(group: control_group.ControlGroup) -> None:
    assert folder_of(group).is_dir()
    group.close()
    assert not folder_of(group).exists()
    group.close()


def folder_of(group: control_group.ControlGroup) -> Path:
    return group._folder


def test_where_controllers_are_missing_there_is_no_group() -> None:
    assert control_group.make(["no-such-controller"]) is None


def test_a_zygote_in_a_group_is_bounded_and_leaves_none_behind() -> None:
    """Where the host allows none, nothing is left either, and boxes are bounded one by one."""
    groups = Path("/sys/fs/cgroup")
    before = set(groups.rglob(f"grader-{os.getpid()}-*")) if groups.is_dir() else set()
    with Zygote(Driver.POSIX, find_interpreter("")) as zygote:
        zygote.box_opened(1 << 26)
        for folder in set(groups.rglob(f"grader-{os.getpid()}-*")) - before:
            assert int((folder / "memory.max").read_text()) > 1 << 27
            assert int((folder / "pids.max").read_text()) > 64
            assert (folder / "cgroup.procs").read_text().strip()
        zygote.box_closed(1 << 26)
    assert set(groups.rglob(f"grader-{os.getpid()}-*")) == before
