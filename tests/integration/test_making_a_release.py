"""What `make release` looks at before anything is uploaded, and the workflow that uploads."""

import subprocess
import sys
import tomllib
import zipfile
from pathlib import Path
from typing import Any

import pytest
import yaml
from support.release_script import release

from grader import __version__

ROOT = Path(__file__).parents[2]


def git(folder: Path, *words: str) -> None:
    name = ("-c", "user.name=somebody", "-c", "user.email=somebody@example.org", "-c", "commit.gpgsign=false")
    subprocess.run(["git", *name, *words], cwd=folder, check=True, capture_output=True)


HOOK = """
from hatchling.builders.hooks.plugin.interface import BuildHookInterface

class Now(BuildHookInterface):
    def initialize(self, version, build_data):
        open(self.root + "/grader/built.py", "w").write(WHAT)
"""


def small_project(folder: Path, what: str) -> Path:
    """Return a checkout whose build writes a module.  what: an expression that gives its text."""
    files = {
        "grader/__init__.py": '__version__ = "0.2.0"\n',
        "CHANGELOG.md": "# Changelog\n\n## 0.2.0 (2027-01-31)\n",
        "hatch_build.py": HOOK.replace("WHAT", what),
        "pyproject.toml": '[build-system]\nrequires = ["hatchling"]\nbuild-backend = "hatchling.build"\n'
        '[project]\nname = "grader-harness"\ndynamic = ["version"]\n'
        'requires-python = ">=3"\n'
        '[tool.hatch.version]\npath = "grader/__init__.py"\n'
        '[tool.hatch.build.targets.wheel]\npackages = ["grader"]\nhooks.custom = {}\n',
    }
    for name, text in files.items():
        (folder / name).parent.mkdir(parents=True, exist_ok=True)
        (folder / name).write_text(text)
    git(folder, "init", "-q")
    git(folder, "add", "-A")
    git(folder, "commit", "-qm", "All")
    return folder


def test_the_version_stands_in_one_place() -> None:
    project = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))
    assert project["project"]["dynamic"] == ["version"]
    assert project["tool"]["hatch"]["version"] == {"path": "grader/__init__.py"}
    assert release.version_of(ROOT) == __version__


def test_this_tree_could_be_released_but_for_what_a_release_needs() -> None:
    assert list(release.problems(ROOT, f"v{__version__}", rehearse=True)) == []


@pytest.mark.parametrize(
    ("changelog", "problem"),
    [
        ("# C\n\n## 0.1.0 (2027-01-31)\n\n## 0.0.9 (2026-01-31)\n", ""),
        ("# C\n\n## 0.1.0 (unreleased)\n", "0.1.0 is unreleased; write the date"),
        ("# C\n\n## 0.2.0 (2027-01-31)\n", "expected `## 0.1.0 (DATE)`"),
        ("# C\n\n## 0.2.0 (2027-01-31)\n\n## 0.1.0 (2027-01-31)\n", "expected `## 0.1.0 (DATE)`"),
        ("# C\n\n## 0.1.0\n", "expected `## 0.1.0 (DATE)`"),
        ("# C\n\n## 0.1.0 (soon)\n", "expected `## 0.1.0 (DATE)`"),
        ("", "expected `## 0.1.0 (DATE)`"),
    ],
)
def test_the_changelog_has_to_begin_with_the_version(changelog: str, problem: str) -> None:
    found = release.heading_problem(changelog, "0.1.0")
    assert problem in found
    assert bool(found) == bool(problem)


def test_a_rehearsal_needs_no_date() -> None:
    assert release.heading_problem("## 0.1.0 (unreleased)\n", "0.1.0", rehearse=True) == ""


def test_another_tag_and_changes_without_a_commit_are_refused(tmp_path: Path) -> None:
    tree = small_project(tmp_path, "'x = 1'")
    assert list(release.problems(tree, "v0.2.0")) == []
    (found,) = release.problems(tree, "v0.2.1")
    assert found == "the tag is v0.2.1, and grader/__init__.py says 0.2.0; expected v0.2.0"
    (tree / "grader" / "more.py").write_text("x = 1\n")
    (found,) = release.problems(tree)
    assert "there are changes that are in no commit" in found


def test_a_build_that_depends_on_its_place_is_told(tmp_path: Path) -> None:
    tree, work = small_project(tmp_path / "tree", "'at = ' + repr(self.root)"), tmp_path / "work"
    work.mkdir()
    with pytest.raises(release.Problem) as caught:
        release.built_twice(tree, work)
    assert str(caught.value).startswith("grader_harness-0.2.0-py3-none-any.whl: two builds differ: compare ")


def test_a_build_that_depends_on_nothing_is_taken(tmp_path: Path) -> None:
    tree, work = small_project(tmp_path / "tree", "'x = 1'"), tmp_path / "work"
    work.mkdir()
    wheel, sdist = release.built_twice(tree, work)
    assert (wheel.name, sdist.name) == (
        "grader_harness-0.2.0-py3-none-any.whl",
        "grader_harness-0.2.0.tar.gz",
    )


@pytest.mark.acceptance
def test_two_builds_of_this_tree_give_equal_bytes(tmp_path: Path) -> None:
    """One from the sdist and one from the tree, with other folders, dates, clocks, permissions and words."""
    if not (ROOT / ".git").exists():
        pytest.skip("this is no checkout, and a release is made of a commit")
    wheel, sdist = release.built_twice(ROOT, tmp_path)
    assert release.wheel_problem(wheel) == ""
    assert wheel.name.split("-")[1] == __version__
    assert sdist.stat().st_size > wheel.stat().st_size


@pytest.mark.parametrize(
    ("names", "problem"),
    [
        (["grader/__init__.py", "grader_harness-0.2.0.dist-info/METADATA"], ""),
        (["grader/__init__.py", "tests/test_a.py"], "has files that are not of the package: tests/test_a.py"),
        (["grader/__init__.so"], "has files that are not of the package: grader/__init__.so"),
    ],
)
def test_a_wheel_has_the_package_alone(tmp_path: Path, names: list[str], problem: str) -> None:
    wheel = tmp_path / "grader_harness-0.2.0-py3-none-any.whl"
    with zipfile.ZipFile(wheel, "w") as archive:
        for name in names:
            archive.writestr(name, "")
    found = release.wheel_problem(wheel)
    assert problem in found
    assert bool(found) == bool(problem)


def test_a_large_wheel_is_told(tmp_path: Path) -> None:
    wheel = tmp_path / "grader_harness-0.2.0-py3-none-any.whl"
    wheel.write_bytes(bytes(release.MOST_B))
    assert "handouts carry most of it: it has to stay below 3,145,728" in release.wheel_problem(wheel)


def test_a_release_is_tried_with_every_python_that_is_promised() -> None:
    here = "{}.{}".format(*sys.version_info[:2])
    assert here in release.wanted_pythons(ROOT)
    found = release.pythons([here, "3.99"])
    assert list(found) == [here]


def workflow() -> dict[str, Any]:
    found: dict[str, Any] = yaml.safe_load(
        (ROOT / ".github" / "workflows" / "release.yml").read_text("utf-8")
    )
    return found


def test_the_workflow_gives_rights_only_to_jobs_that_run_nothing_of_the_tree() -> None:
    flow = workflow()
    assert flow["permissions"] == {"contents": "read"}
    for name, job in flow["jobs"].items():
        rights = job.get("permissions", {})
        runs_ours = any("run" in step or "checkout" in step.get("uses", "") for step in job["steps"])
        assert not (runs_ours and rights), name
    assert flow["jobs"]["publish"]["permissions"] == {"id-token": "write"}
    assert flow["jobs"]["attest"]["permissions"] == {"id-token": "write", "attestations": "write"}
    # What is uploaded went through the build, and is attested.
    assert (flow["jobs"]["publish"]["needs"], flow["jobs"]["attest"]["needs"]) == ("attest", "build")


def test_the_workflow_has_every_python_that_is_promised() -> None:
    steps = workflow()["jobs"]["build"]["steps"]
    (versions,) = (step["with"]["python-version"] for step in steps if "setup-python" in step.get("uses", ""))
    assert sorted(versions.split()) == release.wanted_pythons(ROOT)
    (said,) = (step["run"] for step in steps if "run" in step)
    assert said.startswith("make release ")
