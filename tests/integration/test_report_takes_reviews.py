"""`grader report` takes in what people gave since the run, and gives the marks that `grader mark` would."""

import shutil
from pathlib import Path
from typing import Any

import pytest
from support.command_line import grader, results, submissions
from support.reviewing import SPEC, essay

from grader.records.reviews.files import were_named
from grader.store.record_parts import KeptFile

BOTH = """
- student: STUDENT
  by: A. Marker
  date: 2026-11-01
  criteria:
    report.method: {level: idea, comment: "The picture helps."}
    report.language: {marks: 0.5}
"""
LATE = """late:
  deadline: 2026-10-01T12:00:00+02:00
  steps: [{within: 48h, penalty: 10%}]
  then: 50%
"""
TIMES = "student,submitted\nstudent-01,2026-10-02T12:00:00+02:00\nstudent-02,2026-10-05T12:00:00+02:00\n"
RULE = "rules: [{forbidden imports: {names: [os], %s}}]\n"
CAPS = """sections:
  - {title: A, questions: [program], cap: 1}
  - {title: B, questions: [report], cap: 2}
"""
OVERRIDE = """  overrides:
    - {question: %s, marks: %s, reason: The case was wrong., date: 2026-11-02}
"""
REMARK = """  remarks:
    - {file: work.py, line: 1, text: "def double(number):", comment: A good name.}
"""
SECOND = BOTH + BOTH.replace("by: A. Marker", "by: B. Marker\n  as: second")
DIFFERS = SECOND[: -len("0.5}\n")] + "1}\n"
SMOKE = "smoke: {cases: [program.1], penalty: 50%}\n"
TWICE = "second: {share: 100%, within: 0, then: mean}\n"
LONG = pytest.mark.acceptance
IMPORT = "import os\n\n\n"


def review(spec: Path, text: str, name: str = "essay.yaml") -> Path:
    path = spec.parent / "reviews" / name
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(text)
    return path


def reported(spec: Path, *options: str) -> str:
    done = grader("report", spec.parent / "out", *options)
    assert done.returncode == 0, done.stderr
    return done.stderr


def marked(spec: Path, *options: str | Path) -> str:
    done = grader("mark", spec, spec.parent / "in", "-o", spec.parent / "out", "-q", *options)
    assert done.returncode == 0, done.stderr
    return done.stderr


def one_work(folder: Path, more: str = "", before: str = "") -> Path:
    """Mark one work, with lines before its own, by a spec with further keys, and return the spec."""
    folder.mkdir(exist_ok=True)
    text = SPEC.replace("marks: 5", "marks: 3") if "sections" in more else SPEC
    spec = essay(folder, 0, text.replace("questions:", f"{more}questions:", 1))
    work = folder / "in" / "student-01" / "work.py"
    work.parent.mkdir(parents=True)
    work.write_text(f"{before}def double(number):\n    return 2 * number\n")
    (folder / "times.csv").write_text(TIMES)
    marked(spec, *(("--times", folder / "times.csv") if "late" in more else ()))
    return spec


def found(spec: Path) -> dict[str, Any]:
    """Return the results of all submissions, without where they were made."""
    made = results(spec.parent / "out")["submissions"]
    return {one["id"]: {key: value for key, value in one.items() if key != "made"} for one in made}


def as_marking_gives(spec: Path, *options: str | Path) -> dict[str, Any]:
    """Return the results, which have to be those that `grader mark` gives then."""
    taken = found(spec)
    marked(spec, *options)
    assert taken == found(spec)
    return taken


def test_marks_are_on_the_page_without_submissions_spec_or_a_second_marking(tmp_path: Path) -> None:
    spec = essay(tmp_path)
    review(spec, BOTH.replace("STUDENT", "student-01"))
    for name in ("in", "essay.yaml"):
        (tmp_path / name).rename(tmp_path / f"away-{name}")
    before = results(tmp_path / "out")["run"]
    assert "marks by hand taken in: 1 submission\n" in reported(spec)
    page = (tmp_path / "out" / "students" / "student-01.html").read_text()
    assert "The picture helps." in page
    after = results(tmp_path / "out")["run"]
    assert (after["id"] != before["id"], "files" in after) == (True, True)
    assert "taken in" not in reported(spec)
    for name in ("in", "essay.yaml"):
        (tmp_path / f"away-{name}").rename(tmp_path / name)
    taken = as_marking_gives(spec)
    assert (taken["student-01"]["mark"], taken["student-01"]["status"]) == ("3.5", "marked")
    assert taken["student-02"]["status"] == "pending"
    replayed = grader("remark", tmp_path / "out")
    assert replayed.returncode == 0, replayed.stdout + replayed.stderr


@pytest.mark.parametrize(
    ("more", "before", "text", "mark"),
    [
        pytest.param(LATE, "", BOTH, "3.15", id="late"),
        pytest.param(
            CAPS,
            "",
            BOTH,
            "2.5",
            id="cap",
            marks=LONG,
        ),
        pytest.param("cap: 3\n", "", BOTH, "3", id="cap of the task", marks=LONG),
        pytest.param(RULE % "penalty: 1", IMPORT, BOTH, "2.5", id="rule"),
        pytest.param(RULE % "penalty: 1", "", BOTH, "3.5", id="rule that is kept", marks=LONG),
        pytest.param(RULE % "hint: No.", IMPORT, BOTH, "3.5", id="rule that only tells", marks=LONG),
        pytest.param(RULE % "reject: true", IMPORT, BOTH, "0", id="rule that rejects", marks=LONG),
        pytest.param(
            "smoke: {cases: [program.1], penalty: 50%}\n", "x = 1 / 0\n", BOTH, "0.75", id="smoke", marks=LONG
        ),
        pytest.param("rounding: {step: 1, mode: down}\n", "", BOTH, "3", id="rounding", marks=LONG),
        pytest.param("", "", BOTH + OVERRIDE % ("program", "1"), "2.5", id="override"),
        pytest.param("", "", BOTH + OVERRIDE % ("''", "4"), "4", id="override of the whole"),
        pytest.param("", "", BOTH + REMARK, "3.5", id="remark", marks=LONG),
        pytest.param("second: {share: 100%, within: 0, then: mean}\n", "", SECOND, "3.5", id="second"),
        pytest.param(
            "second: {share: 100%, within: 0, then: mean}\n", "", DIFFERS, "3", id="differing", marks=LONG
        ),
        pytest.param("blind: true\n", "", BOTH, "3.5", id="blind", marks=LONG),
        pytest.param("language: de\n", "", BOTH, "3.5", id="German", marks=LONG),
    ],
)
def test_every_policy_gives_what_marking_gives(
    tmp_path: Path, more: str, before: str, text: str, mark: str
) -> None:
    spec = one_work(tmp_path, more, before)
    review(spec, text.replace("STUDENT", "student-01"))
    assert "taken in: 1 submission\n" in reported(spec)
    assert as_marking_gives(spec)["student-01"]["mark"] == mark


def test_marks_are_changed_and_taken_back(tmp_path: Path) -> None:
    spec = essay(tmp_path)
    file = review(spec, BOTH.replace("STUDENT", "student-01"))
    reported(spec)
    file.write_text(file.read_text().replace("0.5", "1"))
    assert "others than before: student-01 report.language 0.5 to 1\n" in reported(spec)
    assert as_marking_gives(spec)["student-01"]["mark"] == "4"
    file.write_text("")
    assert "essay.yaml (it is empty now, so the content in the record counts)" in reported(spec)
    assert submissions(spec.parent / "out")["student-01"]["mark"] == "4"
    file.write_text("# taken back\n")
    assert "taken in: 1 submission\n" in reported(spec)
    taken = as_marking_gives(spec)["student-01"]
    assert (taken["status"], len(taken["aside"])) == ("pending", 3)


def test_a_rule_that_counts_its_findings_is_left_to_marking(tmp_path: Path) -> None:
    # Where nothing else is earned the penalty takes nothing, so the results do not tell what it would take.
    spec = one_work(tmp_path, RULE % "penalty: 1, each: 0.25", "import os\nimport os.path\n")
    review(spec, BOTH.replace("STUDENT", "student-01"))
    assert "marks by hand of student-01 are left to grader mark" in reported(spec)
    before = found(spec)
    marked(spec)
    assert (before["student-01"]["status"], found(spec)["student-01"]["mark"]) == ("pending", "3")
    assert "left to" not in reported(spec)


def test_who_has_several_attempts_is_left_to_marking(tmp_path: Path) -> None:
    spec = essay(tmp_path, 0, SPEC.replace("questions:", "attempts: best\nquestions:"))
    for name in ("student-01/attempt-1", "student-01/attempt-2", "student-02"):
        (tmp_path / "in" / name).mkdir(parents=True)
        (tmp_path / "in" / name / "work.py").write_text("def double(number):\n    return 2 * number\n")
    marked(spec)
    review(spec, "".join(BOTH.replace("STUDENT", f"student-0{number}") for number in (1, 2)))
    told = reported(spec)
    assert "taken in: 1 submission\n" in told
    assert "marks by hand of student-01 are left to grader mark" in told
    assert found(spec)["student-02"]["mark"] == "3.5"
    again = reported(spec)
    assert "taken in" not in again
    assert "marks by hand of student-01 are left to grader mark" in again
    marked(spec)
    assert {one["mark"] for one in found(spec).values()} == {"3.5"}
    assert "left to" not in reported(spec)


def test_who_handed_nothing_in_is_left_to_marking(tmp_path: Path) -> None:
    spec = one_work(tmp_path)
    (tmp_path / "class.csv").write_text("id,name\nstudent-01,One\nstudent-02,Two\n")
    marked(spec, "--roster", tmp_path / "class.csv")
    review(spec, BOTH.replace("STUDENT", "student-02"))
    assert "marks by hand of student-02 are left to grader mark" in reported(spec)
    assert len(found(spec)) == 2
    marked(spec)
    assert found(spec)["student-02"]["mark"] == "1.5"


def test_files_that_markers_begin_count_and_others_beside_named_ones_do_not(tmp_path: Path) -> None:
    spec = essay(tmp_path)
    review(spec, BOTH.replace("STUDENT", "student-01"), "essay/b.yaml")
    assert "taken in: 1 submission\n" in reported(spec)
    assert as_marking_gives(spec)["student-01"]["mark"] == "3.5"
    named = tmp_path / "own.yaml"
    named.write_text(BOTH.replace("STUDENT", "student-02"))
    marked(spec, "--reviews", named)
    assert found(spec)["student-01"]["status"] == "pending"
    review(spec, BOTH.replace("STUDENT", "student-03"), "essay/c.yaml")
    assert "taken in" not in reported(spec)
    named.write_text(named.read_text().replace("0.5", "1"))
    assert "taken in: 1 submission\n" in reported(spec)
    assert as_marking_gives(spec, "--reviews", named)["student-02"]["mark"] == "4"
    marked(spec, "--without", "reviews")
    named.write_text(named.read_text().replace("idea", "all"))
    assert "taken in" not in reported(spec)


def test_reviews_with_mistakes_change_nothing_and_are_told(tmp_path: Path) -> None:
    spec = essay(tmp_path)
    file = review(spec, BOTH.replace("STUDENT", "student-01").replace("0.5", "7"))
    before = (tmp_path / "out" / "results.json").read_bytes()
    assert f"{file}:7" in (told := reported(spec)), told
    assert "no marks by hand are taken in" in told
    assert (tmp_path / "out" / "results.json").read_bytes() == before


def test_a_result_that_somebody_changed_is_taken_from_the_record(tmp_path: Path) -> None:
    spec = essay(tmp_path)
    path = tmp_path / "out" / "results.json"
    path.write_text(path.read_text().replace('"verdict": "accepted"', '"verdict": "wrong-answer"'))
    review(spec, BOTH.replace("STUDENT", "student-01"))
    assert "taken in: 1 submission\n" in reported(spec)
    assert as_marking_gives(spec)["student-01"]["mark"] == "3.5"


def test_results_that_cannot_be_written_are_left(tmp_path: Path) -> None:
    spec = essay(tmp_path)
    review(spec, BOTH.replace("STUDENT", "student-01"))
    for name in ("run.sqlite", "run.sqlite-wal", "run.sqlite-shm"):
        (tmp_path / "out" / name).unlink(missing_ok=True)
    before = found(spec)
    assert "taken in" not in reported(spec)
    assert found(spec) == before


def test_a_run_that_did_not_end_leaves_marks_to_the_next(tmp_path: Path) -> None:
    spec = essay(tmp_path)
    path = tmp_path / "out" / "results.json"
    old = path.read_bytes()
    (tmp_path / "in" / "student-01" / "work.py").write_text("def double(number):\n    return 3 * number\n")
    marked(spec)
    path.write_bytes(old)
    review(spec, BOTH.replace("STUDENT", "student-01"))
    told = reported(spec)
    assert "taken in" not in told
    assert path.read_bytes() == old
    marked(spec)
    assert found(spec)["student-01"]["mark"] == "1.5"


def test_a_mark_that_is_taken_back_while_another_is_left_does_not_stay(tmp_path: Path) -> None:
    spec = essay(tmp_path, 0, SPEC.replace("questions:", "attempts: best\nquestions:"))
    for name in ("student-01/attempt-1", "student-01/attempt-2", "student-02"):
        (tmp_path / "in" / name).mkdir(parents=True)
        (tmp_path / "in" / name / "work.py").write_text("def double(number):\n    return 2 * number\n")
    marked(spec)
    of_one, of_two = (BOTH.replace("STUDENT", f"student-0{number}") for number in (1, 2))
    file = review(spec, of_one + of_two)
    reported(spec)
    assert found(spec)["student-02"]["mark"] == "3.5"
    file.write_text(of_one)
    told = reported(spec)
    assert ("taken in: 1 submission\n" in told, "student-01 are left to" in told) == (True, True)
    before = found(spec)["student-02"]
    marked(spec)
    assert (before["status"], before) == ("pending", found(spec)["student-02"])


def test_whom_a_name_means_is_left_to_marking(tmp_path: Path) -> None:
    spec = essay(tmp_path, 0)
    for name in ("Amy Adams", "Amy-Adams", "Bob"):
        (tmp_path / "in" / name).mkdir(parents=True)
        (tmp_path / "in" / name / "work.py").write_text("def double(number):\n    return 2 * number\n")
    marked(spec)
    review(spec, "".join(BOTH.replace("STUDENT", name) for name in ("Amy-Adams", "Bob", "Bop")))
    told = reported(spec)
    assert "taken in: 1 submission\n" in told
    assert "marks by hand of Amy-Adams and Bop are left to grader mark" in told
    assert [name for name, one in found(spec).items() if one["status"] == "marked"] == ["Bob"]


def test_files_of_markers_beside_one_that_was_named_are_told_of(tmp_path: Path) -> None:
    spec = essay(tmp_path)
    named = tmp_path / "own.yaml"
    named.write_text(BOTH.replace("STUDENT", "student-01"))
    marked(spec, "--reviews", named)
    marked(spec)
    review(spec, BOTH.replace("STUDENT", "student-02"), "essay/b.yaml")
    told = reported(spec)
    assert "essay/b.yaml does not count: the reviews come from " in told
    assert "taken in" not in told
    assert as_marking_gives(spec)["student-02"]["status"] == "pending"
    marked(spec, "--reviews", named, "--reviews", tmp_path / "reviews" / "essay" / "b.yaml")
    assert found(spec)["student-02"]["mark"] == "3.5"


@pytest.mark.parametrize(
    ("error", "status"), [("KeyboardInterrupt", 130), ("OSError(28, 'No space left on device')", 2)]
)
def test_marks_that_could_not_be_written_are_taken_in_by_the_next_report(
    tmp_path: Path, error: str, status: int
) -> None:
    spec = essay(tmp_path)
    review(spec, BOTH.replace("STUDENT", "student-01"))
    before = (tmp_path / "out" / "results.json").read_bytes()
    ends = f"""
import grader.engine.reviews_taken as taking

def ends(path, head, lines):
    next(lines)
    raise {error}

taking.write_texts = ends
"""
    ended = grader("report", tmp_path / "out", first=ends)
    assert (ended.returncode, "Traceback" in ended.stderr) == (status, False), ended.stderr
    assert (tmp_path / "out" / "results.json").read_bytes() == before
    assert "taken in: 1 submission\n" in reported(spec)
    assert as_marking_gives(spec)["student-01"]["mark"] == "3.5"


def test_a_full_disk_is_told_once_and_without_a_word_on_the_record(tmp_path: Path) -> None:
    """The record is whole; who moved it away by a hint would lose all that was marked."""
    spec = essay(tmp_path)
    ends = """
import grader.engine.session as session

def ends(path, head, lines):
    next(lines)
    raise OSError(28, "No space left on device")

session.write_texts = ends
"""
    ended = grader("mark", spec, tmp_path / "in", "-o", tmp_path / "new", first=ends)
    assert ended.returncode == 2
    assert "No space left on device" in ended.stderr
    assert "damaged" not in ended.stderr
    assert "Traceback" not in ended.stderr


def test_a_spec_that_changed_since_the_run_is_told(tmp_path: Path) -> None:
    spec = essay(tmp_path)
    review(spec, BOTH.replace("STUDENT", "student-01"))
    spec.write_text(SPEC.replace("marks: 1, description: The idea", "marks: 0.5, description: The idea"))
    assert "they go by the spec of the run; it changed since" in reported(spec)
    assert found(spec)["student-01"]["mark"] == "3.5"
    marked(spec)
    assert found(spec)["student-01"]["mark"] == "3"


# -- a folder that was moved ---------------------------------------------------------------------------


def moved(spec: Path) -> Path:
    """Move the folder of a spec, with all in it; return the spec."""
    return spec.parent.rename(spec.parent.with_name("moved")) / spec.name


def mark_of(spec: Path) -> str:
    (found,) = results(spec.parent / "out")["submissions"]
    return f"{found['status']} {found['mark']}"


@pytest.mark.parametrize("name", ["essay.yaml", "essay.yml", "essay/a.YAML", "essay/b.yml"])
def test_reviews_count_where_they_lie_after_a_move(tmp_path: Path, name: str) -> None:
    spec = moved(one_work(tmp_path / "first"))
    before = sorted(tmp_path.iterdir())
    (spec.parent / "reviews" / "essay.yaml").unlink()
    review(spec, BOTH.replace("STUDENT", "student-01"), name)
    reported(spec)
    assert mark_of(spec) == "marked 3.5"
    marked(spec)
    assert mark_of(spec) == "marked 3.5"
    assert sorted(tmp_path.iterdir()) == before


def test_results_that_were_moved_alone_take_nothing_in(tmp_path: Path) -> None:
    spec = one_work(tmp_path / "first")
    review(spec, BOTH.replace("STUDENT", "student-01"))
    out = (spec.parent / "out").rename(tmp_path / "out")
    shutil.rmtree(spec.parent)
    told = grader("report", out).stderr
    assert "essay.yaml: the spec is gone, and reviews beside it: no marks by hand are taken in" in told
    assert results(out)["submissions"][0]["status"] == "pending"


def test_a_copied_folder_goes_by_its_own_reviews(tmp_path: Path) -> None:
    spec = one_work(tmp_path / "first")
    review(spec, BOTH.replace("STUDENT", "student-01"))
    marked(spec)
    copy = shutil.copytree(spec.parent, tmp_path / "copy") / spec.name
    review(copy, BOTH.replace("STUDENT", "student-01").replace("marks: 0.5", "marks: 1"))
    for _ in range(2):
        reported(copy)
        reported(spec)
        assert (mark_of(spec), mark_of(copy)) == ("marked 3.5", "marked 4")


# -- a file that was renamed ---------------------------------------------------------------------------


def test_a_marker_whose_file_was_renamed_has_one_file(tmp_path: Path) -> None:
    spec = one_work(tmp_path / "first")
    text = BOTH.replace("STUDENT", "student-01")
    review(spec, text, "essay/m.yaml")
    marked(spec)
    folder = spec.parent / "reviews" / "essay"
    (folder / "m.yaml").rename(folder / "n.yaml")
    assert "m.yaml is gone; n.yaml says the same" in marked(spec)
    review(spec, text.replace("marks: 0.5", "marks: 1"), "essay/n.yaml")
    assert "m.yaml" not in marked(spec)
    assert mark_of(spec) == "marked 4"


def test_a_renamed_file_that_says_otherwise_is_told_as_such(tmp_path: Path) -> None:
    spec = one_work(tmp_path / "first")
    text = BOTH.replace("STUDENT", "student-01")
    review(spec, text, "essay/m.yaml")
    marked(spec)
    (spec.parent / "reviews" / "essay" / "m.yaml").unlink()
    review(spec, text.replace("marks: 0.5", "marks: 1"), "essay/n.yaml")
    done = grader("mark", spec, spec.parent / "in", "-o", spec.parent / "out")
    assert (done.returncode, mark_of(spec)) == (2, "marked 3.5")
    assert "m.yaml: marks of the last run stood in this file of reviews, and it is gone" in done.stderr
    assert "or tell grader mark what counts: --reviews " in done.stderr
    assert "essay/n.yaml, or --without reviews" in done.stderr


def test_an_override_that_is_taken_out_after_a_move_is_out(tmp_path: Path) -> None:
    spec = one_work(tmp_path / "first")
    text = BOTH.replace("STUDENT", "student-01")
    review(spec, text + OVERRIDE % ("program", "1"))
    marked(spec)
    assert mark_of(spec) == "marked 2.5"
    spec = moved(spec)
    review(spec, text)
    marked(spec)
    assert mark_of(spec) == "marked 3.5"


@pytest.mark.parametrize("marks", [False, True], ids=["report", "mark"])
def test_reviews_that_were_named_do_not_give_way_to_those_beside_the_spec(
    tmp_path: Path, marks: bool
) -> None:
    spec = one_work(tmp_path / "first")
    text = BOTH.replace("STUDENT", "student-01")
    review(spec, text.replace("marks: 0.5", "marks: 1"))
    own = tmp_path / "B" / "reviews" / "essay.yaml"
    own.parent.mkdir(parents=True)
    own.write_text(text)
    marked(spec, "--reviews", own)
    assert mark_of(spec) == "marked 3.5"
    for _ in range(2):
        marked(spec) if marks else reported(spec)
        assert mark_of(spec) == "marked 3.5"


def test_files_of_markers_beside_the_spec_do_not_count_after_others_were_named(tmp_path: Path) -> None:
    spec = one_work(tmp_path / "first")
    text = BOTH.replace("STUDENT", "student-01")
    review(spec, text + OVERRIDE % ("program", "0"), "essay/other-class.yaml")
    own = tmp_path / "B.yaml"
    own.write_text(text)
    marked(spec, "--reviews", own)
    for _ in range(2):
        told = marked(spec)
        assert "other-class.yaml does not count: the reviews come from" in told
        assert mark_of(spec) == "marked 3.5"


@pytest.mark.parametrize("names", [False, True], ids=["beside", "named"])
def test_a_copy_of_the_spec_elsewhere_changes_no_mark(tmp_path: Path, names: bool) -> None:
    spec = one_work(tmp_path / "A")
    text = BOTH.replace("STUDENT", "student-01")
    own = review(spec, text)
    if names:
        own = own.rename(spec.parent / "own.yaml")
    marked(spec, *(("--reviews", own) if names else ()))
    other = tmp_path / "B" / spec.name
    other.parent.mkdir()
    shutil.copy(spec, other)
    mark_it = ("mark", other, spec.parent / "in", "-o", spec.parent / "out")
    assert grader(*mark_it).returncode == 0
    assert mark_of(spec) == "marked 3.5"
    review(other, text.replace("marks: 0.5", "marks: 0"))
    done = grader(*mark_it)
    # Where nobody named some, both count, so they must not contradict each other.
    assert done.returncode == (0 if names else 2)
    wanted = "B/reviews/essay.yaml does not count" if names else "is given otherwise in "
    assert wanted in done.stderr
    assert mark_of(spec) == "marked 3.5"


def test_a_spec_that_was_put_into_a_folder_with_its_reviews_goes_by_them(tmp_path: Path) -> None:
    spec = one_work(tmp_path / "term")
    review(spec, BOTH.replace("STUDENT", "student-01"))
    marked(spec)
    assert mark_of(spec) == "marked 3.5"
    inner = spec.parent / "specs"
    inner.mkdir()
    (spec.parent / "reviews").rename(inner / "reviews")
    moved_spec = spec.rename(inner / spec.name)
    text = BOTH.replace("STUDENT", "student-01").replace("marks: 0.5", "marks: 1")
    review(moved_spec, text)
    assert "the spec is gone, and reviews beside it" in reported(spec)
    done = grader("mark", moved_spec, spec.parent / "in", "-o", spec.parent / "out")
    assert (done.returncode, "and it is gone" in done.stderr) == (2, True)
    now = moved_spec.parent / "reviews" / "essay.yaml"
    grader("mark", moved_spec, spec.parent / "in", "-o", spec.parent / "out", "--reviews", now)
    assert mark_of(spec) == "marked 4"
    review(moved_spec, text.replace("STUDENT", "student-01"), "essay/late.yaml").write_text("# begun\n")
    done = grader("mark", moved_spec, spec.parent / "in", "-o", spec.parent / "out")
    assert "does not count" not in done.stderr, "they are those beside the spec, so naming them says nothing"
    assert not (spec.parent / "reviews").exists()


def test_a_record_that_does_not_say_which_reviews_were_named() -> None:
    """As those of the first versions: they have files of reviews, and no more."""
    old = [KeptFile("reviews", Path("/t/reviews") / name, b"") for name in ("e.yaml", "e/ann.yaml", "e.yml")]
    assert not were_named(old, "e")
    assert were_named([*old, KeptFile("reviews", Path("/t/marks.yaml"), b"")], "e")


def test_what_git_leaves_behind_of_a_spec_that_was_moved_holds_nothing(tmp_path: Path) -> None:
    """The file of blanks that marking wrote is in nobody's git, so it stays where it was."""
    spec = one_work(tmp_path / "term")
    text = BOTH.replace("STUDENT", "student-01")
    ann = review(spec, text, "essay/ann.yaml")
    marked(spec)
    inner = spec.parent / "specs" / "reviews" / "essay"
    inner.mkdir(parents=True)
    ann.rename(inner / ann.name)
    (inner / ann.name).write_text(text.replace("marks: 0.5", "marks: 1"))
    moved_spec = spec.rename(spec.parent / "specs" / spec.name)
    done = grader("mark", moved_spec, spec.parent / "in", "-o", spec.parent / "out")
    assert (done.returncode, mark_of(spec)) == (2, "marked 3.5"), done.stderr
    (inner / ann.name).write_text(text)
    done = grader("mark", moved_spec, spec.parent / "in", "-o", spec.parent / "out")
    (inner / ann.name).write_text(text.replace("marks: 0.5", "marks: 1"))
    done = grader("mark", moved_spec, spec.parent / "in", "-o", spec.parent / "out")
    assert (done.returncode, mark_of(spec)) == (0, "marked 4"), done.stderr


def test_a_copy_for_another_year_writes_nothing_into_the_first(tmp_path: Path) -> None:
    spec = one_work(tmp_path / "2025")
    own = review(spec, BOTH.replace("STUDENT", "student-01"))
    marked(spec)
    before = own.read_bytes()
    copy = shutil.copytree(spec.parent, tmp_path / "2026")
    shutil.rmtree(copy / "reviews")
    (copy / "specs").mkdir()
    moved_spec = (copy / spec.name).rename(copy / "specs" / spec.name)
    work = copy / "in" / "student-09"
    work.mkdir()
    (work / "work.py").write_text("def double(number):\n    return 2 * number\n")
    done = grader("mark", moved_spec, copy / "in", "-o", copy / "out")
    assert "2025/reviews/essay.yaml" in done.stderr
    assert own.read_bytes() == before
    assert "student-09" in (copy / "specs" / "reviews" / "essay.yaml").read_text()


def test_named_reviews_that_are_gone_are_told_by_report(tmp_path: Path) -> None:
    spec = one_work(tmp_path / "first")
    own = tmp_path / "B.yaml"
    own.write_text(BOTH.replace("STUDENT", "student-01"))
    marked(spec, "--reviews", own)
    assert "is gone" not in reported(spec)
    own.rename(tmp_path / "C.yaml")
    assert "B.yaml (it is gone, so the content in the record counts)" in reported(spec)
    assert mark_of(spec) == "marked 3.5"


def test_named_files_in_a_copied_folder_are_those_of_the_copy(tmp_path: Path) -> None:
    spec = one_work(tmp_path / "first")
    text = BOTH.replace("STUDENT", "student-01")
    own = spec.parent / "own.yaml"
    own.write_text(text)
    marked(spec, "--reviews", own)
    copy = shutil.copytree(spec.parent, tmp_path / "copy") / spec.name
    (copy.parent / "own.yaml").write_text(text.replace("marks: 0.5", "marks: 1"))
    reported(copy)
    assert mark_of(copy) == "marked 4"
    marked(copy)
    assert (mark_of(spec), mark_of(copy)) == ("marked 3.5", "marked 4")


def test_reviews_in_the_current_folder_may_be_a_students(tmp_path: Path) -> None:
    spec = one_work(tmp_path / "task")
    (spec.parent / "reviews" / "essay.yaml").unlink()
    here = tmp_path / "checkout"
    review(here / "essay.yaml", BOTH.replace("STUDENT", "student-01"))
    done = grader("mark", spec, spec.parent / "in", "-o", spec.parent / "new", cwd=here)
    assert "reviews/essay.yaml does not count" in done.stderr
    (found,) = results(spec.parent / "new")["submissions"]
    assert found["status"] == "pending"
