"""`grader diff`: whose mark differs between two runs, and which cases did it."""

import json
import shutil
from pathlib import Path

import pytest
from support.command_line import MINI, SPEC, Marked, grader, only_error


@pytest.fixture
def changed(tmp_path: Path) -> Path:
    """Results of the small batch after one student left, one came, and one changed the work."""
    work = Path(shutil.copytree(MINI, tmp_path / "work"))
    batch = work / "submissions"
    shutil.move(batch / "student-02", batch / "student-99")
    (batch / "student-01" / "words.py").write_text("1 / 0\n")
    done = grader("mark", work / SPEC.name, batch, "-o", tmp_path / "changed")
    assert done.returncode == 0, done.stderr
    return tmp_path / "changed"


def test_nothing_differs_between_a_run_and_itself(marked: Marked) -> None:
    done = grader("diff", marked.folder, marked.folder)
    assert done.returncode == 0
    assert "No mark and no verdict differs." in done.stdout


def test_every_submission_that_differs_is_told_with_the_cases_that_did_it(
    marked: Marked, changed: Path
) -> None:
    done = grader("diff", marked.folder, changed)
    assert (done.returncode, done.stderr) == (0, "")
    lines = done.stdout.splitlines()
    told = [line for line in lines if line.startswith("student-")]
    assert [line.split()[0] for line in told] == ["student-01", "student-02", "student-99"]
    assert told[0].endswith("-> 0")
    assert told[1].endswith("-> absent")
    assert "absent ->" in told[2]
    assert "accepted -> load error" in lines[lines.index(told[0]) + 1]
    assert lines[-1] == "3 marks differ."
    assert max(map(len, lines)) <= 80


@pytest.mark.acceptance
def test_what_many_share_is_told_once_unless_each_is_asked_for(tmp_path: Path) -> None:
    work = Path(shutil.copytree(MINI, tmp_path / "work"))
    same = [work / "submissions" / f"student-{number}" for number in range(20, 30)]
    for place in same:
        shutil.copytree(work / "submissions" / "student-01", place)
    for folder in ("one", "two"):
        done = grader("mark", work / SPEC.name, work / "submissions", "-o", tmp_path / folder, "-q")
        assert done.returncode == 0, done.stderr
        for place in same:
            (place / "words.py").write_text("1 / 0\n")
    grouped = grader("diff", tmp_path / "one", tmp_path / "two")
    each = grader("diff", tmp_path / "one", tmp_path / "two", "--each")
    assert (grouped.returncode, each.returncode) == (0, 0)
    assert "What several share" in grouped.stdout
    assert "What several share" not in each.stdout
    assert each.stdout.splitlines()[-1] == grouped.stdout.splitlines()[-1]
    assert [f"student-{number}" in each.stdout for number in range(20, 30)] == [True] * 10
    assert max(map(len, grouped.stdout.splitlines())) <= 80


def test_results_of_two_tasks_are_not_compared(marked: Marked, tmp_path: Path) -> None:
    other = tmp_path / "other.json"
    text = (marked.folder / "results.json").read_text()
    task_line = next(line for line in text.splitlines() if line.startswith('"task"'))
    other.write_text(text.replace(task_line, task_line.replace('"words"', '"numbers"', 1)))
    done = grader("diff", marked.folder, other)
    assert done.returncode == 2
    assert "different tasks" in only_error(done)


def test_a_folder_without_results_is_told(marked: Marked, tmp_path: Path) -> None:
    done = grader("diff", marked.folder, tmp_path)
    assert done.returncode == 2
    assert "there is no such file" in only_error(done)


def test_two_builds_of_one_version_are_never_called_the_same(marked: Marked, tmp_path: Path) -> None:
    """Between two releases many commits have one version."""
    head = json.loads((marked.folder / "results.json").read_text())["run"]
    told = {}
    for name, build in (("other", {"commit": "1" * 40, "code": "2" * 12}), ("older", None)):
        shutil.copytree(marked.folder, tmp_path / name)
        path = tmp_path / name / "results.json"
        text = path.read_text()
        for key in ("commit", "code"):
            written = f', "{key}": "{head[key]}"' if key in head else ""
            text = text.replace(written, f', "{key}": "{build[key]}"' if build else "", 1)
        path.write_text(text)
        done = grader("diff", marked.folder, tmp_path / name, COLUMNS="200")
        assert done.returncode == 0, done.stderr
        told[name] = done.stdout
    assert "other in grader\n" in told["other"]
    assert (
        f"code {head['code']} -> {head['grader']}, commit 111111111111, code 222222222222\n" in told["other"]
    )
    assert "and grader" not in told["older"]
    assert f"which builds of grader {head['grader']} is not recorded" in told["older"]


def test_a_record_names_version_and_code(marked: Marked) -> None:
    run = json.loads((marked.folder / "results.json").read_text())["run"]
    told = grader("explain", marked.folder, "student-01", COLUMNS="200").stdout
    line = next(line for line in told.splitlines() if line.startswith("  grader "))
    assert line.split()[1] == f"{run['grader']},"
    assert line.endswith(f"code {run['code']}")
