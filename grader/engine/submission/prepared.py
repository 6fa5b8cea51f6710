"""What is worked out once for all submissions of a task, before the first of them is run."""

from collections.abc import Iterable
from dataclasses import dataclass
from typing import TypeAlias

from grader.engine.cache.evidence import case_digest
from grader.engine.cache.requests import captured_modules, needs_reference, request_of
from grader.engine.submission.case_queue import Turn, turns_of
from grader.engine.submission.oracle import Oracle
from grader.judge.judge import Expected
from grader.model.case import Case
from grader.model.limits import allowed
from grader.model.outcome import Outcome
from grader.model.task import Task

Expectations: TypeAlias = dict[str, Expected]
"""The reference's answers, by case."""


@dataclass(frozen=True, slots=True)
class Prepared:
    """A task, and what every submission needs of it.

    expectations: the reference's answers, by case.
    conditions: digest of all that the evidence of every case depends on; see `reuse.conditions_key`.
    requests: the calls as a box reads them, by case.
    digests: those of what each case asks of a box.
    captured: the modules of which some case says what is printed.
    longest_s: the most CPU time that any case may take, with the grace.
    turns: the cases that run something, in the order of the spec.
    """

    task: Task
    conditions: str
    expectations: Expectations
    requests: dict[str, bytes]
    digests: dict[str, bytes]
    captured: frozenset[str]
    longest_s: float
    turns: tuple[Turn, ...]


def prepared(task: Task, expectations: Expectations, conditions: str = "") -> Prepared:
    """Work out what every submission needs.

    expectations: what `ask_reference` returned.  conditions: empty where no evidence is kept.
    """
    requests = {case.id: request_of(task, case) for case in task.cases}
    return Prepared(
        task,
        conditions,
        expectations,
        requests,
        {
            case.id: case_digest(task, case, requests[case.id], _done(expectations.get(case.id)))
            for case in task.cases
        },
        captured_modules(task),
        max(allowed(case.limits).time_s for case in task.cases),
        turns_of(task),
    )


def _done(expected: Expected | None) -> Outcome | None:
    return expected.outcome if expected is not None else None


def ask_reference(task: Task, oracle: Oracle) -> Expectations:
    """Ask the reference once for everything that is expected of all submissions."""
    return {
        case.id: oracle.expected(case, question.module)
        for question in task.questions
        for case in _asking_reference(question.cases)
    }


def asks_reference(task: Task) -> bool:
    """Whether any case needs the reference's answer."""
    return bool(_asking_reference(task.cases))


def _asking_reference(cases: Iterable[Case]) -> list[Case]:
    return [case for case in cases if needs_reference(case)]
