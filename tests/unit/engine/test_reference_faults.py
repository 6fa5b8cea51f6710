"""The faults that are read from the reference's results, where a run cannot bring them about at will."""

from dataclasses import replace
from pathlib import Path

import pytest

from grader.engine.proof.faults import faults_of
from grader.engine.proof.marking import ReferenceMarks
from grader.model.results import CaseResult, StepResult
from grader.model.task import Task
from grader.model.verdict import Verdict
from grader.spec import load_task

SPEC = """\
task: t
title: T
marks: 1
modules: {t: t.py}
budget: 30s
questions:
  - {id: "1", title: One, marks: 1, cases: [{call: "f(1)", returns: 1}, {call: "f(2)", returns: 2}]}
"""


@pytest.fixture
def task(tmp_path: Path) -> Task:
    path = tmp_path / "t.yaml"
    path.write_text(SPEC)
    return load_task(path)


def messages(task: Task, *results: CaseResult) -> list[str]:
    marks = ReferenceMarks({case.id: result for case, result in zip(task.cases, results, strict=True)})
    return [fault.message for fault in faults_of(task, marks)]


def case(verdict: Verdict = Verdict.ACCEPTED, cpu_s: float = 1.0, message: str = "") -> CaseResult:
    return CaseResult(id="", call="", verdict=verdict, cpu_s=cpu_s, message=message)


def test_a_reference_that_passes_has_none(task: Task) -> None:
    assert messages(task, case(), case()) == []


def test_more_time_than_a_submission_has_is_one(task: Task) -> None:
    assert messages(task, case(cpu_s=16.0), case(cpu_s=16.0)) == [
        "the reference needs 32 s of computing; a submission may use 30 s"
    ]


def test_a_case_near_its_limit_is_none(task: Task) -> None:
    assert messages(task, case(cpu_s=1.99), case()) == []


def test_a_sandbox_that_fails_is_no_fault_of_the_spec(task: Task) -> None:
    failed = case(Verdict.INTERNAL_ERROR, message="the case could not be run (a program with files needs …)")
    assert messages(task, failed, case()) == []


def test_steps_that_are_not_of_the_spec_are_told_as_one(task: Task) -> None:
    """The programs that tests are tried on, for one: the right ones and the wrong ones."""
    steps = tuple(
        StepResult(text=f"right program {number}", verdict=Verdict.WRONG_ANSWER, message="refused")
        for number in (1, 2)
    )
    refused = replace(case(Verdict.WRONG_ANSWER, message="the tests refuse right program 1"), steps=steps)
    assert messages(task, case(), refused) == [
        "the reference does not pass 1.2: the tests refuse right program 1"
    ]


def test_one_cause_is_one_fault(task: Task) -> None:
    failed = case(Verdict.LOAD_ERROR, message="importing the module raised ImportError")
    assert messages(task, failed, failed) == [
        "the reference cannot be loaded: importing the module raised ImportError (and in 1 more case)"
    ]
