"""Our own specs pass `grader validate` after `make mark` alone: with the extras that it installs, no others.

`test_validate_specs.py` validates them with every extra.  Here an environment holds the distributions that
`pip install '.[arrays,rules]'` brings, and nothing else.  They are copies of this environment's own files, so
nothing is downloaded.  What is missing is really not there, for the grader and for the boxes that it starts.
"""

import json
import os
import re
import shutil
import subprocess
import venv
from importlib.metadata import distribution
from pathlib import Path
from typing import Any

import pytest
from packaging.requirements import Requirement
from support.command_line import environment

ROOT = Path(__file__).parents[2]
SPECS = sorted((ROOT / "specs").glob("*.yaml"))
MUTANTS = "10"
"""Few: which mutants are caught is the other test's part."""


def extras_of_make_mark() -> list[str]:
    """Return the extras that the Makefile installs for `make mark`."""
    rule = (ROOT / "Makefile").read_text().partition("$(RUNTIME): pyproject.toml")[2]
    found = re.search(r"--editable '\.\[([a-z,]+)\]'", rule)
    assert found is not None
    return found[1].split(",")


def brought_along(extras: list[str]) -> dict[str, set[str]]:
    """Return the distributions that pip installs for extras of the grader, with the extras of each."""
    found: dict[str, set[str]] = {}
    waiting = [("grader-harness", {*extras})]
    while waiting:
        name, wanted = waiting.pop()
        if name in found and wanted <= found[name]:
            continue
        found.setdefault(name, set()).update(wanted)
        for text in distribution(name).requires or ():
            needed = Requirement(text)
            marker = needed.marker
            if marker is None or any(marker.evaluate({"extra": extra}) for extra in ("", *wanted)):
                waiting.append((needed.name, set(needed.extras)))
    return found


@pytest.fixture(scope="module")
def python(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The Python of an environment as `make mark` makes it."""
    home = tmp_path_factory.mktemp("lean") / "environment"
    venv.create(home, with_pip=False, symlinks=True)
    packages = next((home / "lib").glob("python*")) / "site-packages"
    for name in brought_along(extras_of_make_mark()):
        for file in distribution(name).files or ():
            source = Path(str(file.locate()))
            target = Path(os.path.normpath(packages / file))
            if source.is_file() and not target.exists():
                target.parent.mkdir(parents=True, exist_ok=True)
                shutil.copy2(source, target)
    return home / "bin" / "python"


def run(python: Path, *words: str | Path) -> subprocess.CompletedProcess[str]:
    command = [str(word) for word in (python, *words)]
    # No tool and no package of the environment that the tests run in.
    given = {"PATH": f"{python.parent}:/usr/bin:/bin"}
    return subprocess.run(
        command, cwd=ROOT, env=environment() | given, capture_output=True, text=True, check=False
    )


def test_nothing_else_is_there(python: Path) -> None:
    code = "import importlib.metadata as m; print(*{d.name.lower() for d in m.distributions()})"
    there = {name.replace("_", "-") for name in run(python, "-c", code).stdout.split()}
    assert there == {name.lower().replace("_", "-") for name in brought_along(extras_of_make_mark())}
    for name in ("pytest", "pandas", "matplotlib", "rapidfuzz", "distributed"):
        assert run(python, "-c", f"import {name}").returncode == 1, name
    for name in ("numpy", "grader"):
        assert run(python, "-c", f"import {name}").returncode == 0, name


@pytest.mark.parametrize("spec", SPECS, ids=lambda path: path.stem)
def test_a_spec_of_ours_is_well_after_make_mark(spec: Path, python: Path, tmp_path: Path) -> None:
    """A quick validation is enough where no package is missing: all else is as in the other test."""
    found = well(python, spec, tmp_path, "--quick")
    if any("for want of" in one["text"] for one in found["remarks"]):
        well(python, spec, tmp_path, "--mutants", MUTANTS)


def well(python: Path, spec: Path, output: Path, *options: str) -> dict[str, Any]:
    """Validate a spec, assert that it has no fault, and return what was found."""
    done = run(python, "-m", "grader", "validate", spec, "-j", "2", *options, "--json", "-q", "-o", output)
    assert done.returncode == 0, done.stdout + done.stderr
    found: dict[str, Any] = json.loads(done.stdout)
    assert found["well"]
    assert found["caught"] == found["total"] > 0
    assert [one for one in found["remarks"] if one["gravity"] == "fault"] == []
    return found
