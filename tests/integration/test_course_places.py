"""Which course counts, wherever its file and the people who type commands are."""

from pathlib import Path

import pytest
from support.command_line import Done, grader, results
from support.term import COURSE, write_term


def told(folder: Path, *arguments: str | Path, code: int = 0) -> Done:
    done = grader(*arguments, cwd=folder)
    assert done.returncode == code, done.stdout + done.stderr
    return done


def deadline(folder: Path, student: str) -> str:
    document = results(folder / "reports" / "leap")
    return next(str(one["deadline"]) for one in document["submissions"] if one["id"] == student)


@pytest.mark.parametrize("has_another", [True, False])
def test_a_course_of_another_name_is_marked_by_its_own_file(tmp_path: Path, has_another: bool) -> None:
    usual = write_term(tmp_path)
    (tmp_path / "autumn.yaml").write_text(COURSE.replace("add: 48h", "add: 72h"))
    if not has_another:
        usual.unlink()
    assert "marked" in told(tmp_path, "course", "mark", "leap", "-q", "-c", "autumn.yaml").stdout
    assert deadline(tmp_path, "student-02") == "2026-09-28T21:59:00Z"


def test_a_folder_that_is_called_like_a_task_is_no_spec(tmp_path: Path) -> None:
    write_term(tmp_path)
    (tmp_path / "leap").mkdir()
    assert told(tmp_path, "course", "mark", "leap", "-q").stdout == "leap  marked\n"
    told(tmp_path, "mark", "leap", "-q")


def write_foreign_course(folder: Path) -> None:
    (folder / "course.yaml").write_text(
        "course: theirs\ntitle: Theirs\n"
        "tasks: {leap: {spec: theirs.yaml, submissions: ., reports: ../theirs}}\n"
    )
    (folder / "theirs.yaml").write_text("task: leap\n")


def test_a_course_that_was_handed_in_counts_nowhere(tmp_path: Path) -> None:
    """It could name a spec of the student's, with a reference that runs, and write over other results."""
    write_term(tmp_path)
    work = tmp_path / "in" / "leap" / "student-05"
    write_foreign_course(work)
    for command in (("check", "leap", "."), ("course", "check"), ("intake", "leap")):
        done = grader(*command, cwd=work)
        assert "theirs" not in done.stdout + done.stderr
        assert done.returncode in (0, 1), done.stderr


def test_of_two_courses_the_inner_one_counts_in_its_own_folder(tmp_path: Path) -> None:
    write_term(tmp_path)
    inner = tmp_path / "seminar"
    inner.mkdir()
    write_term(inner, course=COURSE.replace("course: term", "course: seminar"))
    assert "(seminar)" in told(inner / "in", "course", "check").stdout
