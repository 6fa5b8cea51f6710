"""`grader check --watch` and `--json`: for editors and for other programs."""

import json
import signal
import subprocess
from collections.abc import Iterator
from contextlib import suppress
from functools import partial
from pathlib import Path

import pytest
from support.command_line import BATCH, COMMAND, SPEC, environment, grader
from support.processes import comes_true, descendants

RIGHT = "def f(x):\n    return 2 * x\n"
WRONG = "def f(x):\n    return x\n"
TASK = """\
task: double
title: Double
marks: 1
reference: ../reference
modules: {double: double.py}
questions:
  - id: "1"
    title: f
    marks: 1
    cases: [{call: f(4), returns: same as reference}, {call: f(0), returns: 0, visibility: hidden}]
"""


def test_json_is_one_line_and_says_what_the_text_says() -> None:
    done = grader("check", SPEC, BATCH / "student-02", "--json")
    assert done.returncode == 1
    assert done.stdout.count("\n") == 1
    found = json.loads(done.stdout)
    assert found["schema"] == "grader-check/1"
    assert sorted(found) == [
        *("accepted", "all_accepted", "cases", "grader", "marked_by_people", "public_cases_only"),
        *("questions_with_more_cases", "remarks", "schema", "submission", "task"),
    ]
    assert found["remarks"] == []
    assert (found["accepted"] < found["cases"], found["all_accepted"]) == (True, False)
    assert (found["public_cases_only"], found["questions_with_more_cases"]) == (True, ["2"])
    case = found["submission"]["questions"][0]["cases"][1]
    assert (case["id"], case["verdict"], case["expected"], case["actual"]) == (
        "1.2",
        "wrong-answer",
        "0",
        "1",
    )


def test_json_tells_nothing_hidden() -> None:
    text = grader("check", SPEC, BATCH / "student-02", "--json").stdout
    for word in ("secret", "later", "hidden", "2.2", "2.4"):
        assert word not in text


def test_a_mistake_leaves_stdout_empty() -> None:
    done = grader("check", SPEC, BATCH / "nobody", "--json")
    assert (done.returncode, done.stdout) == (2, "")


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    (tmp_path / "reference").mkdir()
    (tmp_path / "reference" / "double.py").write_text(RIGHT)
    folder = tmp_path / "mine"
    folder.mkdir()
    (folder / "double.yaml").write_text(TASK)
    (folder / "double.py").write_text(WRONG)
    return folder


@pytest.fixture
def watching(folder: Path) -> Iterator[subprocess.Popen[str]]:
    command = [COMMAND, "check", "double.yaml", "--json", "--watch"]
    pipe = subprocess.PIPE
    with subprocess.Popen(command, cwd=folder, env=environment(), stdout=pipe, stderr=pipe, text=True) as run:
        yield run
        if run.poll() is None:
            run.send_signal(signal.SIGINT)
            run.communicate()


def next_result(run: subprocess.Popen[str]) -> tuple[object, ...]:
    assert run.stdout is not None
    found = json.loads(run.stdout.readline())
    return found["all_accepted"], [case["call"] for case in found["submission"]["questions"][0]["cases"]]


def next_message(run: subprocess.Popen[str]) -> str:
    """Return what is told up to the line that says that it waits."""
    assert run.stderr is not None
    lines: list[str] = []
    for line in run.stderr:
        if "waiting for a save" in line:
            return "".join(lines)
        lines.append(line)
    raise AssertionError("".join(lines))


def test_each_save_is_checked_until_ctrl_c(folder: Path, watching: subprocess.Popen[str]) -> None:
    assert next_result(watching) == (False, ["f(4)"])
    next_message(watching)
    (folder / "double.py").write_text(RIGHT)
    assert next_result(watching) == (True, ["f(4)"])
    next_message(watching)
    # A spec with a mistake, and its end.
    (folder / "double.yaml").write_text(TASK.replace("f(4)", "f(4"))
    assert "double.yaml:10" in next_message(watching)
    (folder / "double.yaml").write_text(TASK.replace("f(4)", "f(5)"))
    assert next_result(watching) == (True, ["f(5)"])
    next_message(watching)
    # No file at all, and another one.
    (folder / "double.py").unlink()
    assert "there is no Python file here" in next_message(watching)
    (folder / "double.py").write_text(WRONG)
    assert next_result(watching) == (False, ["f(5)"])
    next_message(watching)
    watching.send_signal(signal.SIGINT)
    assert watching.wait(60) == 0


def test_the_sandbox_stays_between_two_saves(folder: Path, watching: subprocess.Popen[str]) -> None:
    next_message(watching)
    before = children_of(watching.pid)
    assert before
    (folder / "double.py").write_text(RIGHT)
    next_message(watching)
    assert before & children_of(watching.pid) == before


def children_of(pid: int) -> set[str]:
    return set(Path(f"/proc/{pid}/task/{pid}/children").read_text().split())


def test_a_save_ends_the_check_that_is_under_way(folder: Path, watching: subprocess.Popen[str]) -> None:
    """A program without an end would be waited for until its limit, of a minute here."""
    slow = TASK.replace("marks: 1\nref", "marks: 1\nlimits: {time: 60s, wall: 200s}\nref")
    assert next_result(watching) == (False, ["f(4)"])
    next_message(watching)
    (folder / "double.yaml").write_text(slow)
    assert next_result(watching) == (False, ["f(4)"])
    next_message(watching)
    for endless in ("while True:\n        pass", "import time\n    time.sleep(100)"):
        # A box of the check before may still be about to end.
        before = set(boxes_below(watching.pid))
        (folder / "double.py").write_text(f"def f(x):\n    {endless}\n")
        comes_true(partial(has_other_boxes, watching.pid, before))
        (folder / "double.py").write_text(RIGHT)
        assert next_result(watching) == (True, ["f(4)"])
        assert "saved meanwhile: checking again" in next_message(watching)
    watching.send_signal(signal.SIGINT)
    assert watching.wait(60) == 0


def has_other_boxes(pid: int, known: set[int]) -> bool:
    return not known.issuperset(boxes_below(pid))


def boxes_below(pid: int) -> list[int]:
    """Return the processes below one in which a student's program runs."""
    found = []
    for one, _ in descendants(pid):
        with suppress(OSError):
            if Path(f"/proc/{one}/comm").read_text() == "grader-box\n":
                found.append(one)
    return found
