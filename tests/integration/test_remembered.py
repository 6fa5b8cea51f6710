"""A run marks with the roster, times and reviews of the last run into its folder, or says why not."""

import shutil
import sqlite3
from pathlib import Path

import pytest
from support.command_line import Done, grader, results

SPEC = """\
task: twice
title: Twice
marks: 2
modules: {twice: twice.py}
late: {deadline: 2026-11-20T12:00:00Z, then: 50%}
questions:
  - id: "1"
    title: double
    marks: 2
    award: each
    cases:
      - {call: double(2), returns: 4}
      - {call: double(3), returns: 6}
"""
RIGHT = "def double(x):\n    return 2 * x\n"
HALF = "def double(x):\n    return 4\n"
TIMES = "ann: 2026-11-21T12:00:00Z\nbob: 2026-11-20T11:00:00Z\n"
REVIEWS = "- {student: bob, by: A. Marker, overrides: [{question: '1', marks: 2, reason: fine}]}\n"
ROSTER = "student,name,extension\nann,Ann Lee,\nbob,Bob Ray,\ncy,Cy Coe,\n"
GIVEN = ("--times", "times.yaml", "--reviews", "reviews.yaml", "--roster", "roster.csv")
WITH = {"ann": "1", "bob": "2", "cy": "0"}
"""The marks with all three: ann is late, bob is overridden, cy stands on the roster alone."""


@pytest.fixture
def batch(tmp_path: Path) -> Path:
    texts = {
        "specs/twice.yaml": SPEC,
        "work/ann/twice.py": RIGHT,
        "work/bob/twice.py": HALF,
        "times.yaml": TIMES,
        "reviews.yaml": REVIEWS,
        "roster.csv": ROSTER,
    }
    for name, text in texts.items():
        (tmp_path / name).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / name).write_text(text)
    return tmp_path


def mark(batch: Path, *more: str | Path, output: str = "out", cwd: Path | None = None) -> Done:
    paths = (batch / "specs/twice.yaml", batch / "work", "-o", batch / output)
    return grader("mark", *paths, "-j", "1", "-q", *more, cwd=cwd or batch)


def marks(batch: Path, output: str = "out") -> dict[str, str]:
    return {one["id"]: one["mark"] for one in results(batch / output)["submissions"]}


def remembered(done: Done) -> list[str]:
    return [line for line in done.stderr.splitlines() if "taken again" in line]


def edit(batch: Path, statement: str, *values: object) -> None:
    with sqlite3.connect(batch / "out/run.sqlite") as database:
        database.execute(statement, values)
    database.close()


def test_a_run_without_them_takes_the_files_of_the_last_run_again(batch: Path, tmp_path: Path) -> None:
    done = mark(batch, *GIVEN)
    assert (done.returncode, remembered(done)) == (0, []), done.stderr
    assert marks(batch) == WITH
    for more in ((), ("--no-cache",), ("--only", "bob"), ("--only", "ann", "--no-cache")):
        done = mark(batch, *more, cwd=tmp_path.parent)
        assert (done.returncode, marks(batch)) == (0, WITH), done.stderr
        named = [f"run: {batch.name}/{name}" for name in ("roster.csv", "times.yaml", "reviews.yaml")]
        assert len(remembered(done)) == 3
        assert all(name in line for name, line in zip(named, remembered(done), strict=True))


def test_what_changed_counts_and_what_is_gone_is_taken_from_the_record(batch: Path) -> None:
    mark(batch, *GIVEN)
    (batch / "times.yaml").write_text(TIMES.replace("ann: 2026-11-21", "ann: 2026-11-19"))
    (batch / "roster.csv").unlink()
    done = mark(batch)
    assert marks(batch) == WITH | {"ann": "2"}
    roster, times, _ = remembered(done)
    assert "changed since" in times
    assert "is gone" in roster
    mark(batch)
    assert marks(batch) == WITH | {"ann": "2"}, "a file that is gone stays in the record"


@pytest.mark.parametrize("name", ["times.yaml", "roster.csv"])
def test_an_emptied_file_of_times_or_people_takes_nothing_away(batch: Path, name: str) -> None:
    """A full disk took all lateness away, and the run ended as if all was well."""
    mark(batch, *GIVEN)
    text = (batch / name).read_text()
    (batch / name).write_text("\n")
    done = mark(batch)
    assert (done.returncode, marks(batch)) == (0, WITH), done.stderr
    assert f"{name} (it is empty now, so the content in the record counts)" in done.stderr
    refused = mark(batch, *GIVEN)
    assert (refused.returncode, marks(batch)) == (2, WITH)
    assert "of the last run stood in this file, and it is empty now\nhint: put it back" in refused.stderr
    (batch / name).write_text(text)
    assert mark(batch, *GIVEN).returncode == 0


@pytest.mark.parametrize("is_there", [False, True])
def test_nothing_is_marked_while_reviews_are_gone_or_empty(batch: Path, is_there: bool) -> None:
    """A disk that is full, or an editor that crashed, leaves an empty file: the overrides were gone."""
    mark(batch, *GIVEN)
    text = (batch / "reviews.yaml").read_text()
    (batch / "reviews.yaml").unlink()
    if is_there:
        (batch / "reviews.yaml").write_text("")
    refused = mark(batch)
    assert (refused.returncode, marks(batch)) == (2, WITH)
    if is_there:
        # Whoever types the same names each time has not decided anything.
        assert "it is empty now\nhint: put it back; or delete it" in mark(batch, *GIVEN).stderr
    became = "it is empty now" if is_there else "it is gone"
    assert (
        f"reviews.yaml: marks of the last run stood in this file of reviews, and {became}" in refused.stderr
    )
    assert mark(batch, "--without", "reviews").returncode == 0
    assert marks(batch)["bob"] == "1"
    (batch / "reviews.yaml").write_text(text)
    assert mark(batch, "--reviews", "reviews.yaml").returncode == 0
    assert marks(batch) == WITH


def test_reviews_that_were_cleared_do_not_count_and_that_is_said(batch: Path) -> None:
    mark(batch, *GIVEN)
    (batch / "reviews.yaml").write_text("# nothing\n")
    done = mark(batch, "-q")
    assert (done.returncode, marks(batch)) == (0, {**WITH, "bob": "1"})
    said = " ".join(done.stderr.split())
    assert "reviews.yaml (changed since)" in said
    assert "marks by hand that are others than before: Bob Ray the override of 1: 2 to none" in said


def test_without_is_said_in_so_many_words(batch: Path) -> None:
    mark(batch, *GIVEN)
    done = mark(batch, "--without", "times", "--without", "reviews")
    assert marks(batch) == {"ann": "2", "bob": "1", "cy": "0"}
    assert "without the times of the last run" in done.stderr
    assert len(remembered(done)) == 1
    again = mark(batch)
    assert marks(batch) == {"ann": "2", "bob": "1", "cy": "0"}
    assert len(remembered(again)) == 1
    both = mark(batch, "--times", "times.yaml", "--without", "times")
    assert (both.returncode, "--without times" in both.stderr) == (2, True)


SHEET = """\
Identifier,Full name,Email address,Grade,Last modified (submission),Last modified (grade)
Participant 1,Ann Lee,ann@example.org,,"Saturday, 21 November 2026, 12:00 PM",-
Participant 2,Bob Ray,bob@example.org,,"Friday, 20 November 2026, 11:00 AM",-
"""


def test_without_holds_for_what_nobody_names(batch: Path) -> None:
    """Reviews beside the spec and times in a roster are found by themselves."""
    (batch / "work/ann").rename(batch / "work/Ann Lee_1_assignsubmission_file")
    (batch / "work/bob").rename(batch / "work/Bob Ray_2_assignsubmission_file")
    (batch / "sheet.csv").write_text(SHEET)
    (batch / "specs/reviews").mkdir()
    (batch / "specs/reviews/twice.yaml").write_text(REVIEWS.replace("bob", "moodle-2"))
    mark(batch, "--roster", "sheet.csv")
    assert marks(batch) == {"moodle-1": "1", "moodle-2": "2"}
    mark(batch, "--without", "times", "--without", "reviews")
    assert marks(batch) == {"moodle-1": "2", "moodle-2": "1"}
    for more in ((), ("--no-cache",), ("--from", batch / "out")):
        output = "other" if "--from" in more else "out"
        done = mark(batch, *more, output=output)
        assert marks(batch, output) == {"moodle-1": "2", "moodle-2": "1"}
        for kind in ("times", "reviews"):
            assert f"still without {kind}, as --without said before; --{kind} names some" in done.stderr
    done = mark(batch, "--times", "sheet.csv", "--reviews", "specs/reviews/twice.yaml")
    assert marks(batch) == {"moodle-1": "1", "moodle-2": "2"}
    assert "still without" not in done.stderr + mark(batch).stderr
    assert marks(batch) == {"moodle-1": "1", "moodle-2": "2"}


def test_other_files_take_the_place_of_the_last_ones_and_that_is_told(batch: Path) -> None:
    mark(batch, *GIVEN)
    (batch / "other.yaml").write_text(REVIEWS.replace("marks: 2", "marks: 0"))
    done = mark(batch, "--reviews", "other.yaml")
    assert marks(batch)["bob"] == "0"
    assert "the reviews come from other.yaml, not from reviews.yaml as in the last run" in done.stderr


def test_a_folder_that_begins_with_another_and_a_remark_remember_too(batch: Path) -> None:
    mark(batch, *GIVEN)
    done = mark(batch, "--from", batch / "out", output="next")
    assert (marks(batch, "next"), len(remembered(done))) == (WITH, 3), done.stderr
    assert grader("remark", batch / "out", "-q").returncode == 0
    done = mark(batch, output="out-again")
    assert (marks(batch, "out-again"), len(remembered(done))) == (WITH, 3), done.stderr


def test_an_interrupted_run_is_remembered(batch: Path) -> None:
    mark(batch)
    before = (batch / "out/results.json").read_bytes()
    mark(batch, *GIVEN)
    # As if the second run had been killed before it wrote its results.
    (batch / "out/results.json").write_bytes(before)
    edit(batch, "DELETE FROM finished")
    done = mark(batch)
    assert (marks(batch), len(remembered(done))) == (WITH, 3), done.stderr


def test_where_the_record_is_gone_the_results_tell_that_they_were_made_with_them(batch: Path) -> None:
    mark(batch, *GIVEN)
    kinds = {"roster": "roster.csv", "times": "times.yaml", "reviews": "reviews.yaml"}
    told = results(batch / "out")["run"]["files"]
    assert {one["kind"]: one["name"] for one in told} == kinds
    (batch / "out/run.sqlite").unlink()
    before = (batch / "out/results.json").read_bytes()
    done = mark(batch)
    assert done.returncode == 2
    assert all(f"--{kind}" in done.stderr and name in done.stderr for kind, name in kinds.items())
    assert (batch / "out/results.json").read_bytes() == before
    assert not (batch / "out/run.sqlite").exists()
    assert mark(batch, *GIVEN).returncode == 0
    assert marks(batch) == WITH


@pytest.mark.parametrize("way", ["no runs", "empty file", "other run", "packed"])
def test_a_record_that_was_edited_never_forgets_in_silence(batch: Path, way: str) -> None:
    mark(batch, *GIVEN)
    if way == "no runs":
        edit(batch, "DELETE FROM run")
    elif way == "empty file":
        (batch / "out/run.sqlite").write_bytes(b"")
    elif way == "other run":
        edit(batch, "UPDATE run SET id = 'x', about = ''")
    else:
        edit(batch, "UPDATE part SET packed = x'00' WHERE digest IN (SELECT about FROM run)")
    done = mark(batch)
    assert done.returncode == 2, done.stderr
    assert "Traceback" not in done.stderr
    assert marks(batch) == WITH
    shutil.rmtree(batch / "out")


def test_two_files_of_reviews_add_up(batch: Path) -> None:
    (batch / "second.yaml").write_text(REVIEWS.replace("bob", "ann").replace("marks: 2", "marks: 0"))
    more = ("--reviews", "reviews.yaml", "--reviews", "second.yaml", "--reviews", "./second.yaml")
    assert mark(batch, *more).returncode == 0
    assert marks(batch) == {"ann": "0", "bob": "2"}
    done = mark(batch)
    assert marks(batch) == {"ann": "0", "bob": "2"}
    assert "second.yaml" in remembered(done)[0]


def test_two_files_that_contradict_each_other_are_refused_with_both_places(batch: Path) -> None:
    (batch / "second.yaml").write_text("# mine\n" + REVIEWS.replace("marks: 2", "marks: 1"))
    done = mark(batch, "--reviews", "reviews.yaml", "--reviews", "second.yaml")
    assert done.returncode == 2
    assert "second.yaml:2:" in done.stderr
    assert "reviews.yaml:1:" in done.stderr
    assert not (batch / "out").exists()
    (batch / "second.yaml").write_text(REVIEWS)
    assert mark(batch, "--reviews", "reviews.yaml", "--reviews", "second.yaml").returncode == 0


def test_the_usual_file_lies_beside_the_spec_wherever_the_command_is_typed(batch: Path) -> None:
    (batch / "specs/reviews").mkdir()
    shutil.move(batch / "reviews.yaml", batch / "specs/reviews/twice.yaml")
    elsewhere = batch / "elsewhere"
    elsewhere.mkdir()
    for number, folder in enumerate((batch, elsewhere, batch / "specs")):
        mark(batch, cwd=folder, output=f"out-{number}")
        assert marks(batch, f"out-{number}")["bob"] == "2"


def test_a_file_in_the_current_folder_is_told_and_not_taken(batch: Path) -> None:
    elsewhere = batch / "elsewhere"
    (elsewhere / "reviews").mkdir(parents=True)
    (elsewhere / "reviews/twice.yaml").write_text(REVIEWS)
    done = mark(batch, cwd=elsewhere)
    assert marks(batch)["bob"] == "1"
    assert "reviews/twice.yaml does not count" in done.stderr
    (batch / "specs/reviews").mkdir()
    (batch / "specs/reviews/twice.yaml").write_text(REVIEWS.replace("marks: 2", "marks: 0"))
    done = mark(batch, cwd=elsewhere, output="new")
    assert marks(batch, "new")["bob"] == "0"
    assert "reviews/twice.yaml" in done.stderr
    assert "does not count" in done.stderr


def test_what_awaits_is_written_where_the_next_run_looks(batch: Path) -> None:
    spec = SPEC.replace("marks: 2\nmod", "marks: 3\nmod")
    spec += "  - {id: r, title: Report, marks: 1, criteria: [{id: form, title: Form, marks: 1}]}\n"
    (batch / "specs/twice.yaml").write_text(spec)
    mark(batch, "--reviews", "new.yaml")
    assert "r.form" in (batch / "new.yaml").read_text()
    done = mark(batch)
    assert "new.yaml" in remembered(done)[0]
    assert not (batch / "specs/reviews").exists()
    kept = (batch / "new.yaml").read_text()
    (batch / "new.yaml").write_text(kept.replace("marks:  ", "marks: 1").replace("by:", "by: me"))
    mark(batch)
    (batch / "new.yaml").unlink()
    (batch / "work/cy").mkdir()
    (batch / "work/cy/twice.py").write_text(RIGHT)
    mark(batch, "--reviews", "new.yaml")
    text = (batch / "new.yaml").read_text()
    assert "marks: 1" in text, "the file comes back with what was in it"
    assert "student: cy" in text


def test_a_diff_names_the_files_that_only_one_of_two_runs_had(batch: Path) -> None:
    mark(batch, *GIVEN)
    mark(batch, output="bare")
    done = grader("diff", batch / "out", batch / "bare")
    assert "times.yaml" in done.stdout
    assert "roster.csv" in done.stdout
