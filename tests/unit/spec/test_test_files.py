"""Cases with test files: how the spec reads them, and its mistakes."""

from pathlib import Path

import pytest

from grader.model.case import TestFunction
from grader.model.errors import SpecError
from grader.model.task import Task
from grader.spec import load_task
from grader.spec.reference.test_files import all_names, find_tests

TESTS = """
import unittest
import pytest
from helper import VALUE

class Base:
    def test_inherited(self): pass

class TestOne(Base):
    @pytest.mark.points(2.5)
    def test_own(self): pass
    def helper(self): pass

class TestWithInit:
    def __init__(self): pass
    def test_never(self): pass

class Cases(unittest.TestCase):
    @unittest.skip("later")
    def test_skipped(self): pass
    def test_of_unittest(self): pass

class More(Cases):
    def test_more(self): pass

@pytest.mark.hidden
def test_hidden(): pass

@pytest.mark.skip
def test_out(): pass

@pytest.mark.xfail(reason="not yet")
def test_either_way(): pass

@pytest.mark.xfail(strict=True)
def test_must_fail(): pass
"""
HEAD = """
task: sample
title: Sample
marks: 1
modules: {work: work.py}
questions:
  - id: "1"
    title: One
    marks: 1
    award: each
    cases:
"""


def load(folder: Path, *cases: str, tests: str = TESTS) -> Task:
    (folder / "t").mkdir(exist_ok=True)
    (folder / "t" / "test_work.py").write_text(tests)
    (folder / "t" / "helper.py").write_text("import deeper\nVALUE = 1\n")
    (folder / "t" / "deeper.py").write_text("")
    (folder / "t" / "other.py").write_text("")
    (folder / "right.py").write_text("")
    spec = folder / "sample.yaml"
    spec.write_text(HEAD + "".join(f"      - {case}\n" for case in cases))
    return load_task(spec)


def test_the_tests_of_a_file() -> None:
    found = [
        (test.name, test.points and float(test.points), test.visibility is not None)
        for test in find_tests(TESTS, "t.py")
    ]
    assert found == [
        ("TestOne.test_inherited", None, False),
        ("TestOne.test_own", 2.5, False),
        ("Cases.test_of_unittest", None, False),
        ("More.test_of_unittest", None, False),
        ("More.test_more", None, False),
        ("test_hidden", None, True),
        ("test_must_fail", None, False),
    ]
    assert {"Cases.test_skipped", "More.test_skipped", "test_out"} < set(all_names(TESTS, "t.py"))


def test_each_is_a_case(tmp_path: Path) -> None:
    task = load(
        tmp_path,
        "{pytest: t/test_work.py, tests: [TestOne, test_hidden], weight: 2}",
        "{pytest: t/test_work.py, tests: More.test_more, name: more, needs: '1.1'}",
    )
    assert [(case.id, case.text, float(case.weight), str(case.visibility)) for case in task.cases] == [
        ("1.1.1", "test_work.py::TestOne::test_inherited", 2, "public"),
        ("1.1.2", "test_work.py::TestOne::test_own", 5, "public"),
        ("1.1.3", "test_work.py::test_hidden", 2, "hidden"),
        ("1.more.1", "test_work.py::More::test_more", 1, "public"),
    ]
    assert task.cases[3].needs == ("1.1.1", "1.1.2")
    test = task.cases[0].what
    assert isinstance(test, TestFunction)
    assert [name for name, _ in test.file.texts] == ["test_work", "helper", "deeper"]
    assert {file.path.name for file in task.files} == {
        "sample.yaml",
        "test_work.py",
        "helper.py",
        "deeper.py",
    }


MISTAKES = {
    "{pytest: t/test_wrk.py}": "there is no file",
    "{pytest: t/test_work.py, tests: test_hiden}": "the test file has no test `test_hiden`",
    "{pytest: t/test_work.py, returns: 1}": "`returns` does not go with `pytest`",
    "{pytest: t/other.py}": "other.py has no test function",
    "{tests: [a], call: f(1)}": "`tests` goes with `pytest` alone",
    "{student tests: work}": "`student tests` needs `against`",
    "{student tests: wrk, against: {module: a, right: [right.py], wrong: [right.py]}}": "`wrk` is not among",
    "{student tests: work, against: {module: work, right: [right.py], wrong: [right.py]}}": "the same name",
    "{student tests: work, against: {module: a, right: [none.py], wrong: [right.py]}}": "there is no file",
    "{student tests: work, against: {module: a, right: [right.py], wrong: []}}": "`wrong` names no program",
    "{against: {}, call: f(1), returns: 1}": "`against` goes with `student tests` alone",
}


@pytest.mark.parametrize("case", MISTAKES)
def test_mistakes(tmp_path: Path, case: str) -> None:
    with pytest.raises(SpecError) as caught:
        load(tmp_path, case)
    assert MISTAKES[case] in str(caught.value)


def test_a_file_that_is_no_python(tmp_path: Path) -> None:
    with pytest.raises(SpecError, match=r"test_work.py can't be read as Python: .*line 1"):
        load(tmp_path, "{pytest: t/test_work.py}", tests="def test_it(:\n")
