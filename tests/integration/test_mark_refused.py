"""What `grader mark` refuses: one clear message each, no traceback, and nothing half written."""

import resource
from pathlib import Path

import pytest
from support.command_line import BATCH, COMMAND, MINI, SPEC, Done, grader, only_error, run
from support.trees import MakeTree

STUDENT = BATCH / "student-01"

TWO_ERRORS = """\
task: words
title: Words
marks: 3
modules: {words: words.py}
questions:
  - id: "1"
    title: vowels
    marks: 1
    cases:
      - call: vowels('a'
        returns: 1
"""


def test_every_error_of_a_spec_is_told_with_its_place(tmp_path: Path) -> None:
    spec = tmp_path / "broken.yaml"
    spec.write_text(TWO_ERRORS)
    done = grader("mark", spec, STUDENT, "-o", tmp_path / "out")
    assert done.returncode == 3
    assert done.stdout == ""
    lines = done.stderr.splitlines()
    assert [line for line in lines if line.startswith("error: ")] == [
        f"error: {spec}:3:8: the questions' marks add up to 1, not to 3",
        f"error: {spec}:10:21: `(` is never closed",
    ]
    assert lines[1:3] == ["    marks: 3", "           ^"]
    assert lines[-1] == "2 errors"
    assert not (tmp_path / "out").exists()


def test_a_spec_that_is_not_there(tmp_path: Path) -> None:
    done = grader("mark", tmp_path / "absent.yaml", STUDENT, "-o", tmp_path / "out")
    assert done.returncode == 2
    assert only_error(done) == f"error: {tmp_path / 'absent.yaml'}: there is no such spec file"
    assert not (tmp_path / "out").exists()


def test_a_spec_with_a_slip_in_its_name(tmp_path: Path) -> None:
    (tmp_path / "words.yaml").write_text("")
    done = grader("mark", "word.yaml", STUDENT, cwd=tmp_path)
    assert done.stderr == "error: word.yaml: there is no such spec file\nhint: did you mean words.yaml?\n"


def test_a_task_in_place_of_its_results(tmp_path: Path) -> None:
    (tmp_path / "reports" / "words").mkdir(parents=True)
    (tmp_path / "reports" / "words" / "results.json").write_text("{}")
    done = grader("explain", "words", "ada", cwd=tmp_path)
    assert done.returncode == 2
    assert done.stderr == "error: words: there is no such file\nhint: did you mean reports/words?\n"


def test_spec_and_submissions_the_wrong_way_round(tmp_path: Path) -> None:
    done = grader("mark", STUDENT, SPEC, "-o", tmp_path / "out")
    assert done.returncode == 2
    assert only_error(done) == f"error: {SPEC} looks like the spec; it comes first, before the submissions"


def test_a_path_that_is_not_there(tmp_path: Path) -> None:
    done = grader("mark", SPEC, STUDENT, tmp_path / "absent", "-o", tmp_path / "out")
    assert done.returncode == 2
    assert only_error(done) == f"error: {tmp_path / 'absent'}: there is no such file or folder"
    assert not (tmp_path / "out").exists()


def test_an_empty_folder(tmp_path: Path) -> None:
    (tmp_path / "empty").mkdir()
    done = grader("mark", SPEC, tmp_path / "empty", "-o", tmp_path / "out")
    assert done.returncode == 4
    assert "there is nothing to mark" in only_error(done)
    assert not (tmp_path / "out").exists()


def test_a_corrupt_zip(tmp_path: Path, make_zip: MakeTree) -> None:
    whole = make_zip("batch.zip", {f"student-0{n}/words.py": "x = 1\n" * 200 for n in range(5)})
    whole.write_bytes(whole.read_bytes()[:-40])
    done = grader("mark", SPEC, whole, "-o", tmp_path / "out")
    assert done.returncode == 2
    assert only_error(done) == f"error: {whole}: this file is a damaged zip; perhaps its upload was cut off"
    assert not (tmp_path / "out").exists()


@pytest.mark.parametrize("below", ["", "further/down"])
def test_a_file_where_the_folder_should_be(tmp_path: Path, below: str) -> None:
    (tmp_path / "file").write_text("mine")
    done = grader("mark", SPEC, STUDENT, "-o", tmp_path / "file" / below)
    assert done.returncode == 2
    assert "cannot write the results" in only_error(done)
    assert (tmp_path / "file").read_text() == "mine"


@pytest.mark.parametrize("arguments", [["."], [".", "-o", "out"], ["student-01", "-o", "student-01/out"]])
def test_results_among_the_submissions_are_refused(make_folder: MakeTree, arguments: list[str]) -> None:
    """The next run would take them for a student's; without -o they go to reports/ in the folder at hand."""
    batch = make_folder("batch", {"student-01/words.py": (STUDENT / "words.py").read_text()})
    done = grader("mark", SPEC, *arguments, cwd=batch)
    assert done.returncode == 2
    assert "they would lie among the submissions" in only_error(done)
    assert [path.name for path in batch.rglob("*")] == ["student-01", "words.py"]


@pytest.mark.parametrize("suffix", ["", ".py"])
def test_results_beside_students_who_were_named_one_by_one_are_refused(
    make_folder: MakeTree, suffix: str
) -> None:
    text = (STUDENT / "words.py").read_text()
    names = [f"student-0{number}{suffix}" for number in (1, 2)]
    batch = make_folder("batch", {name if suffix else f"{name}/words.py": text for name in names})
    done = grader("mark", SPEC, *names, "-o", ".", cwd=batch)
    assert done.returncode == 2
    assert "they would lie among the submissions" in only_error(done)
    assert sorted(path.name for path in batch.iterdir()) == names


@pytest.mark.parametrize("name", ["students", "staff"])
@pytest.mark.parametrize("below", ["", "student-01", "student-01/words.py"])
def test_pages_among_the_submissions_are_refused(make_folder: MakeTree, name: str, below: str) -> None:
    """What was handed in is only read; a page beside it would be looked at by the next run."""
    text = (STUDENT / "words.py").read_text()
    folder = make_folder("course", {f"{name}/student-01/words.py": text})
    done = grader("mark", SPEC, Path(name, below), "-o", ".", cwd=folder)
    assert done.returncode == 2
    assert "they would lie among the submissions" in only_error(done)
    assert [path.name for path in folder.rglob("*")] == [name, "student-01", "words.py"]


def test_a_disk_that_is_full_in_the_middle(tmp_path: Path) -> None:
    def small_files() -> None:
        # The soft limit alone: marking refuses a hard one that a student's files would meet.
        resource.setrlimit(resource.RLIMIT_FSIZE, (16_000, resource.getrlimit(resource.RLIMIT_FSIZE)[1]))

    done = run([COMMAND, "mark", SPEC, BATCH, "-o", tmp_path / "out", "-j", "1"], before=small_files)
    assert done.returncode == 2
    assert "cannot write" in only_error(done)
    assert [path.name for path in (tmp_path / "out").rglob("*") if path.suffix in (".json", ".part")] == []


def test_a_standard_output_that_is_full(tmp_path: Path) -> None:
    done = run(["sh", "-c", '"$0" "$@" > /dev/full', COMMAND, "mark", SPEC, STUDENT, "-o", tmp_path])
    assert done.returncode == 2
    assert "cannot write to the standard output" in only_error(done)


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["mrak"], "there is no command 'mrak'; did you mean mark?"),
        (["grade"], "there is no command 'grade'; did you mean mark?"),
        (["help"], "there is no command 'help'; there are new, try, mark, review, course, check,"),
        (["mark"], "missing argument 'SPEC'"),
        (["convert", "x", "-o", "y"], "missing option '--from'. Choose from: otter, gradescope-utils,"),
        (["mark", SPEC], "missing argument 'SUBMISSIONS...'"),
        (["mark", SPEC, STUDENT, "--fial-under", "3"], "no such option '--fial-under'"),
        (["mark", SPEC, STUDENT, "--fail-under", "most"], "neither a mark such as 6.5 nor a share"),
        (
            ["mark", SPEC, STUDENT, "--fail-under", "-5"],
            "'-5' can't be reached; it is a mark from 0, or a share",
        ),
        (["mark", SPEC, STUDENT, "--fail-under", "101%"], "'101%' can't be reached; it is a mark from 0"),
        (
            ["mark", SPEC, STUDENT, "--fail-under", "11"],
            "--fail-under 11 is more than the 6 marks of the task; a share is 11%",
        ),
        (["mark", SPEC, BATCH, "--only", "student-1"], "there is no submission 'student-1'"),
        (["check", STUDENT, SPEC], "words.yaml looks like the spec; it comes first, before your work"),
        (["try", STUDENT / "words.py"], "a spec is a YAML file, and this is a Python file"),
        (["mark", SPEC, STUDENT, "--jobs", "0"], "0 is not in the range"),
        (["mark", SPEC, STUDENT, "--require", "strong"], "'strong' is not one of 'namespaces', 'landlock'"),
        (["mark", SPEC, STUDENT, "--python", "3.99"], "there is no Python 3.99 here"),
        (["mark", SPEC, STUDENT, "--python", "/bin/cat"], "/bin/cat"),
        (["mark", SPEC, STUDENT, "--python", "/no/python"], "/no/python"),
        (["mark", MINI, STUDENT], "a spec must be a regular file"),
        (["check", SPEC, BATCH], "holds 8 submissions (student-01, student-02, student-03, …); name the one"),
        (["check", SPEC, STUDENT, "-q", "9"], "there is no question '9'; there are 1, 2, 3"),
        (["check", SPEC, "/no/folder"], "there is no such file or folder"),
        (["report", "/no/folder"], "there is no such file"),
        (["report", BATCH], "there is no such file"),
        (["doctor", "extra"], "got unexpected extra argument (extra)"),
        (["doctor", "--python", "3.99"], "there is no Python 3.99 here"),
    ],
)
def test_misuse_is_told_in_one_line(tmp_path: Path, arguments: list[str | Path], message: str) -> None:
    done = grader(*arguments, cwd=tmp_path)
    assert done.returncode == 2
    error = only_error(done)
    assert message in error
    assert len(error) < 300, "short enough to be read"
    assert list(tmp_path.iterdir()) == []


@pytest.mark.parametrize(
    ("name", "hint"),
    [("student-1", "did you mean student-01?"), ("zoe", "there is student-01, student-02, student-03,")],
)
def test_only_names_the_nearest_submission(tmp_path: Path, name: str, hint: str) -> None:
    done = grader("mark", SPEC, BATCH, "-o", tmp_path / "out", "--only", name)
    assert done.returncode == 2
    assert f"\nhint: {hint}" in done.stderr


def test_two_wrong_paths_are_two_errors(tmp_path: Path) -> None:
    done = grader("mark", SPEC, tmp_path / "one", tmp_path / "two")
    assert done.returncode == 2
    assert [line.partition(":")[0] for line in done.stderr.splitlines()] == ["error", "error", "2 errors"]


def test_a_package_that_is_not_installed(tmp_path: Path) -> None:
    spec = tmp_path / "words.yaml"
    text = SPEC.read_text().replace("budget:", "packages: [no_such_package]\nbudget:")
    spec.write_text(text.replace("reference: reference", f"reference: {MINI / 'reference'}"))
    (tmp_path / "checkers.py").write_text((MINI / "checkers.py").read_text())
    done: Done = grader("mark", spec, STUDENT, "-o", tmp_path / "out")
    assert done.returncode == 6
    assert "the submissions' Python has no package no_such_package" in only_error(done)
    assert not (tmp_path / "out").exists()


def test_hostile_names_reach_the_terminal_as_text(tmp_path: Path, make_folder: MakeTree) -> None:
    folder = make_folder(
        "batch", {"\x1b[31mred\x1b[0m/words.py": "x = 1\n", "student-01/words.py": "x = 1\n"}
    )
    done = grader("mark", SPEC, folder, "-o", tmp_path / "out")
    assert done.returncode == 0
    assert "\x1b" not in done.stdout + done.stderr
    done = grader("check", SPEC, folder)
    assert done.returncode == 2
    assert "\x1b" not in done.stderr


@pytest.mark.parametrize("below", ["", "out"])
def test_a_link_in_a_circle_is_refused_as_output(tmp_path: Path, below: str) -> None:
    (tmp_path / "circle").symlink_to("circle")
    done = grader("mark", SPEC, STUDENT, "-o", tmp_path / "circle" / below)
    assert done.returncode == 2
    assert "cannot write the results" in only_error(done)


def test_a_current_folder_that_is_gone(tmp_path: Path) -> None:
    gone = tmp_path / "gone"
    gone.mkdir()
    command = (
        f'cd "{gone}" && rmdir "{gone}" && exec "{COMMAND}" mark "{MINI}/words.yaml" "{MINI}/submissions"'
    )
    done = run(["sh", "-c", command])
    assert (done.returncode, done.stdout) == (2, "")
    assert done.stderr.startswith("error: the current folder is gone")
