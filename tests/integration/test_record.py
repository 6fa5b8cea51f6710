"""Explain, replay and remark: a finished run from its results and its record alone."""

import json
import os
import shlex
import shutil
import sqlite3
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest
from support.command_line import Marked, environment, grader, results

KINDS = Path(__file__).parents[1] / "data" / "kinds"
ODD, RIGHT = "o-brien", "ada"


def mark(task: Path, out: Path, *options: str) -> None:
    files = ("--times", task / "people" / "times.yaml", "--reviews", task / "people" / "reviews.yaml")
    done = grader("mark", task / "kinds.yaml", task / "submissions", "-o", out, "-q", *files, *options)
    assert done.returncode == 0, done.stderr


@pytest.fixture(scope="module")
def kinds(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder with a run over one case of each kind; task and submissions are beside it, in `task`."""
    folder = tmp_path_factory.mktemp("kinds")
    shutil.copytree(KINDS, folder / "task")
    mark(folder / "task", folder / "out")
    return folder


def cases(folder: Path, student: str) -> dict[str, str]:
    """Return the verdicts of a student, by case."""
    (found,) = (each for each in results(folder)["submissions"] if each["id"] == student)
    return {case["id"]: case["verdict"] for question in found["questions"] for case in question["cases"]}


def without_times(folder: Path) -> dict[str, Any]:
    """Return the results without what differs from run to run."""
    found = results(folder)
    for name in ("id", "started", "finished"):
        del found["run"][name]
    for submission in found["submissions"]:
        for question in submission["questions"]:
            for case in question["cases"]:
                for name in ("cpu_s", "wall_s", "peak_rss_b", "timing"):
                    case.pop(name, None)
    return found


def test_the_reference_and_the_submissions_draw_the_same_random_numbers(kinds: Path) -> None:
    assert set(cases(kinds / "out", RIGHT).values()) == {"accepted"}


# -- remark ------------------------------------------------------------------------------------------


def test_a_run_is_marked_again_from_its_record_alone(kinds: Path, tmp_path: Path) -> None:
    shutil.copytree(kinds / "out", tmp_path / "out")
    done = grader("remark", "out", cwd=tmp_path)
    assert done.returncode == 0, done.stderr
    assert "No mark and no verdict differs." in done.stdout
    assert without_times(tmp_path / "out-again") == without_times(kinds / "out")


def test_task_and_submissions_may_be_gone(tmp_path: Path) -> None:
    shutil.copytree(KINDS, tmp_path / "task")
    mark(tmp_path / "task", tmp_path / "out")
    before = without_times(tmp_path / "out")
    shutil.rmtree(tmp_path / "task")
    assert grader("remark", "out/results.json", "-o", "new", "-q", cwd=tmp_path).returncode == 0
    assert without_times(tmp_path / "new") == before
    # The new run has a record of its own, with the places where all came from at first.
    shutil.rmtree(tmp_path / "out")
    assert grader("remark", "new", "-o", "newer", "-q", cwd=tmp_path).returncode == 0
    assert without_times(tmp_path / "newer") == before
    done = grader("explain", "newer", ODD, cwd=tmp_path)
    assert str(tmp_path / "task" / "kinds.yaml") in done.stdout
    done = grader("replay", "newer", ODD, "calls.literal", cwd=tmp_path)
    assert "same verdict as recorded" in done.stdout
    assert "does not hold the modules as they were marked (--to FOLDER" in done.stderr


@pytest.mark.acceptance
def test_another_mark_is_told_with_exit_status_1(kinds: Path, tmp_path: Path) -> None:
    shutil.copytree(kinds / "out", tmp_path / "out")
    path = tmp_path / "out" / "results.json"
    text = path.read_text()
    marks = [each["mark"] for each in results(tmp_path / "out")["submissions"]]
    path.write_text(text.replace(f'"mark": "{marks[0]}", "max_mark": "7"', '"mark": "1", "max_mark": "7"', 1))
    done = grader("remark", "out", "-q", cwd=tmp_path)
    assert done.returncode == 1
    assert f"1 -> {float(marks[0]):g}" in done.stdout


def test_the_new_results_do_not_replace_the_old_ones(kinds: Path) -> None:
    done = grader("remark", "out", "-o", "out", cwd=kinds)
    assert done.returncode == 2
    assert "the new results need a folder of their own" in done.stderr


@pytest.mark.acceptance
def test_a_record_holds_through_only_and_an_interrupt(tmp_path: Path) -> None:
    shutil.copytree(KINDS, tmp_path / "task")
    task, out = tmp_path / "task", tmp_path / "out"
    mark(task, out)
    module = task / "submissions" / "ada" / "kinds.py"
    module.write_text(module.read_text().replace("return number + number + 0", "return 0"))
    mark(task, out, "--only", RIGHT)
    done = grader("explain", out, ODD)
    assert "in the earlier run" in done.stdout
    assert "in the earlier run" not in grader("explain", out, RIGHT).stdout
    # A run that ends early leaves the results, and the record that goes with them.
    store = out / "run.sqlite"
    with sqlite3.connect(store) as database:
        (work,) = database.execute("SELECT digest FROM work WHERE id = ?", (ODD,)).fetchone()
        database.execute("UPDATE work SET digest = ?, run = 'later' WHERE id = ?", (work, RIGHT))
    shutil.rmtree(task)
    done = grader("remark", out, "-o", tmp_path / "again", "-q")
    assert done.returncode == 0, done.stdout + done.stderr
    assert cases(tmp_path / "again", RIGHT)["calls.literal"] == "wrong-answer"


# -- explain -----------------------------------------------------------------------------------------


def test_a_mark_is_explained_from_the_run_to_the_rounding(kinds: Path) -> None:
    done = grader("explain", kinds / "out", ODD)
    assert (done.returncode, done.stderr) == (0, "")
    run = results(kinds / "out")["run"]
    for part in (run["id"], run["spec_sha256"], run["python"], "seed        7", run["sandbox"]["driver"]):
        assert part in done.stdout
    for part in ("calls.checked", "(hidden)", "doubling\\x1b[31m", "\\u202e odd", "20 s waiting"):
        assert part in done.stdout
    for step in (
        "5/11 x 3",
        "set by A. Marker on 2026-03-09: 1 -> 0.5",
        "rounded once, to a multiple of 0.01",
    ):
        assert step in done.stdout
    assert "\x1b" not in done.stdout
    assert not any(line.startswith("::") for line in done.stdout.splitlines())
    assert "1 hour late" in grader("explain", kinds / "out", RIGHT).stdout


def test_a_question_or_a_case_alone_is_explained(kinds: Path) -> None:
    done = grader("explain", kinds / "out", ODD, "-q", "scenario")
    assert "scenario.account" in done.stdout
    assert "calls.literal" not in done.stdout
    done = grader("explain", kinds / "out", ODD, "--case", "calls.text", "--json")
    document = json.loads(done.stdout)
    (question,) = document["submission"]["questions"]
    assert [case["id"] for case in question["cases"]] == ["calls.text"]
    assert any(" x 3 = " in step for step in question["steps"])
    assert document["record"]["gap"] == ""


@pytest.mark.parametrize(
    ("arguments", "hint"),
    [
        (["adda"], "did you mean ada?"),
        ([ODD, "-q", "progam"], "did you mean program?"),
        ([ODD, "--case", "calls.txt"], "did you mean calls.text"),
    ],
)
def test_the_nearest_name_is_told(kinds: Path, arguments: list[str], hint: str) -> None:
    done = grader("explain", kinds / "out", *arguments)
    assert done.returncode == 2
    assert hint in done.stderr


def test_without_its_record_a_mark_is_explained_by_the_results(kinds: Path, tmp_path: Path) -> None:
    shutil.copy(kinds / "out" / "results.json", tmp_path)
    done = grader("explain", tmp_path, ODD)
    assert done.returncode == 0
    assert "From the results alone: the record of the run is not here." in done.stdout
    commands: list[list[str | Path]] = [["replay", tmp_path, ODD, "calls.literal"], ["remark", tmp_path]]
    for command in commands:
        done = grader(*command)
        assert done.returncode == 2
        assert "the record of the run is not here" in done.stderr
        assert "Traceback" not in done.stderr


# -- replay ------------------------------------------------------------------------------------------


def line_of(output: str) -> str:
    """Return the line to paste."""
    return next(line for line in output.splitlines() if line.startswith("cd ") or " -c 'import os" in line)


def pasted(line: str) -> str:
    """Return what a shell prints that is given the line."""
    done = subprocess.run(["sh", "-c", line], capture_output=True, text=True, env=environment())
    return done.stdout + done.stderr


PRINTED = {
    "calls.literal": "12",
    "calls.text": "hello it's $HOME; `id`",
    "calls.record": "KeyError",
    "calls.seeded": "[",
    "calls.summed": "18",
    "calls.raised": "TypeError",
    "calls.shipped": "4",
    "calls.watched": "30",
    "calls.checked": "15",
    "scenario.account": "8\n8",
    "program.plain": "How many? 8",
    "program.talk": "How many? 12",
    "program.files": "42",
    "time.quick": "3",
}
"""What the line prints for a student whose `double` triples."""


@pytest.mark.parametrize("case", [*PRINTED, "calls.rule"])
def test_each_kind_of_case_is_replayed_and_can_be_pasted(kinds: Path, tmp_path: Path, case: str) -> None:
    to = tmp_path / "it's $(touch hacked) here"
    done = grader("replay", kinds / "out", ODD, case, "--to", to, cwd=tmp_path)
    assert done.returncode == 0, done.stderr
    assert "The same verdict as recorded" in done.stdout
    assert "\x1b" not in done.stdout
    if case == "calls.rule":
        assert "there is no line to paste" in done.stderr
        return
    assert PRINTED[case] in pasted(line_of(done.stdout))
    assert not (tmp_path / "hacked").exists()


def test_a_case_that_was_left_out_is_replayed_without_a_comparison(tmp_path: Path) -> None:
    (tmp_path / "task.yaml").write_text(
        "task: left-out\ntitle: Left out\nmarks: 1\nmodules: {m: m.py}\nquestions:\n"
        "  - {id: '1', title: f, module: m, marks: 1, cases: [{name: a, call: f(2), returns: 4},\n"
        "     {name: b, call: f(3), returns: 6, needs: '1.a'}]}\n"
    )
    (tmp_path / "work").mkdir()
    (tmp_path / "work" / "m.py").write_text("def f(x):\n    return x + 3\n")
    assert grader("mark", "task.yaml", "work", "-o", "out", "-q", cwd=tmp_path).returncode == 0
    (student,) = (each["id"] for each in results(tmp_path / "out")["submissions"])
    assert cases(tmp_path / "out", student)["1.b"] == "skipped"
    done = grader("replay", "out", student, "1.b", cwd=tmp_path)
    assert done.returncode == 0, done.stdout
    said = " ".join(done.stdout.split())
    assert "There is no verdict to compare with (skipped: it needs case 1.a" in said
    assert "Another verdict" not in done.stdout
    assert "differently from time to time" not in said


def test_the_line_runs_where_the_work_was_handed_in(kinds: Path) -> None:
    done = grader("replay", kinds / "out", ODD, "calls.text")
    line = line_of(done.stdout)
    assert shlex.split(line)[1] == str(kinds / "task" / "submissions" / "o'brien")
    assert "hello it's $HOME; `id`" in pasted(line)
    assert not list((kinds / "task" / "submissions" / "o'brien").glob("__pycache__"))


def test_what_differs_is_told_with_both_digests(kinds: Path, tmp_path: Path) -> None:
    right = kinds / "task" / "submissions" / "ada"
    done = grader("replay", kinds / "out", ODD, "calls.literal", "--submission", right)
    assert done.returncode == 1
    assert "Another verdict than recorded: wrong answer -> accepted." in done.stdout
    digests = {each["id"]: each["sha256"] for each in results(kinds / "out")["submissions"]}
    assert "the submission changed" in done.stdout
    assert digests[ODD] in done.stdout
    assert digests[RIGHT] in done.stdout
    shutil.copytree(kinds / "task", tmp_path / "task")
    spec = tmp_path / "task" / "kinds.yaml"
    spec.write_text(spec.read_text().replace("double(4), returns: 8", "double(4), returns: 12"))
    done = grader("replay", kinds / "out", ODD, "calls.literal", "--spec", spec)
    assert done.returncode == 1
    assert "the spec changed" in done.stdout
    assert results(kinds / "out")["run"]["spec_sha256"] in done.stdout


def test_a_case_that_is_another_one_in_the_new_spec_is_not_compared(tmp_path: Path) -> None:
    cases = ["{call: f(1), returns: 1}", "{call: f(2), returns: 1}"]
    head = "task: t\ntitle: T\nmarks: 1\nmodules: {w: w.py}\nquestions:\n  - id: '1'\n    title: One\n"
    head += "    marks: 1\n    cases:\n"
    (tmp_path / "work" / "ann").mkdir(parents=True)
    (tmp_path / "work" / "ann" / "w.py").write_text("def f(n):\n    return 1\n")
    for name, some in (("old", cases), ("moved", ["{call: f(0), returns: 1}", *cases]), ("gone", cases[:1])):
        texts = [*some, "{call: f(3), returns: 1}"] if name == "gone" else some
        (tmp_path / f"{name}.yaml").write_text(head + "".join(f"      - {each}\n" for each in texts))
    assert grader("mark", "old.yaml", "work", "-o", "out", cwd=tmp_path).returncode == 0
    told = {"moved": "; that is 1.3 there.", "gone": "."}
    for name, now in (("moved", "f(1)"), ("gone", "f(3)")):
        done = grader("replay", "out", "ann", "1.2", "--spec", f"{name}.yaml", cwd=tmp_path)
        said = " ".join(done.stdout.split())
        assert f"1.2 is another case in this spec: {now}. Nothing is compared." in said
        assert f"The run recorded f(2), accepted{told[name]}" in said
        assert "The same verdict" not in said
        assert done.returncode == 1


def test_a_damaged_record_is_one_message(kinds: Path, tmp_path: Path) -> None:
    shutil.copytree(kinds / "out", tmp_path / "out")
    with sqlite3.connect(tmp_path / "out" / "run.sqlite") as database:
        database.execute("UPDATE part SET packed = x'78'")
    for command in (["replay", "out", ODD, "calls.literal"], ["remark", "out"]):
        done = grader(*command, cwd=tmp_path)
        assert done.returncode == 2
        assert done.stderr.count("error:") == 1
        assert "the record is damaged" in done.stderr
        assert "Traceback" not in done.stderr
    done = grader("explain", "out", ODD, cwd=tmp_path)
    assert done.returncode == 0
    assert "From the results alone: the record is damaged" in done.stdout


def test_students_pages_hold_nothing_of_the_record(marked: Marked) -> None:
    for path in (marked.folder / "students").iterdir():
        assert b"run.sqlite" not in path.read_bytes()
    mode = (marked.folder / "run.sqlite").stat().st_mode
    assert mode & 0o777 == (marked.folder / "results.json").stat().st_mode & 0o777 | mode & 0o200


def test_the_attempt_that_counts_is_explained_replayed_and_marked_again(tmp_path: Path) -> None:
    (tmp_path / "task.yaml").write_text(
        "task: tries\ntitle: Tries\nmarks: 1\nmodules: {m: m.py}\nattempts: best\n"
        "questions:\n  - {id: '1', title: f, module: m, marks: 1, cases: [{call: f(2), returns: 4}]}\n"
    )
    for name, body in (("attempt-1", "x * 2"), ("attempt-2", "x + 1")):
        folder = tmp_path / "work" / "ada" / name
        folder.mkdir(parents=True)
        (folder / "m.py").write_text(f"def f(x):\n    return {body}\n")
    (tmp_path / "work" / "bob").mkdir()
    (tmp_path / "work" / "bob" / "m.py").write_text("f = lambda x: 4\n")
    assert grader("mark", "task.yaml", "work", "-o", "out", "-q", cwd=tmp_path).returncode == 0
    done = grader("explain", "out", "ada", cwd=tmp_path)
    assert "attempt-1   1, this one counts" in done.stdout, done.stdout
    done = grader("replay", "out", "ada", "1.1", cwd=tmp_path)
    assert "The same verdict as recorded: accepted." in done.stdout
    assert "changed" not in done.stdout
    assert pasted(line_of(done.stdout)) == "4\n"
    done = grader("replay", "out", "ada", "1.1", "--submission", "work/ada", cwd=tmp_path)
    assert "The same verdict as recorded: accepted." in done.stdout
    assert "changed" not in done.stdout
    before = without_times(tmp_path / "out")
    shutil.rmtree(tmp_path / "work")
    assert grader("remark", "out", "-q", cwd=tmp_path).returncode == 0
    assert without_times(tmp_path / "out-again") == before


@pytest.mark.acceptance
def test_a_submission_that_was_never_read_keeps_its_result(tmp_path: Path) -> None:
    (tmp_path / "task.yaml").write_text(
        "task: reads\ntitle: Reads\nmarks: 1\nmodules: {m: m.py}\n"
        "questions:\n  - {id: '1', title: f, module: m, marks: 1, cases: [{call: f(2), returns: 4}]}\n"
    )
    for name, content in (("ada", b"f = lambda x: 4\n"), ("bob", b"f = (\n"), ("cy", b"\xff\xfe\x00")):
        (tmp_path / "work" / name).mkdir(parents=True)
        (tmp_path / "work" / name / "m.py").write_bytes(content)
    (tmp_path / "work" / "dan").mkdir()
    (tmp_path / "work" / "dan" / "essay.txt").write_text("I did not write a program.")
    (tmp_path / "work" / "eve.zip").write_bytes(b"PK\x03\x04 no zip")
    assert grader("mark", "task.yaml", "work", "-o", "out", "-q", cwd=tmp_path).returncode == 0
    before = without_times(tmp_path / "out")
    shutil.rmtree(tmp_path / "work")
    done = grader("remark", "out", "-q", cwd=tmp_path)
    assert done.returncode == 0, done.stdout + done.stderr
    assert without_times(tmp_path / "out-again") == before
    for name in ("bob", "cy", "dan", "eve"):
        done = grader("explain", "out", name, cwd=tmp_path)
        assert (done.returncode, "Traceback" in done.stderr) == (0, False)
        done = grader("replay", "out", name, "1.1", cwd=tmp_path)
        assert "The same verdict as recorded" in done.stdout, done.stdout + done.stderr


@pytest.mark.parametrize("command", [["replay", "out", RIGHT, "calls.literal"], ["remark", "out"]])
def test_a_program_that_a_record_names_is_not_started(tmp_path: Path, command: list[str]) -> None:
    shutil.copytree(KINDS, tmp_path / "task")
    python = os.path.realpath(sys.executable)
    mark(tmp_path / "task", tmp_path / "out", "--python", python)
    done = grader(*command, cwd=tmp_path)
    assert done.returncode == 2
    assert "name it with --python" in done.stderr
    assert grader(*command, "--python", python, cwd=tmp_path).returncode == 0
