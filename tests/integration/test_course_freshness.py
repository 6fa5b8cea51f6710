"""What makes a task of a course stale."""

import json
from pathlib import Path

import pytest
from support.command_line import grader
from support.term import COURSE, write_term

from grader.course.reading.course_file import read_course
from grader.engine.freshness import after_run, reviews_of, stale_tasks, stamp_of


@pytest.fixture(scope="module")
def marked(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A term of which one task is marked."""
    folder = tmp_path_factory.mktemp("term")
    write_term(folder)
    assert grader("course", "mark", "leap", "-q", cwd=folder).returncode == 0
    return folder


def stale(folder: Path) -> tuple[str, ...]:
    return stale_tasks(read_course(folder / "course.yaml"))


def test_the_place_from_which_a_course_is_read_makes_nothing_stale(
    marked: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    assert stale(marked) == ()
    monkeypatch.chdir(marked)
    assert stale(Path()) == ()
    monkeypatch.chdir(marked / "in")
    assert stale(Path("..")) == ()


def test_another_layout_makes_a_task_stale(marked: Path) -> None:
    path = marked / "course.yaml"
    path.write_text(COURSE.replace("category: sheet,", "layout: folders, category: sheet,", 1))
    assert stale(marked) == ("leap",)
    path.write_text(COURSE)


def test_a_file_that_a_run_by_hand_named_counts_until_it_is_named_no_more(tmp_path: Path) -> None:
    """The next run of the course takes the roster again, so it depends on it."""
    text = "\n".join(line for line in COURSE.splitlines() if not line.startswith("roster:"))
    write_term(tmp_path, course=text)
    assert grader("mark", "leap", "--roster", "roster.csv", "-q", cwd=tmp_path).returncode == 0
    assert grader("course", "mark", "leap", "-q", cwd=tmp_path).returncode == 0
    assert stale(tmp_path) == ()
    with (tmp_path / "roster.csv").open("a") as file:
        file.write("student-07,Flo Ix,f@example.org\n")
    assert stale(tmp_path) == ("leap",)


def test_what_was_pending_is_pending_where_nothing_changed(marked: Path) -> None:
    """A pipeline that marks twice is told twice that a mark could not be decided."""
    path = marked / "reports" / "leap" / ".course.json"
    kept = json.loads(path.read_text())
    assert kept["status"] == 0
    path.write_text(json.dumps({**kept, "status": 5}))
    done = grader("course", "mark", "-q", "leap", cwd=marked)
    assert (done.returncode, done.stdout) == (5, "leap  unchanged, and some marks are pending\n")
    path.write_text(json.dumps(kept))


CRITERIA = """  - id: report
    title: Report
    marks: 2
    criteria:
      - {id: method, title: Method, marks: 2}
"""


def test_what_a_run_adds_to_the_reviews_makes_nothing_stale(tmp_path: Path) -> None:
    path = write_term(tmp_path)
    spec = tmp_path / "specs" / "leap.yaml"
    spec.write_text(spec.read_text().replace("marks: 4", "marks: 6", 1) + CRITERIA)
    assert grader("course", "mark", "-q", "leap", cwd=tmp_path).stdout == "leap  marked\n"
    reviews = tmp_path / "specs" / "reviews" / "leap.yaml"
    written = reviews.read_text()
    assert "marks:" in written
    assert stale(tmp_path) == ()
    assert grader("course", "mark", "-q", "leap", cwd=tmp_path).stdout == "leap  unchanged\n"
    reviews.write_text(written.replace("  by:", "  by: A. Marker", 1).replace("marks: ", "marks: 1", 1))
    assert stale(tmp_path) == ("leap",)
    assert grader("course", "mark", "-q", "leap", cwd=tmp_path).stdout == "leap  marked\n"
    assert stale(tmp_path) == ()
    assert read_course(path).name == "term"


def test_what_a_person_writes_while_a_task_is_marked_makes_it_stale(tmp_path: Path) -> None:
    path = write_term(tmp_path)
    spec = tmp_path / "specs" / "leap.yaml"
    spec.write_text(spec.read_text().replace("marks: 4", "marks: 6", 1) + CRITERIA)
    assert grader("course", "mark", "-q", "leap", cwd=tmp_path).stdout == "leap  marked\n"
    course = read_course(path)
    task = course.task("leap")
    assert task is not None
    stamp, before = stamp_of(course, task, {}), reviews_of(course, task)
    reviews = tmp_path / "specs" / "reviews" / "leap.yaml"
    written = reviews.read_text()
    more = "\n- student: 'x'\n  by:\n  criteria:\n    method:\n      marks:    # 0 to 2\n      comment:\n"
    for text, is_ours in (
        (written + more, True),
        (written + more.replace("marks:  ", "marks: 1"), False),
        (written + more.replace("by:", "by: A"), False),
        (written + more.replace("comment:", "comment: look"), False),
        (written + "\n- student: 'x'\n  overrides: []\n", False),
        (written.replace("  by:", "  by: A", 1), False),
        (written[:-20], False),
    ):
        reviews.write_text(text)
        assert (after_run(stamp, before, course, task) != stamp) == is_ours, text[-200:]
    reviews.unlink()
    assert after_run(stamp, before, course, task) == stamp


def test_reviews_that_the_course_names_since_are_told(tmp_path: Path) -> None:
    """The second marker's file: exports and a release handed out marks without it."""
    write_term(tmp_path)
    path = tmp_path / "course.yaml"
    a, b = tmp_path / "A.yaml", tmp_path / "B.yaml"
    a.write_text("- student: student-01\n  by: A\n  overrides: [{marks: 4, reason: fine}]\n")
    path.write_text(COURSE.replace("category: sheet,", "reviews: A.yaml, category: sheet,", 1))
    assert grader("mark", "leap", "-q", cwd=tmp_path).returncode == 0
    assert stale(tmp_path) == ()
    a.write_text(a.read_text().replace("marks: 4", "marks: 3"))
    assert grader("report", "leap", cwd=tmp_path).returncode == 0
    assert "older" not in grader("export", "leap", "--to", "csv", cwd=tmp_path).stderr
    b.write_text("- student: student-02\n  by: B\n  overrides: [{marks: 0, reason: copied}]\n")
    path.write_text(path.read_text().replace("reviews: A.yaml", "reviews: [A.yaml, B.yaml]"))
    told = "these marks are older than what the course makes them from; `grader course mark leap`"
    assert told in grader("export", "leap", "--to", "csv", cwd=tmp_path).stderr
    assert stale(tmp_path) == ("leap",)
    assert grader("course", "mark", "leap", "-q", cwd=tmp_path).stdout == "leap  marked\n"
    assert told not in grader("export", "leap", "--to", "csv", cwd=tmp_path).stderr
