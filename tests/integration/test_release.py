"""Students' pages are written when a person says so, all at once, and never before."""

import json
import os
import shutil
import sys
from dataclasses import replace
from fractions import Fraction
from pathlib import Path

import pytest
from support.command_line import Done, environment, grader, mark_small, only_error, small_task
from support.rows import first_of

from grader.engine.release import _STAGING
from grader.reports.held import PUBLISHED, STATE
from grader.store.results_json import submission_of
from grader.store.run_store import RunStore

STUDENTS = ("student-01", "student-02", "student-07")
PAGES = {f"{student}.html" for student in STUDENTS}


@pytest.fixture(scope="module")
def held_once(tmp_path_factory: pytest.TempPathFactory) -> Path:
    work = small_task(tmp_path_factory.mktemp("release") / "work", STUDENTS)
    done = mark_small(work, "--hold")
    assert done.returncode == 0, done.stderr
    assert "students' pages are held back; to write them: grader release" in done.stderr
    return work


@pytest.fixture
def work(tmp_path: Path, held_once: Path) -> Path:
    """A copy of the small task, marked into `out`, with students' pages held back."""
    return Path(shutil.copytree(held_once, tmp_path / "work"))


def release(work: Path, *options: str | Path) -> Done:
    return grader("release", work / "out", *options)


def students(work: Path) -> dict[str, str]:
    """Return the students' pages, by name; none if there is no folder."""
    folder = work / "out" / "students"
    return {path.name: path.read_text() for path in folder.iterdir()} if folder.exists() else {}


def change(work: Path) -> None:
    """Change the work of one student, and mark it."""
    (work / "submissions" / "student-01" / "words.py").write_text("raise SystemExit\n")
    done = mark_small(work)
    assert done.returncode == 0, done.stderr


def test_nothing_for_students_is_there_before_the_release(work):
    out = work / "out"
    assert (out / "results.json").exists()
    assert {path.name for path in (out / "staff").iterdir()} == PAGES
    assert not (out / "students").exists()
    assert "students/" not in (out / "index.html").read_text()
    assert not any("students/" in path.read_text() for path in (out / "staff").iterdir())
    assert grader("report", out, "--released").returncode == 0
    assert not (out / "students").exists()


def test_a_release_writes_the_pages_that_marking_would_have_written(work):
    done = release(work, "--yes")
    assert done.returncode == 0, done.stderr
    assert done.stdout == "3 submissions; none was released from this folder before.\n"
    at_once = grader("mark", work / "words.yaml", work / "submissions", "-o", work / "open")
    assert at_once.returncode == 0
    assert set(students(work)) == PAGES
    shutil.copy(work / "out" / "results.json", work / "open")
    (work / "open" / "pages.txt").unlink()  # unchanged pages name the run in which they were written
    assert grader("report", work / "open").returncode == 0
    for name, text in students(work).items():
        assert text == (work / "open" / "students" / name).read_text()
    assert (work / "out" / PUBLISHED).read_bytes() == (work / "out" / "results.json").read_bytes()
    (told,) = json.loads((work / "out" / STATE).read_text())["releases"]
    assert (told["pages"], told["after_due_shown"]) == (3, False)
    assert not (work / "out" / _STAGING).exists()


def test_later_marks_are_held_too_and_the_next_release_tells_what_changes(work):
    assert release(work, "--yes").returncode == 0
    before = students(work)
    change(work)
    assert students(work) == before
    done = release(work, "--yes")
    assert "student-01" in done.stdout
    assert "1 mark differs" in done.stdout
    after = students(work)
    assert [name for name in sorted(PAGES) if after[name] != before[name]] == ["student-01.html"]
    assert "No mark and no verdict differs." in release(work, "--yes").stdout


def test_a_release_can_be_compared_with_another_folder(work):
    shutil.copytree(work / "out", work / "old")
    change(work)
    assert "1 mark differs" in release(work, "--yes", "--from", work / "old").stdout


def test_without_a_terminal_and_without_yes_nothing_is_released(work):
    done = release(work)
    assert done.returncode == 2
    assert "say --yes" in done.stderr
    assert not (work / "out" / "students").exists()
    assert not (work / "out" / _STAGING).exists()


@pytest.mark.parametrize(("answer", "status"), [(b"n\n", 1), (b"\n", 1), (b"y\n", 0)])
def test_a_person_is_asked(work, answer, status):
    pid, terminal = os.forkpty()
    if pid == 0:
        os.execvpe(
            sys.executable, [sys.executable, "-m", "grader", "release", str(work / "out")], environment()
        )
    os.write(terminal, answer)
    shown = b""
    while True:
        try:
            part = os.read(terminal, 4096)
        except OSError:
            break
        if not part:
            break
        shown += part
    assert os.waitstatus_to_exitcode(os.waitpid(pid, 0)[1]) == status
    assert b"Release these pages to students?" in shown
    assert set(students(work)) == (PAGES if status == 0 else set())


def test_pending_marks_are_not_released_unless_told(work):
    path = work / "out" / "results.json"
    text = path.read_text()
    assert '"status": "marked"' in text or '"status":"marked"' in text
    for spaces in (" ", ""):
        text = text.replace(f'"status":{spaces}"marked"', f'"status":{spaces}"pending"', 1)
    path.write_text(text)
    done = release(work, "--yes")
    assert done.returncode == 5
    assert "pending, such as" in only_error(done)
    assert not (work / "out" / "students").exists()
    assert release(work, "--yes", "--pending").returncode == 0
    assert set(students(work)) == PAGES


def test_cases_after_the_due_date_are_shown_when_told(work):
    assert release(work, "--yes").returncode == 0
    before = students(work)
    done = release(work, "--yes", "--released")
    assert done.returncode == 0
    assert "shows nothing more" not in done.stderr
    assert students(work) != before


def test_released_says_where_no_case_waits_for_the_due_date(tmp_path):
    """Hidden cases stay hidden; a lecturer may think otherwise."""
    (tmp_path / "a").mkdir()
    (tmp_path / "a" / "w.py").write_text("def f():\n    return 1\n")
    spec = (
        "task: w\ntitle: W\nmarks: 1\nmodules: {w: w.py}\nquestions:\n"
        "  - {id: '1', title: f, marks: 1, cases: [{call: f(), returns: 1, visibility: hidden}]}\n"
    )
    (tmp_path / "w.yaml").write_text(spec)
    said = "note: no case has `visibility: after-due`, so --released shows nothing more"
    assert said in grader("mark", "w.yaml", "a", "-o", "out", "--released", cwd=tmp_path).stderr
    assert said in release(tmp_path, "--yes", "--released").stderr
    assert said not in release(tmp_path, "--yes").stderr


KILLED = {
    "before the pages are written": "r.render_for_students = end",
    "before the pages are swapped": "r._swap = end",
    "between the two renames": """
rename = pathlib.Path.rename
def once(self, target):
    if self.name == "students" and self.parent.name == r._STAGING:
        os._exit(9)
    return rename(self, target)
pathlib.Path.rename = once
""",
    "after the swap": "r.relist = end",
    "before the state is written": "r._write_state = end",
}


@pytest.mark.parametrize("patch", KILLED.values(), ids=KILLED)
@pytest.mark.parametrize("first", first_of([True, False]), ids=["first", "second"])
def test_a_release_that_is_killed_shows_old_or_new_pages_whole_and_the_next_one_ends_it(work, patch, first):
    if not first:
        assert release(work, "--yes").returncode == 0
    old = students(work)
    change(work)
    shutil.copytree(work / "out", work / "copy")
    assert grader("release", work / "copy", "--yes").returncode == 0
    new = {path.name: path.read_text() for path in (work / "copy" / "students").iterdir()}
    program = f"""
import os, pathlib
import grader.engine.release as r
end = lambda *_, **__: os._exit(9)
{patch}
"""
    done = grader("release", work / "out", "--yes", first=program)
    assert done.returncode == 9, done.stderr
    seen = students(work)
    assert seen in ({}, old, new)
    done = release(work, "--yes")
    assert done.returncode == 0, done.stderr
    assert students(work) == new
    assert not (work / "out" / _STAGING).exists()
    # Marking and rendering go on as before.
    assert grader("report", work / "out").returncode == 0
    assert students(work) == new


def test_files_of_others_among_the_pages_stay_and_pages_of_students_who_left_go(work):
    assert release(work, "--yes").returncode == 0
    (work / "out" / "students" / "notes.txt").write_text("mine")
    shutil.rmtree(work / "submissions" / "student-02")
    assert mark_small(work).returncode == 0
    assert release(work, "--yes").returncode == 0
    assert set(students(work)) == PAGES - {"student-02.html"} | {"notes.txt"}


def test_pages_that_were_open_count_as_released_when_later_ones_are_held(tmp_path):
    work = small_task(tmp_path / "work", STUDENTS)
    assert mark_small(work).returncode == 0
    before = students(work)
    assert set(before) == PAGES
    (work / "submissions" / "student-01" / "words.py").write_text("raise SystemExit\n")
    assert mark_small(work, "--hold").returncode == 0
    assert students(work) == before
    assert "1 mark differs" in release(work, "--yes").stdout


def test_a_link_is_not_replaced(work):
    (work / "elsewhere").mkdir()
    (work / "out" / "students").symlink_to(work / "elsewhere")
    assert "students/ is a link" in only_error(release(work, "--yes"))
    assert list((work / "elsewhere").iterdir()) == []


def test_a_link_in_the_place_of_our_folder_is_refused_and_not_followed(work):
    (work / "elsewhere" / "old").mkdir(parents=True)
    (work / "out" / _STAGING).symlink_to(work / "elsewhere")
    assert "not a folder of ours" in only_error(release(work, "--yes"))
    assert (work / "elsewhere" / "old").is_dir()


def test_a_folder_that_takes_over_holds_back_too(work):
    done = grader(
        "mark", work / "words.yaml", work / "submissions", "-o", work / "new", "--from", work / "out"
    )
    assert done.returncode == 0, done.stderr
    assert not (work / "new" / "students").exists()


def test_a_folder_without_results_is_one_message(tmp_path):
    done = grader("release", tmp_path)
    assert done.returncode == 2
    assert "results.json" in only_error(done)
    assert list(tmp_path.iterdir()) == []


def edited(work: Path) -> None:
    """Give a student another mark in results.json alone, and leave another one out."""
    place = work / "out" / "results.json"
    results = json.loads(place.read_text())
    results["submissions"].pop()
    results["submissions"][1]["mark"] = "0"
    place.write_text(json.dumps(results))


@pytest.mark.parametrize("command", ["report", "release --yes", "export --to csv", "diff"])
def test_results_that_somebody_changed_are_told(work: Path, command: str) -> None:
    out = work / "out"
    name, *options = command.split()
    folders = [out, out] if name == "diff" else [out]
    before = grader(name, *folders, *options)
    assert (before.returncode, "! results.json" in before.stderr) == (0, False)
    edited(work)
    after = grader(name, *folders, *options)
    assert after.returncode == 0, after.stderr
    assert (
        "! results.json does not say what the record of its run says of student-02 and student-07"
        in " ".join(after.stderr.split())
    )
    assert mark_small(work).returncode == 0
    assert "! results.json" not in grader(name, *folders, *options).stderr


@pytest.mark.parametrize("marked_again", ["student-02", "all"])
def test_results_of_an_earlier_run_are_told(work: Path, marked_again: str) -> None:
    """A results.json that somebody put back is not the one that its record made."""
    place = work / "out" / "results.json"
    before = place.read_text()
    only = [] if marked_again == "all" else ["--only", marked_again]
    for _ in range(2):
        assert mark_small(work, "--no-cache", *only).returncode == 0
    assert "! results.json" not in grader("report", work / "out").stderr
    earlier, now = (
        {each["id"]: each for each in json.loads(text)["submissions"]} for text in (before, place.read_text())
    )
    # Where even the measured times are equal, there is nothing to tell.
    differ = {name for name, each in now.items() if each != earlier[name]}
    assert differ <= ({marked_again} if marked_again != "all" else set(now))
    place.write_text(before)
    told = " ".join(grader("export", work / "out", "--to", "csv").stderr.split())
    assert ("! results.json does not say what the record of its run says of " in told) == bool(differ)
    assert {name for name in now if name in told} == differ


def test_results_without_a_record_are_not_compared(work: Path) -> None:
    edited(work)
    (work / "out" / "run.sqlite").unlink()
    done = grader("report", work / "out")
    assert (done.returncode, "! results.json" in done.stderr) == (0, False)


def test_a_run_that_did_not_end_changes_nothing(work: Path) -> None:
    """Its results wait in the record, and results.json is that of the run before."""
    with RunStore(work / "out") as store:
        result = submission_of(store.text("student-02"))
        store.begin("20990101T000000Z-abcdef")
        store.append(replace(result, mark=Fraction(0)), "key")
    done = grader("report", work / "out")
    assert (done.returncode, "! results.json" in done.stderr) == (0, False)
