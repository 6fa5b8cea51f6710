"""The inputs that all submissions of a task share, prepared once before the first of them runs."""

from dataclasses import dataclass
from typing import TypeAlias

from grader.judge.judge import Expected
from grader.lab.evidence import case_digest
from grader.lab.oracle import Oracle
from grader.lab.requests import captured_modules, needs_reference, request_of
from grader.lab.turn import CaseTurn, turns_of
from grader.model.kinds import calls_of, kind_of
from grader.model.limits import allowed
from grader.model.outcome import Outcome
from grader.model.task import Task

Expectations: TypeAlias = dict[str, Expected]
"""The reference's answers, by case."""


@dataclass(frozen=True, slots=True)
class RunInputs:
    """A task, and the data about it that every submission needs.

    conditions: see `grader.engine.cache.keys.conditions_key`.
    expectations: the reference's answers, by case.
    requests: the encoded calls for a box, by case.
    digests: the digest of each case's request to a box, by case.
    captured: the modules whose printed text some case judges.
    longest_s: the largest CPU limit of the cases, with the grace; 0 without a case.
    beside: the modules that are not the submission's, by case.
    turns: the cases that run code, in the order of the spec.
    """

    task: Task
    conditions: str
    expectations: Expectations
    requests: dict[str, bytes]
    digests: dict[str, bytes]
    captured: frozenset[str]
    longest_s: float
    turns: tuple[CaseTurn, ...]
    beside: dict[str, tuple[str, ...]]


def run_inputs(task: Task, expectations: Expectations, conditions: str = "") -> RunInputs:
    """Return the inputs that all submissions share.

    expectations: the result of `ask_reference`.  conditions: empty if no evidence is kept.
    """
    requests = {case.id: request_of(task, case) for case in task.cases}
    return RunInputs(
        task,
        conditions,
        expectations,
        requests,
        {
            case.id: case_digest(task, case, requests[case.id], _reference_outcome(expectations.get(case.id)))
            for case in task.cases
        },
        captured_modules(task),
        max((allowed(case.limits).time_s for case in task.cases), default=0.0),
        turns_of(task),
        {
            case.id: (*each.beside, *((harness.module,) if (harness := calls_of(case).harness) else ()))
            for each in task.questions
            for case in each.cases
        },
    )


def _reference_outcome(expected: Expected | None) -> Outcome | None:
    return expected.outcome if expected is not None else None


def ask_reference(task: Task, oracle: Oracle) -> Expectations:
    return {
        asked.id: oracle.expected(asked, question.module)
        for question in task.questions
        for case in question.cases
        if needs_reference(case)
        for asked in (case, *kind_of(case).repeats(case))
    }


def asks_reference(task: Task) -> bool:
    return any(map(needs_reference, task.cases))
