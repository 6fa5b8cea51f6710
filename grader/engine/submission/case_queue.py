"""The order in which the cases of a submission run.

All public cases run first, then those that are shown after the deadline, then the hidden ones.  So once a
hidden case has run, no case runs whose output the student sees.  Each of the three groups runs in the order
of the spec, with two exceptions.  A case waits for the cases that it needs.  Cases that can use the open box
come before others, because each box imports the module again.
"""

from collections.abc import Collection, Sequence

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

        None of them needs another of them.  A case whose time is compared stands alone and comes after the
        others of its box, because the box is closed for it.  open_box: the key of the open box, if any.
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
    ready = [turn for turn in waiting if unsettled.isdisjoint(turn.case.needs)] or waiting[:1]
    here = [turn for turn in ready if turn.key == open_box]
    same = here or [turn for turn in ready if turn.key == ready[0].key]
    untimed = [turn for turn in same if not calls_of(turn.case).is_timed]
    return untimed or same[:1]
