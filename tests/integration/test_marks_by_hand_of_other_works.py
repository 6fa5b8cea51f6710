"""A mark by hand holds the digest of its work: of a work that changed since, it is an alarm, named."""

import json
import re
import shutil
from pathlib import Path
from typing import Any

import pytest
from support.command_line import Done, grader, results

SPEC = """\
task: twice
title: Twice
marks: 3
modules: {twice: twice.py}
questions:
  - {id: "1", title: double, marks: 2, cases: [{call: double(2), returns: 4}]}
  - {id: r, title: Report, marks: 1, criteria: [{id: form, title: Form, marks: 1}]}
"""
RIGHT = "def double(x):\n    return 2 * x\n"
OVERRIDE = "- {student: bob, by: A. Marker, overrides: [{question: '1', marks: 1.5, reason: fine}]}\n"
CHANGED = "by hand for works that changed since"


@pytest.fixture
def batch(tmp_path: Path) -> Path:
    for student in ("ann", "bob"):
        (tmp_path / "work" / student).mkdir(parents=True)
        (tmp_path / "work" / student / "twice.py").write_text("def double(x):\n    return 5\n")
    (tmp_path / "twice.yaml").write_text(SPEC)
    (tmp_path / "reviews").mkdir()
    return tmp_path


def mark(batch: Path, *more: str, output: str = "out") -> Done:
    done = grader("mark", batch / "twice.yaml", batch / "work", "-o", batch / output, "-j", "1", "-q", *more)
    assert done.returncode == 0, done.stderr
    return done


def told(text: str) -> str:
    return " ".join(text.split())


def submission(batch: Path, student: str, output: str = "out") -> Any:
    return next(one for one in results(batch / output)["submissions"] if one["id"] == student)


@pytest.mark.acceptance
def test_an_override_of_a_work_that_changed_is_named_until_somebody_has_looked(batch: Path) -> None:
    reviews = batch / "reviews/twice.yaml"
    reviews.write_text("# ours\n" + OVERRIDE)
    assert CHANGED not in told(mark(batch).stderr)
    first = submission(batch, "bob")["sha256"]
    (batch / "work/bob/twice.py").write_text(RIGHT)
    for more in ((), (), ("--no-cache",), ("--only", "bob")):
        alarm = told(mark(batch, *more).stderr)
        assert CHANGED in alarm
        assert "question 1: 1.5 by A. Marker (bob)" in alarm
        assert "below what the cases give" in alarm
        assert submission(batch, "bob")["overrides"][0]["work"] == first
    page = told(re.sub("<[^>]*>", "", (batch / "out/index.html").read_text()))
    assert CHANGED in page
    assert "question 1: 1.5 by A. Marker" in page
    assert "given for another work" in (batch / "out/staff/bob.html").read_text()
    assert "another work" not in (batch / "out/students/bob.html").read_text()
    for command in (("report",), ("release", "-y", "--pending"), ("remark", "-q")):
        assert CHANGED in told(grader(command[0], batch / "out", *command[1:]).stderr), command
    assert submission(batch, "bob", "out-again")["overrides"][0]["work"] == first
    now = submission(batch, "bob")["sha256"]
    assert f"work: &#34;{now[:16]}&#34;" in (batch / "out/staff/bob.html").read_text()
    reviews.write_text(reviews.read_text().replace("by: A. Marker", f'by: A. Marker, work: "{now[:16]}"'))
    assert CHANGED not in told(mark(batch).stderr)
    assert "work" not in submission(batch, "bob")["overrides"][0]


@pytest.mark.parametrize("between", [("--without", "reviews"), ("--reviews", "others.yaml")])
def test_a_run_without_the_marks_does_not_end_the_alarm(batch: Path, between: tuple[str, str]) -> None:
    reviews = batch / "reviews/twice.yaml"
    form = "- {student: ann, by: A. Marker, date: 2026-11-25, criteria: {r.form: {marks: 1}}}\n"
    reviews.write_text(OVERRIDE + form)
    (batch / "others.yaml").write_text(form.replace("ann", "bob"))
    between = (between[0], str(batch / between[1]) if between[1].endswith("yaml") else between[1])
    mark(batch)
    for student in ("ann", "bob"):
        (batch / "work" / student / "twice.py").write_text(RIGHT)
    for _ in range(2):
        assert CHANGED not in told(mark(batch, *between).stderr)
    alarm = told(mark(batch, "--reviews", str(reviews)).stderr)
    assert CHANGED in alarm
    assert "question 1: 1.5 by A. Marker (bob)" in alarm
    assert "r.form: 1 by A. Marker (ann)" in alarm
    assert "aside" not in submission(batch, "ann")


def test_what_awaits_is_written_with_the_digest_of_its_work(batch: Path) -> None:
    mark(batch)
    reviews = batch / "reviews/twice.yaml"
    text = reviews.read_text()
    assert f'work: "{submission(batch, "ann")["sha256"][:16]}"' in text
    filled = text.replace("marks:  ", "marks: 1 ").replace("by:\n", "by: A. Marker  # me\n")
    reviews.write_text(filled)
    assert CHANGED not in told(mark(batch).stderr)
    (batch / "work/ann/twice.py").write_text(RIGHT)
    alarm = told(mark(batch, output="elsewhere").stderr)
    assert "criterion r.form: 1 by A. Marker (ann)" in alarm
    assert "(bob)" not in alarm
    assert submission(batch, "ann", "elsewhere")["mark"] == "3"
    assert reviews.read_text() == filled


def test_a_work_that_came_after_the_mark_was_given_for_none(batch: Path) -> None:
    shutil.rmtree(batch / "work/bob")
    (batch / "work/bob").mkdir()
    (batch / "work/bob/notes.txt").write_text("ill")
    (batch / "reviews/twice.yaml").write_text(
        "- {student: bob, by: B, overrides: [{marks: 1, reason: oral}]}\n"
    )
    mark(batch)
    (batch / "work/bob/twice.py").write_text(RIGHT)
    assert "the whole mark: 1 by B (bob)" in told(mark(batch).stderr)


def test_the_results_tell_what_the_work_was_where_the_record_is_gone(batch: Path) -> None:
    (batch / "reviews/twice.yaml").write_text(OVERRIDE)
    mark(batch)
    (batch / "out/run.sqlite").unlink()
    (batch / "work/bob/twice.py").write_text(RIGHT)
    assert CHANGED in told(mark(batch, "--reviews", str(batch / "reviews/twice.yaml")).stderr)


@pytest.mark.parametrize("digest", ["mine", "1234", "12345678 9", "G2345678"])
def test_what_is_no_digest_is_refused(batch: Path, digest: str) -> None:
    (batch / "reviews/twice.yaml").write_text(OVERRIDE.replace("by:", f"work: '{digest}', by:"))
    done = grader("mark", batch / "twice.yaml", batch / "work", "-o", batch / "out")
    assert done.returncode == 2
    assert "is not the digest of a work" in done.stderr


def test_two_students_of_one_name_are_told_apart(batch: Path) -> None:
    (batch / "reviews/twice.yaml").write_text(OVERRIDE.replace("1.5", "0"))
    (batch / "roster.csv").write_text("student,name\nann,Kim Lee\nbob,Kim Lee\n")
    for student in ("ann", "bob"):
        (batch / "work" / student / "twice.py").write_text(RIGHT)
    alarm = told(mark(batch, "--roster", str(batch / "roster.csv")).stderr)
    assert "question 1: 0 by A. Marker, instead of 2 (Kim Lee (bob))" in alarm
    assert json.loads((batch / "out/results.json").read_text())["run"]["files"]


ROSTER = "id,name,group\nann,Ann,\nbob,Bob,\ndan,Dan,Team X\neve,Eve,Team X\n"


@pytest.fixture
def team(batch: Path) -> Path:
    """A team handed in together, and then one of its members alone: nobody knows whose the other work is."""
    (batch / "work/Team X").mkdir()
    (batch / "work/Team X/twice.py").write_text(RIGHT)
    (batch / "roster.csv").write_text(ROSTER)
    return batch


def test_an_override_of_the_whole_mark_settles_what_could_not_be_marked(team: Path) -> None:
    """It was left out without a word: the mark stayed pending, whatever a person wrote."""
    (team / "work/eve").mkdir()
    (team / "work/eve/twice.py").write_text(RIGHT)
    given = "- {student: dan, by: A. Marker, overrides: [{marks: 2, reason: with the team}]}\n"
    (team / "reviews/twice.yaml").write_text(given)
    arguments = (
        "mark",
        team / "twice.yaml",
        team / "work",
        "-o",
        team / "out",
        "--roster",
        team / "roster.csv",
    )
    done = grader(*arguments)
    assert done.returncode == 0, done.stderr
    dan = submission(team, "dan")
    assert (dan["mark"], dan["status"], len(dan["problems"])) == ("2", "marked", 1)
    assert [(one["after"], one["reason"]) for one in dan["overrides"]] == [("2", "with the team")]
    for page in ("staff", "students"):
        assert "with the team" in (team / "out" / page / "dan.html").read_text()
    assert "with the team" in grader("explain", team / "out", "dan").stdout
    (team / "reviews/twice.yaml").write_text("# taken back\n")
    assert grader(*arguments).returncode == 5
    assert submission(team, "dan")["status"] == "pending"


def test_the_time_of_who_is_in_the_batch_by_the_roster_is_not_called_a_strangers(team: Path) -> None:
    (team / "twice.yaml").write_text(SPEC + "late: {deadline: 2026-11-20T12:00Z, then: 50%}\n")
    (team / "times.yaml").write_text("dan: 2026-11-20T13:00Z\nzoe: 2026-11-20T13:00Z\n")
    done = mark(team, "--roster", str(team / "roster.csv"), "--times", str(team / "times.yaml"))
    assert submission(team, "eve")["submitted"] == "2026-11-20T13:00:00Z"
    assert "times.yaml has 1 student who is not in this batch: zoe" in told(done.stderr)


def test_the_review_of_a_group_is_not_called_a_strangers(team: Path) -> None:
    for name in ("ann", "bob"):
        shutil.rmtree(team / "work" / name)
    given = "- {student: %s, by: A. Marker, overrides: [{marks: 1, reason: late}]}\n"
    (team / "reviews/twice.yaml").write_text(given % "Team X")
    done = mark(team, "--roster", str(team / "roster.csv"))
    assert [submission(team, name)["mark"] for name in ("dan", "eve")] == ["1", "1"]
    assert "not in this batch" not in told(done.stderr)


def test_a_name_means_the_folder_that_has_it_exactly(batch: Path) -> None:
    """Two folders can have the same letters, once composed and once with the accent apart."""
    composed, apart = "\u00e9", "e\u0301"
    for name in (composed, apart):
        (batch / "work" / name).mkdir()
        (batch / "work" / name / "twice.py").write_text(RIGHT)
    (batch / "reviews/twice.yaml").write_text(
        f"- {{student: {apart}, by: A. Marker, overrides: [{{marks: 1, reason: late}}]}}\n"
    )
    (batch / "times.yaml").write_text(f"{composed}: 2026-11-20T13:00Z\n")
    (batch / "twice.yaml").write_text(SPEC + "late: {deadline: 2026-11-20T12:00Z, then: 50%}\n")
    done = mark(batch, "--times", str(batch / "times.yaml"))
    assert "not in this batch" not in told(done.stderr)
    found = [one for one in results(batch / "out")["submissions"] if one["id"].startswith(composed)]
    got = {one["name"]: (one["problems"], one["late_s"] > 0, bool(one["overrides"])) for one in found}
    assert got == {composed: ([], True, False), apart: ([], False, True)}


@pytest.mark.parametrize(("first", "then"), [("bob", "Bob B"), ("", "bob"), ("Bob B", "s2")])
def test_who_has_another_id_now_is_the_same_person_to_the_alarm(batch: Path, first: str, then: str) -> None:
    shutil.rmtree(batch / "work/bob")
    (batch / "people.csv").write_text("student,name,mail,login\ns1,Ann A,a@u.edu,ann\ns2,Bob B,b@u.edu,bob\n")
    (batch / "reviews/twice.yaml").write_text(OVERRIDE.replace("student: bob", "student: s2"))
    if first:
        (batch / "work" / first).mkdir()
        (batch / "work" / first / "twice.py").write_text("")
    assert CHANGED not in told(mark(batch, "--roster", str(batch / "people.csv")).stderr)
    shutil.rmtree(batch / "work" / (first or "none"), ignore_errors=True)
    (batch / "work" / then).mkdir()
    (batch / "work" / then / "twice.py").write_text(RIGHT)
    for _ in range(2):
        alarm = told(mark(batch).stderr)
        assert CHANGED in alarm
        assert "1.5 by A. Marker (Bob B)" in alarm
        assert "others than before" not in alarm
