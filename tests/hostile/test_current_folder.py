"""`python -m grader` in a student's folder: Python would look there for modules first."""

import sys
from pathlib import Path

from support.command_line import run


def test_no_module_of_the_current_folder_is_imported(tmp_path: Path) -> None:
    for name in ("typing", "click", "yaml"):
        (tmp_path / f"{name}.py").write_text("open('seen', 'w')\n")
    done = run([sys.executable, "-m", "grader", "--version"], cwd=tmp_path)
    assert (done.returncode, done.stderr) == (0, "")
    assert not (tmp_path / "seen").exists()


STARTS = """
import threading

from grader.runtime.start import pool

if __name__ == "__main__":
    threading.Thread(target=threading.Event().wait, daemon=True).start()
    processes = pool(1, abs, 0)
    with processes:
        print(processes.submit(abs, -1).result())
"""


def test_nor_by_a_process_that_is_started_fresh(tmp_path: Path) -> None:
    """While there are threads, and on other systems than Linux, processes are not forked."""
    (tmp_path / "starts.py").write_text(STARTS)
    folder = tmp_path / "work"
    folder.mkdir()
    for name in ("multiprocessing", "struct", "typing"):
        (folder / f"{name}.py").write_text("open('seen', 'w')\n")
    done = run([sys.executable, tmp_path / "starts.py"], cwd=folder)
    assert not (folder / "seen").exists()
    assert (done.returncode, done.stdout) == (0, "1\n")
