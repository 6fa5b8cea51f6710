"""A small spec to change one thing in: `load` gives its task, `faults` what is wrong with it."""

import shutil
from pathlib import Path
from textwrap import dedent, indent

import pytest

from grader.model.case import Case
from grader.model.errors import Fault, SpecError
from grader.model.task import Task
from grader.spec import load_task

DATA = Path(__file__).parents[2] / "data" / "spec"
HEAD = """\
task: small
title: Small
marks: 1
reference: reference
checkers: checkers.py
modules: {knight1: knight1.py, knight4: knight4.py}
"""
QUESTION = """\
questions:
  - id: "1"
    title: First
    module: knight1
    marks: 1
"""
CASE = "- {call: 'is_legal(8, [], (3, 4))', returns: true}"


class SmallSpec:
    """Writes specs that differ from a valid one in what a test is about."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self.path = folder / "small.yaml"

    def write(self, cases: str = CASE, head: str = "", question: str = "", text: str | None = None) -> Path:
        """Write the spec: some cases, and lines to add to the task or to the question."""
        if text is None:
            parts = (dedent(head), "\n", QUESTION, indent(dedent(question), "    "), "\n    cases:\n")
            text = HEAD + "".join(parts) + indent(dedent(cases), "      ")
        self.path.write_text(text, encoding="utf-8")
        return self.path

    def load(self, cases: str = CASE, head: str = "", question: str = "", text: str | None = None) -> Task:
        return load_task(self.write(cases, head, question, text))

    def case(self, cases: str, head: str = "", question: str = "") -> Case:
        """Return the last case of a valid spec."""
        return self.load(cases, head, question).cases[-1]

    def faults(
        self, cases: str = CASE, head: str = "", question: str = "", text: str | None = None
    ) -> list[Fault]:
        with pytest.raises(SpecError) as caught:
            self.load(cases, head, question, text)
        return list(caught.value.faults)

    def messages(self, cases: str = CASE, head: str = "", question: str = "") -> list[str]:
        return [fault.message for fault in self.faults(cases, head, question)]


@pytest.fixture
def spec(tmp_path: Path) -> SmallSpec:
    """A small spec in a folder with the fixture's reference and checkers."""
    shutil.copytree(DATA / "reference", tmp_path / "reference")
    shutil.copy(DATA / "checkers.py", tmp_path)
    return SmallSpec(tmp_path)


@pytest.fixture
def valid_text() -> str:
    """The fixture that uses every key."""
    return (DATA / "valid.yaml").read_text(encoding="utf-8")
