"""`mark --from`: another folder's results are taken over where they hold, and that folder stays as it is."""

import shutil
import sqlite3
from pathlib import Path

import pytest
from support.command_line import grader, kept, mark_small, only_error, reproducible, results, small_task

from grader.engine.batch import ThisMachine
from grader.engine.session import Options, Session
from grader.model.events import Event, SubmissionMarked, ignore_phase
from grader.spec import load_spec
from grader.store.database import FILE_NAME

STUDENTS = ("student-01", "student-02", "student-07")


@pytest.fixture(scope="module")
def marked_once(tmp_path_factory: pytest.TempPathFactory) -> Path:
    work = small_task(tmp_path_factory.mktemp("from") / "work", STUDENTS)
    done = grader("mark", work / "words.yaml", work / "submissions", "-o", work / "old")
    assert done.returncode == 0, done.stderr
    return work


@pytest.fixture
def work(tmp_path: Path, marked_once: Path) -> Path:
    """A copy of the small task and a part of its batch, marked into `old`."""
    return Path(shutil.copytree(marked_once, tmp_path / "work"))


def files(folder: Path) -> dict[str, tuple[int, bytes]]:
    return {
        str(path.relative_to(folder)): (path.stat().st_mtime_ns, path.read_bytes())
        for path in folder.rglob("*")
        if path.is_file()
    }


@pytest.mark.parametrize("named", ["old", "old/results.json"])
def test_everything_that_holds_is_taken_over_and_the_other_folder_stays_as_it_is(work, named):
    before = files(work / "old")
    done = mark_small(work, "--from", work / named, output="new")
    assert (done.returncode, kept(done)) == (0, len(STUDENTS)), done.stderr
    assert results(work / "new")["submissions"] == results(work / "old")["submissions"]
    assert files(work / "old") == before
    assert len(list((work / "new" / "students").iterdir())) == len(STUDENTS)
    # The new folder stands alone: the other one can go.
    shutil.rmtree(work / "old")
    assert kept(mark_small(work, output="new")) == len(STUDENTS)
    assert grader("explain", work / "new", "student-02").returncode == 0


@pytest.mark.acceptance
def test_after_a_change_of_marks_nothing_runs_and_the_marks_are_those_of_a_fresh_run(work):
    spec = work / "words.yaml"
    text = spec.read_text()
    assert "marks: 6" in text
    text = text.replace("marks: 6", "marks: 7", 1).replace("marks: 1\n", "marks: 2\n", 1)
    spec.write_text(text)
    done = mark_small(work, "--from", work / "old", output="new")
    assert done.returncode == 0, done.stderr
    new = results(work / "new")
    assert new["task"]["max_mark"] == "7"
    times = [_times(results(work / folder)) for folder in ("old", "new")]
    assert times[0] == times[1]  # no case ran again: a measured time is never the same twice
    fresh = grader("mark", spec, work / "submissions", "-o", work / "fresh")
    assert fresh.returncode == 0, fresh.stderr
    assert reproducible(new) == reproducible(results(work / "fresh"))
    told = grader("diff", work / "old", work / "new")
    assert "student-01" in told.stdout


def _times(document):
    return [
        case.get("cpu_s")
        for submission in document["submissions"]
        for question in submission["questions"]
        for case in question["cases"]
    ]


@pytest.mark.acceptance
def test_work_that_changed_is_marked(work):
    (work / "submissions" / "student-01" / "words.py").write_text("raise SystemExit\n")
    done = mark_small(work, "--from", work / "old", output="new")
    assert kept(done) == len(STUDENTS) - 1
    assert results(work / "new")["submissions"][0]["mark"] == "0"
    assert results(work / "old")["submissions"][0]["mark"] != "0"


class _Interrupted:
    """A display that is interrupted when the first submission is marked."""

    def say(self, text: str) -> None:
        pass

    note = say

    def see(self, event: Event) -> None:
        if isinstance(event, SubmissionMarked):
            raise KeyboardInterrupt


def test_an_interrupted_run_goes_on_where_it_was(work):
    for student in STUDENTS[:2]:
        with (work / "submissions" / student / "words.py").open("a") as file:
            file.write("\n# changed\n")
    task, places = load_spec(work / "words.yaml")
    options = Options(folder=work / "new", earlier=work / "old")
    session = Session(task, [work / "submissions"], options, print, places=places)
    with session, pytest.raises(KeyboardInterrupt):
        session.record(session.begin(ThisMachine(1), ignore_phase), _Interrupted())
    assert not (work / "new" / "results.json").exists()
    done = mark_small(work, "--from", work / "old", output="new")
    assert (done.returncode, kept(done)) == (0, 2), done.stderr
    assert "a record of its own" in done.stderr
    fresh = grader("mark", work / "words.yaml", work / "submissions", "-o", work / "fresh")
    assert fresh.returncode == 0
    assert reproducible(results(work / "new")) == reproducible(results(work / "fresh"))


def test_a_refused_run_writes_nothing(work):
    (work / "words.yaml").write_text("task: words\n")
    done = mark_small(work, "--from", work / "old", output="new")
    assert done.returncode == 3
    assert not (work / "new").exists()


def test_a_folder_without_results_is_refused(work):
    for wrong in (work / "submissions", work / "nowhere"):
        done = mark_small(work, "--from", wrong, output="new")
        assert done.returncode == 2
        assert "there is no record of an earlier run to take over" in only_error(done)
        assert not (work / "new").exists()


def test_the_folder_itself_is_refused(work):
    done = mark_small(work, "--from", work / "new", output="new")
    assert done.returncode == 2
    shutil.copytree(work / "old", work / "new")
    assert "this very folder" in only_error(mark_small(work, "--from", work / "new", output="new"))


def test_results_of_another_task_are_refused(work):
    spec = work / "words.yaml"
    spec.write_text(spec.read_text().replace("task: words", "task: other", 1))
    done = mark_small(work, "--from", work / "old", output="new")
    assert done.returncode == 2
    assert "the earlier run is of the task 'words', not of 'other'" in only_error(done)
    assert not (work / "new").exists()


@pytest.mark.parametrize("content", [b"", b"no database", b"SQLite format 3\0" + b"\xff" * 4000])
def test_a_damaged_record_is_refused(work, content):
    (work / "old" / FILE_NAME).write_bytes(content)
    done = mark_small(work, "--from", work / "old", output="new")
    assert done.returncode == 2
    assert "damaged" in only_error(done)
    assert not (work / "new").exists()


def test_a_record_of_another_version_is_refused(work):
    with sqlite3.connect(work / "old" / FILE_NAME) as database:
        database.execute("PRAGMA user_version = 999")
    database.close()
    assert "another version of grader" in only_error(mark_small(work, "--from", work / "old", output="new"))


def test_no_cache_and_from_contradict_each_other(work):
    done = mark_small(work, "--from", work / "old", "--no-cache", output="new")
    assert done.returncode == 2
    assert "give one of them" in only_error(done)
