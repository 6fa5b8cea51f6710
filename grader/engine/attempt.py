"""One submission from its files to its results.

The plan is simple on purpose.  Cases are taken in the order of the spec, question by question;
each module has a box of its own, opened when its first case is due.  Within a question the
cases go to the box in one go, and what comes back decides what still has to run: a case whose
needs were not met, a question whose mark is decided by a time limit and a submission whose
budget is used up are skipped, with the reason as their message.
"""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, TypeAlias

from grader.engine.asking import captures, needs_reference, request_of
from grader.engine.oracle import Oracle, reference_modules
from grader.engine.recall import Recall
from grader.judge.judge import Expected, judge
from grader.marking.award import question_result
from grader.marking.totals import submission_result
from grader.model.limits import Limits
from grader.model.outcome import Ending, Outcome
from grader.model.results import CaseResult, Frame, Raised, SubmissionResult
from grader.model.submission import Submission
from grader.model.task import Award, Case, Question, Task, Visibility
from grader.model.verdict import Verdict
from grader.sandbox.box import Box, Job, Program, loaded
from grader.sandbox.evidence import Evidence
from grader.sandbox.inspector import Inspector
from grader.sandbox.zygote import SandboxFailure, Zygote
from grader.wire.messages import Report
from grader.worker.watch import price_s

_IMPORT_LIMITS = Limits(time_s=5.0, wall_s=20.0)
"""For the import of a student's module: generous, since numpy alone takes a tenth of a second."""

if TYPE_CHECKING:
    from grader.engine.programs import Programs
    from grader.engine.rules import Ruling

Expectations = dict[str, Expected]
"""The reference's answers, by case."""


Requests = dict[str, bytes]
"""The calls as a box reads them, by case: the same for every submission, so encoded once."""


Ground: TypeAlias = tuple[str, tuple[str, ...]]
"""What a box is made for: a module, and the modules that stand beside it."""


def _ground(question: Question) -> Ground:
    return question.module, question.beside


_BoxKey: TypeAlias = tuple[Ground, int, Visibility]


def _box_key(question: Question, case: Case) -> _BoxKey:
    """Return what cases have in common that share a box.

    By visibility too: what passes from case to case in a box, by a file or a pipe, must not bring the
    inputs of hidden cases into the output of others.
    """
    return _ground(question), case.limits.memory_b, case.visibility


@dataclass(frozen=True, slots=True)
class _Skip:
    """Why a case does not run."""

    reason: str


class Attempt:
    """The marking of one submission."""

    def __init__(
        self,
        task: Task,
        submission: Submission,
        zygote: Zygote,
        inspector: Inspector,
        oracle: Oracle,
        expectations: Expectations,
        requests: Requests,
        recall: Recall,
    ) -> None:
        self._task = task
        self._submission = submission
        self._zygote = zygote
        self._inspector = inspector
        self._oracle = oracle
        self._expectations = expectations
        self._requests = requests
        self._recall = recall
        self._results: dict[str, CaseResult] = {}
        self._cpu_left_s = task.budget_s
        self._boxes: dict[_BoxKey, Box | Outcome] = {}
        self._programs: dict[Ground, Program] = {}
        self._runs: dict[tuple[str, ...], Programs] = {}
        """What runs programs, by the modules that stand beside the submission's."""

    def run(self) -> SubmissionResult:
        """Run every case that has to be run, and return the submission's result."""
        ruling = self._ruling()
        try:
            for question in self._task.questions:
                self._run_question(question)
        finally:
            for box in self._boxes.values():
                if isinstance(box, Box):
                    box.close()
            for programs in self._runs.values():
                programs.close()
        questions = tuple(
            question_result(question, tuple(self._results[case.id] for case in question.cases))
            for question in self._task.questions
        )
        if ruling is None:
            return submission_result(self._task, self._submission, questions)
        return ruling.told(submission_result(self._task, self._submission, questions, ruling.dues))

    def _ruling(self) -> "Ruling | None":
        """Look at the source; what that settles need not run."""
        if not self._task.rules and all(case.rule is None for case in self._task.cases):
            return None
        from grader.engine.rules import rule_on

        ruling = rule_on(self._task, self._submission, self._inspector)
        self._results.update(ruling.cases)
        return ruling

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
                    _box_key(question, case) != _box_key(question, chunk[0])
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
            outcomes: Sequence[Outcome | Evidence] = self._outcomes(question, chunk)
        except SandboxFailure as failure:
            self._boxes.pop(_box_key(question, chunk[0]), None)
            outcomes = [Outcome(ending=Ending.INTERNAL, detail=str(failure))]
        for case, outcome in zip(chunk, outcomes, strict=False):
            self._weigh(case, outcome)
            if case.pace is not None and self._results[case.id].verdict is Verdict.ACCEPTED:
                self._race(question, case)
        return len(outcomes)

    def _outcomes(self, question: Question, chunk: Sequence[Case]) -> Sequence[Outcome | Evidence]:
        box = self._box(question, chunk[0])
        if isinstance(box, Outcome):
            return [box] * len(chunk)
        return box.gather([self._job(case) for case in chunk])

    def _job(self, case: Case) -> Job:
        return Job(self._requests[case.id], case.limits, self._oracle.answerer(case))

    def _run_program(self, question: Question, case: Case) -> None:
        """Run a case's program and judge what it did."""
        assert case.program is not None
        outcome = self._absence(case.program.module)
        if outcome is None:
            expected = self._expectations.get(case.id)
            try:
                outcome = self._programs_of(question).run(case, expected.outcome if expected else None)
            except SandboxFailure as failure:
                outcome = Outcome(ending=Ending.INTERNAL, detail=str(failure))
            self._spend(outcome)
        self._note(case, outcome)

    def _programs_of(self, question: Question) -> "Programs":
        from grader.engine.programs import Programs

        beside = question.beside
        if beside not in self._runs:
            longest_s = max(case.limits.time_s for case in self._task.cases)
            sources, play = self._sources(question), self._oracle.play
            self._runs[beside] = Programs(self._zygote, sources, play, longest_s, self._task.seed)
        return self._runs[beside]

    def _box(self, question: Question, case: Case) -> Box | Outcome:
        """Return the box of a case, or the outcome that every case of that box has since there is none."""
        key = _box_key(question, case)
        if key not in self._boxes:
            self._boxes[key] = self._open(question, case.limits.memory_b)
        return self._boxes[key]

    def _absence(self, module: str) -> Outcome | None:
        """Return what becomes of a case whose module was not handed in."""
        if module in self._submission.files:
            return None
        file = dict(self._task.modules)[module]
        return Outcome(ending=Ending.LOAD_FAILED, detail=f"there is no {file} in the submission")

    def _sources(self, question: Question) -> dict[str, str]:
        """Return the texts of the modules that a question's cases find."""
        sources = {name: file.text for name, file in self._submission.files.items()}
        return sources | reference_modules(self._task, question.beside)

    def _open(self, question: Question, memory_b: int) -> Box | Outcome:
        module = question.module
        absence = self._absence(module)
        if absence is not None:
            return absence
        sources = self._sources(question)
        longest_s = max(case.limits.time_s for case in self._task.cases)
        limits = replace(_IMPORT_LIMITS, memory_b=memory_b)
        program = Program(
            module,
            sources,
            shared=self._inspector.is_stateless(sources, module),
            captures=captures(self._task, module),
        )
        self._programs[_ground(question)] = program
        box = Box(self._zygote, program, memory_b, limits, longest_s, self._task.seed)
        try:
            outcome, _ = box.load()
        except SandboxFailure:
            box.close()
            raise
        self._spend(outcome)
        if loaded(outcome):
            return box
        box.close()
        return _load_failure(outcome, limits)

    def _race(self, question: Question, case: Case) -> None:
        """Compare the time of a right answer with the reference's."""
        from grader.engine.pace import race

        def judge_again(outcome: Outcome) -> CaseResult:
            return judge(case, outcome, self._expectations.get(case.id), self._oracle)

        def spend(outcome: Outcome) -> bool:
            self._spend(outcome)
            return self._cpu_left_s > 0

        program, request = self._programs[_ground(question)], self._requests[case.id]
        result = self._results[case.id]
        self._keep(race(self._zygote, self._task, case, program, request, result, judge_again, spend))

    def _spend(self, used: Outcome | Report) -> None:
        """Take what a case, or an import, used from the budget."""
        self._cpu_left_s -= price_s(used.cpu_s, used.wall_s)

    def _weigh(self, case: Case, found: Outcome | Evidence) -> None:
        """Judge a case that was run, unless the same evidence was judged before."""
        if isinstance(found, Outcome):
            self._spend(found)
            self._note(case, found)
            return
        self._spend(found.report)
        self._cpu_left_s -= found.report.besides_s
        result = self._recall.judgement(case, found)
        if result is None:
            result = self._judged(case, found.outcome())
            self._recall.remember(case, found, result)
        self._keep(result)

    def _note(self, case: Case, outcome: Outcome) -> None:
        self._keep(self._judged(case, outcome))

    def _judged(self, case: Case, outcome: Outcome) -> CaseResult:
        """Judge a case that was run, and draw its answer where the spec says so."""
        expected = self._expectations.get(case.id)
        result = judge(case, outcome, expected, self._oracle)
        if case.picture is None and not any(step.picture for step in case.steps):
            return result
        from grader.engine.pictures import with_pictures

        return with_pictures(case, outcome, expected, result, self._oracle)

    def _keep(self, result: CaseResult) -> None:
        if result.raised is not None:
            result = replace(result, raised=self._with_sources(result.raised))
        self._results[result.id] = result

    def _with_sources(self, raised: Raised) -> Raised:
        """Add the student's own lines to the frames of a traceback."""
        return replace(raised, frames=tuple(map(self._with_source, raised.frames)))

    def _with_source(self, frame: Frame) -> Frame:
        file = self._submission.files.get(frame.file.removesuffix(".py"))
        lines = file.text.split("\n") if file is not None else []
        if not 1 <= frame.line <= len(lines):
            return frame
        return replace(frame, source=lines[frame.line - 1].strip()[:300])


def _load_failure(outcome: Outcome, limits: Limits) -> Outcome:
    """Every way in which an import can end badly is a failure to load, but for our own faults."""
    words = {
        Ending.TIME: f"it was still being imported after {limits.time_s:g} s of CPU time",
        Ending.WALL: f"it was still being imported after {limits.wall_s:g} s",
        Ending.MEMORY: "its import used more memory than allowed",
        Ending.OUTPUT: "its import printed more than allowed",
        Ending.FORBIDDEN: f"its import tried to {outcome.detail}",
        Ending.EXITED: f"its import ended the process ({outcome.detail})",
        Ending.KILLED: f"its import was killed ({outcome.detail})",
        Ending.PROTOCOL: f"its import {outcome.detail}",
    }
    if outcome.ending is Ending.INTERNAL:
        return outcome
    detail = words.get(outcome.ending, outcome.detail)
    return replace(outcome, ending=Ending.LOAD_FAILED, detail=detail, cpu_s=0.0, wall_s=0.0)


def requests(task: Task) -> Requests:
    """Encode the calls of every case."""
    return {case.id: request_of(task, case) for case in task.cases}


def expectations(task: Task, oracle: Oracle) -> Expectations:
    """Ask the reference once for everything that is expected of all submissions."""
    return {
        case.id: oracle.expected(case, question.module)
        for question in task.questions
        for case in _asking_reference(question.cases)
    }


def asks_reference(task: Task) -> bool:
    """Whether any case needs the reference's answer."""
    return bool(_asking_reference(task.cases))


def _asking_reference(cases: Iterable[Case]) -> list[Case]:
    return [case for case in cases if needs_reference(case)]
