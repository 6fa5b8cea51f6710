"""The cases of a task that run something, each with the key of its box."""

from collections.abc import Hashable
from dataclasses import dataclass
from typing import TypeAlias

from grader.model.case import Case
from grader.model.kinds import kind_of
from grader.model.task import Question, Task

BoxKey: TypeAlias = tuple[Hashable, ...]
"""Equal for the cases that run in one box."""


@dataclass(frozen=True, slots=True)
class CaseTurn:
    """A case with its question, and the key of its box."""

    question: Question
    case: Case
    key: BoxKey


def turns_of(task: Task) -> tuple[CaseTurn, ...]:
    """Return the cases of a task that run something, in the order of the spec."""
    return tuple(
        CaseTurn(question, case, _box_key(question, case))
        for question in task.questions
        for case in question.cases
        if kind_of(case).runs
    )


def _box_key(question: Question, case: Case) -> BoxKey:
    """Return the key of a case's box.

    Visibility is a part of it, so that no process with a hidden case's input runs a public case.  Cases of
    one kind run together, so each sort of run sees cases of its own alone.
    """
    kind = kind_of(case)
    shared = kind.name, kind.box(case)
    return question.module, question.beside, case.limits.memory_b, case.visibility, shared, case.seed
