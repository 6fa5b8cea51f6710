"""Test files in the forms that public courses have, and programs that want their marks without the work.

The files and solutions in `tests/data/test_files` are ours.  `benchmarks/test_files.py` does the same with
files of public courses, which are not part of this project.
"""

import hashlib
import json
import re
import shutil
from pathlib import Path

import pytest
from support.command_line import grader
from support.tampering import constants, names_in, searching, tampered

from grader.engine.run_config import prepare_run
from grader.engine.worker import Marker
from grader.model.results import CaseResult
from grader.model.submission import SourceFile, Submission
from grader.sandbox.driver import Driver
from grader.spec import load_task

FILES = Path(__file__).parents[1] / "data" / "test_files"
FORMS = sorted(path.name for path in FILES.iterdir())
SPEC = """
task: brought-along
title: Brought along
marks: 1
modules: {{solution: solution.py}}
reference: reference
questions:
  - id: "1"
    title: its tests
    marks: 1
    award: each
    cases: [{{pytest: tests/{tests}}}]
"""
FIRST = "unittest_functions"
FURTHER = [pytest.param(name, marks=pytest.mark.acceptance) for name in FORMS if name != FIRST]


def solution_of(form: str) -> str:
    return (FILES / form / "solution.py").read_text("utf-8")


def file_of(form: str) -> Path:
    (path,) = (path for path in (FILES / form).glob("*.py") if path.name != "solution.py")
    return path


def task_in(folder: Path, form: str) -> Path:
    (folder / "reference").mkdir()
    (folder / "tests").mkdir()
    shutil.copy(FILES / form / "solution.py", folder / "reference")
    shutil.copy(file_of(form), folder / "tests")
    (folder / "spec.yaml").write_text(SPEC.format(tests=file_of(form).name))
    return folder / "spec.yaml"


def marked(folder: Path, form: str, *sources: str) -> list[list[CaseResult]]:
    found = []
    with Marker(prepare_run(load_task(task_in(folder, form)), Driver.NAMESPACES, "")) as marker:
        for source in sources:
            files = {"solution": SourceFile("solution.py", source)}
            result = marker.mark(Submission("one", "one", files)).result
            found.append([case for question in result.questions for case in question.cases])
    return found


@pytest.mark.parametrize("form", [FIRST, *FURTHER])
@pytest.mark.acceptance  # `make test` has `hostile/test_test_files.py`
def test_no_tampering_earns_a_mark(tmp_path: Path, form: str) -> None:
    solution = solution_of(form)
    names = names_in(solution)
    ways = {"the solution": solution, **constants(names), **tampered(names)}
    found = dict(zip(ways, marked(tmp_path, form, *ways.values()), strict=True))
    assert [str(case.verdict) for case in found.pop("the solution") if case.verdict != "accepted"] == []
    scores = {way: sum(case.score for case in cases) for way, cases in found.items()}
    assert {way: score for way, score in scores.items() if score} == {}
    # Nobody has to look at any of them.
    assert {
        way for way, cases in found.items() for case in cases if case.verdict == "internal-error"
    } == set()


@pytest.mark.parametrize("form", [FIRST, *FURTHER])
def test_nothing_of_the_tests_is_in_the_programs_process(tmp_path: Path, form: str) -> None:
    names = names_in(solution_of(form))
    words = set(re.findall(r"[A-Za-z_0-9]{6,}", file_of(form).read_text("utf-8")))
    words = {word for word in words if word.startswith("test_") or re.search(r"\d{4}", word)}
    words |= {file_of(form).stem}
    assert len(words) > 3
    hunter = searching(names, [hashlib.sha256(word.encode()).hexdigest() for word in words])
    planted = f"{hunter}\nkept = {[*words]!r}\n"
    hunting, finding = marked(tmp_path, form, hunter, planted)
    assert [case.message for case in hunting if "FOUND" in case.message or case.score] == []
    assert any("FOUND" in case.message for case in finding)


def test_files_of_pytests_in_the_work_do_nothing(tmp_path: Path) -> None:
    spec = task_in(tmp_path, FIRST)
    work = tmp_path / "work"
    work.mkdir()
    (work / "solution.py").write_text("seal = longest = None\n")
    owned = f"open({str(tmp_path / 'owned')!r}, 'w').close()\n"
    passing = "def pytest_runtest_call(item):\n    item.runtest = lambda: None\n"
    for name in (
        "conftest.py",
        "sitecustomize.py",
        "usercustomize.py",
        "pytest.py",
        "unittest.py",
        "math.py",
    ):
        (work / name).write_text(owned + passing)
    shutil.copy(work / "conftest.py", work / file_of(FIRST).name)
    (work / "pytest.ini").write_text("[pytest]\naddopts = -p conftest\npythonpath = .\n")
    done = grader("mark", spec, work, "-o", tmp_path / "out")
    assert done.returncode == 0, done.stderr
    (result,) = json.loads((tmp_path / "out" / "results.json").read_text())["submissions"]
    assert (result["mark"], result["status"]) == ("0", "marked")
    assert not (tmp_path / "owned").exists()
