"""Exports, a release and the pages of a course go by a run, and tell whom people marked by hand since."""

from pathlib import Path

import pytest
from support.command_line import Done, grader
from support.reviewing import essay

REVIEW = """
- student: student-01
  by: A. Marker
  overrides:
    - {marks: 0, reason: It is copied., date: 2026-11-02}
"""
COURSE = """
course: prog
title: Prog
tasks:
  essay: {spec: essay.yaml, submissions: in, reports: out}
"""


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("since")
    essay(folder)
    (folder / "course.yaml").write_text(COURSE)
    return folder


def told(folder: Path) -> list[Done]:
    out, course = folder / "out", folder / "course.yaml"
    return [
        grader("export", out, "--to", "csv"),
        grader("release", out, "-y"),
        grader("course", "export", "--course", course, "--to", "csv"),
        grader("course", "report", "--course", course),
    ]


def test_people_marked_by_hand_since_are_named(folder: Path) -> None:
    before = told(folder)
    assert not any("by hand since" in done.stderr for done in before)
    (folder / "reviews").mkdir(exist_ok=True)
    (folder / "reviews" / "essay.yaml").write_text(REVIEW)
    record = (folder / "out" / "results.json").read_bytes()
    after = told(folder)
    what = "people marked by hand since this run: student-01; `grader report "
    assert all(done.stderr.count(what) == 1 for done in after), after
    assert [done.returncode for done in after] == [done.returncode for done in before]
    assert (folder / "out" / "results.json").read_bytes() == record
    (folder / "reviews" / "essay.yaml").write_text("- student\n")
    assert "it can't be told who was marked by hand since this run" in told(folder)[0].stderr
    (folder / "reviews" / "essay.yaml").write_text(REVIEW)
    assert grader("report", folder / "out").returncode == 0
    assert not any("by hand since" in done.stderr for done in told(folder))
