"""`grader similar` on a finished run: what it prints and writes, and what it leaves alone."""

import base64
import hashlib
import html
import json
import re
import shutil
from pathlib import Path

import pytest
from support.command_line import Done, begins_with, grader
from support.many_programs import STARTER, program, renamed, reordered

SPEC = """
task: work
title: Work
marks: 1
modules: {work: work.py}
questions:
  - id: "1"
    title: one
    module: work
    marks: 1
    cases:
      - call: board(1)
        returns: [[0]]
"""
MARKUP = "</pre><script>alert(1)</script>"


@pytest.fixture(scope="module")
def run(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A marked class; its submissions are gone."""
    folder = tmp_path_factory.mktemp("similar")
    works = {f"student-{seed:02}": program(seed, functions=4) for seed in range(12)}
    works["Zoë <b>"] = renamed(program(3, functions=4))
    works["moved"] = reordered(program(5, functions=4)) + f"\nx = {MARKUP!r}\n"
    works["starter"] = STARTER
    for name, text in works.items():
        path = folder / "submissions" / name / "work.py"
        path.parent.mkdir(parents=True)
        path.write_text(text)
    (folder / "work.yaml").write_text(SPEC)
    (folder / "work" / "handout").mkdir(parents=True)
    (folder / "work" / "handout" / "work.py").write_text(STARTER)
    done = grader("mark", folder / "work.yaml", folder / "submissions", "-o", folder / "out")
    assert done.returncode == 0, done.stderr
    shutil.rmtree(folder / "submissions")
    return folder


@pytest.fixture(scope="module")
def done(run: Path) -> Done:
    return grader("similar", run / "out")


def test_the_planted_copies_are_told_and_nobody_else(run, done):
    assert done.returncode == 0, done.stderr
    first, second = done.stdout.splitlines()
    assert re.fullmatch(r" equal  (Zoë <b>  student-03|student-03  Zoë <b>)", first)
    assert re.fullmatch(r" *\d+ %  moved  student-05", second)
    assert "a hint for a person, never a mark" in done.stderr
    data = json.loads((run / "out" / "similar.json").read_text())
    assert data["schema"] == "grader-similar/1"
    (pair,) = data["pairs"]
    assert {pair["left"]["id"], pair["right"]["id"]} == {"moved", "student-05"}
    assert pair["passages"][0]["left"]["file"] == "work.py"
    assert [one["id"] for one in data["too_short"]] == ["starter"]


def test_the_page_is_for_the_staff_and_escapes_everything(run, done):
    page = (run / "out" / "similar.html").read_text()
    assert "never a mark" in page
    css = re.search("<style>(.*?)</style>", page, re.DOTALL)
    assert css is not None
    allowed = base64.b64encode(hashlib.sha256(css[1].encode()).digest()).decode()
    assert f"default-src 'none'; style-src 'sha256-{allowed}'; base-uri 'none'" in html.unescape(page)
    assert "<script" not in page
    assert "<b>" not in page
    assert "&lt;b&gt;" in page


def test_no_file_for_students_knows_of_it(run, done):
    pages = list((run / "out" / "students").iterdir())
    assert len(pages) == 15
    for path in pages:
        assert "similar" not in path.read_text().lower()


def test_no_mark_changes(run, done):
    before = (run / "out" / "results.json").read_bytes()
    again = grader("similar", run / "out", "-q")
    assert (again.returncode, again.stdout) == (0, done.stdout)
    assert (run / "out" / "results.json").read_bytes() == before


def test_starter_code_can_be_named(run, done, tmp_path):
    (tmp_path / "given.py").write_text(program(5, functions=4))
    named = grader("similar", run / "out", "--starter", tmp_path / "given.py", "-q")
    assert "moved" not in named.stdout
    missing = grader("similar", run / "out", "--starter", tmp_path / "none.py")
    assert missing.returncode == 2
    assert "there is no Python file" in missing.stderr


def test_without_the_library_equal_works_are_told(run, done, tmp_path):
    hidden = begins_with("import sys; sys.modules['rapidfuzz'] = None", tmp_path / "without")
    without = grader("similar", run / "out", PYTHONPATH=hidden)
    assert without.returncode == 0, without.stderr
    assert without.stdout.split()[0] == "equal"
    assert "moved" not in without.stdout
    assert "grader-harness[similar]" in without.stderr
    assert "grader-harness[similar]" in (run / "out" / "similar.html").read_text()


def test_a_folder_without_a_run_is_one_message(tmp_path):
    done = grader("similar", tmp_path)
    assert done.returncode == 2
    assert "Traceback" not in done.stderr
    assert "results.json" in done.stderr


def test_a_run_without_its_record_is_one_message(run, tmp_path):
    shutil.copy(run / "out" / "results.json", tmp_path)
    done = grader("similar", tmp_path)
    assert done.returncode == 2
    assert "the record of the run is not here" in done.stderr


def test_a_copy_in_a_class_is_told_and_the_work_of_a_group_is_no_copy(tmp_path):
    works = {name: program(seed, functions=4) for name, seed in {"ann": 1, "bob": 1, "cyd": 2}.items()}
    works |= {"dan": program(3, functions=4), "eve": program(3, functions=4)}
    for name, text in works.items():
        path = tmp_path / "submissions" / name / "work.py"
        path.parent.mkdir(parents=True)
        path.write_text(text)
    roster = tmp_path / "roster.csv"
    roster.write_text("student,group\nann,class\nbob,class\ncyd,class\ndan,pair\neve,pair\n")
    (tmp_path / "work.yaml").write_text(SPEC)
    out = tmp_path / "out"
    done = grader("mark", tmp_path / "work.yaml", tmp_path / "submissions", "--roster", roster, "-o", out)
    assert done.returncode == 0, done.stderr
    assert [line.split() for line in grader("similar", out).stdout.splitlines()] == [["equal", "ann", "bob"]]
    done = grader("export", out, "--to", "jplag", "-o", tmp_path / "sources")
    sources = sorted(path.name for path in (tmp_path / "sources" / "submissions").iterdir())
    assert sources == ["ann", "bob", "cyd", "dan"]
    assert "1 left out, whose work is there once for their group: eve" in done.stderr
