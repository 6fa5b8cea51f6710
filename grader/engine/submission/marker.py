"""One submission from its files to its results.

Rules on the source are looked at first.  Then the cases run in the order that `case_queue` gives, in one
box at a time, and each is judged when it has run.  A case does not run, and its message says why, where a
case that it needs was not accepted, where a time limit has decided its question's mark, and where the
submission's budget is used up.
"""

from collections.abc import Callable, Sequence
from contextlib import suppress
from dataclasses import replace
from typing import TypeAlias, TypeVar

from grader.engine.cache.evidence import EvidenceBook
from grader.engine.submission.boxes import Boxes, OnWait
from grader.engine.submission.case_queue import CaseQueue, Turn
from grader.engine.submission.case_runs import CaseRuns
from grader.engine.submission.memo import Recall
from grader.engine.submission.pictures import with_pictures
from grader.engine.submission.prepared import Prepared
from grader.engine.submission.relative_time import not_timed, race
from grader.engine.submission.rules import Ruling, rule_on
from grader.engine.submission.tools import Workplace
from grader.judge.judge import judge
from grader.marking.award import question_result
from grader.marking.totals import submission_result
from grader.model.case import Case
from grader.model.outcome import Ending, Outcome
from grader.model.results import CaseResult, Frame, Raised, SubmissionResult
from grader.model.submission import Submission
from grader.model.task import Award, Question, Task
from grader.model.verdict import Verdict
from grader.sandbox.budget import Budget
from grader.sandbox.evidence import Evidence
from grader.sandbox.zygote import SandboxFailure

OnCase: TypeAlias = Callable[[str], None]
"""Is called with the id of a case."""

_T = TypeVar("_T")


def budget_of(task: Task) -> Budget:
    """Return the budget of one submission, with nothing spent."""
    return Budget(task.budget_s, task.budget_wall_s)


class Attempt:
    """The marking of one submission.

    book: the evidence of earlier runs, which gets this run's.
    budget: what the submission may still use, given what reading it has cost.
    on_wait: is told when something of it waits, and when it goes on.
    on_case: is called with each case before it runs.
    """

    def __init__(
        self,
        prepared: Prepared,
        submission: Submission,
        workplace: Workplace,
        recall: Recall,
        book: EvidenceBook,
        budget: Budget | None = None,
        on_wait: OnWait | None = None,
        on_case: OnCase | None = None,
    ) -> None:
        self._task = prepared.task
        self._prepared = prepared
        self._submission = submission
        self._workplace = workplace
        self._recall = recall
        self._results: dict[str, CaseResult] = {}
        self._budget = budget or budget_of(prepared.task)
        self._on_case = on_case
        self._boxes = Boxes(prepared, submission, workplace, book, self._budget, on_wait)
        self._runs = CaseRuns(prepared, self._boxes, workplace, book, self._budget)
        self.sandbox_failed = False
        """Whether a sandbox failed, and was started again."""

    def run(self) -> SubmissionResult:
        """Run every case that has to be run, and return the submission's result.  Raises `SandboxFailure`."""
        with self._workplace.marking(self._budget):
            ruling = self._ruling()
            try:
                self._run_cases()
            finally:
                self._close_box()
        questions = tuple(
            question_result(question, tuple(self._results[case.id] for case in question.cases))
            for question in self._task.questions
        )
        if ruling is None:
            return submission_result(self._task, self._submission, questions)
        return ruling.told(submission_result(self._task, self._submission, questions, ruling.dues))

    def _ruling(self) -> Ruling | None:
        """Look at the source; what that settles need not run."""
        if not self._task.has_rules:
            return None
        task, submission, budget = self._task, self._submission, self._budget
        ruling = self._tried(lambda: rule_on(task, submission, self._workplace.inspector, budget))
        self._results.update(ruling.cases)
        self._boxes.keep_to(ruling.reach)
        return ruling

    # -- order -------------------------------------------------------------------------------------

    def _run_cases(self) -> None:
        queue = CaseQueue(self._prepared.turns, self._results)
        while turns := queue.take(self._boxes.open_key):
            while turns:
                skip = self._reason_to_skip(turns[0])
                if skip:
                    self._note(turns[0].case, Outcome(ending=Ending.BUDGET, detail=f"skipped: {skip}"))
                    turns = turns[1:]
                else:
                    runnable = self._until_skipped(turns)
                    turns = turns[self._run(runnable) :]

    def _until_skipped(self, turns: Sequence[Turn]) -> Sequence[Turn]:
        """Return the first cases up to one that is skipped."""
        for place, turn in enumerate(turns[1:], 1):
            if self._reason_to_skip(turn):
                return turns[:place]
        return turns

    def _reason_to_skip(self, turn: Turn) -> str:
        """Return why a case does not run, or ""."""
        for need in turn.case.needs:
            met = self._results.get(need)
            if met is None or met.verdict is not Verdict.ACCEPTED:
                return f"it needs case {need}, which was not accepted"
        decided = self._decided_by_time(turn.question)
        if decided:
            return f"case {decided} ran out of time, which decides this question's mark"
        return self._budget.reason() if self._budget.is_used_up else ""

    def _decided_by_time(self, question: Question) -> str:
        """Return the case whose time limit leaves the question without marks, or ""."""
        if question.award is not Award.ALL:
            return ""
        for case in question.cases:
            result = self._results.get(case.id)
            if result is not None and result.verdict in (Verdict.TIME_LIMIT, Verdict.WALL_LIMIT):
                return case.id
        return ""

    # -- running -----------------------------------------------------------------------------------

    def _run(self, turns: Sequence[Turn]) -> int:
        """Run cases that share a box; return how many have a result now, at least one."""
        if self._on_case is not None:
            self._on_case(turns[0].case.id)
        if turns[0].case.program is not None:
            self._run_program(turns[0])
            return 1
        found: Sequence[Outcome | Evidence]
        try:
            found = self._tried(lambda: self._runs.gather(turns))
        except SandboxFailure as failure:
            found = [Outcome(ending=Ending.INTERNAL, detail=str(failure))]
        for turn, one in zip(turns, found, strict=False):
            self._judge_found(turn.case, one)
            if turn.case.pace is not None and self._results[turn.case.id].verdict is Verdict.ACCEPTED:
                self._compare_times(turn)
        return len(found)

    def _run_program(self, turn: Turn) -> None:
        """Run a case's program and judge what it did."""
        assert turn.case.program is not None
        outcome = self._boxes.absence(turn.case.program.module)
        if outcome is None:
            try:
                outcome = self._tried(lambda: self._runs.run_program(turn))
            except SandboxFailure as failure:
                outcome = Outcome(ending=Ending.INTERNAL, detail=str(failure))
        self._note(turn.case, outcome)

    def _tried(self, run: Callable[[], _T]) -> _T:
        """Return what `run` returns; where the sandbox fails, start it again and run once more.

        The student must not pay for what another did to the machine.  Only what failed runs again: were it
        all, public cases would run after hidden ones.  Once for a submission, since student code can have a
        box say that it failed.  Raises `SandboxFailure`.
        """
        try:
            return run()
        except SandboxFailure:
            self._close_box()
            if self.sandbox_failed:
                self._workplace.renew()
                raise
            self.sandbox_failed = True
            self._workplace.renew()
            return run()

    def _close_box(self) -> None:
        # One that does not end does so with its zygote.
        with suppress(SandboxFailure):
            self._boxes.close()

    def _compare_times(self, turn: Turn) -> None:
        """Compare the time of a right answer with the reference's."""
        case = turn.case

        def judge_again(outcome: Outcome) -> CaseResult:
            return judge(case, outcome, self._prepared.expectations.get(case.id), self._workplace.oracle)

        def compare() -> CaseResult:
            # A process of the submission that is still there could do the work, or use the core.
            self._boxes.close()
            zygote, program = self._workplace.zygote, self._boxes.program(turn)
            return race(zygote, self._prepared, case, program, result, judge_again, self._budget)

        result = self._results[case.id]
        try:
            self._keep(self._tried(compare))
        except SandboxFailure as failure:
            self._keep(not_timed(result, str(failure)))

    # -- judging -----------------------------------------------------------------------------------

    def _judge_found(self, case: Case, found: Outcome | Evidence) -> None:
        """Judge a case that was run, unless the same evidence was judged before."""
        if isinstance(found, Outcome):
            self._note(case, found)
            return
        result = self._recall.judgement(case, found)
        if result is None:
            with self._budget.spending():
                result = self._judged(case, found.outcome())
            self._recall.remember(case, found, result)
        self._keep(result)

    def _note(self, case: Case, outcome: Outcome) -> None:
        with self._budget.spending():
            result = self._judged(case, outcome)
        self._keep(result)

    def _judged(self, case: Case, outcome: Outcome) -> CaseResult:
        """Judge a case that was run, and draw its answer where the spec says so."""
        expected = self._prepared.expectations.get(case.id)
        oracle = self._workplace.oracle
        result = judge(case, outcome, expected, oracle)
        if case.picture is None and not any(step.picture for step in case.steps):
            return result
        return with_pictures(case, outcome, expected, result, oracle)

    def _keep(self, result: CaseResult) -> None:
        if result.raised is not None:
            result = replace(result, raised=self._with_sources(result.raised))
        self._results[result.id] = result

    def _with_sources(self, raised: Raised) -> Raised:
        """Add the student's own lines to the frames of a traceback."""
        return replace(raised, frames=tuple(map(self._with_source, raised.frames)))

    def _with_source(self, frame: Frame) -> Frame:
        file = self._submission.files.get(frame.file.removesuffix(".py"))
        if file is None or not 1 <= frame.line <= file.line_count:
            return frame
        return replace(frame, source=file.line(frame.line).strip()[:300])
