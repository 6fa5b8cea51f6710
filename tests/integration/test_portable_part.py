"""The part of the suite that macOS and Windows run, as far as Linux can tell that they can."""

import ast
import re
import subprocess
import sys
import tomllib
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
import yaml
from conftest import OF_LINUX, PORTABLE, is_portable
from support.command_line import environment
from support.elsewhere import SYSTEMS, lacking
from support.rows import first_of

ROOT = Path(__file__).parents[2]
TESTS = ROOT / "tests"
LINUX_ALONE = {"fcntl", "grp", "posix", "pty", "pwd", "resource", "syslog", "termios", "tty"}


def workflow() -> dict[str, Any]:
    found: dict[str, Any] = yaml.safe_load((ROOT / ".github" / "workflows" / "test.yml").read_text("utf-8"))
    return found


def suite(system: str, *arguments: str) -> subprocess.CompletedProcess[str]:
    """Run pytest in a Python that lacks what a system lacks."""
    # It starts no processes of its own: these would be Linux's again.
    command = [sys.executable, "-m", "pytest", "-q", "-p", "no:xdist", "-p", "no:cacheprovider", *arguments]
    return subprocess.run(
        command, cwd=ROOT, env=environment(**lacking(system)), capture_output=True, text=True, check=False
    )


def imported_at_the_top(path: Path) -> Iterator[str]:
    for node in ast.parse(path.read_text(encoding="utf-8")).body:
        if isinstance(node, ast.Import):
            yield from (alias.name.partition(".")[0] for alias in node.names)
        elif isinstance(node, ast.ImportFrom):
            yield (node.module or "").partition(".")[0]


def test_no_portable_test_imports_what_linux_alone_has() -> None:
    found = [path for path in TESTS.rglob("test_*.py") if is_portable(path)]
    assert len(found) > 100
    assert [path.name for path in found if LINUX_ALONE.intersection(imported_at_the_top(path))] == []


def test_each_name_is_of_a_file_or_folder() -> None:
    assert [name for name in (*PORTABLE, *OF_LINUX) if not (TESTS / name).exists()] == []
    assert [name for name in OF_LINUX if not (TESTS / name).is_relative_to(TESTS / name.split("/")[0])] == []


@pytest.mark.parametrize("system", first_of(SYSTEMS))
def test_the_portable_part_can_be_imported(system: str) -> None:
    done = suite(system, "-m", "portable", "--collect-only")
    assert done.returncode == 0, done.stdout[-2000:] + done.stderr[-2000:]
    assert "error" not in done.stdout.splitlines()[-1]


TOUCHING = ("unit/cli", "unit/exports", "unit/intake", "unit/records", "unit/reports", "unit/store")
"""Folders whose code asks which system it is on, or reads and writes files."""


@pytest.mark.acceptance  # it is some thousand tests
@pytest.mark.parametrize(
    ("system", "folders"), [("win32", ()), ("darwin", (*TOUCHING, "integration/test_check_here.py"))]
)
def test_the_portable_part_passes(system: str, folders: tuple[str, ...]) -> None:
    """All of it as on Windows, and what touches the system as on macOS, which lacks less.

    The drawn inputs are few: what they find does not depend on the system.
    """
    few = ("--hypothesis-profile", "few", "--tb=short")
    done = suite(
        system, "-m", "portable and not acceptance", *few, *(f"tests/{folder}" for folder in folders)
    )
    assert done.returncode == 0, done.stdout[-4000:] + done.stderr[-2000:]


def test_the_workflow_may_only_read() -> None:
    flow = workflow()
    assert flow["permissions"] == {"contents": "read"}
    assert not [name for name, job in flow["jobs"].items() if "permissions" in job]
    uses = [step["uses"] for job in flow["jobs"].values() for step in job["steps"] if "uses" in step]
    others = (ROOT / ".github" / "workflows" / "release.yml").read_text("utf-8")
    assert all(f"uses: {each}\n" in others for each in uses), (
        "the actions and versions of the other workflows"
    )
    for job in flow["jobs"].values():
        assert job["steps"][0]["with"] == {"persist-credentials": False}


def test_the_workflow_says_what_there_is() -> None:
    jobs = workflow()["jobs"]
    project = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))
    makefile = (ROOT / "Makefile").read_text("utf-8")
    (linux,) = (step["run"] for step in jobs["linux"]["steps"] if "run" in step)
    target = re.fullmatch(r"make (\w+) PYTHON=python3\.\d+", linux)
    assert target is not None
    assert re.search(rf"^{target[1]}:", makefile, re.MULTILINE)
    install, run = (step["run"] for step in jobs["portable"]["steps"] if "run" in step)
    extra = re.fullmatch(r'python -m pip install -e "\.\[(\w+)\]"', install)
    assert extra is not None
    assert extra[1] in project["project"]["optional-dependencies"]
    marks = re.fullmatch(r'python -m pytest -m "(\w+) and not (\w+)"', run)
    assert marks is not None
    known = {line.partition(":")[0] for line in project["tool"]["pytest"]["ini_options"]["markers"]}
    assert set(marks.groups()) <= known
    versions = set(jobs["portable"]["strategy"]["matrix"]["python-version"])
    assert versions <= {each.rpartition(" ")[2] for each in project["project"]["classifiers"]}
