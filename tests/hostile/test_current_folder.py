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
