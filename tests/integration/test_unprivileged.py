"""The command line as a user with no rights at all: what most people are.

The suite may run as root in a container; then a copy of grader and of what it needs is put where
user 65534 can read it, and a Python that this user can run marks with it.
"""

import os
import shutil
import sys
import tempfile
from collections.abc import Iterator
from importlib.util import find_spec
from pathlib import Path

import pytest
from command_line import MINI, Done, environment, only_error, results, run

NOBODY = 65534
_NEEDED = ("click", "jinja2", "markupsafe", "yaml", "_yaml", "rich", "pygments", "markdown_it", "mdurl")

pytestmark = pytest.mark.skipif(
    sys.platform != "linux" or os.geteuid() != 0 or shutil.which("setpriv") is None,
    reason="needs root and setpriv, to become somebody else",
)


class Nobody:
    """User 65534, with a home folder of their own and a copy of grader in it."""

    def __init__(self, home: Path, python: str) -> None:
        self.home = home
        self._python = python

    def grader(self, *arguments: str | Path) -> Done:
        """Run the command line as this user."""
        return self.python("-m", "grader", *arguments)

    def python(self, *arguments: str | Path) -> Done:
        """Run the interpreter as this user."""
        become = ["setpriv", f"--reuid={NOBODY}", f"--regid={NOBODY}", "--clear-groups"]
        changes = {"PYTHONPATH": str(self.home / "packages"), "HOME": str(self.home)}
        return run([*become, self._python, *arguments], cwd=self.home, env=environment(**changes))


@pytest.fixture(scope="module")
def nobody() -> Iterator[Nobody]:
    """Lay out the copy; skip where no Python here can be run by others with these packages."""
    # Not below pytest's own folder, which only root can enter.
    home = Path(tempfile.mkdtemp(prefix="grader-nobody-"))
    try:
        packages = home / "packages"
        for name in ("grader", *_NEEDED):
            spec = find_spec(name)
            if spec is not None and spec.submodule_search_locations:
                shutil.copytree(spec.submodule_search_locations[0], packages / name)
        shutil.copytree(MINI, home / "mini")
        for path in [home, *home.rglob("*")]:
            os.chown(path, NOBODY, NOBODY)
        yield Nobody(home, _python_for(home))
    finally:
        shutil.rmtree(home)


def _python_for(home: Path) -> str:
    same = f"python3.{sys.version_info[1]}"
    # Twice: setpriv itself may still start what its user may not.
    program = (
        "import subprocess, sys; subprocess.run([sys.executable, '-m', 'grader', '--version'], check=True)"
    )
    for python in (sys.executable, f"/usr/bin/{same}", f"/usr/local/bin/{same}"):
        if Nobody(home, python).python("-c", program).returncode == 0:
            return python
    pytest.skip(f"no Python 3.{sys.version_info[1]} here can be run by user {NOBODY}")


def test_nobody_is_who_they_say(nobody: Nobody) -> None:
    assert nobody.home.stat().st_uid == NOBODY
    done = nobody.grader("mark", "mini/words.yaml", "mini/submissions", "-o", "/root/out")
    assert done.returncode == 2
    assert "permission denied" in only_error(done).lower()


def test_marking_needs_no_rights(nobody: Nobody) -> None:
    done = nobody.grader("mark", "mini/words.yaml", "mini/submissions", "-o", "out")
    assert done.returncode == 0, done.stderr
    marks = [submission["mark"] for submission in results(nobody.home / "out")["submissions"]]
    assert marks == ["6", "1.5", "4", "5", "4.5", "5", "0", "0"]


def test_a_check_needs_no_rights(nobody: Nobody) -> None:
    assert nobody.grader("check", "mini/words.yaml", "mini/submissions/student-01").returncode == 0
    assert nobody.grader("check", "mini/words.yaml", "mini/submissions/student-02").returncode == 1


def test_a_folder_that_may_not_be_written_to_is_refused_before_anything_runs(nobody: Nobody) -> None:
    closed = nobody.home / "closed"
    closed.mkdir(mode=0o555)
    os.chown(closed, NOBODY, NOBODY)
    done = nobody.grader("mark", "mini/words.yaml", "mini/submissions", "-o", closed)
    assert done.returncode == 2
    assert only_error(done) == f"error: {closed}: cannot write the results: permission denied"
    assert "marking" not in done.stderr
    assert list(closed.iterdir()) == []


def test_a_spec_that_may_not_be_read_is_refused(nobody: Nobody) -> None:
    spec = nobody.home / "mini" / "closed.yaml"
    spec.write_text("task: closed\n")
    spec.chmod(0)
    done = nobody.grader("mark", spec, "mini/submissions")
    assert done.returncode == 2
    assert "closed.yaml" in only_error(done)


def test_the_doctor_tells_what_holds_for_this_user(nobody: Nobody) -> None:
    done = nobody.grader("doctor")
    assert done.returncode == 0, done.stdout + done.stderr
    assert "grader mark will use: " in done.stdout
