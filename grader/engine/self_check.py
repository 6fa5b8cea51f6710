"""A student's self-check: one submission, the public cases, the strongest sandbox that starts.

It marks as a batch does, but with one zygote for everything and without the parts that only a batch needs,
because a student waits for it.
"""

from collections.abc import Callable, Collection, Iterator
from contextlib import contextmanager
from dataclasses import replace
from fractions import Fraction

from grader.engine.cache.keys import conditions_key, run_key
from grader.engine.proof.marking import mark_reference
from grader.engine.proof.prover import NO_FAULTS, Prover
from grader.engine.run_config import fault_of_start
from grader.engine.submission.marker import OnResult, SubmissionMarker, budget_of
from grader.engine.submission.memo import JudgementMemo
from grader.engine.submission.required_tools import tools_of
from grader.intake import Candidate, read_for
from grader.lab.digests import digest
from grader.lab.evidence import EvidenceCache
from grader.lab.run_inputs import (
    Expectations,
    RunInputs,
    ask_reference,
    asks_reference,
    run_inputs,
)
from grader.lab.tools import MarkingTools
from grader.model.case import Case, Visibility
from grader.model.errors import Fault, NoSandbox, UsageError
from grader.model.events import TellPhase, ignore_phase
from grader.model.results import SubmissionResult
from grader.model.task import Question, Task
from grader.runtime.user_cache import UserCache
from grader.sandbox.data_files import data_folder
from grader.sandbox.driver import Driver
from grader.sandbox.interpreter import find_interpreter
from grader.sandbox.strongest import refuse_unnamed_without_walls, strongest_zygote
from grader.sandbox.zygote import SandboxFailure, Zygote

_CONDITIONS = "one session"
"""The conditions of all evidence: one process on one machine, which no other process shares."""


def public_part(task: Task, wanted: tuple[str, ...] = ()) -> Task:
    """Return the task with its public cases alone; see `with_cases`.

    wanted: ids of the questions to keep; empty for all.
    Raises `UsageError` for an unknown question, and if no public case is left.
    """
    known = [question.id for question in task.questions]
    unknown = [name for name in wanted if name not in known]
    if unknown:
        raise UsageError(Fault(f"there is no question {unknown[0]!r}; there are {', '.join(known)}"))
    asked = [question for question in task.questions if not wanted or question.id in wanted]
    ids = {case.id for question in asked for case in question.cases}
    part = with_cases(task, lambda case: case.visibility is Visibility.PUBLIC and case.id in ids)
    if not part.questions:
        raise UsageError(Fault("there is no public case to check against"))
    return part


def with_cases(task: Task, keep: Callable[[Case], bool]) -> Task:
    """Return the task with the cases for which `keep` is true, and the marks of their questions.

    Questions and groups without a case are left out.  A case keeps only those of its needs that are left.
    """
    kept = {case.id for case in task.cases if keep(case)}
    questions = tuple(
        _with_cases(question, kept)
        for question in task.questions
        if any(case.id in kept for case in question.cases)
    )
    marks = sum((question.marks for question in questions if not question.bonus), Fraction(0))
    if len(questions) < len(task.questions):
        # What the sections and the cap leave is known of the whole task alone.
        everything = sum((question.most for question in questions), Fraction(0))
        return replace(task, marks=marks or everything, cap=everything, sections=(), questions=questions)
    return replace(task, questions=questions)


def _with_cases(question: Question, kept: Collection[str]) -> Question:
    cases = tuple(
        replace(case, needs=tuple(need for need in case.needs if need in kept))
        for case in question.cases
        if case.id in kept
    )
    used = {case.group for case in cases}
    return replace(question, cases=cases, groups=tuple(g for g in question.groups if g.id in used))


def check_one(
    task: Task,
    candidate: Candidate,
    python: str = "",
    tell: TellPhase = ignore_phase,
    on_result: OnResult | None = None,
) -> SubmissionResult:
    """Mark one submission by every case of `task`; see `SelfCheck`."""
    with SelfCheck(task, python, tell) as session:
        return session.check(candidate, on_result)


class SelfCheck:
    """Marks submissions, one after the other, by every case of a task, in the strongest sandbox that starts.

    Use it as a context.  The sandbox, the reference's answers and the evidence of one check are reused for
    the next.  Its methods raise `NoSandbox`.
    """

    def __init__(
        self,
        task: Task,
        python: str = "",
        tell: TellPhase = ignore_phase,
        prover: Prover | None = None,
        *,
        was_named: bool = True,
    ) -> None:
        """python: see `find_interpreter`; empty for the spec's choice.  tell: called with each phase.

        prover: proves these cases by the reference first; None to trust the spec.
        was_named: a person named the task; one that was found runs behind walls only.
        """
        self.task = task
        self.tell = tell
        self._python = python
        self._prover = prover
        self._was_named = was_named
        self._tools: MarkingTools | None = None
        self._inputs: RunInputs | None = None
        self._cache = EvidenceCache()

    def __enter__(self) -> "SelfCheck":
        """Start the sandbox, and get the reference's answers.

        Raises `SpecNotProven` if the reference does not pass, and `UsageError` if a tool for the task's rules
        is missing.
        """
        tools_of(self.task)
        self.tell("starting the sandbox")
        task, python = self.task, self._python or self.task.python
        self._tools = MarkingTools(lambda: zygote_for(task, python), task)
        try:
            if not self._was_named:
                refuse_unnamed_without_walls(self.driver, str(task.spec_path))
            with refusing_failures():
                self._inputs = run_inputs(task, self._expectations(self._tools), _CONDITIONS)
        except BaseException:
            self.close()
            raise
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    @property
    def expectations(self) -> Expectations:
        """The reference's answers, by case, while the session is open."""
        return self._inputs.expectations if self._inputs is not None else {}

    @property
    def driver(self) -> Driver:
        """The driver of its sandbox, while the session is open."""
        assert self._tools is not None, "it is open"
        return self._tools.zygote.driver

    def close(self) -> None:
        """End the sandbox."""
        tools, self._tools = self._tools, None
        if tools is not None:
            tools.close()

    def check(self, candidate: Candidate, on_result: OnResult | None = None) -> SubmissionResult:
        """Mark one submission.  Raises `UsageError` if this machine cannot read the work.

        on_result: see `SubmissionMarker`.
        """
        assert self._tools is not None, "it is open"
        assert self._inputs is not None, "it is open"
        task = self.task
        self.tell("reading the submission")
        budget = budget_of(task)
        with budget.spending():
            submission = read_for(task, candidate)
        if submission.unreadable:
            raise UsageError(Fault(submission.unreadable))
        self._cache = EvidenceCache(self._cache.packed())
        marker = SubmissionMarker(
            self._inputs,
            submission,
            self._tools,
            JudgementMemo(),
            self._cache,
            budget,
            on_case=lambda case: self.tell(f"running case {case}"),
            on_result=on_result,
            shrinks=True,
        )
        with refusing_failures():
            return marker.run()

    def _expectations(self, tools: MarkingTools) -> Expectations:
        """Return the reference's answers to the cases that ask for them, after the proof."""
        task = self.task
        if self._prover is not None and task.reference is not None:
            found = _proven(task, tools, self._prover, self.tell)
            if found is not None:
                return found
        if not asks_reference(task):
            return {}
        self.tell("asking the reference")
        return ask_reference(task, tools.oracle)


@contextmanager
def refusing_failures() -> Iterator[None]:
    """Turn a sandbox that fails into a message: raise `NoSandbox` for its `SandboxFailure`."""
    try:
        yield
    except SandboxFailure as failure:
        raise NoSandbox(Fault(f"the sandbox fails: {failure}", hint="see grader doctor")) from failure


def _proven(task: Task, tools: MarkingTools, prover: Prover, tell: TellPhase) -> Expectations | None:
    """Prove the cases of the task; return the reference's answers, None if the proof was kept.

    A spec without faults is noted in the user's cache.  Raises `SpecNotProven` and `SandboxFailure`.
    """
    kept = UserCache()

    def known(key: str) -> str:
        return NO_FAULTS if kept.has(key) else ""

    zygote = tools.zygote
    conditions = run_key(task, conditions_key(task, zygote.driver, {}, zygote.interpreter), tools_of(task))
    key = digest(conditions, *(case.id for case in task.cases))
    tell("checking the reference")
    proof = replace(prover, known=known).prove(task, key, lambda: mark_reference(task, tools, tell))
    if proof.kept == NO_FAULTS:
        kept.add(key)
    return proof.expectations


def zygote_for(task: Task, python: str) -> Zygote:
    """Start the first zygote of the ladder that works.  Raises `NoSandbox`."""
    try:
        return strongest_zygote(find_interpreter(python), task.preloaded, data_folder(task.data))
    except SandboxFailure as failure:
        raise NoSandbox(fault_of_start(task, failure, "no sandbox starts on this host")) from failure
