"""Running the cases of one submission: what is known from an earlier run is not run again.

Returns evidence; judging and marking happen elsewhere.
"""

from collections.abc import Iterator, Sequence
from contextlib import contextmanager

from grader.engine.cache.evidence import EvidenceBook
from grader.engine.submission.boxes import Boxes
from grader.engine.submission.case_queue import Turn
from grader.engine.submission.prepared import Prepared
from grader.engine.submission.programs import told
from grader.engine.submission.tools import Workplace
from grader.model.case import Case
from grader.model.limits import Limits, allowed
from grader.model.outcome import Outcome
from grader.sandbox.box import Box, Job
from grader.sandbox.budget import Budget
from grader.sandbox.evidence import Evidence, watched_call_of

_WAITS_AFTER_S = 0.5
"""After so much waiting, a submission whose last case did little but wait is taken to go on like that."""


class CaseRuns:
    """Runs cases in the box of a submission.

    book: the evidence of earlier runs, which gets this run's.
    """

    def __init__(
        self, prepared: Prepared, boxes: Boxes, workplace: Workplace, book: EvidenceBook, budget: Budget
    ) -> None:
        self._prepared = prepared
        self._boxes = boxes
        self._workplace = workplace
        self._book = book
        self._budget = budget
        self._waited_s = 0.0
        self._sleeps = False
        """Whether the next case will probably wait: then another submission is begun before that is seen."""

    def gather(self, turns: Sequence[Turn]) -> Sequence[Outcome | Evidence]:
        """Return what comes of the first of some cases that share a box, of one at least.

        Raises `SandboxFailure`.
        """
        known = self._known(turns)
        if known:
            for one in known:
                self._budget.charge(one.report)
            return known
        box = self._boxes.box(turns[0])
        if isinstance(box, Outcome):
            return [box] * len(turns)
        # A student's box takes one case at a time, and what the next may use depends on this one.
        return [self._run(box, turns[0])]

    def _run(self, box: Box, turn: Turn) -> Outcome | Evidence:
        job = self._job(turn.case)
        with self._working():
            (found,) = box.gather([job])
            self._note_waiting(found)
        return self._counted(turn, found, job.limits)

    @contextmanager
    def _working(self) -> Iterator[None]:
        """While the context is open, something runs in the box, and may wait."""
        if self._sleeps:
            self._boxes.wait()
        # What callbacks are asked is decoded and answered in this thread.
        with self._budget.spending():
            yield
        if not self._sleeps:
            self._boxes.go_on()

    def _note_waiting(self, found: Evidence) -> None:
        report = found.report
        self._waited_s += report.waited_s
        self._sleeps = self._waited_s >= _WAITS_AFTER_S and report.waited_s > report.cpu_s

    def run_program(self, turn: Turn) -> Outcome:
        """Return what comes of a case with a program.  Raises `SandboxFailure`."""
        case = turn.case
        expected = self._prepared.expectations.get(case.id)
        reference = expected.outcome if expected is not None else None
        programs = self._boxes.programs(turn)
        conversation = programs.conversation(case, reference)
        known = None if self._book.is_blank else self._find(turn)
        if known is None:
            limits = self._budget.within(allowed(case.limits))
            with self._working():
                found = programs.gather(case, limits, conversation)
                if isinstance(found, Evidence):
                    self._note_waiting(found)
            if isinstance(found, Outcome):
                return found
            counted = self._counted(turn, found, limits)
            return told(counted, conversation) if isinstance(counted, Evidence) else counted
        self._budget.charge(known.report)
        if conversation is not None:
            # It is given the same lines again, and so the record of the dialogue is made anew.
            for call in known.calls:
                conversation(watched_call_of(call))
        return told(known, conversation)

    def _job(self, case: Case) -> Job:
        limits = self._budget.within(allowed(case.limits))
        return Job(self._prepared.requests[case.id], limits, self._workplace.oracle.answerer(case))

    def _counted(self, turn: Turn, found: Evidence, limits: Limits) -> Evidence | Outcome:
        """Draw what a case cost from the budget; return its evidence, or that the budget did not reach.

        limits: those under which it ran.
        """
        self._budget.charge(found.report)
        full = allowed(turn.case.limits)
        ending = found.report.ending
        if (ending == "time" and limits.time_s < full.time_s) or (
            ending == "wall" and limits.wall_s < full.wall_s
        ):
            return self._boxes.skipped()
        if self._workplace.oracle.lacked_budget:
            # A callback had no answer any more, so the case could not be finished.
            return self._boxes.skipped()
        if turn.case.pace is None and self._prepared.conditions:
            self._book.add(self._boxes.digest(turn), self._prepared.digests[turn.case.id], found)
        return found

    # -- what is known -----------------------------------------------------------------------------

    def _known(self, turns: Sequence[Turn]) -> Sequence[Evidence]:
        """Return the evidence of the first cases, as far as it is known and as one box would give it."""
        if self._book.is_blank or not self._boxes.need_not_open(turns[0]):
            return ()
        known: list[Evidence] = []
        for turn in turns:
            found = self._find(turn)
            if found is None:
                break
            known.append(found)
            if found.report.ending != "answered":
                break
        return known

    def _find(self, turn: Turn) -> Evidence | None:
        """Return what is known about a case.  A time that is marked is evidence of its moment alone."""
        if turn.case.pace is not None:
            return None
        return self._book.find(self._boxes.digest(turn), self._prepared.digests[turn.case.id])
