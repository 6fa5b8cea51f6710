"""Tests that pytest would run and that stand where no case is found: each is refused by name."""

import subprocess
import sys
from collections.abc import Mapping
from pathlib import Path

import pytest
from support.marking import HEAD, question
from support.snippets import snippets

from grader.model.errors import SpecError
from grader.spec import load_task
from grader.spec.reference.test_files import find_tests
from grader.spec.reference.uncounted import uncounted_tests

BESIDE = """
import unittest

class Shared:
    def test_shared(self): pass

class Checks(unittest.TestCase):
    def test_checked(self): pass

class TestWhole:
    def test_part(self): pass

class Helper:
    def help(self): pass

def test_there(): pass

def make(number): return number

def maker(number):
    return lambda: None
"""
FILES = snippets("uncounted_tests.txt")


def texts(text: str) -> Mapping[str, str]:
    return {"test_it": text, "beside": BESIDE}


@pytest.mark.parametrize("name", FILES)
def test_what_stands_elsewhere_is_named_and_nothing_else(name: str) -> None:
    expected = name.partition(":")[2].split()
    assert sorted(found for found, _ in uncounted_tests(texts(FILES[name]), "test_it")) == expected


def test_pytest_finds_what_is_named_and_nothing_else_besides_the_cases(tmp_path: Path) -> None:
    (tmp_path / "beside.py").write_text(BESIDE)
    for number, text in enumerate(FILES.values()):
        (tmp_path / f"test_it{number}.py").write_text(text)
    command = [sys.executable, "-m", "pytest", "--collect-only", "-q", "-p", "no:cacheprovider", "."]
    said = subprocess.run(command, cwd=tmp_path, capture_output=True, text=True, check=False).stdout
    for number, text in enumerate(FILES.values()):
        collected = [line for line in said.splitlines() if line.startswith(f"test_it{number}.py::")]
        counted = find_tests(text, "test_it.py")
        has_more = len(collected) > len(counted)
        assert has_more == any(uncounted_tests(texts(text), "test_it")), (text, collected)


def test_a_spec_with_such_a_test_is_refused_unless_it_names_those_that_count(tmp_path: Path) -> None:
    (tmp_path / "test_it.py").write_text("def test_a(): pass\n\nif 1:\n    def test_b(): pass\n")
    (tmp_path / "sample.yaml").write_text(HEAD + question("{pytest: test_it.py}"))
    with pytest.raises(SpecError, match=r"test_it\.py:4: pytest would run `test_b`"):
        load_task(tmp_path / "sample.yaml")
    (tmp_path / "sample.yaml").write_text(HEAD + question("{pytest: test_it.py, tests: test_a}"))
    assert len(load_task(tmp_path / "sample.yaml").questions[0].cases) == 1
