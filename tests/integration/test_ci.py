"""What is shipped for CI systems, each run in a clean folder with that system's environment."""

import json
import os
import re
import shutil
import subprocess
import sys
from pathlib import Path
from typing import Any, NamedTuple

import pytest
import yaml
from junitparser import JUnitXml
from support.command_line import environment, grader

ROOT = Path(__file__).parents[2]
SPEC = """\
task: leap
title: Leap years
marks: 4
modules: {leap: leap.py}
questions:
  - {id: "1", title: is_leap, module: leap, marks: 2, award: each, cases: [
      {call: is_leap(2000), returns: true}, {call: is_leap(1900), returns: false}]}
  - {id: "2", title: days, module: leap, marks: 2, award: each, cases: [
      {call: days(2), returns: 28}, {call: days(3), returns: 31, visibility: hidden}]}
"""
RIGHT = """\
def is_leap(year):
    return year % 400 == 0


def days(month):
    return 28 if month == 2 else 31
"""
FAULTY = """\
def is_leap(year):
    return year % 100 == 0


def days(month):
    print("::error::owned")
    raise ValueError("a\\n::error file=other.py::owned\\n##[error]owned,title=x")
"""


class Command(NamedTuple):
    """A command that a GitHub runner takes from the output of a step."""

    name: str
    properties: dict[str, str]
    message: str


def commands(output: str) -> list[Command]:
    """Return the commands in the output, as a runner reads it (actions/runner, `ActionCommandManager`)."""
    found, stopped = [], ""
    for line in output.splitlines():
        text = line.strip()
        if stopped:
            stopped = "" if text == f"::{stopped}::" else stopped
            continue
        match = re.match(r"::([\w-]+)(?: ([^:]*))?::(.*)", text)
        if match is None:
            assert "##[" not in text
            continue
        pairs = (part.partition("=") for part in (match[2] or "").split(",") if part)
        found.append(
            Command(match[1], {key: unescaped(value) for key, _, value in pairs}, unescaped(match[3]))
        )
        if match[1] == "stop-commands":
            stopped = match[3]
            assert re.fullmatch(r"[0-9a-f]{32}", stopped)
    return found


def unescaped(text: str) -> str:
    for code, character in (("%3A", ":"), ("%2C", ","), ("%0D", "\r"), ("%0A", "\n"), ("%25", "%")):
        text = text.replace(code, character)
    return text


class Step(NamedTuple):
    """A step as it ended."""

    code: int
    output: str
    summary: str
    outputs: dict[str, str]

    @property
    def commands(self) -> list[Command]:
        return [each for each in commands(self.output) if each.name != "stop-commands"]


def action(folder: Path, search: str = "", **given: str) -> Step:
    """Run the composite action in a folder, as a runner does.  search: a PATH, maybe without `grader`."""
    place = ROOT / ".github" / "actions" / "mark"
    content = yaml.safe_load((place / "action.yml").read_text())
    inputs = {
        name: given.get(name.replace("-", "_"), about.get("default"))
        for name, about in content["inputs"].items()
    }
    (step,) = content["runs"]["steps"]
    assert step["shell"] == "bash"
    files = {name: folder.parent / name for name in ("GITHUB_STEP_SUMMARY", "GITHUB_OUTPUT")}
    for path in files.values():
        path.write_text("")
    env = {
        **environment(),
        **{
            name: re.sub(r"\$\{\{ inputs\.([\w-]+) \}\}", lambda at: inputs[at[1]], value)
            for name, value in step["env"].items()
        },
        **{name: str(path) for name, path in files.items()},
        "CI": "true",
        "GITHUB_ACTIONS": "true",
        "GITHUB_WORKSPACE": str(folder),
        "GITHUB_ACTION_PATH": str(place),
        "PATH": search or f"{Path(sys.executable).parent}:{os.environ['PATH']}",
        "RUNNER_TEMP": str(folder.parent),
    }
    command = ["bash", "--noprofile", "--norc", "-e", "-o", "pipefail", "-c", step["run"]]
    done = subprocess.run(
        command, cwd=folder, env=env, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, check=False
    )
    outputs = dict(line.split("=", 1) for line in files["GITHUB_OUTPUT"].read_text().splitlines())
    return Step(done.returncode, done.stdout, files["GITHUB_STEP_SUMMARY"].read_text(), outputs)


@pytest.fixture
def repository(tmp_path: Path) -> Path:
    """A student's repository: the spec and their work."""
    folder = tmp_path / "repository"
    (folder / "src").mkdir(parents=True)
    (folder / "leap.yaml").write_text(SPEC)
    (folder / "src" / "leap.py").write_text(FAULTY)
    return folder


def test_the_action_annotates_the_students_lines_and_no_text_is_a_command(repository: Path) -> None:
    step = action(repository, spec="leap.yaml", submissions="src", fail_under="100%")
    assert step.code == 1
    places = {(each.properties.get("file"), each.properties.get("line")) for each in step.commands}
    assert ("src/leap.py", "7") in places
    assert not [each for each in step.commands if each.properties.get("file") == "other.py"]
    assert not [each for each in step.commands if each.message == "owned"]
    points = [each.message for each in step.commands if each.properties["title"] == "Autograding complete"]
    assert points == ["Points 1/4"]
    assert step.outputs == {"mark": "1", "max-mark": "4"}
    assert "below --fail-under 100% (4)" in step.output
    assert "by 3" in step.output
    assert "is_leap(1900)" in step.summary
    assert "days(3)" not in step.summary + "".join(each.message for each in step.commands)


def test_the_action_is_quiet_about_right_work(repository: Path) -> None:
    (repository / "src" / "leap.py").write_text(RIGHT)
    step = action(repository, spec="leap.yaml", submissions="src", fail_under="60%")
    assert step.code == 0, step.output
    assert {each.name for each in step.commands} == {"notice"}
    assert step.outputs["mark"] == "4"


def test_the_action_marks_several_and_says_whose_fault_it_is(repository: Path) -> None:
    for name, text in (("ada", RIGHT), ("bob", FAULTY)):
        (repository / "all" / name).mkdir(parents=True)
        (repository / "all" / name / "leap.py").write_text(text)
    step = action(repository, spec="leap.yaml", submissions="all")
    assert step.code == 0, step.output
    # A fault without a line is counted, though no annotation shows it.
    *faults, more = step.commands
    assert (more.name, more.message) == ("notice", "2 faults in all; see the report")
    assert {each.properties["title"].split(":")[0] for each in faults} == {"bob"}
    assert {each.properties.get("file") for each in step.commands} <= {"all/bob/leap.py", None}
    assert "| ada | ada | 4 | marked |" in step.summary
    assert step.outputs["mark"] == ""


def test_the_action_fails_with_the_message_of_a_spec_that_is_wrong(repository: Path) -> None:
    (repository / "leap.yaml").write_text(SPEC.replace("marks: 4", "marks: 5"))
    step = action(repository, spec="leap.yaml", submissions="src")
    assert step.code == 3
    assert "marks add up to 4, not to 5" in step.output
    assert step.summary == ""


def forged(report: Path) -> None:
    """Write a report with full marks, as a student can check it in."""
    work = report.parent / "of-a-friend"
    work.mkdir()
    (work / "leap.yaml").write_text(SPEC)
    (work / "leap.py").write_text(RIGHT)
    assert grader("mark", work / "leap.yaml", work / "leap.py", "-o", report).returncode == 0
    shutil.rmtree(work)


def test_the_action_believes_no_report_that_the_repository_brings_along(repository: Path) -> None:
    forged(repository / "grader-report")
    (repository / "link").symlink_to("grader-report")
    (repository / "nowhere").symlink_to("not-there")
    for report in ("grader-report", "link", "nowhere"):
        # A student can also make marking fail.
        for spec in ("leap.yaml", "missing.yaml"):
            step = action(repository, spec=spec, submissions="src", report=report)
            assert step.code == 2
            (told,) = step.commands
            assert told.message.startswith("the folder for the report exists already")
            assert (step.summary, step.outputs) == ("", {})


def test_the_action_marks_the_folder_that_it_is_in(repository: Path) -> None:
    (repository / "src" / "leap.py").rename(repository / "leap.py")
    (repository / "src").rmdir()
    step = action(repository, spec="leap.yaml")
    assert step.outputs == {"mark": "1", "max-mark": "4"}, step.output
    assert step.code == 0
    assert {"results.json", "index.html"} <= {path.name for path in (repository / "grader-report").iterdir()}


def test_the_action_runs_no_module_of_the_repository(repository: Path, tmp_path: Path) -> None:
    """Without `grader` on the path it installs it, in the folder with the students' files."""
    for name in ("pip.py", "grader.py", "encodings.py", "sitecustomize.py"):
        (repository / name).write_text(f"open({str(tmp_path / 'owned')!r}, 'w').close()\n")
    python = tmp_path / "bin" / "python"
    python.parent.mkdir()
    # Installing takes long, and needs a network.
    python.write_text(f'#!/bin/sh\nexec {sys.executable} "$1" "$2" "$3"\n')
    python.chmod(0o755)
    step = action(repository, search=f"{python.parent}:/usr/bin:/bin", spec="leap.yaml", submissions="src")
    assert step.code != 0
    assert "Usage:" in step.output  # of pip
    assert not (tmp_path / "owned").exists(), step.output


def test_the_workflow_gives_the_action_its_inputs() -> None:
    workflow = yaml.safe_load((ROOT / ".github" / "workflows" / "mark.yml").read_text())
    inputs = yaml.safe_load((ROOT / ".github" / "actions" / "mark" / "action.yml").read_text())["inputs"]
    (job,) = workflow["jobs"].values()
    (step,) = [step for step in job["steps"] if step["uses"] == "$/.github/actions/mark"]
    assert step["with"].keys() <= inputs.keys()
    for value in step["with"].values():
        name = re.fullmatch(r"\$\{\{ inputs\.([\w-]+) \}\}", value)
        assert name is not None
        assert name[1] in workflow[True]["workflow_call"]["inputs"]  # YAML 1.1 reads the key `on` as true


def test_gitlab_gets_junit_and_the_lines_at_fault(repository: Path) -> None:
    job = yaml.safe_load((ROOT / ".gitlab" / "mark.yml").read_text())[".grader"]
    variables = job["variables"] | {"GRADER_SPEC": "leap.yaml", "GRADER_SUBMISSIONS": "src"}
    env = {**environment(), **variables, "CI": "true", "GITLAB_CI": "true"}
    env["PATH"] = f"{Path(sys.executable).parent}:{os.environ['PATH']}"

    def script(*parts: str) -> subprocess.CompletedProcess[str]:
        lines = "\n".join(line for part in parts for line in job[part])
        return subprocess.run(
            ["sh", "-e", "-c", lines], cwd=repository, env=env, capture_output=True, text=True, check=False
        )

    forged(repository / "grader-report")
    done = script("before_script", "script")
    assert done.returncode == 0, done.stderr
    reports = job["artifacts"]["reports"]
    suite = next(iter(JUnitXml.fromfile(str(repository / reports["junit"]))))
    assert [case.name.split(" ")[0] for case in suite][:3] == ["1.1", "1.2", "2.1"]
    findings: list[dict[str, Any]] = json.loads((repository / reports["codequality"]).read_text())
    assert [(each["location"]["path"], each["location"]["lines"]["begin"]) for each in findings] == [
        ("src/leap.py", 7)
    ]
    assert len({each["fingerprint"] for each in findings}) == len(findings)
    assert "days(3)" not in (repository / reports["junit"]).read_text()


@pytest.mark.acceptance  # it makes a repository and runs each hook
def test_the_hooks_of_pre_commit_run(repository: Path) -> None:
    hooks = {each["id"]: each for each in yaml.safe_load((ROOT / ".pre-commit-hooks.yaml").read_text())}
    reference = repository / "reference"
    reference.mkdir()
    (reference / "leap.py").write_text(
        "import calendar\n\n\ndef is_leap(year):\n    return calendar.isleap(year)\n\n\n"
        + RIGHT.split("\n\n\n")[1]
    )
    specs = repository / "specs"
    specs.mkdir()
    (specs / "leap.yaml").write_text(SPEC.replace("modules:", "reference: ../reference\nmodules:"))
    assert re.search(hooks["grader-validate"]["files"], "specs/leap.yaml")
    assert not re.search(hooks["grader-validate"]["files"], "specs/leap/equivalent.yaml")
    done = hook(hooks["grader-validate"], repository, "specs/leap.yaml")
    assert done.returncode in (0, 1)
    assert "Leap years (leap)" in done.stdout
    done = hook(hooks["grader-check"], repository, "leap.yaml", "src")
    assert done.returncode == 1
    assert "is_leap(1900)" in done.stdout


def hook(about: dict[str, Any], folder: Path, *arguments: str) -> subprocess.CompletedProcess[str]:
    """Run a hook as pre-commit does: its entry and the arguments, in the root of the repository."""
    assert about["language"] == "python"
    env = {**environment(), "PRE_COMMIT": "1", "PATH": f"{Path(sys.executable).parent}:{os.environ['PATH']}"}
    command = [*about["entry"].split(), *arguments]
    return subprocess.run(command, cwd=folder, env=env, capture_output=True, text=True, check=False)


def test_what_a_user_writes_is_yaml_of_less_than_twenty_lines() -> None:
    page = (ROOT / "docs" / "ci.md").read_text(encoding="utf-8")
    written = re.findall(r"^```text\n(.*?)^```$", page, re.DOTALL | re.MULTILINE)
    assert len(written) == 5
    for text in written:
        assert text.count("\n") < 20
        assert yaml.safe_load(text)
