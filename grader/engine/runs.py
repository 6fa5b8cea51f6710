"""Running the cases of one submission: what is known is not run again, what was near its limit is.

What comes of a case is evidence or an outcome; what it is worth is not known here.
"""

from collections.abc import Callable, Sequence
from dataclasses import replace

from grader.engine.boxes import IMPORT_LIMITS, Boxes
from grader.engine.evidence_book import EvidenceBook
from grader.engine.overtime import allowed, as_met, at_best, cost_s, has_waited, is_near, is_over
from grader.engine.prepared import Prepared
from grader.engine.retrial import Retrial
from grader.engine.workplace import Workplace
from grader.model.case import Case
from grader.model.limits import Limits
from grader.model.outcome import Ending, Outcome
from grader.model.task import Question
from grader.sandbox.box import Job
from grader.sandbox.evidence import Evidence, watched_call_of
from grader.sandbox.zygote import SandboxFailure


class Runs:
    """Runs cases in the boxes of one submission.

    book: the evidence of earlier runs, which gets this run's; all times in it are those at best.
    spend: told what each case costs of the budget, in seconds.
    alone: nothing else of ours runs, so what is near its time limit can be tried again at once.
    """

    def __init__(
        self,
        prepared: Prepared,
        boxes: Boxes,
        workplace: Workplace,
        book: EvidenceBook,
        spend: Callable[[float], None],
        *,
        alone: bool,
    ) -> None:
        self._prepared = prepared
        self._boxes = boxes
        self._workplace = workplace
        self._book = book
        self._spend = spend
        self._retrial = Retrial(prepared, boxes, workplace)
        self._alone = alone
        self.near_limit = False
        """Whether a case was near its time limit and is to be tried again alone."""

    def gather(self, question: Question, cases: Sequence[Case]) -> Sequence[Outcome | Evidence]:
        """Return what comes of the first of some cases that share a box, of one at least.

        Raises `SandboxFailure`.
        """
        known = self._known(question, cases)
        if known:
            for case, one in zip(cases, known, strict=False):
                self._spend(cost_s(one, case.limits))
            return known
        box = self._boxes.box(question, cases[0], self._weighed_import)
        if isinstance(box, Outcome):
            return [box] * len(cases)
        weighed: list[Outcome | Evidence] = []
        slowness = self._workplace.gauge.slowness()
        found = box.gather([self._job(case, slowness) for case in self._until_known(question, cases)])
        for case, one in zip(cases, found, strict=False):
            try:
                evidence = self._weighed(question, case, one, slowness, self._retrial.of_calls)
            except SandboxFailure as failure:
                # It failed elsewhere; this box and what it answered so far are as they were.
                return [*weighed, Outcome(ending=Ending.INTERNAL, detail=str(failure))]
            weighed.append(evidence)
            if evidence.report.ending != "answered":
                break
        return weighed

    def run_program(self, question: Question, case: Case) -> Outcome:
        """Return what comes of a case with a program.  Raises `SandboxFailure`."""
        from grader.engine.programs import told

        expected = self._prepared.expectations.get(case.id)
        reference = expected.outcome if expected is not None else None
        programs = self._boxes.programs(question)
        conversation = programs.conversation(case, reference)
        weighed = None if self._book.is_blank else self._find(question, case)
        if weighed is not None:
            self._spend(cost_s(weighed, case.limits))
        else:
            slowness = self._workplace.gauge.slowness()
            found = programs.gather(case, allowed(case.limits, slowness), conversation)
            if isinstance(found, Outcome):
                return found
            weighed = self._weighed(question, case, found, slowness, self._retrial.of_program)
            if weighed.calls is found.calls:
                return told(weighed, conversation)
        conversation = programs.conversation(case, reference)
        if conversation is not None:
            # It is given the same lines again, and so the record of the dialogue is made anew.
            for call in weighed.calls:
                conversation(watched_call_of(call))
        return told(weighed, conversation)

    def _job(self, case: Case, slowness: float) -> Job:
        answerer = self._workplace.oracle.answerer(case)
        return Job(self._prepared.requests[case.id], allowed(case.limits, slowness), answerer)

    def _weighed(
        self,
        question: Question,
        case: Case,
        found: Evidence,
        slowness: float,
        retrial: Callable[[Question, Case, Evidence], Evidence],
    ) -> Evidence:
        """Return the evidence that counts of a case that was run, and take note of it where that is final.

        slowness: that before it ran.  retrial: runs it again.
        """
        over, near = is_over(found, case.limits), self._is_near(found, case.limits, slowness)
        found = self._at_best(found)
        if near and self._alone:
            found = retrial(question, case, found)
        elif over:
            found = as_met(found)
        self._spend(cost_s(found, case.limits))
        if near and not self._alone:
            self.near_limit = True
        elif case.pace is None and self._prepared.conditions:
            self._book.add(self._boxes.digest(question, case), self._prepared.digests[case.id], found)
        return found

    def _weighed_import(self, question: Question, case: Case, found: Evidence, slowness: float) -> Evidence:
        """Return what counts of an import that was over its limit; one that is near it is put aside."""
        near, found = self._is_near(found, IMPORT_LIMITS, slowness), self._at_best(found)
        if near and self._alone:
            return self._retrial.of_import(question, case, found)
        if near:
            self.near_limit = True
            return found
        return as_met(found)

    def _is_near(self, found: Evidence, limits: Limits, slowness: float) -> bool:
        """Tell whether it has to be tried again, alone.  slowness: that before it ran."""
        gauge = self._workplace.gauge
        if is_over(found, limits):
            gauge.look_around()
            return is_near(found, limits, max(slowness, gauge.slowness()))
        return has_waited(found)

    def _at_best(self, found: Evidence) -> Evidence:
        return replace(found, report=at_best(found.report, self._workplace.gauge.usual_slowness()))

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
