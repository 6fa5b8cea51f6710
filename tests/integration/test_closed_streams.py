"""A command whose standard streams are closed (`>&-`) does its work as if they were /dev/null."""

import os
import re
import shutil
from collections.abc import Callable
from pathlib import Path

import pytest
from support.command_line import BATCH, COMMAND, SPEC, Marked, grader, reproducible, results, run

SUBMISSION = BATCH / "student-02"


def closing(*descriptors: int) -> Callable[[], None]:
    """Return what closes these in a new process."""

    def close() -> None:
        for descriptor in descriptors:
            os.close(descriptor)

    return close


@pytest.mark.parametrize("closed", [(1,), (2,), (0, 1, 2)])
def test_marking_finds_the_same(marked: Marked, tmp_path: Path, closed: tuple[int, ...]) -> None:
    out = tmp_path / "out"
    done = run([COMMAND, "mark", SPEC, BATCH, "-o", out], before=closing(*closed))
    assert done.returncode == 0, done.stderr
    assert "Traceback" not in done.stderr
    assert reproducible(results(out)) == reproducible(results(marked.folder))
    # The record of the run is whole: nothing else was written where the database is.
    assert "unchanged since an earlier run" in grader("mark", SPEC, BATCH, "-o", out).stderr


@pytest.mark.parametrize(
    ("command", "closed"),
    [
        *(
            (command, closed)
            for command in ("check", "diff", "report", "nonsense")
            for closed in ((1,), (2,))
        ),
        ("doctor", (0, 1, 2)),
    ],
)
def test_the_status_is_that_of_open_streams(
    marked: Marked, tmp_path: Path, command: str, closed: tuple[int, ...]
) -> None:
    folder = shutil.copytree(marked.folder, tmp_path / "out")
    arguments: dict[str, list[str | Path]] = {
        "check": [SPEC, SUBMISSION],
        "diff": [folder, folder],
        "report": [folder],
    }
    line = [COMMAND, command, *arguments.get(command, [])]
    expected = run(line)
    done = run(line, before=closing(*closed))
    assert done.returncode == expected.returncode, done.stderr
    assert "Traceback" not in done.stderr
    assert without_times(done.stdout) == (without_times(expected.stdout) if 1 not in closed else "")


def without_times(text: str) -> str:
    return re.sub(r"<?[0-9.]+ m?s of", "TIME of", text)
