"""Two students handed in the published solution nearly word for word: `grader similar` names them."""

import json
import re
from pathlib import Path

import pytest
from support.command_line import Done, grader
from support.many_programs import STARTER, program, renamed

SPEC = """
task: work
title: Work
marks: 1
reference: reference
modules: {work: work.py}
questions:
  - id: "1"
    title: one
    marks: 1
    cases:
      - call: board(1)
        returns: [[0]]
"""
MARKUP = "</pre><script>alert(1)</script>"
SOLUTION = STARTER + program(90, functions=5)


@pytest.fixture(scope="module")
def run(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("published")
    works = {f"student-{seed:02}": STARTER + program(seed, functions=5) for seed in range(11)}
    works["Zo\u00eb <b>"] = renamed(SOLUTION)
    works["ann"] = STARTER + program(90, functions=5).replace("\n", "\n# mine\n", 20) + f"\nx = {MARKUP!r}\n"
    for name, text in works.items():
        path = folder / "submissions" / name / "work.py"
        path.parent.mkdir(parents=True)
        path.write_text(text)
    for name, text in {"reference": SOLUTION, "work/handout": STARTER}.items():
        (folder / name).mkdir(parents=True)
        (folder / name / "work.py").write_text(text)
    (folder / "work.yaml").write_text(SPEC)
    done = grader("mark", folder / "work.yaml", folder / "submissions", "-o", folder / "out", "--anyway")
    assert done.returncode == 0, done.stderr
    return folder / "out"


@pytest.fixture(scope="module")
def done(run: Path) -> Done:
    return grader("similar", run)


def test_the_copies_of_the_reference_are_told_and_nobody_else(run, done):
    assert done.returncode == 0, done.stderr
    told = re.findall(r"^ *(\d+) %  (.+)  the reference$", done.stdout, re.M)
    assert {name for _, name in told} == {"Zo\u00eb <b>", "ann"}
    assert all(int(share) > 85 for share, _ in told)
    data = json.loads((run / "similar.json").read_text())["reference"]
    works = {one["id"]: one for one in data["works"]}
    assert {name for name, one in works.items() if one["told"]} == {"ann", *(n for n in works if "Zo" in n)}
    assert len(works) == 13
    assert data["typical"] < 0.4
    assert works["ann"]["passages"][0]["file"] == "work.py"


def test_the_page_shows_what_was_taken_and_escapes_it(run, done):
    page = (run / "similar.html").read_text()
    assert "How much of a work is the reference" in page
    assert "<script" not in page
    assert "<b>" not in page
    assert "Zo\u00eb &lt;b&gt;" in page
    assert "# mine" in page
