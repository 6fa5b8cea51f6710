"""`grader check` from outside: what a student sees of their own work, and what not."""

import gc
import sys
from collections.abc import Iterator
from importlib.util import find_spec
from pathlib import Path

import pytest
from click.testing import CliRunner
from support.command_line import BATCH, SPEC, grader, imported_by, run, unhurried
from support.terminal import at_terminal
from support.trees import MakeTree

from grader.cli.commands.check import check
from grader.model.errors import Fault, UsageError
from grader.sandbox import zygote_process


def test_right_work_is_accepted() -> None:
    done = grader("check", SPEC, BATCH / "student-01")
    assert done.returncode == 0
    assert not unhurried(done.stderr)
    assert done.stdout.splitlines()[0] == "Words & numbers: student-01"
    assert done.stdout.splitlines()[-2:] == [
        "Accepted: 7 of 7 cases",
        "These are the public cases only; marking has others too.",
    ]


def test_a_fault_comes_with_a_call_to_paste_and_a_hint() -> None:
    done = grader("check", SPEC, BATCH / "student-02")
    assert done.returncode == 1
    lines = done.stdout.splitlines()
    start = next(number for number, line in enumerate(lines) if line.startswith("1.2  wrong answer"))
    assert lines[start + 1] == "vowels('rhythm')"
    assert "  expected  0" in lines
    assert "  answer    1" in lines
    assert any("A y counts as a consonant." in line for line in lines)


def test_what_was_printed_is_shown() -> None:
    done = grader("check", SPEC, BATCH / "student-02")
    assert "looking at 12" in done.stdout


@pytest.mark.parametrize("student", ["student-01", "student-02", "student-03"])
def test_cases_that_are_not_public_do_not_occur(student: str) -> None:
    done = grader("check", SPEC, BATCH / student)
    for word in ("secret", "later", "hidden", "2.2", "2.4"):
        assert word not in done.stdout


def test_a_question_can_be_checked_alone() -> None:
    done = grader("check", SPEC, BATCH / "student-02", "--question", "2")
    assert done.returncode == 1
    assert "longest" in done.stdout
    assert "vowels" not in done.stdout
    assert "Accepted: 1 of 2 cases" in done.stdout.splitlines()


def test_several_questions_can_be_checked() -> None:
    done = grader("check", SPEC, BATCH / "student-04", "-q", "2", "-q", "3")
    assert done.returncode == 0
    assert "Accepted: 5 of 5 cases" in done.stdout.splitlines()


def test_the_folder_at_hand_is_the_default() -> None:
    done = grader("check", SPEC, cwd=BATCH / "student-01")
    assert done.returncode == 0
    assert "Words & numbers: student-01" in done.stdout


def test_the_spec_may_lie_beside_the_work(make_folder: MakeTree) -> None:
    spec = 'task: t\ntitle: T\nmarks: 1\nmodules: {t: t.py}\nquestions:\n  - {id: "1", title: f, marks: 1, '
    folder = make_folder("mine", {"t.py": "def f():\n    return 1\n", "t.yaml": ""})
    (folder / "t.yaml").write_text(spec + 'cases: [{call: "f()", returns: 1}]}\n')
    done = grader("check", "t.yaml", cwd=folder)
    assert done.returncode == 0
    assert done.stdout.splitlines()[-1] == "Mark: 1 of 1"


@pytest.mark.parametrize(
    ("student", "words"),
    [
        ("student-03", "time limit"),
        ("student-04", "crashed"),
        ("student-05", "memory limit"),
        ("student-06", "output limit"),
        ("student-07", "expected ':' (line 4 of words.py)"),
    ],
)
def test_every_way_to_fail_is_named(student: str, words: str) -> None:
    done = grader("check", SPEC, BATCH / student)
    assert done.returncode == 1
    assert words in done.stdout


def test_an_empty_folder_is_nothing_to_mark(tmp_path: Path) -> None:
    assert grader("check", SPEC, tmp_path).returncode == 4


def test_output_fits_a_narrow_terminal_but_for_what_can_be_pasted() -> None:
    done = grader("check", SPEC, BATCH / "student-07", COLUMNS="60")
    long = [line for line in done.stdout.splitlines() if len(line) > 60]
    assert long == []


def test_only_what_a_check_needs_is_imported() -> None:
    printed, loaded = imported_by("check", SPEC, BATCH / "student-02")
    assert "1.2  wrong answer" in printed
    assert "grader.spec" in loaded
    heavy = {"rich", "jinja2", "sqlite3", "multiprocessing", "concurrent", "asyncio", "hypothesis", "pytest"}
    heavy |= {"email", "tomllib"}  # they come with `importlib.metadata` and with lock files
    assert {name.partition(".")[0] for name in loaded} & heavy == set()
    # The specs of few tasks ask for these, and this one does not.
    seldom = {"intake.layouts.gather", "intake.trees.clone", "plugins.boards.tours", "sandbox.tools"}
    seldom |= {
        "kinds.calls.timing.growth",
        "kinds.calls.timing.ratio",
        "kinds.rule.looking",
        "plugins.tests.test_file.turn",
    }
    names = {f"grader.{name}" for name in seldom}
    assert [name for name in names if find_spec(name) is None] == []
    assert loaded & names == set()


def test_help_needs_no_command() -> None:
    printed, loaded = imported_by("--help")
    for command in ("mark", "check", "report", "diff", "doctor"):
        assert f"  {command} " in printed
    heavy = {"yaml", "rich", "jinja2", "sqlite3", "pathlib", "json", "grader.model.task", "grader.cli.output"}
    assert loaded & heavy == set()


@pytest.fixture
def order(monkeypatch: pytest.MonkeyPatch) -> Iterator[list[str]]:
    """What is done, as far as a spec that is then refused, by a check in this process."""
    done: list[str] = []

    def read(path: Path, *, was_named: bool) -> None:
        done.append("read")
        raise UsageError(Fault("enough"))

    monkeypatch.setattr(zygote_process, "prepare", lambda command: done.append(f"prepare {command}"))
    monkeypatch.setattr("grader.cli.checking.load_spec", read)
    yield done
    gc.enable()  # which a check turns off


def test_the_second_python_starts_before_the_spec_is_read(order: list[str]) -> None:
    CliRunner().invoke(check, [str(SPEC), str(BATCH / "student-01")])
    assert order == [f"prepare {sys.executable}", "read"]


def test_the_second_python_starts_before_the_imports() -> None:
    """Only what starts it is imported with the command; the rest comes while it starts."""
    program = "import sys, grader.cli.commands.check; print(*sys.modules)"
    loaded = run([sys.executable, "-c", program]).stdout.split()
    assert "grader.sandbox.zygote_process" in loaded
    assert {"grader.cli.checking", "grader.spec", "grader.engine", "grader.model.task"}.isdisjoint(loaded)


def test_another_python_is_not_prepared_in_vain(order: list[str]) -> None:
    CliRunner().invoke(check, [str(SPEC), str(BATCH / "student-01"), "--python", "3.99"])
    assert order == ["read"]


SLEEPY = """\
task: sleepy
title: Sleepy
marks: 1
modules: {work: work.py}
questions:
  - id: "2"
    title: Two
    marks: 1
    cases:
      - {call: soon(), returns: 0}
      - {call: later(), returns: 0}
"""
SLEEPS = """\
import time

def soon():
    return 0

def later():
    time.sleep(3)
    return 0
"""


@pytest.fixture
def sleepy(tmp_path: Path) -> Path:
    (tmp_path / "sleepy.yaml").write_text(SLEEPY)
    (tmp_path / "work.py").write_text(SLEEPS)
    return tmp_path


def test_what_takes_long_is_told_in_a_log(sleepy: Path) -> None:
    done = grader("check", "sleepy.yaml", "work.py", cwd=sleepy)
    assert done.returncode == 0, done.stderr
    assert "running case 2.2 …" in done.stderr.splitlines()
    assert not unhurried(done.stderr)
    assert "running" not in done.stdout


def test_what_takes_long_is_told_at_a_terminal_and_vanishes(sleepy: Path) -> None:
    """Without a control sequence, so that it is right where those are declined, and within the line."""
    status, text = at_terminal("check", sleepy / "sleepy.yaml", sleepy / "work.py", columns=30)
    assert status == 0
    shown = [frame for frame in text.replace("\n", "\r").split("\r") if "…" in frame]
    assert "running case 2.2 …" in shown[-1]
    assert max(map(len, shown)) < 30
    after = text[text.rindex("…") :]
    assert "\r    " in after, "it is overwritten with blanks"
    assert after.index("\r    ") < after.index("Mark")


def test_a_task_that_nobody_named_brings_no_program_along(tmp_path: Path) -> None:
    """It may lie in a student's repository, where a person looks at their work."""
    (tmp_path / "leap.yaml").write_text(
        "task: leap\ntitle: Leap\nmarks: 1\nmodules: {leap: leap.py}\npython: ./interpreter\n"
        "checkers: own.py\n"
        'questions: [{id: "1", title: T, marks: 1, cases: [{call: f(x), given: {x: one()}, returns: "1"}]}]\n'
    )
    (tmp_path / "own.py").write_text("def one(random):\n    return 1\n")
    (tmp_path / "leap.py").write_text("def f(x):\n    return x\n")
    program = tmp_path / "interpreter"
    program.write_text(f'#!/bin/sh\ntouch {tmp_path}/ran\nexec {sys.executable} "$@"\n')
    program.chmod(0o700)
    for command in (["check"], ["check", "leap.py"], ["check", "--json"]):
        done = grader(*command, cwd=tmp_path)
        assert done.returncode == 3
        assert (
            "leap.yaml:5:9: a program would run without a sandbox, and nobody named this task" in done.stderr
        )
        assert "if you trust it: grader check leap.yaml" in done.stderr
    assert not (tmp_path / "ran").exists()
    done = grader("check", "leap.yaml", cwd=tmp_path)
    assert (done.returncode, done.stdout.splitlines()[-1]) == (0, "Mark: 1 of 1")
    assert (tmp_path / "ran").exists()
