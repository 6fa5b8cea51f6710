"""A command whose standard streams are closed (`>&-`) does its work as if they were /dev/null."""

import os
import re
import shutil
from collections.abc import Callable
from pathlib import Path

import pytest
from support.command_line import BATCH, COMMAND, SPEC, Done, Marked, grader, reproducible, results, run

SUBMISSION = BATCH / "student-02"


def closing(*descriptors: int) -> Callable[[], None]:
    """Return what closes these in a new process."""

    def close() -> None:
        for descriptor in descriptors:
            os.close(descriptor)

    return close


@pytest.mark.parametrize("closed", [(1,), (2,), (0, 1, 2)])
def test_marking_finds_the_same(marked: Marked, tmp_path: Path, closed: tuple[int, ...]) -> None:
    command: list[str | Path] = ["mark", SPEC, SUBMISSION, BATCH / "student-04", "-o", tmp_path]
    done = run([COMMAND, *command], before=closing(*closed))
    assert done.returncode == 0, done.stderr
    assert "Traceback" not in done.stderr
    found, expected = (reproducible(results(folder))["submissions"] for folder in (tmp_path, marked.folder))
    assert found == [each for each in expected if each["id"] in ("student-02", "student-04")]
    # The record of the run is whole: nothing else was written where the database is.
    assert "2 of 2 submissions unchanged since an earlier run" in grader(*command).stderr


@pytest.mark.parametrize("command", ["check", "diff", "report", "nonsense"])
def test_the_status_is_that_of_open_streams(marked: Marked, tmp_path: Path, command: str) -> None:
    folder = shutil.copytree(marked.folder, tmp_path / "out")
    arguments: dict[str, list[str | Path]] = {
        "check": [SPEC, SUBMISSION],
        "diff": [folder, folder],
        "report": [folder],
    }
    line = [COMMAND, command, *arguments.get(command, [])]
    expected = run(line)
    for closed in (1, 2):
        done = run(line, before=closing(closed))
        assert done.returncode == expected.returncode, done.stderr
        assert "Traceback" not in done.stderr
        assert without_times(done.stdout) == (without_times(expected.stdout) if closed != 1 else "")


@pytest.mark.acceptance
def test_the_doctor_finds_the_same(examined: Done) -> None:
    done = run([COMMAND, "doctor"], before=closing(0, 1, 2))
    assert (done.returncode, done.stdout, done.stderr) == (examined.returncode, "", "")


def without_times(text: str) -> str:
    return re.sub(r"<?[0-9.]+ m?s of", "TIME of", text)
