"""`grader intake`: shows what would be marked, in 80 columns, and refuses what is not sure."""

import json
import zipfile
from pathlib import Path

import pytest
from support.command_line import grader

SPEC = """\
task: pair
title: Pair
marks: 2
modules: {one: one.py, two: two.py}
late: {deadline: 2026-11-20T12:00+01:00, grace: 0s, then: 50%}
questions:
  - id: "1"
    title: One
    module: one
    marks: 2
    cases: [{call: f(), returns: 1}]
"""
START = "HW_{}_attempt_2026-11-{}-00-00"


@pytest.fixture
def here(tmp_path: Path) -> Path:
    (tmp_path / "pair.yaml").write_text(SPEC)
    with zipfile.ZipFile(tmp_path / "blackboard.zip", "w") as archive:
        for login, time, files in (
            ("amy", "20-11", ("one.py", "two.py")),
            ("bob", "20-14", ("one.py", "helper.py", "essay.pdf")),
            ("\u202eeve", "19-10", ("notes.txt",)),
        ):
            start = START.format(login, time)
            archive.writestr(f"{start}.txt", f"Name: {login.title()} ({login})\n")
            for name in files:
                archive.writestr(f"{start}_{name}", "def f():\n    return 1\n")
    return tmp_path


def test_a_table_that_fits_a_terminal(here: Path) -> None:
    done = grader("intake", "pair.yaml", "blackboard.zip", cwd=here)
    assert done.returncode == 0, done.stderr
    assert done.stdout.splitlines() == [
        "student        name                   files      handed in (UTC)  late",
        "blackboard-amy Amy                    2 of 2     2026-11-20 10:00",
        "blackboard-bob Bob                    1 of 2 +1  2026-11-20 13:00 2 hours",
        "  ! two.py is missing",
        "blackboard-eve \\u202eEve              0 of 2     2026-11-19 09:00",
        "  ! no Python file was found; expected one.py and two.py",
        "  ! what was found can't be taken for it: notes.txt",
        "",
        "3 students, 1 submission without a Python file",
    ]
    assert max(map(len, done.stdout.splitlines())) <= 80
    assert "note: blackboard.zip was taken for a Blackboard download of 3 students" in done.stderr
    assert "they were taken for the deadline's, UTC+0100" in done.stderr
    assert not (here / "reports").exists()


def test_json_has_all_of_it(here: Path) -> None:
    done = grader("intake", "pair.yaml", "blackboard.zip", "--json", cwd=here)
    found = json.loads(done.stdout)
    assert found["schema"] == "grader-intake/1"
    bob = next(one for one in found["submissions"] if one["id"] == "blackboard-bob")
    assert bob["files"] == {"helper": "helper.py", "one": "one.py"}
    assert (bob["submitted"], bob["late_s"], bob["is_late"]) == ("2026-11-20T13:00:00Z", 7200, True)
    assert bob["problems"] == ["two.py is missing"]
    assert bob["ids"] == {"blackboard": "bob"}


def test_without_a_spec(here: Path) -> None:
    done = grader("intake", "blackboard.zip", cwd=here)
    assert done.returncode == 0, done.stderr
    assert "blackboard-amy" in done.stdout


@pytest.mark.parametrize("command", ["intake", "mark"])
def test_what_is_not_sure_is_refused_with_what_was_seen(command: str, here: Path) -> None:
    (here / "class").mkdir()
    for name in ("amy_1_2_one.py", "bob_3_4_one.py", "one of mine.py"):
        (here / "class" / name).write_text("")
    done = grader(command, "pair.yaml", "class", cwd=here)
    assert done.returncode == 2
    assert done.stderr == (
        "error: class: it is not sure whose work lies here: 2 of 3 names are as in a Canvas download, "
        "such as amy_1_2_one.py; one of mine.py is not\n"
        "hint: move away what is no part of the download, or give --layout canvas to leave it out\n"
    )
    assert done.stdout == ""


def test_other_exits(here: Path) -> None:
    (here / "empty").mkdir()
    assert grader("intake", "pair.yaml", "empty", cwd=here).returncode == 4
    assert grader("intake", "pair.yaml", "gone", cwd=here).returncode == 2
    assert grader("intake", "pair.yaml", cwd=here).returncode == 2
    (here / "bad.yaml").write_text("task: 1\n")
    assert grader("intake", "bad.yaml", "blackboard.zip", cwd=here).returncode == 3
