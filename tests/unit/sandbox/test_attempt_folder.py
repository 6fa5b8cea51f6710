"""What killed runs left in the temporary folder goes with the next run; what may be another's stays."""

import fcntl
import os
import tempfile
from pathlib import Path

import pytest

from grader.doctor import folder as module
from grader.doctor.folder import SECRET, attempt_folder


@pytest.fixture(autouse=True)
def everything_is_old(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setattr(tempfile, "tempdir", str(tmp_path))
    monkeypatch.setattr(module, "_NEW_S", -60.0)


def left(tmp_path: Path, name: str = "grader-doctor-abcd_123", mode: int = 0o777) -> Path:
    """Make what a killed run leaves."""
    folder = tmp_path / name
    (folder / "litter" / "more").mkdir(parents=True)
    (folder / SECRET).write_text("canary")
    folder.chmod(mode)
    return folder


def next_run() -> None:
    with attempt_folder() as folder:
        assert folder.is_dir()
    assert not folder.exists()


@pytest.mark.parametrize("mode", [0o700, 0o777])
def test_what_a_killed_run_left_is_removed(tmp_path: Path, mode: int) -> None:
    folder = left(tmp_path, mode=mode)
    next_run()
    assert not folder.exists()


def test_what_is_in_use_stays(tmp_path: Path) -> None:
    with attempt_folder() as folder:
        (folder / SECRET).write_text("canary")
        next_run()
        assert folder.is_dir()


def test_what_was_made_just_now_stays(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(module, "_NEW_S", 60.0)
    folder = left(tmp_path)
    next_run()
    assert folder.is_dir()


@pytest.mark.parametrize("name", ["grader-doctor-abcd", "grader-doctor-ABCDEFGH", "xgrader-doctor-abcd_123"])
def test_what_is_not_called_so_stays(tmp_path: Path, name: str) -> None:
    folder = left(tmp_path, name)
    next_run()
    assert folder.is_dir()


def test_what_may_be_another_users_stays(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    ours = os.geteuid()
    folder = left(tmp_path)
    monkeypatch.setattr(os, "geteuid", lambda: ours + 1)
    next_run()
    assert folder.is_dir()


def test_what_is_no_folder_stays(tmp_path: Path) -> None:
    victim = left(tmp_path, "victim")
    (tmp_path / "grader-doctor-link0000").symlink_to(victim)
    (tmp_path / "grader-doctor-file0000").write_text("")
    os.mkfifo(tmp_path / "grader-doctor-fifo0000")
    before = sorted(tmp_path.rglob("*"))
    next_run()
    assert sorted(tmp_path.rglob("*")) == before


def test_a_link_inside_does_not_lead_out(tmp_path: Path) -> None:
    victim = left(tmp_path, "victim")
    folder = left(tmp_path)
    (folder / "out").symlink_to(victim)
    next_run()
    assert not folder.exists()
    assert (victim / SECRET).exists()


def test_a_lock_that_another_holds_is_not_waited_for(tmp_path: Path) -> None:
    folder = left(tmp_path)
    place = os.open(folder, os.O_RDONLY)
    try:
        fcntl.flock(place, fcntl.LOCK_EX)
        next_run()
    finally:
        os.close(place)
    assert folder.is_dir()


def test_a_disk_without_locks_is_no_reason_not_to_run(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def fails(*_: object) -> None:
        raise OSError

    folder = left(tmp_path)
    monkeypatch.setattr(fcntl, "flock", fails)
    next_run()
    assert folder.is_dir()
