"""`grader report` from outside: the same pages once more, from results.json alone."""

import os
import re
import shutil
import sqlite3
from collections.abc import Callable
from contextlib import closing
from pathlib import Path

import pytest
from support.command_line import Marked, grader


def contents(folder: Path) -> dict[str, bytes]:
    """Return what every file below the folder holds, but for the run's record and the times of files."""
    return {
        str(path.relative_to(folder)): path.read_bytes()
        for path in sorted(folder.rglob("*"))
        if path.is_file() and path.name != "pages.txt" and not path.name.startswith("run.sqlite")
    }


@pytest.fixture
def copied(marked: Marked, tmp_path: Path) -> Path:
    """A copy of the marked batch that a test may change."""
    return Path(shutil.copytree(marked.folder, tmp_path / "out"))


def test_rendering_again_gives_the_same_bytes(marked: Marked, copied: Path) -> None:
    for name in ("staff", "students"):
        shutil.rmtree(copied / name)
    for name in ("index.html", "marks.csv", "junit.xml"):
        (copied / name).write_text("spoilt")
    done = grader("report", copied)
    assert done.returncode == 0
    assert done.stdout == ""
    assert done.stderr == f"report: {copied / 'index.html'}\n"
    assert contents(copied) == contents(marked.folder)


def test_the_file_can_be_named_instead_of_its_folder(marked: Marked, copied: Path) -> None:
    (copied / "index.html").unlink()
    assert grader("report", copied / "results.json").returncode == 0
    assert contents(copied) == contents(marked.folder)


def test_releasing_shows_students_what_was_kept_until_the_due_date(copied: Path) -> None:
    page = copied / "students" / "student-03.html"
    assert "later" not in page.read_text(encoding="utf-8")
    assert grader("report", copied, "--released").returncode == 0
    text = page.read_text(encoding="utf-8")
    assert "later" in text
    assert "secret" not in text


def test_results_that_are_cut_off_are_refused(copied: Path) -> None:
    path = copied / "results.json"
    path.write_bytes(path.read_bytes()[:-30])
    before = contents(copied)
    done = grader("report", copied)
    assert done.returncode == 2
    assert "it was cut off" in done.stderr
    assert "Traceback" not in done.stderr
    assert contents(copied) == before


def test_words_of_a_later_version_are_shown_as_they_are(copied: Path) -> None:
    results = copied / "results.json"
    text = results.read_text(encoding="utf-8")
    for known, later in (
        ('"visibility": "public"', '"visibility": "sometimes"'),
        ('"verdict": "accepted"', '"verdict": "splendid"'),
        ('"status": "marked"', '"status": "admired"'),
    ):
        assert known in text
        text = text.replace(known, later)
    results.write_text(text, encoding="utf-8")
    # It would be told that the record says something else.
    (copied / "run.sqlite").unlink()
    done = grader("report", copied)
    assert (done.returncode, done.stderr.splitlines()[-1]) == (0, f"report: {copied / 'index.html'}")
    assert "sometimes" in (copied / "index.html").read_text(encoding="utf-8")


def _changed_version(path: Path) -> None:
    with closing(sqlite3.connect(path)) as database:
        database.execute("PRAGMA user_version = 5")
        database.commit()


DAMAGES: dict[str, tuple[Callable[[Path], object], str]] = {
    "gone": (Path.unlink, "there is no run.sqlite here"),
    "empty": (lambda path: path.write_bytes(b""), "run.sqlite is empty"),
    "noise": (lambda path: path.write_bytes(b"no database " * 999), "the record of earlier runs is damaged"),
    "cut": (lambda path: os.truncate(path, 8192), "the record of earlier runs is damaged"),
    "older": (_changed_version, "an earlier version of grader wrote this record"),
}


@pytest.mark.parametrize("damage", DAMAGES)
def test_no_record_is_needed_and_what_it_would_tell_is_said(
    marked: Marked, copied: Path, damage: str
) -> None:
    harm, words = DAMAGES[damage]
    harm(copied / "run.sqlite")
    done = grader("report", copied)
    assert done.returncode == 0, done.stderr
    gap = "it can't be told whether results.json was changed, nor which marks by hand are new"
    assert [line for line in done.stderr.splitlines() if line.startswith("note: ")] == [
        f"note: {words}: {gap}"
    ]
    assert (copied / "marks.csv").read_bytes() == (marked.folder / "marks.csv").read_bytes()


def test_the_record_of_another_run_is_told(copied: Path) -> None:
    path = copied / "results.json"
    path.write_text(
        re.sub(r'"id": "20\d+T\w+-\w+"', '"id": "20200101T000000Z-abcdef"', path.read_text(), count=1)
    )
    done = grader("report", copied)
    assert done.returncode == 0, done.stderr
    assert "note: run.sqlite is not the record of this run: it can't be told" in done.stderr
