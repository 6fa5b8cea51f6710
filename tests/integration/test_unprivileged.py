"""The command line as a user with no rights at all: what most people are."""

import json
import os
import shutil
from pathlib import Path

import pytest
from support.command_line import MINI, Done, environment, only_error, results, run
from support.unprivileged import BECOME, NOBODY, give_away

from grader.sandbox.driver import WALLS, Driver


class Nobody:
    """User 65534, with a home folder of their own and a copy of grader in it."""

    def __init__(self, home: Path, python: str) -> None:
        self.home = home
        self._python = python

    def grader(self, *arguments: str | Path) -> Done:
        """Run the command line as this user."""
        return self.python("-m", "grader", *arguments)

    def python(self, *arguments: str | Path) -> Done:
        """Run the interpreter as this user."""
        changes = {"PYTHONPATH": str(self.home / "packages"), "HOME": str(self.home)}
        return run([*BECOME, self._python, *arguments], cwd=self.home, env=environment(**changes))


@pytest.fixture(scope="module", name="nobody")
def nobody_with_a_task(nobody: tuple[str, Path] | None) -> Nobody:
    """User 65534 with the small task; skip where this cannot be."""
    if nobody is None:
        pytest.skip(f"no Python here can be run by user {NOBODY}")
    python, home = nobody
    # A process of the suite may come back to this module, with the same home.
    shutil.copytree(MINI, home / "mini", dirs_exist_ok=True)
    give_away(home / "mini")
    return Nobody(home, python)


def test_nobody_is_who_they_say(nobody: Nobody) -> None:
    assert nobody.home.stat().st_uid == NOBODY
    done = nobody.grader("mark", "mini/words.yaml", "mini/submissions", "-o", "/root/out")
    assert done.returncode == 2
    assert "permission denied" in only_error(done).lower()


def test_marking_needs_no_rights(nobody: Nobody) -> None:
    done = nobody.grader("mark", "mini/words.yaml", "mini/submissions", "-o", "out")
    assert done.returncode == 0, done.stderr
    marks = [submission["mark"] for submission in results(nobody.home / "out")["submissions"]]
    assert marks == ["6", "1.5", "4", "5", "4.5", "5", "0", "0"]


def test_a_check_needs_no_rights(nobody: Nobody) -> None:
    assert nobody.grader("check", "mini/words.yaml", "mini/submissions/student-01").returncode == 0
    assert nobody.grader("check", "mini/words.yaml", "mini/submissions/student-02").returncode == 1


def test_work_that_may_not_be_read_is_not_checked_as_if_it_were_missing(nobody: Nobody) -> None:
    work = nobody.home / "mine" / "words.py"
    work.parent.mkdir()
    work.touch(0)
    done = nobody.grader("check", "mini/words.yaml", "mine")
    assert done.returncode == 2
    assert only_error(done) == "error: words.py can't be read (Permission denied)"


def test_a_folder_that_may_not_be_written_to_is_refused_before_anything_runs(nobody: Nobody) -> None:
    closed = nobody.home / "closed"
    closed.mkdir(mode=0o555)
    os.chown(closed, NOBODY, NOBODY)
    done = nobody.grader("mark", "mini/words.yaml", "mini/submissions", "-o", closed)
    assert done.returncode == 2
    assert only_error(done) == f"error: {closed}: cannot write the results: permission denied"
    assert "marking" not in done.stderr
    assert list(closed.iterdir()) == []


def test_a_report_into_a_folder_that_may_not_be_written_to_names_it(nobody: Nobody) -> None:
    out = nobody.home / "kept"
    assert nobody.grader("mark", "mini/words.yaml", "mini/submissions", "-o", out).returncode == 0
    for path in (out / "junit.xml", out / "index.html"):
        path.unlink()
    out.chmod(0o555)
    done = nobody.grader("report", out)
    assert done.returncode == 2
    assert only_error(done) == f"error: {out}: the report cannot be written: Permission denied"
    assert "hint: make it writable, or use a copy of the folder that is" in done.stderr
    assert " -o" not in done.stderr


def test_a_spec_that_may_not_be_read_is_refused(nobody: Nobody) -> None:
    spec = nobody.home / "mini" / "closed.yaml"
    spec.write_text("task: closed\n")
    spec.chmod(0)
    done = nobody.grader("mark", spec, "mini/submissions")
    assert done.returncode == 2
    assert "closed.yaml" in only_error(done)


def test_a_folder_that_may_not_be_listed_is_no_empty_one(nobody: Nobody) -> None:
    task = nobody.home / "mini"
    spec = task / "data.yaml"
    text = (task / "words.yaml").read_text()
    spec.write_text(f"files: {{data: {{from: data}}}}\n{text}")
    shutil.copy(task / "words.yaml", task / "handed.yaml")
    course = nobody.home / "course"
    for folder in (task / "data" / "sub", task / "handed" / "handout" / "sub", course / "sub"):
        folder.mkdir(parents=True)
        (folder / "b.txt").touch()
        folder.chmod(0)
    (task / "data" / "a.txt").touch()
    shutil.chown(course, NOBODY)
    for arguments in (
        ("mark", spec, "mini/submissions"),
        ("bundle", task / "handed.yaml", "-o", "handed"),
        ("course", "new", course),
    ):
        done = nobody.grader(*arguments)
        assert done.returncode in (2, 3), arguments
        assert "sub" in only_error(done)
        assert "(Permission denied)" in only_error(done)


# The doctor as root is in `test_doctor.py`.
@pytest.mark.acceptance
def test_the_doctor_tells_what_holds_for_this_user(nobody: Nobody) -> None:
    done = nobody.grader("doctor", "--json")
    assert done.returncode == 0, done.stdout + done.stderr
    found = json.loads(done.stdout)
    assert found["host"]["is_root"] is False
    for driver, examination in found["drivers"].items():
        held = {name for name, holds in examination["guarantees"].items() if holds}
        assert WALLS[Driver(driver)].promises <= held, driver


@pytest.mark.parametrize(
    "command",
    [
        ("doctor",),
        ("mark", "mini/words.yaml", "mini/submissions", "-o", "masked"),
        ("check", "mini/words.yaml", "mini/submissions/student-01"),
        ("bundle", "mini/words.yaml", "-o", "handout"),
    ],
    ids=lambda command: command[0],
)
def test_a_mask_without_any_rights_stops_nothing(nobody: Nobody, command: tuple[str, ...]) -> None:
    """`umask 777` takes from new files what their owner needs; others still get nothing."""
    begin = f"import os, sys; os.umask(0o777); sys.argv[1:] = {command!r}"
    program = f"{begin}; from grader.cli import main; main()"
    done = nobody.python("-c", program)
    assert "Traceback" not in done.stderr, done.stderr
    assert done.returncode == 0, done.stderr
    if command[0] == "mark":
        assert (nobody.home / "masked" / "results.json").stat().st_mode & 0o777 == 0o600
