"""Whole numbers that are expected where other answers of the same function are floats."""

from pathlib import Path

import pytest

from grader.plugins.validate.checks.numbers import number_remarks
from grader.spec import load_task

SPEC = """task: mean
title: Mean
marks: 2
reference: ref
modules: {mean: mean.py}
questions:
  - id: "1"
    title: mean
    marks: 2
    cases:
      - {call: "mean([1, 3])", returns: 2}
      - {call: "mean([1, 2])", returns: 1.5}
      - {call: "mean([0, 1])", returns: same as reference}
      - {call: "size([1, 2])", returns: 2}
"""
ANSWERS = {"1.1": "2", "1.2": "1.5", "1.3": "5e-1", "1.4": "2"}


def remarks(folder: Path, spec: str, answers: dict[str, str]) -> list[tuple[str, str]]:
    (folder / "ref").mkdir()
    text = "def mean(numbers):\n    return 0\n\n\ndef size(numbers):\n    return 0\n"
    (folder / "ref" / "mean.py").write_text(text)
    (folder / "mean.yaml").write_text(spec)
    passed = {case: {"actual": text} for case, text in answers.items()}
    return [(each.case, each.text) for each in number_remarks(load_task(folder / "mean.yaml"), passed)]


def test_a_whole_number_among_floats_is_told(tmp_path: Path) -> None:
    told = "2 is right here and 2.0 is wrong; 2 other answers of `mean` are floats"
    assert remarks(tmp_path, SPEC, ANSWERS) == [("1.1", told)]


@pytest.mark.parametrize(
    ("old", "new"),
    [
        (
            'returns: 2}\n      - {call: "mean([1, 2])',
            'returns: 2, equality: python}\n      - {call: "mean([1, 2])',
        ),
        ("modules:", "equality: python\nmodules:"),
        ("returns: 2}", "returns: 2, rel: 1e-9}"),
    ],
)
def test_not_where_both_are_right(tmp_path: Path, old: str, new: str) -> None:
    assert remarks(tmp_path, SPEC.replace(old, new), ANSWERS) == []


def test_not_where_all_answers_are_of_one_type(tmp_path: Path) -> None:
    assert remarks(tmp_path, SPEC, ANSWERS | {"1.1": "2.0"}) == []


def test_not_where_an_answer_is_no_number_or_not_passed(tmp_path: Path) -> None:
    assert remarks(tmp_path, SPEC, {"1.1": "2", "1.2": "[1.5]", "1.3": "'1.5'"}) == []
