"""`equality` of a task: when values are equal in all cases that do not say it themselves."""

from pathlib import Path

import pytest
from support.command_line import grader, results

SPEC = """task: mean
title: Mean
marks: 6
reference: ref
modules: {mean: mean.py}
EQUALITY
questions:
  - id: "1"
    title: mean
    marks: 6
    award: each
    cases:
      - {call: "mean([1, 3])", returns: 2}
      - {call: "mean([2, 4])", returns: same as reference}
      - {call: "mean([2, 2])", returns: 2, equality: types}
      - {call: "mean([1, 5])", returns: 3, rel: 1e-9}
      - scenario:
          - {call: "mean([4, 6])", returns: 5}
      - {each: "mean([x, x])", over: {x: "[1, 2]"}, returns: [1, 2]}
"""
REFERENCE = "def mean(numbers):\n    return sum(numbers) // len(numbers)\n"
PYTHON, TYPES = "equality: python", "equality: types"


def verdicts(folder: Path, equality: str) -> str:
    """Mark a work that gives floats, and return a + for each case that it passes."""
    (folder / "ref").mkdir(parents=True)
    (folder / "ref" / "mean.py").write_text(REFERENCE)
    (folder / "in" / "student-01").mkdir(parents=True)
    (folder / "in" / "student-01" / "mean.py").write_text(REFERENCE.replace("//", "/"))
    spec = folder / "mean.yaml"
    spec.write_text(SPEC.replace("EQUALITY\n", f"{equality}\n" if equality else ""))
    done = grader("mark", spec, folder / "in", "-o", folder / "out", "-q")
    assert done.returncode == 0, done.stderr
    cases = results(folder / "out")["submissions"][0]["questions"][0]["cases"]
    return "".join("+" if case["verdict"] == "accepted" else "-" for case in cases)


@pytest.mark.parametrize(("equality", "expected"), [("", "---+--"), (TYPES, "---+--"), (PYTHON, "++-+++")])
def test_it_holds_for_every_way_to_ask(tmp_path: Path, equality: str, expected: str) -> None:
    assert verdicts(tmp_path, equality) == expected


def test_a_handout_gives_the_same_verdicts(tmp_path: Path) -> None:
    assert verdicts(tmp_path / "task", PYTHON) == "++-+++"
    done = grader("bundle", tmp_path / "task" / "mean.yaml", "-o", tmp_path / "handout")
    assert done.returncode == 0, done.stderr
    (tmp_path / "handout" / "mean.py").write_text(REFERENCE.replace("//", "/"))
    checked = grader("check", cwd=tmp_path / "handout")
    assert "5 of 6" in checked.stdout, checked.stdout
