"""Files that the grader did not write are never written over: refused and named before anything is marked."""

import json
import shutil
from pathlib import Path

import pytest
from support.command_line import SPEC, grader, mark_small, small_task

STUDENT = "student-01"
PAGE = "<!doctype html>\n<title>Our course</title>\n"
FOREIGN = {
    "marks.csv": "student,mark,comment\nann,3,kept by hand\n",
    "index.html": PAGE,
    "index-2.html": PAGE,
    "junit.xml": '<?xml version="1.0" encoding="utf-8"?><testsuites><testsuite name="pytest"/></testsuites>',
    "results.json": '{"schema": "of another tool", "run": 1}',
    "pages.txt": "The pages that we still have to write\n",
    f"students/{STUDENT}.html": PAGE,
    f"staff/{STUDENT}.html": PAGE,
    "students": "a file",
}


@pytest.fixture
def work(tmp_path: Path) -> Path:
    return small_task(tmp_path / "work", [STUDENT])


def put(folder: Path, files: dict[str, str]) -> None:
    for name, text in files.items():
        (folder / name).parent.mkdir(parents=True, exist_ok=True)
        (folder / name).write_text(text)


def content(folder: Path) -> dict[str, bytes]:
    return {str(path.relative_to(folder)): path.read_bytes() for path in folder.rglob("*") if path.is_file()}


@pytest.mark.parametrize("name", FOREIGN)
def test_a_file_of_others_is_named_and_stays(work: Path, name: str) -> None:
    put(work / "out", {name: FOREIGN[name]})
    done = mark_small(work, "-q")
    assert done.returncode == 2, done.stderr
    assert name in done.stderr
    assert "-o" in done.stderr
    assert content(work / "out") == {name: FOREIGN[name].encode()}


@pytest.mark.acceptance
def test_files_beside_ours_stay_and_ours_are_known_however_they_came(work: Path) -> None:
    beside = {"notes.txt": "mine", "students/readme.txt": "mine", "students/other.html": PAGE}
    put(work / "out", beside)
    assert mark_small(work, "-q").returncode == 0
    # A copy has other times; a list of files can be lost; a page can be edited; a crash leaves empty files.
    shutil.copytree(work / "out", work / "copy", copy_function=shutil.copyfile)
    shutil.rmtree(work / "out")
    (work / "copy").rename(work / "out")
    assert mark_small(work, "-q").returncode == 0
    (work / "out/pages.txt").unlink()
    assert mark_small(work, "-q").returncode == 0
    for name in ("marks.csv", "results.json"):
        (work / "out" / name).write_bytes(b"")
    (work / "out/index.html").write_text((work / "out/index.html").read_text() + "<!-- seen -->")
    assert mark_small(work, "-q", "--no-cache").returncode == 0
    assert all((work / "out" / name).read_text() == text for name, text in beside.items())


def test_a_file_of_ours_that_was_replaced_is_not_ours_any_more(work: Path) -> None:
    assert mark_small(work, "-q", "--hold").returncode == 0
    for command in ("mark", "release"):
        name = f"students/{STUDENT}.html" if command == "release" else "marks.csv"
        before = (work / "out" / name).read_bytes() if (work / "out" / name).exists() else None
        put(work / "out", {name: FOREIGN[name]})
        more = ("-y",) if command == "release" else ()
        done = mark_small(work, "-q") if command == "mark" else grader(command, work / "out", *more)
        assert (done.returncode, name in done.stderr) == (2, True), done.stderr
        assert (work / "out" / name).read_text() == FOREIGN[name]
        if before is not None:
            (work / "out" / name).write_bytes(before)


def test_exports_and_handouts(work: Path) -> None:
    assert mark_small(work, "-q").returncode == 0
    for path in (work / "sheet.csv", work / "out/exports/marks.csv"):
        export = ("export", work / "out", "--to", "csv", "-o", path)
        path.parent.mkdir(exist_ok=True)
        path.write_text("my,own\n")
        done = grader(*export)
        assert (done.returncode, path.read_text()) == (2, "my,own\n"), done.stderr
        assert str(path) in done.stderr
        path.unlink()
        assert grader(*export).returncode == 0
        assert grader(*export).returncode == 0, "what an export wrote, the next one replaces"
    handout = work / "words.zip"
    handout.write_bytes(b"PK mine")
    bundle = ("bundle", work / SPEC.name, "-o", handout)
    assert (grader(*bundle).returncode, handout.read_bytes()) == (2, b"PK mine")
    handout.unlink()
    assert grader(*bundle).returncode == 0
    assert grader(*bundle).returncode == 0


def test_the_page_of_similar_works(work: Path) -> None:
    assert mark_small(work, "-q").returncode == 0
    put(work / "out", {"similar.json": json.dumps({"schema": "mine"})})
    done = grader("similar", work / "out", "-q")
    assert (done.returncode, "similar.json" in done.stderr) == (2, True)
