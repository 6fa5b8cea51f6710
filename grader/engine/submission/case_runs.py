"""Runs the cases of one submission, except those with evidence of an earlier run.

It returns evidence; judging and marking happen elsewhere.
"""

from collections.abc import Iterator, Sequence
from contextlib import contextmanager, suppress
from dataclasses import replace

from grader.engine.cache.evidence import EvidenceCache
from grader.engine.submission.boxes import Boxes
from grader.engine.submission.case_queue import CaseTurn
from grader.engine.submission.programs import no_folder, to_outcome
from grader.engine.submission.run_inputs import RunInputs
from grader.engine.submission.tools import MarkingTools
from grader.model.case import Case, StudentTests, TestFunction
from grader.model.limits import allowed
from grader.model.outcome import Outcome
from grader.sandbox.box import Box, Job, StopHere
from grader.sandbox.budget import Budget
from grader.sandbox.evidence import Evidence, watched_call_of

_WAITS_AFTER_S = 0.5
"""A submission whose last case mostly waited, for at least this long, is expected to go on waiting."""


class CaseRuns:
    """Runs cases in a submission's boxes.  cache: has the evidence of earlier runs, and gets this run's."""

    def __init__(
        self, inputs: RunInputs, boxes: Boxes, tools: MarkingTools, cache: EvidenceCache, budget: Budget
    ) -> None:
        self._inputs = inputs
        self._boxes = boxes
        self._tools = tools
        self._cache = cache
        self._budget = budget
        self._waited_s = 0.0
        self._sleeps = False
        """True if the next case will probably wait, so that another submission can begin at once."""

    def gather(self, turns: Sequence[CaseTurn]) -> Sequence[Outcome | Evidence]:
        """Return the evidence or outcomes of the first cases, at least one, of some that share a box.

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
        # A student's box takes one case at a time, since each case changes the budget for the next one.
        return [self._run(box, turns[0])]

    def _run(self, box: Box, turn: CaseTurn) -> Outcome | Evidence:
        if turn.case.folder is not None:
            refused = no_folder(self._tools.zygote, "a case")
            if refused is not None:
                return refused
        job = self._job(turn.case)
        with self._working():
            (found,) = box.gather([job])
            self._note_waiting(found)
        return self._counted(turn, found)

    @contextmanager
    def _working(self) -> Iterator[None]:
        """Charge the budget for this thread, and report whether the case waits, while the context is open."""
        if self._sleeps:
            self._boxes.wait()
        # This thread decodes and answers the calls of callbacks.
        with self._budget.spending():
            yield
        if not self._sleeps:
            self._boxes.go_on()

    def _note_waiting(self, found: Evidence) -> None:
        report = found.report
        self._waited_s += report.waited_s
        self._sleeps = self._waited_s >= _WAITS_AFTER_S and report.waited_s > report.cpu_s

    def run_program(self, turn: CaseTurn) -> Outcome:
        """Return the outcome of a case with a program.  Raises `SandboxFailure`."""
        case = turn.case
        expected = self._inputs.expectations.get(case.id)
        reference = expected.outcome if expected is not None else None
        programs = self._boxes.programs(turn)
        if isinstance(programs, Outcome):
            return programs
        conversation = programs.conversation(case, reference)
        known = None if self._cache.is_blank else self._find(turn)
        if known is None:
            with self._working():
                found = programs.gather(case, allowed(case.limits), conversation)
                if isinstance(found, Evidence):
                    self._note_waiting(found)
            if isinstance(found, Outcome):
                return found
            is_sure = conversation is None or not conversation.failure
            counted = self._counted(turn, found, is_sure=is_sure)
            return to_outcome(counted, conversation) if isinstance(counted, Evidence) else counted
        self._budget.charge(known.report)
        if conversation is not None:
            # The same calls give the same lines again, and so the same record of the dialogue.
            with suppress(StopHere):
                for call in known.calls:
                    conversation(watched_call_of(call))
        return to_outcome(known, conversation)

    def run_test(self, turn: CaseTurn, test: TestFunction) -> Outcome:
        """Return the outcome of a case with a test function.  Raises `SandboxFailure`."""
        from grader.engine.submission.learning import learned
        from grader.engine.submission.test_files import (
            TEST_LIMITS,
            TestOrder,
            known_outcome,
            programs_of,
            run_tests,
        )

        task = self._inputs.task
        order = TestOrder(test.file, test.name, programs_of(task.modules), reference=task.reference)
        blank = self._cache.is_blank or not self._boxes.need_not_open(turn)
        known = None if blank else self._find(turn)
        if known is not None:
            return known_outcome(order, known, self._budget)
        box = self._boxes.box(turn)
        if isinstance(box, Outcome):
            return box
        order = replace(order, learned=learned(order, turn, self._tools, task.seed_of(turn.case)))
        names = dict(test.file.texts)
        with self._working(), self._tools.cells.open(names, TEST_LIMITS.time_s) as cell:
            limits = allowed(turn.case.limits)
            outcome, evidence = run_tests(order, cell, box, limits, TEST_LIMITS, self._budget)
        if evidence is not None and self._inputs.conditions:
            self._cache.add(self._boxes.digest(turn), self._inputs.digests[turn.case.id], evidence)
        return outcome

    def try_tests(self, turn: CaseTurn, tried: StudentTests) -> Outcome:
        """Return the outcome of a case with a student's own tests.  Raises `SandboxFailure`."""
        from grader.engine.submission.student_tests import try_tests

        absence = self._boxes.absence(tried.module)
        if absence is not None:
            return absence
        # The tests are the submission's code, and one box of it is alive at a time.
        self._boxes.close()
        with self._working():
            seed = self._inputs.task.seed_of(turn.case)
            return try_tests(turn.case, tried, self._boxes.submission, self._tools, self._budget, seed)

    def _job(self, case: Case) -> Job:
        limits = allowed(case.limits)
        return Job(self._inputs.requests[case.id], limits, self._tools.oracle.answerer(case))

    def _counted(self, turn: CaseTurn, found: Evidence, *, is_sure: bool = True) -> Evidence | Outcome:
        """Keep the evidence of a case; return it, or the outcome of a case that the budget cut short.

        is_sure: all that the program asked was answered.
        """
        # Without budget a callback got no answer, so the case could not finish.
        if found.report.ending == "budget" or self._tools.oracle.lacked_budget:
            return self._boxes.skipped()
        if is_sure and not turn.case.is_timed and self._inputs.conditions:
            self._cache.add(self._boxes.digest(turn), self._inputs.digests[turn.case.id], found)
        return found

    # -- evidence of earlier runs ------------------------------------------------------------------

    def _known(self, turns: Sequence[CaseTurn]) -> Sequence[Evidence]:
        """Return the known evidence of the first cases, up to the first one that would end its box."""
        if self._cache.is_blank or not self._boxes.need_not_open(turns[0]):
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

    def _find(self, turn: CaseTurn) -> Evidence | None:
        """Return the known evidence about a case; None if its time is marked."""
        if turn.case.is_timed:
            return None
        return self._cache.find(self._boxes.digest(turn), self._inputs.digests[turn.case.id])
