"""Which cases of a submission run next.

All public cases run first, then those that are shown after the deadline, then the hidden ones.  So when a
hidden case runs, nothing is left to run whose output the student sees.  Within each of these three, the
order is that of the spec, but for two things: a case waits for those that it needs, and cases that can use
the box at hand come before others, since each box has to import the module anew.
"""

from collections.abc import Collection, Hashable, Sequence
from dataclasses import dataclass
from typing import TypeAlias

from grader.model.case import Case, Visibility
from grader.model.task import Question, Task

_ORDER = sorted(Visibility, key=lambda visibility: visibility.turn)

BoxKey: TypeAlias = tuple[Hashable, ...]
"""What cases have in common that run in one box."""


@dataclass(frozen=True, slots=True)
class Turn:
    """A case with the question that it belongs to, and the key of its box."""

    question: Question
    case: Case
    key: BoxKey


def turns_of(task: Task) -> tuple[Turn, ...]:
    """Return the cases of a task that run something, in the order of the spec."""
    return tuple(
        Turn(question, case, _box_key(question, case))
        for question in task.questions
        for case in question.cases
        if case.rule is None
    )


def _box_key(question: Question, case: Case) -> BoxKey:
    """Return what a case has in common with the others that run in its box.

    Visibility is part of it: no process that has seen the input of a hidden case runs a public one.
    """
    program = case.program.module if case.program is not None else ""
    return question.module, question.beside, case.limits.memory_b, case.visibility, program


class CaseQueue:
    """The cases of a submission that have no result yet.

    done: ids of cases whose results are settled before anything runs.
    """

    def __init__(self, turns: Sequence[Turn], done: Collection[str] = ()) -> None:
        left = [turn for turn in turns if turn.case.id not in done]
        self._waiting = [[turn for turn in left if turn.case.visibility is shown] for shown in _ORDER]

    def take(self, open_box: BoxKey | None) -> Sequence[Turn]:
        """Take out cases that can run now in one box, one after another; none at the end.

        None of them needs another of them.  A case whose time is compared stands alone and comes after the
        others of its box, which has to be closed for it.  open_box: the key of the box at hand, if there is
        one.
        """
        for place, waiting in enumerate(self._waiting):
            if waiting:
                taken = _together(waiting, open_box)
                ids = {turn.case.id for turn in taken}
                self._waiting[place] = [turn for turn in waiting if turn.case.id not in ids]
                return taken
        return ()


def _together(waiting: Sequence[Turn], open_box: BoxKey | None) -> Sequence[Turn]:
    unsettled = {turn.case.id for turn in waiting}
    ready = [turn for turn in waiting if unsettled.isdisjoint(turn.case.needs)] or waiting[:1]
    here = [turn for turn in ready if turn.key == open_box]
    same = here or [turn for turn in ready if turn.key == ready[0].key]
    untimed = [turn for turn in same if turn.case.pace is None]
    return untimed or same[:1]
