"""Lock files: what of each kind is read, and what is none."""

from hashlib import sha256
from importlib.metadata import version
from pathlib import Path

import pytest

from grader.engine.locked import differing, require_locked
from grader.model.errors import SpecError, UsageError
from grader.model.task import Lock, Task
from grader.sandbox.interpreter import find_interpreter
from grader.spec import load_task

SPEC = """\
task: t
title: T
marks: 1
modules: {one: one.py}
packages: [yaml]
lock: "%s"
questions:
  - {id: "1", title: Q, marks: 1, cases: [{call: f(), returns: 1}]}
"""
PIP = """
# By pip-compile.
--index-url https://pypi.example
numpy==2.1.0 \\
    --hash=sha256:aa \\
    --hash=sha256:bb
PyYAML[libyaml]==6.0.2 ; python_version > "3"   # for files
"""
UV = """
version = 1
[[package]]
name = "numpy"
version = "2.1.0"
[[package]]
name = "numpy"
version = "2.2.0"
[[package]]
name = "own"
source = {virtual = "."}
"""
PYLOCK = """
lock-version = "1.0"
[[packages]]
name = "Numpy"
version = "2.1.0"
"""


def task_with(folder: Path, name: str, text: str) -> Task:
    (folder / name).write_text(text)
    (folder / "t.yaml").write_text(SPEC % name)
    return load_task(folder / "t.yaml")


@pytest.mark.parametrize(
    ("name", "text", "releases"),
    [
        ("requirements.txt", PIP, (("numpy", "2.1.0"), ("pyyaml", "6.0.2"))),
        ("uv.lock", UV, (("numpy", "2.1.0"), ("numpy", "2.2.0"))),
        ("pylock.toml", PYLOCK, (("numpy", "2.1.0"),)),
    ],
)
def test_a_lock_file_is_read(
    tmp_path: Path, name: str, text: str, releases: tuple[tuple[str, str], ...]
) -> None:
    task = task_with(tmp_path, name, text)
    assert task.lock == Lock(name, name, sha256(text.encode()).hexdigest(), releases)
    other = task_with(tmp_path, name, text + "\n# Changed.\n")
    assert other.spec_sha256 != task.spec_sha256


@pytest.mark.parametrize(
    ("name", "text", "message"),
    [
        ("requirements.txt", "numpy\n", "requirement 1 has no single version: numpy"),
        ("requirements.txt", "numpy==2.*\n", "requirement 1 has no single version"),
        ("requirements.txt", "# nothing\n", "it names no package with its version"),
        ("uv.lock", "version = 1\n", "it names no package with its version"),
        ("uv.lock", "[[package", "is no lock file"),
        ("pylock.toml", "packages = 1", "it names no package with its version"),
    ],
)
def test_what_locks_nothing_is_told(tmp_path: Path, name: str, text: str, message: str) -> None:
    with pytest.raises(SpecError, match=message):
        task_with(tmp_path, name, text)


def test_each_difference_is_told() -> None:
    lock = Lock("uv.lock", "uv.lock", "", (("numpy", "2.1.0"), ("numpy", "2.2.0"), ("six", "1.0")))
    assert differing(lock, {"numpy": "2.2.0", "six": "1.0"}) == []
    assert differing(lock, {"numpy": "2.3.0", "pytz": "2024"}) == [
        "numpy is 2.3.0, not 2.1.0 or 2.2.0", "pytz 2024 is not in it",
    ]  # fmt: skip


def test_a_difference_ends_the_command_with_what_to_do(tmp_path: Path) -> None:
    python = find_interpreter("")
    with pytest.raises(UsageError) as caught:
        require_locked(task_with(tmp_path, "requirements.txt", "pyyaml==0.1\n"), python)
    told = str(caught.value)
    assert "are not those of requirements.txt: pyyaml is " in told
    assert f"-m pip install -r {tmp_path}/requirements.txt" in told
    with pytest.raises(UsageError, match="uv export --project"):
        require_locked(task_with(tmp_path, "uv.lock", UV), python)
    with pytest.raises(UsageError, match="uv pip sync --python"):
        require_locked(task_with(tmp_path, "pylock.toml", PYLOCK), python)


def test_the_right_versions_are_fine(tmp_path: Path) -> None:
    task = task_with(tmp_path, "requirements.txt", f"PyYAML=={version('pyyaml')}\n")
    require_locked(task, find_interpreter(""))
