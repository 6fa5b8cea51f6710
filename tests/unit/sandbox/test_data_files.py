"""The folder with a task's own files: written once, read-only, removed, also after a process was killed."""

import os
import shutil
import subprocess
import sys
import tempfile
import time
from pathlib import Path

import pytest

from grader.model.task import DataFile
from grader.sandbox import data_files
from grader.sandbox.data_files import data_folder, show_files
from grader.sandbox.zygote import SandboxFailure

FILES = (DataFile("euro.csv", b"DE,1\n"), DataFile("more/inner/bytes.bin", bytes(range(256))))
MAKE = """
import os, signal, sys
from grader.model.task import DataFile
from grader.sandbox.data_files import data_folder
folder = data_folder((DataFile("a/euro.csv", b"x"),))
print(folder, flush=True)
{}
"""


@pytest.fixture
def temporary(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setattr(tempfile, "tempdir", str(tmp_path))
    monkeypatch.setattr(data_files, "_folders", {})
    return tmp_path


def made_by_another(temporary: Path, then: str) -> Path:
    """A folder that another process has made before it did `then`."""
    done = subprocess.run(
        [sys.executable, "-c", MAKE.format(then)],
        env={**os.environ, "TMPDIR": str(temporary)},
        capture_output=True,
        text=True,
    )
    return Path(done.stdout.strip())


def is_private(path: Path) -> bool:
    return not path.stat().st_mode & 0o222


def test_it_is_written_once_and_read_only(temporary: Path) -> None:
    folder = Path(data_folder(FILES))
    assert folder.parent == temporary
    assert (folder / "euro.csv").read_bytes() == b"DE,1\n"
    assert (folder / "more/inner/bytes.bin").read_bytes() == bytes(range(256))
    assert all(is_private(path) for path in (folder, *folder.rglob("*")))
    assert data_folder(tuple(DataFile(each.name, bytes(bytearray(each.content))) for each in FILES)) == str(
        folder
    )
    assert data_folder(FILES[:1]) != str(folder)


def test_without_files_there_is_none(temporary: Path) -> None:
    assert data_folder(()) == ""
    assert list(temporary.iterdir()) == []


def test_a_fork_shares_it(temporary: Path) -> None:
    folder, (out, into) = data_folder(FILES), os.pipe()
    child = os.fork()
    if child == 0:
        os.write(into, data_folder(FILES).encode())
        os._exit(0)
    os.waitpid(child, 0)
    assert os.read(out, 4096).decode() == folder


def test_it_goes_with_its_process(temporary: Path) -> None:
    assert not made_by_another(temporary, "").exists()
    assert not made_by_another(temporary, "raise KeyboardInterrupt").exists()


def test_what_a_killed_process_left_is_removed_by_a_later_one(temporary: Path) -> None:
    left = made_by_another(temporary, "os.kill(os.getpid(), signal.SIGKILL)")
    assert left.exists()
    # Another process may be about to lock this one.
    (young := temporary / "grader-data-young").mkdir()
    mine = Path(data_folder(FILES))
    assert not left.exists()
    assert young.exists()
    data_folder(FILES[:1])
    assert mine.exists()
    os.utime(young, (time.time() - 3600,) * 2)
    data_folder(FILES[1:])
    assert not young.exists()


def test_what_belongs_to_others_or_is_no_folder_stays(temporary: Path) -> None:
    (elsewhere := temporary / "elsewhere").mkdir()
    (elsewhere / "precious").write_text("x")
    (temporary / "grader-data-link").symlink_to(elsewhere)
    (temporary / "grader-data-file").write_text("x")
    for path in temporary.iterdir():
        os.utime(path, (time.time() - 3600,) * 2, follow_symlinks=False)
    data_folder(FILES)
    assert (elsewhere / "precious").exists()
    assert (temporary / "grader-data-file").exists()


def test_a_disk_that_takes_nothing_is_a_failure_of_the_sandbox(
    temporary: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(tempfile, "tempdir", str(temporary / "none"))
    with pytest.raises(SandboxFailure, match=r"the task's files cannot be written to .*No such file"):
        data_folder(FILES)


def test_files_are_shown_in_another_folder(temporary: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    folder = data_folder(FILES)
    (linked := temporary / "linked").mkdir()
    show_files(folder, str(linked))

    def refused(*_: object) -> None:
        raise OSError("no links here")

    monkeypatch.setattr(Path, "symlink_to", refused)
    (copied := temporary / "copied").mkdir()
    show_files(folder, str(copied))
    for there in (linked, copied):
        assert (there / "euro.csv").read_bytes() == b"DE,1\n"
        assert (there / "more/inner/bytes.bin").read_bytes() == bytes(range(256))
    assert (linked / "euro.csv").is_symlink()
    assert not (copied / "euro.csv").is_symlink()


def test_nothing_is_read_only_any_more_when_it_is_removed(
    temporary: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Windows removes no file that is."""
    folder, kept = data_folder(FILES), []
    monkeypatch.setattr(shutil, "rmtree", lambda place, **_: kept.append(place))
    data_files._remove(folder, -1)
    assert kept == [folder]
    assert not [path for path in Path(folder).rglob("*") if is_private(path)]
