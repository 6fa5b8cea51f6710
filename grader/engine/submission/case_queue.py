"""The order in which the cases of a submission run.

All public cases run first, then those that are shown after the deadline, then the hidden ones.  So once a
hidden case has run, no case runs whose output the student sees.  Each of the three groups runs in the order
of the spec, with one exception: cases that can use the open box come before others, because each box imports
the module again.  Among the cases of one box the order is the spec's, whatever they need and whether their
time is compared: after so many timeouts, or at the end of the budget, the order decides about marks.
"""

from collections.abc import Collection, Sequence
from itertools import dropwhile, takewhile

from grader.lab.turn import BoxKey, CaseTurn
from grader.model.case import Visibility
from grader.model.kinds import calls_of

_ORDER = sorted(Visibility, key=lambda visibility: visibility.turn)


class CaseQueue:
    """The cases of a submission that have no result yet.  done: ids of cases that need not run."""

    def __init__(self, turns: Sequence[CaseTurn], done: Collection[str] = ()) -> None:
        left = [turn for turn in turns if turn.case.id not in done]
        self._waiting = [[turn for turn in left if turn.case.visibility is shown] for shown in _ORDER]

    def take(self, open_box: BoxKey | None) -> Sequence[CaseTurn]:
        """Remove and return cases that can run now in one box, one after another; none at the end.

        None of them needs another of them.  A case whose time is compared stands alone, because the box is
        closed for it.  open_box: the key of the open box, if any.
        """
        for place, waiting in enumerate(self._waiting):
            if waiting:
                taken = _together(waiting, open_box)
                ids = {turn.case.id for turn in taken}
                self._waiting[place] = [turn for turn in waiting if turn.case.id not in ids]
                return taken
        return ()


def _together(waiting: Sequence[CaseTurn], open_box: BoxKey | None) -> Sequence[CaseTurn]:
    unsettled = {turn.case.id for turn in waiting}
    by_box: dict[BoxKey, list[CaseTurn]] = {}
    for turn in waiting:
        by_box.setdefault(turn.key, []).append(turn)
    boxes = [by_box[open_box]] if open_box in by_box else []
    heads = [turns[0] for turns in (*boxes, *by_box.values())]
    # A box whose first case waits is left for later, if any other can go on.
    ready = (turn for turn in (*heads, *waiting) if unsettled.isdisjoint(turn.case.needs))
    first = next(ready, waiting[0])
    same = dropwhile(lambda turn: turn is not first, by_box[first.key])
    return list(takewhile(lambda turn: _goes_with_others(turn, unsettled), same)) or [first]


def _goes_with_others(turn: CaseTurn, unsettled: Collection[str]) -> bool:
    """Tell whether a case can run in a box together with others, of which none has run yet."""
    return not calls_of(turn.case).is_timed and not any(each in unsettled for each in turn.case.needs)
