"""A run that is forked from a process which has imported `grader` is as a run of the console script.

That both mark alike is in `integration/test_mark.py`.
"""

from pathlib import Path

import pytest
from support.command_line import BATCH, COMMAND, SPEC, environment, run
from support.warm import warm


@pytest.mark.parametrize(
    ("status", "command"),
    [
        (0, ["--help"]),
        (2, ["mrak"]),
        (2, ["mark", "absent.yaml", "absent"]),
        (1, ["check", str(SPEC), str(BATCH / "student-02"), "-q", "1"]),
    ],
)
def test_its_output_and_exit_status_are_those_of_the_script(
    tmp_path: Path, status: int, command: list[str]
) -> None:
    forked, fresh = (run([COMMAND, *command], cwd=tmp_path, fresh=fresh) for fresh in (False, True))
    assert forked.returncode == fresh.returncode == status
    assert forked.stderr == fresh.stderr
    assert len(forked.stdout) == len(fresh.stdout)


def test_its_folder_and_environment_are_its_own(tmp_path: Path) -> None:
    help_of = [COMMAND, "mark", "--help"]
    narrow = run(help_of, cwd=tmp_path, env=environment(COLUMNS="50"))
    assert max(map(len, narrow.stdout.splitlines())) <= 50
    assert run(help_of, cwd=tmp_path).stdout != narrow.stdout


def test_a_python_that_starts_otherwise_is_a_fresh_one() -> None:
    assert warm().suits(environment(COLUMNS="50"))
    assert not warm().suits(environment(PYTHONPATH="/somewhere/else"))
