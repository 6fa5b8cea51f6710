"""Reviews of people who are in the batch of now by none of their names: who left, or is called otherwise."""

from pathlib import Path

import pytest
from support.command_line import grader, results

SPEC = """\
task: t
title: T
marks: 2
modules: {m: m.py}
questions:
  - {id: "1", title: q, marks: 2, cases: [{call: f(), returns: 1}]}
"""
REVIEW = (
    '- student: {}\n  by: M\n  date: 2026-03-01\n  overrides: [{{question: "1", marks: 1, reason: why}}]\n'
)


def hand_in(folder: Path, *names: str) -> None:
    for name in names:
        path = folder / "in" / f"{name}_assignsubmission_file" / "m.py"
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text("def f(): return 1\n")


def enrol(folder: Path, *lines: str) -> None:
    heads = "First name,Last name,Email address,Groups"
    (folder / "p.csv").write_text("\n".join((heads, *(f"{line}," for line in lines), "")))


def marked(folder: Path, *more: str) -> tuple[int, dict[str, str], str]:
    done = grader("mark", "t.yaml", "in", "-q", *more, cwd=folder)
    found = {one["name"]: one["status"] for one in results(folder / "reports/t")["submissions"]}
    return done.returncode, found, " ".join(done.stderr.split())


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    (tmp_path / "t.yaml").write_text(SPEC)
    hand_in(tmp_path, "Bo Ng_2")
    enrol(tmp_path, "Ada,Fox,ada@u.edu", "Bo,Ng,bo@u.edu")
    assert marked(tmp_path, "--roster", "p.csv")[:2] == (0, {"Ada Fox": "no-submission", "Bo Ng": "marked"})
    (tmp_path / "reviews").mkdir(exist_ok=True)
    return tmp_path


@pytest.mark.parametrize("name", ["ada", "ada@u.edu"])
def test_who_left_stops_nobody(folder: Path, name: str) -> None:
    (folder / "reviews/t.yaml").write_text(REVIEW.format(name))
    assert marked(folder)[0] == 0
    enrol(folder, "Bo,Ng,bo@u.edu")
    for _ in range(2):
        code, found, told = marked(folder)
        assert (code, found) == (0, {"Bo Ng": "marked"})
        assert f"reviews of 1 more who are not in this batch: {name}" in told


def test_who_has_another_id_and_mail_is_pending(folder: Path) -> None:
    (folder / "reviews/t.yaml").write_text(REVIEW.format("ada"))
    marked(folder)
    enrol(folder, "Ada,Fox,fox@u.edu", "Bo,Ng,bo@u.edu")
    hand_in(folder, "Ada Fox_1")
    for _ in range(2):
        code, found, told = marked(folder)
        assert (code, found) == (5, {"Ada Fox": "pending", "Bo Ng": "marked"})
        assert "a review of `ada`, which may be moodle-1" in told
    (folder / "reviews/t.yaml").write_text(REVIEW.format("moodle-1"))
    assert marked(folder)[:2] == (0, {"Ada Fox": "marked", "Bo Ng": "marked"})


def test_who_was_never_there_is_a_mistake(folder: Path) -> None:
    (folder / "reviews/t.yaml").write_text(REVIEW.format("eve") + REVIEW.format("ada"))
    enrol(folder, "Bo,Ng,bo@u.edu")
    code, _, told = marked(folder)
    assert (code, "there is no submission `eve`" in told, "`ada`" in told) == (2, True, False)
