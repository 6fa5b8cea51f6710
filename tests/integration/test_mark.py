"""`grader mark` from outside: what it prints, writes and returns for a batch of every kind."""

import json
import shutil
import stat
import sys
from importlib.resources import files
from pathlib import Path

import jsonschema
import pytest
from support.command_line import (
    BATCH,
    SPEC,
    Marked,
    begins_with,
    grader,
    reproducible,
    results,
    run,
    small_task,
    unhurried,
)
from support.rows import first_of
from support.trees import MakeTree

from grader.model.errors import UsageError
from grader.sandbox.interpreter import find_interpreter
from grader.store.reading import read_results

EXPECTED = {
    "student-01": ("6", "accepted accepted", "accepted accepted accepted accepted", "accepted " * 3),
    "student-02": (
        "1.5",
        "accepted wrong-answer",
        "accepted accepted wrong-answer accepted",
        "partial partial wrong-answer",
    ),
    "student-03": ("4", "accepted accepted", "time-limit " * 4, "accepted " * 3),
    "student-04": ("5", "crashed crashed", "accepted " * 4, "accepted " * 3),
    "student-05": (
        "4.5",
        "accepted accepted",
        "memory-limit memory-limit accepted memory-limit",
        "accepted " * 3,
    ),
    "student-06": ("5", "output-limit output-limit", "accepted " * 4, "accepted " * 3),
    "student-07": ("0", "load-error " * 2, "load-error " * 4, "load-error " * 3),
    "student-08": ("0", "load-error " * 2, "load-error " * 4, "load-error " * 3),
}
"""Mark of each student, and the verdicts of each question's cases."""


def test_the_batch_gets_the_expected_marks_and_verdicts(marked: Marked) -> None:
    found = {
        submission["id"]: (
            submission["mark"],
            *(
                " ".join(case["verdict"] for case in question["cases"])
                for question in submission["questions"]
            ),
        )
        for submission in results(marked.folder)["submissions"]
    }
    assert found == {name: tuple(map(str.strip, parts)) for name, parts in EXPECTED.items()}
    assert marked.done.returncode == 0, marked.done.stderr


def test_who_handed_in_what_cannot_be_taken_has_handed_in_something(marked: Marked) -> None:
    submissions = {submission["id"]: submission for submission in results(marked.folder)["submissions"]}
    assert {each["status"] for each in submissions.values()} == {"marked"}
    assert "notes.txt" in " ".join(submissions["student-08"]["problems"])


def test_the_results_meet_the_shipped_schema(marked: Marked) -> None:
    schema = files("grader.store").joinpath("grader-results-1.schema.json").read_text("utf-8")
    jsonschema.Draft202012Validator(json.loads(schema)).validate(results(marked.folder))
    assert read_results(marked.folder / "results.json").task.max_mark == 6


def test_nothing_but_the_documented_files_is_written(marked: Marked) -> None:
    students = {f"{folder}/{name}.html" for folder in ("staff", "students") for name in EXPECTED}
    named = {"results.json", "run.sqlite", "marks.csv", "junit.xml", "pages.txt", "index.html"}
    found = {str(path.relative_to(marked.folder)) for path in marked.folder.rglob("*") if path.is_file()}
    assert found == named | students


def test_pages_for_students_keep_hidden_cases_hidden(marked: Marked) -> None:
    for path in sorted((marked.folder / "students").iterdir()):
        text = path.read_text(encoding="utf-8")
        assert "secret" not in text
        assert "later" not in text
    assert "secret" in (marked.folder / "staff" / "student-03.html").read_text(encoding="utf-8")


def test_the_table_is_on_stdout_and_all_else_on_stderr(marked: Marked) -> None:
    lines = marked.done.stdout.splitlines()
    assert lines[0] == "Words & numbers (words): 8 submissions"
    assert "student-02  1.5 of 6      - ~ -" in lines
    assert "student-08  0 of 6        - - -" in lines
    said = unhurried(marked.done.stderr)
    assert said[0].startswith("marking 8 submissions with Python ")
    assert said[1].startswith("marked 8 of 8 in ")
    assert said[2] == "! 2 works do not load: SyntaxError: expected ':' in words.py, line 4"
    assert all(line.startswith("  ") for line in said[3:-1])
    assert said[-1] == f"report: {marked.folder / 'index.html'}"


def test_a_pipe_gets_80_columns_and_no_colour(marked: Marked) -> None:
    assert "\x1b" not in marked.done.stdout + marked.done.stderr
    assert max(map(len, marked.done.stdout.splitlines())) <= 80


def test_quiet_leaves_stderr_empty(tmp_path: Path) -> None:
    done = grader("mark", SPEC, BATCH / "student-01", "-o", tmp_path / "out", "--quiet")
    assert done.stderr == ""
    assert "student-01  6 of 6" in done.stdout


def test_what_was_left_out_is_told_even_then(make_folder: MakeTree, tmp_path: Path) -> None:
    work = (BATCH / "student-01" / "words.py").read_text()
    batch = make_folder("batch", {"student-01/words.py": work, "student-02/words.py": work, "list.txt": "x"})
    done = grader("mark", SPEC, batch, "-o", tmp_path / "out", "--quiet")
    assert done.stderr == "note: list.txt beside the submissions was left out\n"


def test_the_default_folder_is_named_after_the_task(tmp_path: Path) -> None:
    done = grader("mark", SPEC, BATCH / "student-01", cwd=tmp_path)
    assert done.returncode == 0
    assert (tmp_path / "reports" / "words" / "index.html").is_file()


@pytest.mark.parametrize("jobs", ["1", "2"])
def test_the_same_batch_gives_the_same_results(marked: Marked, tmp_path: Path, jobs: str) -> None:
    done = grader("mark", SPEC, BATCH, "-o", tmp_path / "out", "-j", jobs)
    assert done.stdout == marked.done.stdout
    assert reproducible(results(tmp_path / "out")) == reproducible(results(marked.folder))


def test_a_folder_can_be_marked_into_again(tmp_path: Path) -> None:
    for students in (["student-01", "student-02"], ["student-01"]):
        done = grader("mark", SPEC, *(BATCH / name for name in students), "-o", tmp_path)
        assert done.returncode == 0
    assert [submission["id"] for submission in results(tmp_path)["submissions"]] == ["student-01"]


def test_the_module_is_the_command(tmp_path: Path) -> None:
    students = [BATCH / "student-01", BATCH / "student-02"]
    done = run([sys.executable, "-m", "grader", "mark", SPEC, *students, "-o", tmp_path, "-j", "2"])
    assert done.returncode == 0, done.stderr
    assert "student-02  1.5 of 6      - ~ -" in done.stdout


@pytest.mark.parametrize(("threshold", "status"), [("100%", 0), ("6", 0)])
def test_a_mark_that_reaches_the_threshold_passes(tmp_path: Path, threshold: str, status: int) -> None:
    done = grader("mark", SPEC, BATCH / "student-01", "-o", tmp_path, "--fail-under", threshold)
    assert done.returncode == status
    assert "student-01  6 of 6" in done.stdout


def test_one_low_mark_is_enough_to_fail(tmp_path: Path) -> None:
    students = [BATCH / "student-01", BATCH / "student-02"]
    done = grader("mark", SPEC, *students, "-o", tmp_path, "--fail-under", "50%")
    assert done.returncode == 1
    assert "1 submission below --fail-under 50% (3): student-02 by 1.5\n" in done.stderr


@pytest.fixture
def with_odd_answer(tmp_path: Path) -> Path:
    """The small task with a checker that an answer of another kind breaks, and a student who gives one."""
    work = small_task(tmp_path / "mini", ["student-01"])
    (work / "checkers.py").write_text("def all_divisors(answer, of):\n    assert len(answer)\n")
    with (work / "submissions" / "student-01" / "words.py").open("a") as module:
        module.write("\n\ndef divisors(number):\n    return None\n")
    return work


def test_an_answer_that_a_checker_cannot_take_is_wrong(with_odd_answer: Path) -> None:
    done = grader("mark", "words.yaml", "submissions/student-01", "-o", "out", cwd=with_odd_answer)
    assert done.returncode == 0
    (submission,) = results(with_odd_answer / "out")["submissions"]
    assert submission["status"] == "marked"
    found = submission["questions"][2]["cases"][0]
    assert found["verdict"] == "wrong-answer"
    assert found["checker_note"] == (
        "checker all_divisors raised TypeError: object of type 'NoneType' "
        "has no len() (line 2 of checkers.py); the answer is of type NoneType"
    )


def test_a_faulty_checker_is_named_to_the_staff(with_odd_answer: Path) -> None:
    done = grader("mark", "words.yaml", "submissions/student-01", "-o", "out", cwd=with_odd_answer)
    told = " ".join(done.stderr.split())
    assert "! Checkers raised 1 exception on answers: cases 3.1, 3.2: checker all_divisors raised" in told
    assert "(line 2 of checkers.py); the answer is of type NoneType: None (student-01)" in told
    index = (with_odd_answer / "out" / "index.html").read_text()
    assert "cases 3.1, 3.2: checker all_divisors raised" in index


def test_pending_marks_outrank_a_threshold(with_odd_answer: Path) -> None:
    raises = "def all_divisors(answer, of):\n    if answer is None:\n        raise MemoryError\n"
    (with_odd_answer / "checkers.py").write_text(raises)
    given = ["mark", "words.yaml", "submissions/student-01", "-o", "out", "--fail-under", "6"]
    assert grader(*given, cwd=with_odd_answer).returncode == 5


@pytest.mark.parametrize("version", first_of(["3.12", "3.13"]))
def test_submissions_can_run_on_another_python(tmp_path: Path, version: str) -> None:
    try:
        interpreter = find_interpreter(version)
    except UsageError:
        pytest.skip(f"there is no Python {version} here")
    students = ["student-02", "student-04", "student-05"]
    done = grader("mark", SPEC, *(BATCH / name for name in students), "-o", tmp_path, "--python", version)
    assert done.returncode == 0, done.stderr
    document = results(tmp_path)
    assert document["run"]["python"] == interpreter.version
    assert document["run"]["python"].startswith(version)
    marks = {submission["id"]: submission["mark"] for submission in document["submissions"]}
    assert marks == {name: EXPECTED[name][0] for name in students}


def test_folders_zips_and_files_can_be_mixed(make_zip: MakeTree, tmp_path: Path) -> None:
    right = (BATCH / "student-01" / "words.py").read_text()
    zipped = make_zip("zipped.zip", {"words.py": right})
    shutil.copy(BATCH / "student-02" / "words.py", tmp_path / "single.py")
    done = grader("mark", SPEC, BATCH / "student-04", zipped, tmp_path / "single.py", "-o", tmp_path / "out")
    assert done.returncode == 0, done.stderr
    marks = {s["name"]: s["mark"] for s in results(tmp_path / "out")["submissions"]}
    assert marks == {"student-04": "5", "zipped": "6", "single": "1.5"}


def test_the_submissions_are_left_as_they_were(make_folder: MakeTree, tmp_path: Path) -> None:
    batch = make_folder("batch", {"student-01/words.py": (BATCH / "student-01" / "words.py").read_text()})
    before = [(path, path.stat().st_mtime_ns) for path in sorted(batch.rglob("*"))]
    for path in batch.rglob("*.py"):
        path.chmod(stat.S_IRUSR)
    assert grader("mark", SPEC, batch, "-o", tmp_path / "out").returncode == 0
    assert [(path, path.stat().st_mtime_ns) for path in sorted(batch.rglob("*"))] == before


@pytest.mark.parametrize("jobs", ["1", "2"])
def test_what_this_machine_cannot_read_is_pending_and_not_zero(tmp_path: Path, jobs: str) -> None:
    """Root reads everything but a folder whose file system is gone; here the system call fails."""
    broken = begins_with(
        "import os\n"
        "read = os.open\n"
        "def fails(path, *arguments, **options):\n"
        "    if path == 'words.py' and options.get('dir_fd') is not None:\n"
        "        student = os.readlink(f'/proc/self/fd/{options[\"dir_fd\"]}')\n"
        "        if student.endswith('student-02'):\n"
        "            raise OSError(5, 'Input/output error')\n"
        "    return read(path, *arguments, **options)\n"
        "os.open = fails\n"
        "os.supports_dir_fd.add(fails)\n",
        tmp_path / "site",
    )
    students = [BATCH / name for name in ("student-01", "student-02", "student-07")]
    arguments: list[str | Path] = ["mark", SPEC, *students, "-o", tmp_path / "out", "-j", jobs]
    done = grader(*arguments, PYTHONPATH=broken)
    assert done.returncode == 5, done.stderr
    found = {each["id"]: each for each in results(tmp_path / "out")["submissions"]}
    assert [name for name, each in found.items() if each["status"] == "pending"] == ["student-02"]
    assert found["student-02"]["problems"] == ["internal error: words.py can't be read (Input/output error)"]
    # The next run reads it, and keeps the others.
    assert f"{len(found) - 1} of {len(found)} submissions unchanged" in grader(*arguments).stderr
    assert results(tmp_path / "out")["submissions"][1]["status"] == "marked"
