"""One submission from its files to its results.

The plan is simple on purpose.  Cases are taken in the order of the spec, question by question;
each module has a box of its own, opened when its first case is due.  Within a question the
cases go to the box in one go, and what comes back decides what still has to run: a case whose
needs were not met, a question whose mark is decided by a time limit and a submission whose
budget is used up are skipped, with the reason as their message.
"""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace

from grader.engine.oracle import Oracle
from grader.judge.judge import Expected, judge
from grader.marking.award import question_result
from grader.marking.totals import submission_result
from grader.model.limits import Limits
from grader.model.outcome import Ending, Outcome
from grader.model.results import CaseResult, Frame, Raised, SubmissionResult
from grader.model.submission import Submission
from grader.model.task import Award, Case, Question, SameAsReference, Task
from grader.model.verdict import Verdict
from grader.sandbox.box import Box, Job, Program, encode_request, loaded
from grader.sandbox.inspector import Inspector
from grader.sandbox.zygote import SandboxFailure, Zygote

_IMPORT_LIMITS = Limits(time_s=5.0, wall_s=20.0)
"""For the import of a student's module: generous, since numpy alone takes a tenth of a second."""

_PRICE_OF_WAITING = 1 / 3
"""What a second of a case that met its wall limit costs of the budget of CPU time."""

Expectations = dict[str, Expected]
"""The reference's answers, by case."""


Requests = dict[str, bytes]
"""The calls as a box reads them, by case: the same for every submission, so encoded once."""


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
    ) -> None:
        self._task = task
        self._submission = submission
        self._zygote = zygote
        self._inspector = inspector
        self._oracle = oracle
        self._expectations = expectations
        self._requests = requests
        self._results: dict[str, CaseResult] = {}
        self._cpu_left_s = task.budget_s
        self._boxes: dict[tuple[str, int], Box | Outcome] = {}

    def run(self) -> SubmissionResult:
        """Run every case that has to be run, and return the submission's result."""
        try:
            for question in self._task.questions:
                self._run_question(question)
        finally:
            for box in self._boxes.values():
                if isinstance(box, Box):
                    box.close()
        questions = tuple(
            question_result(question, tuple(self._results[case.id] for case in question.cases))
            for question in self._task.questions
        )
        return submission_result(self._task, self._submission, questions)

    # -- order -------------------------------------------------------------------------------------

    def _run_question(self, question: Question) -> None:
        waiting = list(question.cases)
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
                # A case that needs another one of this chunk has to wait for its verdict.
                if chunk and (
                    case.limits.memory_b != chunk[0].limits.memory_b
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
            outcomes = self._outcomes(question, chunk)
        except SandboxFailure as failure:
            self._boxes.pop((question.module, chunk[0].limits.memory_b), None)
            outcomes = [Outcome(ending=Ending.INTERNAL, detail=str(failure))]
        for case, outcome in zip(chunk, outcomes, strict=False):
            self._spend(outcome)
            self._note(case, outcome)
        return len(outcomes)

    def _outcomes(self, question: Question, chunk: Sequence[Case]) -> list[Outcome]:
        box = self._box(question.module, chunk[0].limits.memory_b)
        if isinstance(box, Outcome):
            return [box] * len(chunk)
        return box.run([self._job(case) for case in chunk])

    def _job(self, case: Case) -> Job:
        return Job(self._requests[case.id], case.limits, self._oracle.answerer(case))

    def _box(self, module: str, memory_b: int) -> Box | Outcome:
        """Return the box of a module, or the outcome that every case of it has since it has none."""
        key = (module, memory_b)
        if key not in self._boxes:
            self._boxes[key] = self._open(module, memory_b)
        return self._boxes[key]

    def _open(self, module: str, memory_b: int) -> Box | Outcome:
        if module not in self._submission.files:
            file = dict(self._task.modules)[module]
            return Outcome(ending=Ending.LOAD_FAILED, detail=f"there is no {file} in the submission")
        sources = {name: file.text for name, file in self._submission.files.items()}
        longest_s = max(case.limits.time_s for case in self._task.cases)
        limits = replace(_IMPORT_LIMITS, memory_b=memory_b)
        program = Program(module, sources, shared=self._inspector.is_stateless(sources, module))
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

    def _spend(self, outcome: Outcome) -> None:
        """Take what a case used from the budget: CPU time, or for one that only waited a part of that."""
        waited = outcome.ending is Ending.WALL
        self._cpu_left_s -= max(outcome.cpu_s, outcome.wall_s * _PRICE_OF_WAITING if waited else 0.0)

    def _note(self, case: Case, outcome: Outcome) -> None:
        result = judge(case, outcome, self._expectations.get(case.id), self._oracle)
        self._results[case.id] = replace(result, raised=self._with_sources(result.raised))

    def _with_sources(self, raised: Raised | None) -> Raised | None:
        """Add the student's own lines to the frames of a traceback."""
        if raised is None:
            return None
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
    return {case.id: encode_request(case.calls, case.limits, unchanged=case.unchanged) for case in task.cases}


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
    return [case for case in cases if isinstance(case.expect, SameAsReference)]
