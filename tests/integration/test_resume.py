"""What was marked stays marked: kills, changes, and second runs into the same folder."""

import os
import random
import shutil
import signal
import sqlite3
import subprocess
import time
import zipfile
from pathlib import Path

import pytest
from support.command_line import (
    BATCH,
    COMMAND,
    SPEC,
    Marked,
    environment,
    grader,
    kept,
    mark_small,
    only_error,
    reproducible,
    results,
    small_task,
)

from grader.store.database import FILE_NAME

STUDENTS = ("student-01", "student-02", "student-07")
"""Those of the batch whose work ends at once: all right, partly wrong, and not to be imported."""
COUNT = len(STUDENTS)


@pytest.fixture
def fresh(tmp_path: Path) -> Path:
    """A copy of the small task and of a part of its batch."""
    return small_task(tmp_path / "work", STUDENTS)


@pytest.fixture(scope="module")
def marked_once(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The small task and a part of its batch, marked, for `work` to copy."""
    work = small_task(tmp_path_factory.mktemp("resume") / "work", STUDENTS)
    done = mark_small(work)
    assert (done.returncode, kept(done)) == (0, 0), done.stderr
    return work


@pytest.fixture
def work(tmp_path: Path, marked_once: Path) -> Path:
    """A copy of the small task and of a part of its batch, which were marked before."""
    return Path(shutil.copytree(marked_once, tmp_path / "work"))


def test_a_second_run_keeps_every_result_and_finds_the_same(work: Path) -> None:
    first = results(work / "out")
    again = mark_small(work)
    assert again.returncode == 0, again.stderr
    assert kept(again) == COUNT
    second = results(work / "out")
    assert first["run"]["id"] != second["run"]["id"]
    # The very results, with the times that were measured then.
    assert second["submissions"] == first["submissions"]


def test_a_file_that_is_too_large_to_be_read_is_no_reason_to_mark_again(work: Path) -> None:
    (work / "submissions" / "student-01" / "words.py").write_text("#" * 2**21)
    assert kept(mark_small(work)) == COUNT - 1
    assert kept(mark_small(work)) == COUNT


@pytest.mark.acceptance
def test_an_archive_beside_the_work_is_no_reason_to_mark_again(work: Path) -> None:
    (work / "submissions" / "student-01" / "data.tar.gz").write_text("no archive")
    assert kept(mark_small(work)) == COUNT - 1
    assert kept(mark_small(work)) == COUNT
    of_another = mark_small(work, "--only", "student-02")
    assert of_another.returncode == 0, of_another.stderr


@pytest.mark.acceptance
def test_what_reading_remarked_is_told_as_it_is_now(work: Path) -> None:
    student = work / "submissions" / "student-01"
    with zipfile.ZipFile(student / "extra.zip", "w") as archive:
        archive.writestr("a", "")
    assert kept(mark_small(work)) == COUNT - 1
    before = results(work / "out")["submissions"][0]
    shutil.make_archive(str(student), "zip", student)
    shutil.rmtree(student)
    assert kept(mark_small(work)) == COUNT - 1
    after = results(work / "out")["submissions"][0]
    assert after["sha256"] == before["sha256"]
    assert before["notes"] == ["extra.zip was not opened, since there are Python files beside it"]
    assert (after["notes"], len(after["problems"])) == ([], 1)
    assert kept(mark_small(work)) == COUNT


def test_only_what_changed_is_marked_again(work: Path) -> None:
    before = results(work / "out")["submissions"]
    source = work / "submissions" / "student-01" / "words.py"
    source.write_text("raise SystemExit\n")
    assert kept(mark_small(work)) == COUNT - 1
    after = results(work / "out")["submissions"]
    assert [s["id"] for s, t in zip(before, after, strict=True) if s != t] == ["student-01"]
    assert after[0]["mark"] == "0"


@pytest.mark.parametrize("name", [SPEC.name, "checkers.py", "reference/words.py"])
def test_a_change_of_the_spec_its_checkers_or_its_reference_marks_all_anew(work: Path, name: str) -> None:
    with (work / name).open("a") as file:
        file.write("\n# changed\n")
    assert kept(mark_small(work)) == 0


def test_another_python_of_the_graders_own_marks_all_anew(work: Path, other_python: Path) -> None:
    again = grader(
        "mark", work / SPEC.name, work / "submissions", "-o", work / "out", PYTHONPATH=str(other_python)
    )
    assert (again.returncode, kept(again)) == (0, 0), again.stderr


def test_no_cache_marks_all_anew(work: Path) -> None:
    assert kept(mark_small(work, "--no-cache")) == 0


def test_who_left_the_batch_leaves_the_results_and_who_returns_is_kept(work: Path) -> None:
    shutil.move(work / "submissions" / "student-02", work / "student-02")
    done = mark_small(work)
    assert kept(done) == COUNT - 1
    assert "student-02" not in [s["id"] for s in results(work / "out")["submissions"]]
    gone = "note: 1 submission of earlier runs is not handed in now and not in the report: student-02's"
    assert gone in done.stderr
    shutil.move(work / "student-02", work / "submissions" / "student-02")
    done = mark_small(work)
    assert kept(done) == COUNT
    assert "note:" not in done.stderr


def test_one_folder_alone_tells_whose_results_are_not_shown(work: Path) -> None:
    done = grader("mark", work / SPEC.name, work / "submissions" / "student-02", "-o", work / "out")
    assert done.returncode == 0, done.stderr
    assert [s["id"] for s in results(work / "out")["submissions"]] == ["student-02"]
    told = f"note: {COUNT - 1} submissions of earlier runs are not handed in now and not in the report"
    assert told in done.stderr
    assert kept(mark_small(work)) == COUNT


def test_one_student_alone(work: Path) -> None:
    before = results(work / "out")["submissions"]
    (work / "submissions" / "student-02" / "words.py").write_text("1 / 0\n")
    done = mark_small(work, "--only", "student-02")
    assert done.returncode == 0, done.stderr
    after = results(work / "out")["submissions"]
    assert [s["id"] for s, t in zip(before, after, strict=True) if s != t] == ["student-02"]


def test_one_student_alone_is_never_mixed_with_stale_results(work: Path) -> None:
    with (work / SPEC.name).open("a") as file:
        file.write("\n# changed\n")
    before = (work / "out" / "results.json").read_bytes()
    done = mark_small(work, "--only", "student-02")
    assert done.returncode == 2
    assert f"the results of {COUNT - 1} other submissions no longer hold" in only_error(done)
    assert (work / "out" / "results.json").read_bytes() == before


def test_one_student_alone_anew(work: Path) -> None:
    before = results(work / "out")["submissions"]
    done = mark_small(work, "--only", "student-02", "--no-cache")
    assert (done.returncode, kept(done)) == (0, COUNT - 1), done.stderr
    after = results(work / "out")["submissions"]
    assert [s["id"] for s in after] == [s["id"] for s in before]
    # Times were measured anew.
    assert [s["id"] for s, t in zip(before, after, strict=True) if s != t] == ["student-02"]


@pytest.mark.acceptance
def test_one_student_alone_in_a_new_folder(fresh: Path) -> None:
    for student in ("student-02", "student-07"):
        done = mark_small(fresh, "--only", student)
        assert done.returncode == 0, done.stderr
    assert "note: 1 submission not marked yet, and not in the report" in done.stderr
    assert [s["id"] for s in results(fresh / "out")["submissions"]] == ["student-02", "student-07"]
    assert kept(mark_small(fresh)) == 2


def test_one_student_alone_where_the_record_of_the_others_is_gone(work: Path) -> None:
    (work / "out" / FILE_NAME).unlink()
    before = (work / "out" / "results.json").read_bytes()
    done = mark_small(work, "--only", "student-02")
    assert done.returncode == 2
    assert f"{COUNT - 1} submissions would no longer be in the results" in only_error(done)
    assert (work / "out" / "results.json").read_bytes() == before


@pytest.mark.acceptance
def test_one_student_alone_beside_one_whose_mark_is_pending(work: Path) -> None:
    # The checker gives no valid score for it, which no student's answer is to blame for.
    checkers = work / "checkers.py"
    checkers.write_text(
        checkers.read_text()
        + """

_all_divisors = all_divisors


def all_divisors(answer, *arguments, **named):
    return 7 if answer == [[]] else _all_divisors(answer, *arguments, **named)
"""
    )
    (work / "submissions" / "student-02" / "words.py").write_text("def divisors(n):\n    return [[]]\n")
    assert mark_small(work).returncode == 5
    (work / "submissions" / "student-01" / "words.py").write_text("1 / 0\n")
    done = mark_small(work, "--only", "student-01")
    assert (done.returncode, kept(done)) == (5, COUNT - 1), done.stderr
    after = {one["id"]: one for one in results(work / "out")["submissions"]}
    assert (after["student-01"]["mark"], after["student-02"]["status"]) == ("0", "pending")
    # What we failed at is tried again as soon as it may be.
    assert kept(mark_small(work)) == COUNT - 1


def test_an_unknown_student_alone(fresh: Path) -> None:
    assert "there is no submission 'nobody'" in only_error(mark_small(fresh, "--only", "nobody"))


@pytest.mark.acceptance
def test_killed_again_and_again_it_ends_with_the_results_of_an_undisturbed_run(
    marked: Marked, tmp_path: Path
) -> None:
    work = small_task(tmp_path / "work", [student.name for student in BATCH.iterdir()])
    chance = random.Random(7)
    for _ in range(4):
        kill_after(work, chance.uniform(0.2, 1.5))
    done = mark_small(work)
    assert done.returncode == 0, done.stderr
    again, undisturbed = (reproducible(results(folder)) for folder in (work / "out", marked.folder))
    assert again["submissions"] == undisturbed["submissions"]
    assert sorted(p.name for p in (work / "out").iterdir()) == sorted(p.name for p in marked.folder.iterdir())


def kill_after(work: Path, seconds: float) -> None:
    """Start to mark, and kill the grader in the midst of it."""
    command = [COMMAND, "mark", str(work / SPEC.name), str(work / "submissions"), "-o", str(work / "out")]
    process = subprocess.Popen(
        command,
        env=environment(),
        stdin=subprocess.DEVNULL,
        stdout=subprocess.DEVNULL,
        stderr=subprocess.PIPE,
    )
    time.sleep(seconds)
    os.kill(process.pid, signal.SIGKILL)
    _, said = process.communicate()
    assert b"Traceback" not in said, said


def test_two_graders_do_not_share_a_folder(work: Path) -> None:
    before = (work / "out" / "results.json").read_bytes()
    with sqlite3.connect(work / "out" / FILE_NAME) as other:
        other.execute("PRAGMA locking_mode = EXCLUSIVE")
        other.execute("BEGIN EXCLUSIVE")
        done = mark_small(work)
    other.close()
    assert done.returncode == 2
    assert "another grader is writing to this folder" in only_error(done)
    assert (work / "out" / "results.json").read_bytes() == before


@pytest.mark.acceptance
def test_a_grader_that_began_before_the_first_one_had_a_record_does_not_write_over_its_results(
    work: Path, tmp_path: Path
) -> None:
    """One that marks a single student knows nothing of the others, and would leave them out."""
    # The reference is asked before there is a record; it takes until the first grader is done.
    reference = work / "reference" / "words.py"
    slow = "\nfrom time import process_time\nwhile process_time() < 3:\n    pass\n"
    reference.write_text(reference.read_text() + slow)
    folder = tmp_path / "new"
    arguments = ["mark", work / SPEC.name, work / "submissions", "-o", folder, "--only", "student-02"]
    with subprocess.Popen(
        [COMMAND, *map(str, arguments)], stderr=subprocess.PIPE, text=True, env=environment()
    ) as late:
        assert late.stderr is not None
        # It has looked for a record, and found none.
        assert "not marked yet" in late.stderr.readline()
        shutil.copytree(work / "out", folder)
        said = late.communicate()[1]
    assert late.returncode == 2, said
    assert "another grader marked into this folder meanwhile" in said
    assert len(results(folder)["submissions"]) == COUNT


def test_a_damaged_record_is_told_and_left_alone(work: Path) -> None:
    path = work / "out" / FILE_NAME
    path.write_bytes(b"no database at all" * 1000)
    done = mark_small(work)
    assert done.returncode == 2
    assert "the record of earlier runs is damaged" in only_error(done)
    assert path.read_bytes().startswith(b"no database")


@pytest.mark.parametrize(("version", "which"), [(99, "a later"), (1, "an earlier")])
def test_the_record_of_another_version_is_told_and_left_alone(work: Path, version: int, which: str) -> None:
    with sqlite3.connect(work / "out" / FILE_NAME) as database:
        database.execute(f"PRAGMA user_version = {version}")
    database.close()
    assert f"{which} version of grader wrote this record" in only_error(mark_small(work))


def test_a_record_of_which_a_part_is_damaged_is_told_and_the_results_stay(work: Path) -> None:
    path = work / "out" / FILE_NAME
    whole = path.read_bytes()
    before = (work / "out" / "results.json").read_bytes()
    # Nothing of the second page on is looked at before the results are.
    path.write_bytes(whole[:4096] + bytes(byte ^ 0x55 for byte in whole[4096:]))
    done = mark_small(work)
    assert done.returncode == 2
    assert only_error(done) == f"error: {path}: the record of earlier runs is damaged"
    assert "stay as they are" in done.stderr
    assert (work / "out" / "results.json").read_bytes() == before


@pytest.mark.acceptance
def test_a_result_that_is_damaged_in_the_record_is_marked_anew(work: Path) -> None:
    before = results(work / "out")["submissions"]
    was = (work / "out" / "results.json").read_bytes()
    with sqlite3.connect(work / "out" / FILE_NAME) as database:
        database.execute("UPDATE submission SET document = substr(document, 1, 300) WHERE id = 'student-02'")
    database.close()
    refused = mark_small(work)
    assert refused.returncode == 2
    assert "the recorded result of student-02 is damaged" in refused.stderr
    assert (work / "out" / "results.json").read_bytes() == was
    done = mark_small(work)
    assert (done.returncode, kept(done)) == (0, COUNT - 1), done.stderr
    after = results(work / "out")["submissions"]
    assert [each["id"] for each in after] == [each["id"] for each in before]
    assert [each["mark"] for each in after] == [each["mark"] for each in before]
    assert kept(mark_small(work)) == COUNT


def test_another_task_is_not_marked_into_the_folder(work: Path) -> None:
    before = (work / "out" / "results.json").read_bytes()
    spec = work / SPEC.name
    spec.write_text(spec.read_text().replace("task: words", "task: numbers"))
    done = mark_small(work)
    assert done.returncode == 2
    assert "the folder holds the results of the task 'words', not of 'numbers'" in only_error(done)
    assert (work / "out" / "results.json").read_bytes() == before
    shutil.copy(SPEC, spec)
    assert kept(mark_small(work)) == COUNT


def test_another_task_is_not_marked_into_the_folder_where_its_record_is_gone(work: Path) -> None:
    (work / "out" / FILE_NAME).unlink()
    before = (work / "out" / "results.json").read_bytes()
    spec = work / SPEC.name
    spec.write_text(spec.read_text().replace("task: words", "task: numbers"))
    done = mark_small(work)
    assert done.returncode == 2
    assert "the folder holds the results of the task 'words', not of 'numbers'" in only_error(done)
    assert (work / "out" / "results.json").read_bytes() == before
    assert not (work / "out" / FILE_NAME).exists()


@pytest.mark.acceptance
def test_a_first_run_of_one_task_keeps_the_folder_for_it(fresh: Path) -> None:
    spec = fresh / SPEC.name
    assert mark_small(fresh).returncode == 0
    spec.write_text(spec.read_text().replace("task: words", "task: numbers"))
    assert mark_small(fresh, "--no-cache").returncode == 2


def test_one_folder_alone_tells_so_where_the_record_is_gone(work: Path) -> None:
    (work / "out" / "run.sqlite").unlink()
    done = grader("mark", work / SPEC.name, work / "submissions" / "student-02", "-o", work / "out")
    assert done.returncode == 0, done.stderr
    told = f"note: {COUNT - 1} submissions of earlier runs are not handed in now and not in the report"
    assert told in done.stderr
