"""Runs the command line as a process of its own, the way people and pipelines do."""

import json
import os
import re
import shutil
import subprocess
import sys
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from support.warm import warm

MINI = Path(__file__).parents[1] / "data" / "mini"
SPEC = MINI / "words.yaml"
BATCH = MINI / "submissions"

COMMAND = str(Path(sys.executable).with_name("grader"))

Done = subprocess.CompletedProcess[str]


@dataclass(frozen=True)
class Marked:
    """A run that has ended.  folder: its output."""

    done: Done
    folder: Path


def environment(**changes: str) -> dict[str, str]:
    """Return this process's environment without variables that change the output, plus `changes`."""
    unwanted = ("COLUMNS", "LINES", "NO_COLOR", "FORCE_COLOR", "TERM")
    kept = {name: value for name, value in os.environ.items() if name not in unwanted}
    return {**kept, "TERM": "xterm-256color", **changes}


def run(
    command: Sequence[str | Path],
    *,
    cwd: Path | None = None,
    env: Mapping[str, str] | None = None,
    before: Callable[[], None] | None = None,
    first: str = "",
    fresh: bool = False,
    encoding: str = "utf-8",
) -> Done:
    """Run a command to its end, its output captured.

    The console script `grader` is forked from a process that has imported it: see `support.warm`.
    before: called in the new process first.  first: a program that a forked `grader` runs first.
    fresh: whether the console script itself is run.
    """
    parts, env = [str(part) for part in command], env or environment()
    # What is forked needs what only Linux has.
    if parts[0] == COMMAND and not (fresh or before) and sys.platform == "linux" and warm().suits(env):
        return warm().run(parts, cwd, env, first)
    assert not first
    return subprocess.run(
        parts,
        cwd=cwd,
        env=env,
        stdin=subprocess.DEVNULL,
        capture_output=True,
        encoding=encoding,
        preexec_fn=before,
    )


def grader(
    *arguments: str | Path, cwd: Path | None = None, first: str = "", fresh: bool = False, **changes: str
) -> Done:
    """Run the console script `grader`, as `run` does.  changes: to the environment."""
    return run([COMMAND, *arguments], cwd=cwd, env=environment(**changes), first=first, fresh=fresh)


def small_task(folder: Path, students: Sequence[str]) -> Path:
    """Copy the small task and these students' work to a new folder; return it."""
    shutil.copytree(MINI, folder, ignore=shutil.ignore_patterns("submissions"))
    for student in students:
        shutil.copytree(BATCH / student, folder / "submissions" / student)
    return folder


def mark_small(work: Path, *options: str | Path, output: str = "out") -> Done:
    """Mark the work in a folder that `small_task` made, into a folder beside it."""
    return grader("mark", work / SPEC.name, work / "submissions", "-o", work / output, *options)


def kept(done: Done) -> int:
    """Return how many results of earlier runs a command that marks says that it kept."""
    lines = [line for line in done.stderr.splitlines() if "unchanged since an earlier run" in line]
    return int(lines[0].split()[0]) if lines else 0


def begins_with(program: str, folder: Path) -> str:
    """Write a program that each Python runs first with the PYTHONPATH that is returned."""
    folder.mkdir(exist_ok=True)
    (folder / "sitecustomize.py").write_text(program)
    return found_first(folder)


def found_first(folder: Path) -> str:
    """Return the PYTHONPATH with which each Python imports from this folder first."""
    return os.pathsep.join(filter(None, (str(folder), os.environ.get("PYTHONPATH"))))


def imported_by(*arguments: str | Path) -> tuple[str, set[str]]:
    """Return the output of a command, and the names of all modules that it imported."""
    program = (
        "import sys\n"
        "from grader.cli import main\n"
        f"sys.argv = ['grader', *{[str(argument) for argument in arguments]!r}]\n"
        "try:\n    main()\nexcept SystemExit:\n    pass\n"
        "print(*sys.modules, file=sys.stderr)\n"
    )
    done = subprocess.run(
        [sys.executable, "-c", program],
        env=environment(),
        capture_output=True,
        text=True,
        check=True,
    )
    return done.stdout, set(done.stderr.split())


_PLACE = re.compile(r", in line [0-9]+ of [^;]*")
"""The line at which a case was stopped."""


def results(folder: Path) -> Any:
    """Return the results of the run that wrote into `folder`."""
    return json.loads((folder / "results.json").read_text(encoding="ascii"))


def submissions(folder: Path) -> dict[str, Any]:
    """Return the submissions of the run that wrote into `folder`, by their ids."""
    return {one["id"]: one for one in results(folder)["submissions"]}


def cases_of(folder: Path, student: str) -> dict[str, Any]:
    """Return the cases of one submission of the run that wrote into `folder`, by their ids."""
    questions = submissions(folder)[student]["questions"]
    return {case["id"]: case for question in questions for case in question["cases"]}


def reproducible(document: Any) -> Any:
    """Return the results without the values in which two equal runs may differ.

    These are times, memory, the run's id, the machine, and the line at which a case was stopped.
    """
    for name in ("id", "started", "finished"):
        document["run"].pop(name)
    for submission in document["submissions"]:
        submission.pop("made", None)
        for question in submission["questions"]:
            for case in question["cases"]:
                for name in ("cpu_s", "wall_s", "peak_rss_b", "near_limit", "stopped_at"):
                    case.pop(name, None)
                case["message"] = _PLACE.sub("", case["message"])
    return document


def unhurried(stderr: str) -> list[str]:
    """Return the lines of a command, without the notes on waiting that a slow machine adds."""
    return [line for line in stderr.splitlines() if not line.endswith((" …", " ...", " left"))]


def only_error(done: Done) -> str:
    """Return the one error message of a command that failed as it should: no traceback, no data."""
    assert "Traceback" not in done.stderr, done.stderr
    assert done.stdout == ""
    errors = [line for line in done.stderr.splitlines() if line.startswith("error: ")]
    assert len(errors) == 1, done.stderr
    return errors[0]
