"""Tests that start programs, converted: what comes of programs by them, also of those that mean harm."""

from pathlib import Path

import pytest
from support.marking import mark

from grader.model.results import CaseResult
from grader.plugins.convert import read_tests, written

TESTS = """
import subprocess
import sys
import unittest

class TestSum(unittest.TestCase):
    def test_sum(self):
        done = subprocess.run(
            [sys.executable, "work.py", "-q"], input="1 2\\n", capture_output=True, text=True, timeout=0.5
        )
        self.assertEqual(done.stdout.splitlines(), ["Sum:", "3"])
        self.assertEqual(done.returncode, 0)
"""
RIGHT = "print('Sum:')\nprint(sum(map(int, input().split())))\n"


def judged(folder: Path, work: str) -> CaseResult:
    """Convert the tests, and mark a program by them."""
    (folder / "test_sum.py").write_text(TESTS)
    written(read_tests(folder / "test_sum.py", "pytest", "work"), folder / "spec.yaml", "p", "pytest")
    questions = (folder / "spec.yaml").read_text().partition("\nquestions:")[2]
    checkers = (folder / "spec_checkers.py").read_text()
    return mark(folder, f"questions:{questions}", work, checkers=checkers).questions[0].cases[0]


@pytest.mark.parametrize(
    ("work", "verdict", "message"),
    [
        (RIGHT, "accepted", ""),
        (RIGHT.replace("sum(", "max("), "wrong-answer", "['Sum:', '2'] != ['Sum:', '3']"),
        (f"{RIGHT}raise SystemExit(4)\n", "wrong-answer", "4 != 0"),
        ("import os\nos.write(1, b'Sum:\\n3\\xff\\n')\n", "wrong-answer", "UnicodeDecodeError"),
        (
            "for number in range(90_000):\n    print('Sum:', number)\n",
            "wrong-answer",
            "999'] != ['Sum:', '3']",
        ),
        pytest.param("while True:\n    pass\n", "time-limit", "", marks=pytest.mark.acceptance),
    ],
)
def test_what_comes_of_it(tmp_path: Path, work: str, verdict: str, message: str) -> None:
    case = judged(tmp_path, work)
    assert case.verdict == verdict
    assert message in case.message
    assert len(case.message) < 5_000
