"""Results, records, reviews, courses, handouts: those of earlier versions are read, later ones refused."""

import csv
import json
import shutil
import sqlite3
from contextlib import closing
from pathlib import Path

import pytest
from support.command_line import grader, submissions

KEPT = Path(__file__).parents[1] / "data" / "kept"
VERSIONS = sorted(path.name for path in KEPT.iterdir() if path.is_dir())
MARKS = {"student-01": "5", "student-02": "3.5", "student-03": "0"}


@pytest.fixture(params=VERSIONS)
def kept(request: pytest.FixtureRequest, tmp_path: Path) -> Path:
    folder = tmp_path / "course"
    shutil.copytree(KEPT / str(request.param), folder)
    return folder


def marks(folder: Path) -> dict[str, str]:
    return {name: one["mark"] for name, one in submissions(folder).items()}


def test_results_and_record_are_read(kept: Path) -> None:
    run = kept / "reports" / "leap"
    written = (run / "marks.csv").read_bytes()
    done = grader("report", run, cwd=kept)
    assert done.returncode == 0, done.stderr
    assert marks(run) == MARKS
    assert (run / "marks.csv").read_bytes() == written
    assert "See the talk" in (run / "staff" / "student-02.html").read_text()
    told = grader("explain", run, "student-02", cwd=kept).stdout
    assert "grader      0.1.0" in told
    assert "1.2  wrong answer" in told
    assert "The same verdict" in grader("replay", run, "student-02", "1.2", "--to", "again", cwd=kept).stdout


def test_the_same_is_marked_today(kept: Path) -> None:
    spec = (kept / "leap.yaml").read_text()
    (kept / "leap.yaml").write_text(spec.replace("late: {then: 20%}\n", ""))
    options = ("--times", "times.yaml", "--reviews", "reviews.yaml", "--roster", "roster.csv")
    done = grader("mark", "leap.yaml", "submissions", *options, "-o", "new", cwd=kept)
    assert done.returncode == 0, done.stderr
    rows = {
        row["student"]: row
        for row in csv.DictReader((kept / "new/marks.csv").read_text("utf-8-sig").splitlines())
    }
    old = (kept / "reports/leap/marks.csv").read_text("utf-8-sig").splitlines()
    for row in csv.DictReader(old):
        assert [rows[row["student"]][f"question {n}"] for n in (1, 2)] == [
            row[f"question {n}"] for n in (1, 2)
        ]
    assert grader("diff", "reports/leap", "new", cwd=kept).returncode in (0, 1)


def test_the_course_is_read_and_goes_on(kept: Path) -> None:
    assert "All that it names is well." in grader("course", "check", cwd=kept).stdout
    done = grader("course", "mark", cwd=kept)
    assert done.returncode == 0, done.stderr
    assert marks(kept / "reports" / "leap") == MARKS
    assert grader("course", "report", cwd=kept).returncode == 0


def test_a_student_checks_with_the_handout(kept: Path) -> None:
    shutil.unpack_archive(kept / "hand.zip", kept / "hand")
    (task,) = (kept / "hand").iterdir()
    shutil.copy(kept / "submissions/student-02/leap.py", task)
    done = grader("check", "--json", cwd=task)
    (question,) = json.loads(done.stdout)["submission"]["questions"]
    assert [case["verdict"] for case in question["cases"]] == ["accepted", "wrong-answer"]


def test_a_later_record_is_refused_by_name_and_stays(kept: Path) -> None:
    run = kept / "reports" / "leap"
    with closing(sqlite3.connect(run / "run.sqlite")) as database:
        (version,) = database.execute("PRAGMA user_version").fetchone()
        database.execute(f"PRAGMA user_version = {version + 1}")
    before = {path.name: path.read_bytes() for path in run.iterdir() if path.is_file()}
    done = grader("mark", "leap.yaml", "submissions", "-o", run, cwd=kept)
    assert done.returncode == 2
    assert "a later version of grader wrote this record" in done.stderr
    assert {path.name: path.read_bytes() for path in run.iterdir() if path.is_file()} == before


def test_later_results_are_refused_by_name_and_stay(kept: Path) -> None:
    results = kept / "reports" / "leap" / "results.json"
    later = results.read_text().replace("grader-results/1", "grader-results/2")
    results.write_text(later)
    done = grader("report", results.parent, cwd=kept)
    assert done.returncode == 2
    assert "a newer version of grader wrote it; update this one" in done.stderr
    assert results.read_text() == later
