"""`grader plugin new`: what it writes is a plugin that works, and its own tests say so."""

import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest
from support.command_line import Done, environment, grader, run
from support.plugged import done

pytestmark = pytest.mark.acceptance


@pytest.fixture(scope="module")
def installed(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The folder of a new plugin, whose wheel is installed into `site` beside it."""
    home = tmp_path_factory.mktemp("plugin")
    assert grader("plugin", "new", "grader-steady", cwd=home).returncode == 0
    folder = home / "grader-steady"
    done([sys.executable, "-m", "build", "--wheel", "--no-isolation", "-o", home, folder])
    (wheel,) = home.glob("*.whl")
    done(
        [sys.executable, "-m", "pip", "install", "--no-deps", "--no-index", "--target", home / "site", wheel]
    )
    return folder


def test_the_page_on_plugins_and_the_readme_of_one_say_the_same(installed: Path) -> None:
    page = (Path(__file__).parents[2] / "docs" / "plugins.md").read_text(encoding="utf-8")
    told = [line.split("   #")[0].strip() for line in (installed / "README.md").read_text().splitlines()]
    commands = [line for line in told if line.startswith(("python", "grader-"))]
    assert len(commands) == 6
    assert all(f"    {line}\n" in page.replace("stable", "steady") for line in commands)


def test_it_is_told_why_it_cannot_be_used_from_its_own_folder(installed: Path) -> None:
    """An installation that leads into the current folder, as `pip install -e` makes it, is left out there."""
    site = installed.parent / "linked"
    shutil.copytree(installed.parent / "site", site, ignore=shutil.ignore_patterns("grader_steady"))
    changes = environment(PYTHONPATH=os.pathsep.join([str(site), str(installed)]))
    for place, usable in ((installed.parent, True), (installed, False)):
        listed = run([sys.executable, "-m", "grader", "plugins"], cwd=place, env=changes)
        assert ("usable    kinds      steady" in listed.stdout) is usable


def in_plugin(folder: Path, *arguments: str) -> Done:
    changes = {"PYTHONPATH": str(folder.parent / "site")}
    return run([sys.executable, "-m", *arguments], cwd=folder, env=environment(**changes))


def test_it_is_usable_and_imports_nothing_of_the_inside(installed: Path) -> None:
    listed = in_plugin(installed, "grader", "plugins")
    assert (listed.returncode, listed.stderr) == (0, "")
    assert "usable    kinds      steady  grader_steady.steady.kind:KIND" in listed.stdout
    assert "imports" not in listed.stdout


def test_its_own_tests_pass(installed: Path) -> None:
    tests = in_plugin(installed, "pytest", "-q", "-p", "no:cacheprovider")
    assert tests.returncode == 0, tests.stdout[-3000:]


def test_its_tests_fail_where_the_kind_is_wrong(installed: Path) -> None:
    """A kind that accepts all gives the wrong program a mark."""
    kind = installed.parent / "site" / "grader_steady" / "steady" / "kind.py"
    before = kind.read_text()
    kind.write_text(before.replace("is not None", "is None and number > 99"))
    try:
        tests = in_plugin(installed, "pytest", "-q", "-p", "no:cacheprovider", "-k", "explain or equals")
    finally:
        kind.write_text(before)
    assert tests.returncode == 1, tests.stdout[-3000:]
    assert "{'right': '1', 'wrong': '1'}" in tests.stdout


def test_it_is_typed_and_tidy(installed: Path) -> None:
    for command in (["ruff", "check", "--isolated", "."], ["mypy", "--strict", "grader_steady", "tests"]):
        checked = subprocess.run(
            [sys.executable, "-m", *command],
            cwd=installed,
            env={**os.environ, "MYPY_CACHE_DIR": os.devnull},
            capture_output=True,
            text=True,
            check=False,
        )
        assert checked.returncode == 0, checked.stdout


@pytest.mark.parametrize(
    ("name", "reason"),
    [
        ("Maze", "'Maze' is no name for a plugin"),
        ("grader-call", "`call` is a word of Python's or a key of a case already"),
        ("grader-class", "`class` is a word of Python's or a key of a case already"),
        ("grader-", "'grader-' is no name for a plugin"),
        ("there", "this is there already"),
    ],
)
def test_a_name_that_does_not_do_is_refused(tmp_path: Path, name: str, reason: str) -> None:
    (tmp_path / "there").mkdir()
    refused = grader("plugin", "new", name, cwd=tmp_path)
    assert refused.returncode == 2
    assert reason in refused.stderr
    assert [path.name for path in tmp_path.iterdir()] == ["there"]
