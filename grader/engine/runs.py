"""Running the cases of one submission: what is known is not run again, what was near its limit is.

What comes of a case is evidence or an outcome; what it is worth is not known here.
"""

from collections.abc import Sequence

from grader.engine.boxes import Boxes
from grader.engine.evidence_book import EvidenceBook
from grader.engine.oracle import Oracle
from grader.engine.overtime import MORE_RUNS, as_met, is_near, outcome_as_met, with_grace
from grader.engine.prepared import Prepared
from grader.model.outcome import Ending, Outcome
from grader.model.task import Case, Question
from grader.sandbox.box import Box, Job
from grader.sandbox.evidence import Evidence


class Runs:
    """Runs cases in the boxes of one submission.

    book: the evidence of earlier runs, which gets this run's.
    alone: nothing else of ours runs, so what is near its time limit is tried again at once.
    """

    def __init__(
        self, prepared: Prepared, boxes: Boxes, oracle: Oracle, book: EvidenceBook, *, alone: bool
    ) -> None:
        self._prepared = prepared
        self._boxes = boxes
        self._oracle = oracle
        self._book = book
        self._alone = alone
        self.near_limit = False
        """Whether a case was near its time limit and is to be tried again alone."""

    def gather(self, question: Question, cases: Sequence[Case]) -> Sequence[Outcome | Evidence]:
        """Return what comes of the first of some cases that share a box, of one at least.

        Raises `SandboxFailure`.
        """
        known = self._known(question, cases)
        if known:
            return known
        box = self._boxes.box(question, cases[0])
        if isinstance(box, Outcome):
            return [box] * len(cases)
        weighed: list[Evidence] = []
        found = box.gather([self._job(case) for case in self._until_known(question, cases)])
        for case, one in zip(cases, found, strict=False):
            weighed.append(self._weighed(question, case, box, one))
            if weighed[-1].report.ending != "answered":
                break
        return weighed

    def run_program(self, question: Question, case: Case) -> Outcome:
        """Return what comes of a case with a program.  Raises `SandboxFailure`."""
        expected = self._prepared.expectations.get(case.id)
        reference = expected.outcome if expected is not None else None
        programs, limits = self._boxes.programs(question), case.limits
        outcome = programs.run(case, reference, with_grace(limits))
        tries = 0
        while is_near(outcome.cpu_s, outcome.ending, limits) and self._alone and tries < MORE_RUNS:
            outcome = programs.run(case, reference, with_grace(limits))
            tries += 1
        if not is_near(outcome.cpu_s, outcome.ending, limits):
            return outcome
        self.near_limit = not self._alone
        return outcome_as_met(outcome)

    def _job(self, case: Case) -> Job:
        return Job(self._prepared.requests[case.id], with_grace(case.limits), self._oracle.answerer(case))

    # -- near a time limit -------------------------------------------------------------------------

    def _weighed(self, question: Question, case: Case, box: Box, found: Evidence) -> Evidence:
        """Return the evidence that counts, and take note of it."""
        if _is_near(found, case):
            if not self._alone:
                self.near_limit = True
                return as_met(found)
            found = self._again(case, box, found)
        if case.pace is None and self._prepared.conditions:
            self._book.add(self._boxes.digest(question, case), self._prepared.digests[case.id], found)
        return found

    def _again(self, case: Case, box: Box, found: Evidence) -> Evidence:
        """Run a case again that was near its limit; a run that keeps the limit is the one which counts."""
        for _ in range(MORE_RUNS):
            (found,) = box.gather([self._job(case)])
            if not _is_near(found, case):
                return found
        return as_met(found)

    # -- what is known -----------------------------------------------------------------------------

    def _known(self, question: Question, cases: Sequence[Case]) -> Sequence[Evidence]:
        """Return the evidence of the first cases, as far as it is known and as one box would give it."""
        if self._book.is_blank or not self._boxes.need_not_open(question, cases[0]):
            return ()
        known: list[Evidence] = []
        for case in cases:
            found = self._find(question, case)
            if found is None:
                break
            known.append(found)
            if found.report.ending != "answered":
                break
        return known

    def _until_known(self, question: Question, cases: Sequence[Case]) -> Sequence[Case]:
        """Return the first cases, of which nothing is known of the first, up to one that is."""
        if self._book.is_blank:
            return cases
        for place, case in enumerate(cases[1:], 1):
            if self._find(question, case) is not None:
                return cases[:place]
        return cases

    def _find(self, question: Question, case: Case) -> Evidence | None:
        """Return what is known about a case.  A time that is marked is evidence of its moment alone."""
        if case.pace is not None:
            return None
        return self._book.find(self._boxes.digest(question, case), self._prepared.digests[case.id])


def _is_near(found: Evidence, case: Case) -> bool:
    return is_near(found.report.cpu_s, Ending(found.report.ending), case.limits)
