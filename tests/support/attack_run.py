"""Marks a small batch by the command line, as a given user and under a given driver.

For tests that need a task of their own; `attack_batch` hands in the whole catalogue to two fixed tasks.
"""

import json
import os
import re
import resource
import shutil
import signal
import subprocess
import sys
import tempfile
import time
from collections.abc import Mapping
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from grader.sandbox.driver import LADDER, Driver
from support import restricted
from support.attack_batch import TAKEN
from support.command_line import environment
from support.processes import Process, alive, descendants
from support.unprivileged import BECOME, give_away

ENDS_WITHIN_S = 90.0
"""A run that takes longer hangs; each of these takes seconds."""
IS_ROOT = os.geteuid() == 0
WAYS = [(user, driver) for driver in LADDER for user in ("root", "nobody")]
"""Every user under every driver."""

Sources = Mapping[str, str | bytes]
"""The files of a submission, or of a reference, by name."""


@dataclass(frozen=True)
class Way:
    """The user and the driver of a run.  home: folder of the copy of grader, for "nobody"."""

    user: str
    driver: Driver
    python: str = sys.executable
    home: Path | None = None

    @property
    def become(self) -> tuple[str, ...]:
        """The command that changes the user of the command after it."""
        return BECOME if self.user == "nobody" else ()


@dataclass(frozen=True)
class Marked:
    """What came of a batch.

    files: contents of all that was written, by path.
    cpu_s: CPU seconds of the command and of all that it waited for.
    """

    results: Any
    done: "subprocess.CompletedProcess[str]"
    files: dict[str, bytes]
    left: set[Process]
    cpu_s: float

    def submission(self, student: str) -> Any:
        """What the results say of a submission."""
        (found,) = [one for one in self.results["submissions"] if one["id"] == student]
        return found

    def cases(self, student: str) -> list[Any]:
        """The cases of a submission, in the order of the spec."""
        return [case for question in self.submission(student)["questions"] for case in question["cases"]]

    def verdicts(self, student: str) -> list[str]:
        """The verdicts of a submission, in the order of the spec."""
        return [case["verdict"] for case in self.cases(student)]

    def told(self, student: str) -> str:
        """All that the student can read but their own source: the page, and the results of public cases."""
        public = [case for case in self.cases(student) if case["visibility"] == "public"]
        page = self.files[f"students/{student}.html"].decode()
        return re.sub(r'<details class="file".*?</details>', "", page, flags=re.DOTALL) + json.dumps(public)


def mark(
    way: Way,
    spec: str,
    batch: Mapping[str, Sources],
    *,
    reference: Sources | None = None,
    checkers: str = "",
    jobs: int = 2,
) -> Marked:
    """Mark a batch.  Fails if it does not end, leaves no results or leaves a process.

    batch: the files of each student's submission.
    """
    folder = Path(tempfile.mkdtemp(prefix="grader-batch-"))
    try:
        folder.chmod(0o755)
        (folder / "spec.yaml").write_text(spec)
        (folder / "checks.py").write_text(checkers)
        _write(folder / "reference", reference or {})
        for student, files in batch.items():
            _write(folder / "batch" / student, files)
        shutil.copy(restricted.__file__, folder / "restricted.py")
        if way.become:
            give_away(folder)
        return _marked(way, folder, jobs)
    finally:
        shutil.rmtree(folder)


def _write(folder: Path, files: Sources) -> None:
    folder.mkdir(parents=True)
    for name, content in files.items():
        path = folder / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(content if isinstance(content, bytes) else content.encode())


def _marked(way: Way, folder: Path, jobs: int) -> Marked:
    command = [*way.become, way.python, str(folder / "restricted.py"), *TAKEN[way.driver], "--", way.python]
    command += ["-m", "grader", "mark", str(folder / "spec.yaml"), str(folder / "batch"), "--no-cache"]
    command += ["-o", str(folder / "out"), "--require", str(way.driver), "-j", str(jobs)]
    changes = {"HOME": str(folder)}
    if way.home is not None:
        changes["PYTHONPATH"] = str(way.home / "packages")
    before, began_s = descendants(os.getpid()), _cpu_s()
    done = _run(command, folder, environment(**changes))
    left = _left(before)
    out = folder / "out"
    files = {str(path.relative_to(out)): path.read_bytes() for path in out.rglob("*") if path.is_file()}
    assert "results.json" in files, done.stderr
    assert "Traceback" not in done.stderr, done.stderr
    assert not left, f"processes are left: {left}"
    results = json.loads(files["results.json"])
    assert results["run"]["sandbox"]["driver"] == way.driver
    return Marked(results, done, files, left, _cpu_s() - began_s)


def _run(command: list[str], folder: Path, env: dict[str, str]) -> "subprocess.CompletedProcess[str]":
    with (folder / "said").open("w+b") as out, (folder / "logged").open("w+b") as err:
        process = subprocess.Popen(
            command, cwd=folder, env=env, stdin=subprocess.DEVNULL, stdout=out, stderr=err
        )
        try:
            status = process.wait(ENDS_WITHIN_S)
        except subprocess.TimeoutExpired:
            _end(descendants(process.pid))
            process.wait()
            raise AssertionError("the run did not end: " + (folder / "logged").read_text()) from None
    texts = [(folder / name).read_text("utf-8", "replace") for name in ("said", "logged")]
    return subprocess.CompletedProcess(command, status, *texts)


def _cpu_s() -> float:
    """CPU seconds of all processes that were waited for."""
    usage = resource.getrusage(resource.RUSAGE_CHILDREN)
    return usage.ru_utime + usage.ru_stime


def _left(before: set[Process]) -> set[Process]:
    """The processes that are left below this one; they get a moment to end, and are ended."""
    deadline = time.monotonic() + 10
    while left := alive(descendants(os.getpid()) - before):
        if time.monotonic() > deadline:
            _end(left)
            break
        time.sleep(0.02)
    return left


def _end(processes: set[Process]) -> None:
    for pid, _ in processes:
        with suppress(ProcessLookupError):
            os.kill(pid, signal.SIGKILL)
