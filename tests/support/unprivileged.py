"""The command line as a user with no rights, as most people are.

The suite may run as root in a container; then a copy of grader and of what it needs is put where
user 65534 can read it, and a Python that this user can run marks with it.
"""

import os
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from importlib.util import find_spec
from pathlib import Path

NOBODY = 65534
_NEEDED = ("click", "jinja2", "markupsafe", "yaml", "_yaml", "rich", "pygments", "markdown_it", "mdurl")
BECOME = ("setpriv", f"--reuid={NOBODY}", f"--regid={NOBODY}", "--clear-groups")


def can_become_nobody() -> bool:
    """Whether this process can change its user: it is root and there is setpriv."""
    return sys.platform == "linux" and os.geteuid() == 0 and shutil.which("setpriv") is not None


def give_away(folder: Path) -> None:
    """Make everything below a folder, itself included, user 65534's."""
    for path in [folder, *folder.rglob("*")]:
        os.chown(path, NOBODY, NOBODY, follow_symlinks=False)


@contextmanager
def home_with_a_copy() -> Iterator[Path]:
    """A folder of user 65534's that holds a copy of grader in `packages`, gone afterwards."""
    # Not below pytest's own folder, which only root can enter.
    home = Path(tempfile.mkdtemp(prefix="grader-nobody-"))
    try:
        for name in ("grader", *_NEEDED):
            spec = find_spec(name)
            if spec is not None and spec.submodule_search_locations:
                shutil.copytree(spec.submodule_search_locations[0], home / "packages" / name)
        give_away(home)
        yield home
    finally:
        shutil.rmtree(home)


def python_for(home: Path) -> str:
    """Return a Python that user 65534 can run with the copy in `home`, or "" where there is none.

    It has NumPy where the suite's own has it.
    """
    same = f"python3.{sys.version_info[1]}"
    # Twice: setpriv itself may still start a program that its user may not.
    program = (
        "import subprocess, sys; subprocess.run([sys.executable, '-m', 'grader', '--version'], check=True)"
    )
    for python in (sys.executable, f"/usr/bin/{same}", f"/usr/local/bin/{same}"):
        env = {"PYTHONPATH": str(home / "packages"), "HOME": str(home), "PATH": os.environ["PATH"]}
        if _succeeds([python, "-c", program], home, env):
            return python if python == sys.executable else _with_numpy(python, home)
    return ""


@contextmanager
def someone_without_rights() -> Iterator[tuple[str, Path] | None]:
    """Yield a Python that user 65534 can run, and the home with a copy of grader that goes with it.

    None where this process cannot become that user, or there is no such Python.
    """
    if not can_become_nobody():
        yield None
        return
    with home_with_a_copy() as home:
        python = python_for(home)
        yield (python, home) if python else None


def _with_numpy(python: str, home: Path) -> str:
    """Make an environment of the interpreter in `home`, with a copy of the suite's NumPy."""
    numpy = find_spec("numpy")
    if numpy is None or numpy.origin is None:
        return python
    environment = home / "environment"
    subprocess.run([*BECOME, python, "-m", "venv", "--without-pip", environment], cwd=home, check=True)
    (packages,) = environment.glob("lib/python3.*/site-packages")
    # Beside it are the libraries that it comes with.
    for folder in Path(numpy.origin).parents[1].glob("numpy*"):
        shutil.copytree(folder, packages / folder.name, ignore=shutil.ignore_patterns("tests"))
    give_away(packages)
    return str(environment / "bin" / "python")


def has_numpy(python: Sequence[str], home: Path | None) -> bool:
    """Whether a Python can import NumPy; home: as user 65534 where there is one, else as we are."""
    command = [*python, "-c", "import numpy"]
    if home is not None:
        return _succeeds(command, home, {"PATH": os.environ["PATH"]})
    return subprocess.run(command, capture_output=True, check=False).returncode == 0


def _succeeds(command: Sequence[str], home: Path, env: dict[str, str]) -> bool:
    done = subprocess.run([*BECOME, *command], env=env, cwd=home, capture_output=True, check=False)
    return done.returncode == 0
