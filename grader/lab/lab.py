"""The bench on which the kinds of cases run the cases of one submission.

It knows the evidence of earlier runs, pays from the submission's budget, and tells when a case waits.
"""

from collections.abc import Iterator, Sequence
from contextlib import contextmanager

from grader.lab.boxes import Boxes
from grader.lab.evidence import EvidenceCache
from grader.lab.run_inputs import RunInputs
from grader.lab.tools import MarkingTools
from grader.lab.turn import CaseTurn
from grader.model.kinds import calls_of
from grader.model.outcome import Outcome
from grader.sandbox.budget import Budget
from grader.sandbox.evidence import Evidence

_WAITS_AFTER_S = 0.5
"""A submission whose last case mostly waited, for at least this long, is expected to go on waiting."""


class Lab:
    """The means by which a kind runs cases of one submission.

    inputs: what all submissions share.  boxes: this submission's.  tools: zygote, oracle, test cells.
    cache: has the evidence of earlier runs, and gets this run's.  budget: the submission's.
    """

    def __init__(
        self, inputs: RunInputs, boxes: Boxes, tools: MarkingTools, cache: EvidenceCache, budget: Budget
    ) -> None:
        self.inputs = inputs
        self.boxes = boxes
        self.tools = tools
        self.cache = cache
        self.budget = budget
        self._waited_s = 0.0
        self._sleeps = False
        """True if the next case will probably wait, so that another submission can begin at once."""

    @contextmanager
    def working(self) -> Iterator[None]:
        """Charge the budget for this thread, and report whether the case waits, while the context is open."""
        if self._sleeps:
            self.boxes.wait()
        # This thread decodes and answers the calls of callbacks.
        with self.budget.spending():
            yield
        if not self._sleeps:
            self.boxes.go_on()

    def note_waiting(self, found: Evidence) -> None:
        """Expect the next case to wait as well if this one mostly waited."""
        report = found.report
        self._waited_s += report.waited_s
        self._sleeps = self._waited_s >= _WAITS_AFTER_S and report.waited_s > report.cpu_s

    def counted(self, turn: CaseTurn, found: Evidence, *, is_sure: bool = True) -> Evidence | Outcome:
        """Keep the evidence of a case; return it, or the outcome of a case that the budget cut short.

        is_sure: all that the program asked was answered.
        """
        # Without budget a callback got no answer, so the case could not finish.
        if found.report.ending == "budget" or self.tools.oracle.lacked_budget:
            return self.boxes.skipped()
        if is_sure and not calls_of(turn.case).is_timed and self.inputs.conditions:
            self.cache.add(self.boxes.digest(turn), self.inputs.digests[turn.case.id], found)
        return found

    def forget(self, turns: Sequence[CaseTurn]) -> None:
        """Forget the evidence about cases."""
        for turn in turns:
            self.cache.forget(self.boxes.digest(turn), self.inputs.digests[turn.case.id])

    # -- evidence of earlier runs ------------------------------------------------------------------

    def known(self, turns: Sequence[CaseTurn]) -> Sequence[Evidence]:
        """Return the known evidence of the first cases, up to the first one that would end its box."""
        if self.cache.is_blank or not self.boxes.need_not_open(turns[0]):
            return ()
        known: list[Evidence] = []
        for turn in turns:
            found = self.find(turn)
            if found is None:
                break
            known.append(found)
            if found.report.ending != "answered":
                break
        return known

    def find(self, turn: CaseTurn) -> Evidence | None:
        """Return the known evidence about a case; None if its time is marked."""
        if calls_of(turn.case).is_timed:
            return None
        return self.cache.find(self.boxes.digest(turn), self.inputs.digests[turn.case.id])
