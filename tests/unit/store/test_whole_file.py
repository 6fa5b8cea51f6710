"""Files appear whole or not at all, and what a killed process left of them is removed."""

import os
import signal
import subprocess
import sys
from pathlib import Path

import pytest

from grader.store import whole_file
from grader.store.whole_file import remove_remains, replace_text, replacing


@pytest.mark.parametrize("durable", [False, True])
def test_a_file_is_replaced_when_all_of_it_is_written(tmp_path: Path, durable: bool) -> None:
    path = tmp_path / "marks.csv"
    path.write_text("old")
    with replacing(path, durable=durable) as file:
        file.write("new\r\n")
        assert path.read_text() == "old"
    assert path.read_bytes() == b"new\r\n"
    assert list(tmp_path.iterdir()) == [path]


def test_a_failure_leaves_the_old_file_and_nothing_else(tmp_path: Path) -> None:
    path = tmp_path / "marks.csv"
    path.write_text("old")
    with pytest.raises(UnicodeEncodeError), replacing(path) as file:
        file.writelines(["new", "\ud800"])
    assert path.read_text() == "old"
    assert list(tmp_path.iterdir()) == [path]


def test_on_windows_a_file_that_is_read_is_replaced_once_it_is_closed(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    real, refusals = Path.replace, [PermissionError(13, "it is in use")] * 2

    def replace(old: Path, new: Path) -> Path:
        if refusals:
            raise refusals.pop()
        return real(old, new)

    monkeypatch.setattr(Path, "replace", replace)
    monkeypatch.setattr(whole_file, "_AGAIN_S", 0.0)
    monkeypatch.setattr(sys, "platform", "win32")
    replace_text(tmp_path / "marks.csv", "new")
    assert (tmp_path / "marks.csv").read_text() == "new"
    refusals += [PermissionError(13, "it is in use")] * 100
    with pytest.raises(PermissionError):
        replace_text(tmp_path / "marks.csv", "newer")
    assert [path.name for path in tmp_path.iterdir()] == ["marks.csv"]


KILLED = """
import os, signal, sys
from pathlib import Path
from grader.store.whole_file import replacing
with replacing(Path(sys.argv[1])) as file:
    file.write("half")
    file.flush()
    os.kill(os.getpid(), signal.SIGKILL)
"""


@pytest.mark.skipif(not hasattr(signal, "SIGKILL"), reason="no such signal")
def test_the_remains_of_a_killed_process_are_removed(tmp_path: Path) -> None:
    path = tmp_path / "student-01.html"
    assert subprocess.run([sys.executable, "-c", KILLED, path], check=False).returncode == -9
    (remains,) = tmp_path.iterdir()
    assert remains.read_text() == "half"
    remove_remains(tmp_path)
    assert list(tmp_path.iterdir()) == []


def test_no_other_file_is_taken_for_remains(tmp_path: Path) -> None:
    others = {
        f".marks.csv.{os.getpid()}.part",  # of a process that is alive
        ".marks.csv.part",
        "marks.csv.4194305.part",
        ".4194305.part",
        ".marks.csv.4194305.part.txt",
    }
    for name in others:
        replace_text(tmp_path / name, "")
    remove_remains(tmp_path)
    assert {path.name for path in tmp_path.iterdir()} == others
