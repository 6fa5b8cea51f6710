"""A task that `grader check` finds may be anybody's: a folder of a download, or of a fork.

Where no wall holds code, nothing of it runs, nor does the work; its files lie below it, links followed.
"""

import shlex
from pathlib import Path

import pytest
from support.command_line import Done, grader
from support.rows import first_of

from grader.cli.exit_code import ExitCode

HEAD = """
task: half
title: Half
marks: 1
modules: {work: work.py}
"""
CASES = """
questions:
  - {id: "1", title: half, marks: 1, cases: [%s]}
"""
RUNS = "import pathlib\npathlib.Path({!r}).touch()\n"
PLAIN = "{call: half(4), returns: 2}"
OWN = {
    "reference": ("reference: own\n", "{call: half(4), returns: same as reference}"),
    "checker": ("checkers: checks.py\n", "{call: half(4), check: even()}"),
    "generator": ("checkers: checks.py\n", "{call: half(n), given: {n: even_ones()}, returns: n // 2}"),
    "harness": ("", "{call: half(4), harness: harness.py, returns: 2}"),
    "test file": ("reference: own\n", "{pytest: tests.py}"),
    "lambda": ("", "{call: 'half(4, lambda x: x)', returns: 2}"),
    "a call of what the work has": ("", """{call: 'os.system("touch RAN")', returns: 0}"""),
    "a call of the work": ("", PLAIN),
    "commands": ("toolchains: [c]\n", "{program: work, stdout: ''}"),
}
"""What of a task runs code, by the key that brings it along; a call of the work can, too."""


@pytest.fixture(name="course")
def course_of_somebody(tmp_path: Path) -> Path:
    """A folder with code that leaves a file where it runs, and a student's work below it."""
    runs = RUNS.format(str(tmp_path / "it-ran"))
    folder = tmp_path / "course"
    for name in ("own", "me"):
        (folder / name).mkdir(parents=True)
    (folder / "me" / "work.py").write_text("def half(n, key=None):\n    return n // 2\n")
    (folder / "own" / "work.py").write_text(runs + "def half(n, key=None):\n    return n // 2\n")
    checks = "def even(answer):\n    return None\ndef even_ones(random):\n    return 2\n"
    (folder / "checks.py").write_text(runs + checks)
    (folder / "harness.py").write_text(runs + "import work\ndef other(n):\n    return work.half(n)\n")
    (folder / "tests.py").write_text(runs + "import work\ndef test_half():\n    assert work.half(4) == 2\n")
    (tmp_path / "elsewhere.py").write_text("def half(n, key=None):\n    return n // 2\n")
    return folder


def found(course: Path, driver: str = "") -> Done:
    """Check below the task, which is found; driver: the one to force, empty for the strongest."""
    return grader("check", cwd=course / "me", GRADER_DRIVER=driver)


@pytest.mark.parametrize("driver", first_of(["portable", "posix"]))
@pytest.mark.parametrize("what", OWN)
def test_no_code_of_it_runs_where_nothing_holds_it(what: str, driver: str, course: Path) -> None:
    keys, case = OWN[what]
    ran = course.parent / "it-ran"
    work = course / "me" / "work.py"
    work.write_text(RUNS.format(str(ran)) + "import os\n" + work.read_text())
    (course / "task.yaml").write_text(HEAD + keys + CASES % case.replace("RAN", str(ran)))
    done = found(course, driver)
    # The inputs of generated cases are drawn while the spec is read.
    wanted = ExitCode.SPEC if what == "generator" else ExitCode.USAGE
    assert done.returncode == wanted, done.stdout + done.stderr
    assert "task.yaml: nobody named this task, and no sandbox holds its code here" in done.stderr
    assert "grader check ../task.yaml" in done.stderr
    assert not ran.exists()


def test_one_that_is_named_runs(course: Path) -> None:
    keys, case = OWN["checker"]
    (course / "task.yaml").write_text(HEAD + keys + CASES % case)
    done = grader("check", course / "task.yaml", course / "me", GRADER_DRIVER="portable")
    assert done.returncode == ExitCode.DONE, done.stdout + done.stderr
    assert (course.parent / "it-ran").exists()


def test_the_hint_can_be_typed(course: Path) -> None:
    (course / "a task.yaml").write_text(HEAD + CASES % PLAIN)
    command = shlex.split(found(course, "portable").stderr.rpartition("name its file first: grader ")[2])
    done = grader(*command, cwd=course / "me", GRADER_DRIVER="portable")
    assert done.returncode == ExitCode.DONE, done.stdout + done.stderr


def test_behind_walls_its_code_runs(course: Path) -> None:
    keys, case = OWN["reference"]
    (course / "task.yaml").write_text(HEAD + keys + CASES % case)
    done = found(course)
    assert done.returncode == ExitCode.DONE, done.stdout + done.stderr
    assert not (course.parent / "it-ran").exists()


@pytest.mark.parametrize("python", ["./evil", "evil", "evil.exe", r"..\evil.exe", "3.11/../evil", "[3.11]"])
def test_it_chooses_no_program(python: str, course: Path) -> None:
    (course / "task.yaml").write_text(HEAD + f"python: {python}\n" + CASES % PLAIN)
    done = found(course)
    assert done.returncode == ExitCode.SPEC, done.stdout + done.stderr
    assert "task.yaml:6:9" in done.stderr


LEADS_OUT = {
    "a path of the reference": ("reference: ../own\n", "{call: half(4), returns: same as reference}"),
    "a link for the reference": ("reference: linked\n", "{call: half(4), returns: same as reference}"),
    "a link in the reference": ("reference: with-link\n", "{call: half(4), returns: same as reference}"),
    "a path of the checkers": ("checkers: ../elsewhere.py\n", "{call: half(4), check: half()}"),
    "a link for the checkers": ("checkers: link.py\n", "{call: half(4), check: half()}"),
    "a file of a program": ("", "{program: work, files: {a: {from: link.py}}, stdout: ''}"),
}


@pytest.mark.parametrize("way", LEADS_OUT)
def test_what_it_names_lies_below_it(way: str, course: Path) -> None:
    (course.parent / "own").mkdir()
    (course.parent / "own" / "work.py").write_text("def half(n):\n    return n // 2\n")
    (course / "linked").symlink_to(course.parent / "own")
    (course / "link.py").symlink_to(course.parent / "elsewhere.py")
    (course / "with-link").mkdir()
    (course / "with-link" / "work.py").symlink_to(course.parent / "elsewhere.py")
    keys, case = LEADS_OUT[way]
    (course / "task.yaml").write_text(HEAD + keys + CASES % case)
    done = found(course)
    assert done.returncode == ExitCode.SPEC, done.stdout + done.stderr
    assert "this lies outside of the task's folder, and nobody named this task" in done.stderr
    assert "task.yaml:" in done.stderr
    named = grader("check", course / "task.yaml", course / "me")
    assert "outside of the task's folder" not in named.stderr
