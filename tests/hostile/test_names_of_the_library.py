"""Files of a submission that are called like modules of Python's: what runs, and what rules say of it."""

import subprocess
import sys
from pathlib import Path

import pytest
from support.command_line import COMMAND, results, run

SPEC = """
task: sorted
title: Sorted
marks: 3
modules: {work: work.py, main: main.py}
questions:
  - id: "1"
    title: Two
    module: work
    marks: 3
    award: each
    cases:
      - {call: "two([3, 1])", returns: "[1, 3]"}
      - {program: main, stdin: "3 1\\n", stdout: "[1, 3]\\n"}
      - LAST
"""
WORK = """
import {name}
def two(xs):
    return {name}.both(xs)
"""
MAIN = """
from {name} import both
print(both([int(each) for each in input().split()]))
"""
OWN = "def both(xs): return [min(xs), max(xs)]\n"


def marked(folder: Path, files: dict[str, str], last: str) -> dict[str, str]:
    """Return the verdict and the message of each case, by its id."""
    (folder / "spec.yaml").write_text(SPEC.replace("LAST", last))
    work = folder / "batch" / "student-01"
    work.mkdir(parents=True)
    for name, text in files.items():
        (work / name).write_text(text)
    done = run([COMMAND, "mark", folder / "spec.yaml", folder / "batch", "-o", folder / "out", "-q"])
    assert done.returncode == 0, done.stderr
    (submission,) = results(folder / "out")["submissions"]
    return {
        case["id"]: f"{case['verdict']} {case['message']}".strip()
        for question in submission["questions"]
        for case in question["cases"]
    }


@pytest.mark.parametrize("name", ["queue", "calendar", "test", "random", "statistics"])
def test_a_helper_of_that_name_is_what_its_program_finds(tmp_path: Path, name: str) -> None:
    """As where Python runs it in its folder."""
    files = {"work.py": WORK.format(name=name), "main.py": MAIN.format(name=name), f"{name}.py": OWN}
    found = marked(tmp_path, files, "{call: 'two([2, 2])', returns: '[2, 2]'}")
    assert found == {"1.1": "accepted", "1.2": "accepted", "1.3": "accepted"}
    folder = tmp_path / "batch" / "student-01"
    done = subprocess.run(
        [sys.executable, "main.py"], cwd=folder, input="3 1\n", capture_output=True, text=True, check=True
    )
    assert done.stdout == "[1, 3]\n"


@pytest.mark.parametrize("name", ["re", "copy", "functools", "queue"])
def test_an_empty_file_of_that_name_hides_no_import(tmp_path: Path, name: str) -> None:
    """Its import may be of the submission's own, or of the library's where that is loaded: a person looks."""
    files = {"work.py": f"import {name}\ndef two(xs): return sorted(xs)\n", "main.py": "", f"{name}.py": ""}
    found = marked(tmp_path, files, "rule: {allowed imports: {names: [math]}}")
    assert f"work.py: not decidable here: imports `{name}`, as both {name}.py and" in found["1.3"]


def test_help_is_there(tmp_path: Path) -> None:
    """Beginners leave a line of it in their file."""
    text = "def two(xs):\n    'Sort two.'\n    return sorted(xs)\nhelp(two)\n"
    files = {"work.py": text, "main.py": "help(len)\nprint(sorted([3, 1]))\n"}
    found = marked(tmp_path, files, "{program: main, stdout: {contains: 'Return the number of items'}}")
    assert found["1.1"] == "accepted"
    assert found["1.3"].startswith("accepted")
