"""Chooses the cases that students get, and writes the reference's answers into them."""

from collections.abc import Iterator
from dataclasses import dataclass, replace

from grader.engine.self_check import with_cases
from grader.judge.answers import NotCombinable
from grader.judge.finding import Expected, OwnFault
from grader.kinds.kind import Unfit
from grader.lab.requests import needs_reference
from grader.model import case as model
from grader.model.kinds import kind_of
from grader.model.task import Award, Question, Task

_BESIDE = "modules of the reference stand beside the submission"
_CHECKED = "a checker decides about it, and could give an answer away (see --with-checkers)"


@dataclass(frozen=True, slots=True)
class LeftOut:
    """A public case that the handout lacks, and the reason."""

    case: str
    reason: str


def public_cases(task: Task, with_checkers: bool) -> tuple[Task, list[LeftOut]]:
    """Return the task with the public cases that students can run, and the other public ones."""
    left_out: list[LeftOut] = []
    kept: set[str] = set()
    for question in task.questions:
        for case in question.cases:
            if case.visibility is not model.Visibility.PUBLIC:
                continue
            reason = _reason(question, case, with_checkers) or _unmet_need(case, left_out)
            if reason:
                left_out.append(LeftOut(case.id, reason))
            else:
                kept.add(case.id)
    return with_cases(task, lambda case: case.id in kept), left_out


def _reason(question: Question, case: model.Case, with_checkers: bool) -> str:
    stays = kind_of(case).stays(case)
    if stays or question.beside:
        return stays or _BESIDE
    return _CHECKED if uses_checkers(case) and not with_checkers else ""


def _unmet_need(case: model.Case, left_out: list[LeftOut]) -> str:
    missing = {one.case for one in left_out}
    return next((f"it needs case {need}, which is left out" for need in case.needs if need in missing), "")


def uses_checkers(case: model.Case) -> bool:
    return any(checker_functions(case))


def checker_functions(case: model.Case) -> Iterator[str]:
    """Yield the functions of the checkers file that decide about a case, or that play a part in it."""
    for expect in kind_of(case).expectations(case):
        if isinstance(expect, model.Check):
            yield expect.checker
    yield from kind_of(case).players(case)


def stripped(task: Task, case: model.Case, expected: Expected | None) -> model.Case:
    """Return a case as students get it: answers written out, nothing that is for the staff.

    expected: the reference's answers, if the case asks for them.  Raises `Unfit`.
    """
    case = kind_of(case).public(replace(case, group=""))
    if not needs_reference(case):
        return case
    try:
        return kind_of(case).answered(case, expected, task.types)
    except (OwnFault, NotCombinable) as reason:
        raise Unfit(f"the reference gives no answer to it ({reason})") from None


def award_for_students(question: Question) -> Award:
    """Return how a question is marked, as far as it changes which of its cases run."""
    return Award.ALL if question.award is Award.ALL else Award.EACH
