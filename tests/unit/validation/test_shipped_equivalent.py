"""What our own specs say of equivalent mutants is about mutants and questions that there are."""

import sys
from pathlib import Path

import pytest

from grader.plugins.validate.checks.equivalent import FILE, read_equivalent
from grader.plugins.validate.mutants import mutants_of
from grader.spec import load_task

SPECS = Path(__file__).parents[3] / "specs"
FILES = sorted(SPECS.rglob(FILE))


def test_there_are_such_files() -> None:
    assert len(FILES) >= 6


@pytest.mark.parametrize("file", FILES, ids=lambda file: file.parent.name)
def test_each_entry_names_a_mutant_and_a_question(file: Path) -> None:
    task = load_task(file.parent.with_suffix(".yaml"))
    ids = {mutant.id for mutant in mutants_of(task, sys.maxsize)}
    caught: dict[str, set[str]] = {question.id: set() for question in task.questions}
    assert [remark.text for remark in read_equivalent(task).wrong(ids, caught)] == []
