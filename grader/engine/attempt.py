"""One submission from its files to its results.

The plan is simple on purpose.  Cases are taken in the order of the spec, question by question;
each module has a box of its own, opened when its first case is due.  Within a question the
cases go to the box in one go, and what comes back decides what still has to run: a case whose
needs were not met, a question whose mark is decided by a time limit and a submission whose
budget is used up are skipped, with the reason as their message.
"""

from collections.abc import Sequence
from dataclasses import replace
from typing import TYPE_CHECKING

from grader.engine.boxes import Boxes, share_a_box
from grader.engine.evidence_book import EvidenceBook
from grader.engine.prepared import Prepared
from grader.engine.recall import Recall
from grader.engine.runs import Runs
from grader.engine.workplace import Workplace
from grader.judge.judge import judge
from grader.marking.award import question_result
from grader.marking.totals import submission_result
from grader.model.case import Case
from grader.model.frozen import dataclass
from grader.model.outcome import Ending, Outcome
from grader.model.results import CaseResult, Frame, Raised, SubmissionResult
from grader.model.submission import Submission
from grader.model.task import Award, Question
from grader.model.verdict import Verdict
from grader.sandbox.evidence import Evidence
from grader.sandbox.zygote import SandboxFailure
from grader.worker.watch import price_s

if TYPE_CHECKING:
    from grader.engine.rules import Ruling


@dataclass(frozen=True, slots=True)
class _Skip:
    """Why a case does not run."""

    reason: str


class Attempt:
    """The marking of one submission.

    book: the evidence of earlier runs, which gets this run's.
    alone: nothing else of ours runs, so that what is near its time limit can be tried again at once.
    """

    def __init__(
        self,
        prepared: Prepared,
        submission: Submission,
        workplace: Workplace,
        recall: Recall,
        book: EvidenceBook,
        *,
        alone: bool,
    ) -> None:
        self._task = prepared.task
        self._prepared = prepared
        self._submission = submission
        self._workplace = workplace
        self._recall = recall
        self._results: dict[str, CaseResult] = {}
        self._cpu_left_s = prepared.task.budget_s
        self._boxes = Boxes(prepared, submission, workplace, book, self._spend)
        self._runs = Runs(prepared, self._boxes, workplace, book, self._spend, alone=alone)

    def run(self) -> SubmissionResult:
        """Run every case that has to be run, and return the submission's result."""
        ruling = self._ruling()
        try:
            for question in self._task.questions:
                self._run_question(question)
        finally:
            self._boxes.close()
        questions = tuple(
            question_result(question, tuple(self._results[case.id] for case in question.cases))
            for question in self._task.questions
        )
        if ruling is None:
            return submission_result(self._task, self._submission, questions)
        return ruling.told(submission_result(self._task, self._submission, questions, ruling.dues))

    def _ruling(self) -> "Ruling | None":
        """Look at the source; what that settles need not run."""
        if not self._task.has_rules:
            return None
        from grader.engine.rules import rule_on

        ruling = rule_on(self._task, self._submission, self._workplace.inspector)
        self._results.update(ruling.cases)
        return ruling

    @property
    def near_limit(self) -> bool:
        """Whether the submission is to be marked once more, alone: a case was near its time limit."""
        return self._runs.near_limit

    # -- order -------------------------------------------------------------------------------------

    def _run_question(self, question: Question) -> None:
        waiting = [case for case in question.cases if case.id not in self._results]
        while waiting:
            chunk: list[Case] = []
            for case in waiting:
                skip = self._reason_to_skip(question, case)
                if skip is not None:
                    if chunk:
                        break
                    self._skip(case, skip)
                    chunk = []
                    waiting = waiting[1:]
                    break
                if case.program is not None:
                    if not chunk:
                        self._run_program(question, case)
                        waiting = waiting[1:]
                    break
                # A case that needs another one of this chunk has to wait for its verdict.
                if chunk and (
                    not share_a_box(question, case, chunk[0])
                    or set(case.needs) & {earlier.id for earlier in chunk}
                ):
                    break
                chunk.append(case)
            if chunk:
                done = self._run_chunk(question, chunk)
                waiting = waiting[done:]

    def _reason_to_skip(self, question: Question, case: Case) -> _Skip | None:
        for need in case.needs:
            met = self._results.get(need)
            if met is None or met.verdict is not Verdict.ACCEPTED:
                return _Skip(f"skipped: it needs case {need}, which was not accepted")
        decided = self._decided_by_time(question)
        if decided:
            return _Skip(f"skipped: case {decided} ran out of time, which decides this question's mark")
        if self._cpu_left_s <= 0:
            return _Skip(f"skipped: the time for a whole submission ({self._task.budget_s:g} s) is used up")
        return None

    def _decided_by_time(self, question: Question) -> str:
        """Return the case whose time limit leaves the question without marks, or ""."""
        if question.award is not Award.ALL:
            return ""
        for case in question.cases:
            result = self._results.get(case.id)
            if result is not None and result.verdict in (Verdict.TIME_LIMIT, Verdict.WALL_LIMIT):
                return case.id
        return ""

    def _skip(self, case: Case, skip: _Skip) -> None:
        outcome = Outcome(ending=Ending.BUDGET, detail=skip.reason)
        self._note(case, outcome)

    # -- running -----------------------------------------------------------------------------------

    def _run_chunk(self, question: Question, chunk: Sequence[Case]) -> int:
        """Run cases of one question; return how many have a result now, at least one."""
        try:
            outcomes: Sequence[Outcome | Evidence] = self._runs.gather(question, chunk)
        except SandboxFailure as failure:
            self._boxes.discard(question, chunk[0])
            outcomes = [Outcome(ending=Ending.INTERNAL, detail=str(failure))]
        for case, outcome in zip(chunk, outcomes, strict=False):
            self._weigh(case, outcome)
            if case.pace is not None and self._results[case.id].verdict is Verdict.ACCEPTED:
                self._race(question, case)
        return len(outcomes)

    def _run_program(self, question: Question, case: Case) -> None:
        """Run a case's program and judge what it did."""
        assert case.program is not None
        outcome = self._boxes.absence(case.program.module)
        if outcome is None:
            try:
                outcome = self._runs.run_program(question, case)
            except SandboxFailure as failure:
                outcome = Outcome(ending=Ending.INTERNAL, detail=str(failure))
        self._note(case, outcome)

    def _race(self, question: Question, case: Case) -> None:
        """Compare the time of a right answer with the reference's."""
        from grader.engine.pace import race

        def judge_again(outcome: Outcome) -> CaseResult:
            return judge(case, outcome, self._prepared.expectations.get(case.id), self._workplace.oracle)

        def spend(outcome: Outcome) -> bool:
            self._spend(price_s(outcome.cpu_s, outcome.wall_s) / self._workplace.gauge.usual_slowness())
            return self._cpu_left_s > 0

        program, result = self._boxes.program(question), self._results[case.id]
        self._keep(race(self._workplace.zygote, self._prepared, case, program, result, judge_again, spend))

    def _spend(self, cost_s: float) -> None:
        """Take what a case, or an import, costs from the budget, in seconds of the machine at its best."""
        self._cpu_left_s -= cost_s

    def _weigh(self, case: Case, found: Outcome | Evidence) -> None:
        """Judge a case that was run, unless the same evidence was judged before."""
        if isinstance(found, Outcome):
            self._note(case, found)
            return
        result = self._recall.judgement(case, found)
        if result is None:
            result = self._judged(case, found.outcome())
            self._recall.remember(case, found, result)
        self._keep(result)

    def _note(self, case: Case, outcome: Outcome) -> None:
        self._keep(self._judged(case, outcome))

    def _judged(self, case: Case, outcome: Outcome) -> CaseResult:
        """Judge a case that was run, and draw its answer where the spec says so."""
        expected = self._prepared.expectations.get(case.id)
        oracle = self._workplace.oracle
        result = judge(case, outcome, expected, oracle)
        if case.picture is None and not any(step.picture for step in case.steps):
            return result
        from grader.engine.pictures import with_pictures

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
