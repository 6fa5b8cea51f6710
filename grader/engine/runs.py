"""Running the cases of one submission: what is known is not run again, what was near its limit is.

What comes of a case is evidence or an outcome; what it is worth is not known here.
"""

from collections.abc import Sequence

from grader.engine.boxes import Boxes
from grader.engine.evidence_book import EvidenceBook
from grader.engine.oracle import Oracle
from grader.engine.overtime import MORE_RUNS, as_met, is_near
from grader.engine.prepared import Prepared
from grader.model.outcome import Outcome
from grader.model.task import Case, Question
from grader.sandbox.box import Box, Job
from grader.sandbox.evidence import Evidence, watched_call_of


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
        from grader.engine.programs import told

        expected = self._prepared.expectations.get(case.id)
        reference = expected.outcome if expected is not None else None
        programs, limits = self._boxes.programs(question), self._prepared.limits[case.id]
        known = None if self._book.is_blank else self._find(question, case)
        if known is not None:
            conversation = programs.conversation(case, reference)
            if conversation is not None:
                # It is given the same lines again, and so the record of the dialogue is made anew.
                for call in known.calls:
                    conversation(watched_call_of(call))
            return told(known, conversation)
        runs = 0
        while True:
            runs += 1
            conversation = programs.conversation(case, reference)
            found = programs.gather(case, limits, conversation)
            if isinstance(found, Outcome):
                return found
            if not (is_near(found, case.limits) and self._alone and runs <= MORE_RUNS):
                return told(self._settled(question, case, found), conversation)

    def _job(self, case: Case) -> Job:
        prepared = self._prepared
        return Job(prepared.requests[case.id], prepared.limits[case.id], self._oracle.answerer(case))

    # -- near a time limit -------------------------------------------------------------------------

    def _weighed(self, question: Question, case: Case, box: Box, found: Evidence) -> Evidence:
        """Return the evidence that counts, of as many runs as it takes."""
        if self._alone:
            for _ in range(MORE_RUNS):
                if not is_near(found, case.limits):
                    break
                (found,) = box.gather([self._job(case)])
        return self._settled(question, case, found)

    def _settled(self, question: Question, case: Case, found: Evidence) -> Evidence:
        """Return what counts of the last run of a case, and take note of it where that is final."""
        if is_near(found, case.limits):
            found = as_met(found)
            if not self._alone:
                self.near_limit = True
                return found
        if case.pace is None and self._prepared.conditions:
            self._book.add(self._boxes.digest(question, case), self._prepared.digests[case.id], found)
        return found

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
