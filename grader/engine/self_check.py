"""A student's self-check: one submission, the public cases, the strongest sandbox that starts.

It marks as a batch does, but with one zygote for everything and without the parts that only a batch needs,
because a student waits for it.
"""

from collections.abc import Callable, Collection
from dataclasses import replace
from fractions import Fraction

from grader.doctor.doctor import Examination
from grader.engine.cache.evidence import EvidenceCache
from grader.engine.cache.keys import conditions_key, digest, run_key
from grader.engine.proof.marking import mark_reference
from grader.engine.proof.prover import NO_FAULTS, Prover
from grader.engine.proof.user_cache import UserCache
from grader.engine.submission.marker import OnResult, SubmissionMarker, budget_of
from grader.engine.submission.memo import JudgementMemo
from grader.engine.submission.rules import tools_of
from grader.engine.submission.run_inputs import Expectations, ask_reference, asks_reference, run_inputs
from grader.engine.submission.tools import MarkingTools
from grader.intake import Candidate, read
from grader.model.case import Case, Visibility
from grader.model.errors import Fault, NoSandbox, UsageError
from grader.model.events import TellPhase, ignore_phase
from grader.model.results import SubmissionResult
from grader.model.task import Question, Task
from grader.sandbox.driver import LADDER
from grader.sandbox.interpreter import find_interpreter
from grader.sandbox.zygote import SandboxFailure, Zygote


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
    prover: Prover | None = None,
    on_result: OnResult | None = None,
) -> SubmissionResult:
    """Mark one submission by every case of `task`, in the strongest sandbox that starts.

    python: see `find_interpreter`; empty for the spec's choice.  tell: called with each phase.
    prover: proves these cases by the reference first; None to trust the spec.
    on_result: see `SubmissionMarker`.
    Raises `NoSandbox`, and `SpecNotProven` if the reference does not pass.  Raises `UsageError` if a tool
    for the task's rules is missing, or if this machine cannot read the work.
    """
    tools_of(task)
    tell("starting the sandbox")
    with MarkingTools(lambda: strongest_zygote(task, python or task.python), task) as tools:
        try:
            expectations = None
            if prover is not None and task.reference is not None:
                expectations = _proven(task, tools, prover, tell)
            if expectations is None:
                expectations = {}
                if asks_reference(task):
                    tell("asking the reference")
                    expectations = ask_reference(task, tools.oracle)
            tell("reading the submission")
            budget = budget_of(task)
            with budget.spending():
                submission = read(candidate, dict(task.modules), task.repairs)
            if submission.unreadable:
                raise UsageError(Fault(submission.unreadable))
            inputs = run_inputs(task, expectations)
            marker = SubmissionMarker(
                inputs,
                submission,
                tools,
                JudgementMemo(),
                EvidenceCache(),
                budget,
                on_case=lambda case: tell(f"running case {case}"),
                on_result=on_result,
                shrinks=True,
            )
            return marker.run()
        except SandboxFailure as failure:
            raise NoSandbox(Fault(f"the sandbox fails: {failure}", hint="see grader doctor")) from failure


def _proven(task: Task, tools: MarkingTools, prover: Prover, tell: TellPhase) -> Expectations | None:
    """Prove the cases of the task; return the reference's answers, None if the proof was kept.

    A spec without faults is noted in the user's cache.  Raises `SpecNotProven` and `SandboxFailure`.
    """
    kept = UserCache()

    def known(key: str) -> str:
        return NO_FAULTS if kept.has(key) else ""

    examination = Examination(tools.zygote.driver, {})
    conditions = run_key(task, conditions_key(task, examination, tools.zygote.interpreter), tools_of(task))
    key = digest(conditions, *(case.id for case in task.cases))
    tell("checking the reference")
    proof = replace(prover, known=known).prove(task, key, lambda: mark_reference(task, tools, tell))
    if proof.kept == NO_FAULTS:
        kept.add(key)
    return proof.expectations


def strongest_zygote(task: Task, python: str) -> Zygote:
    """Start the first zygote of the ladder that works."""
    interpreter = find_interpreter(python)
    failures = []
    for driver in LADDER:
        try:
            return Zygote(driver, interpreter, task.preloaded)
        except SandboxFailure as failure:
            failures.append(f"{driver}: {failure}")
    hint = "are the spec's packages installed for the submissions' Python?  See --python"
    raise NoSandbox(
        Fault(
            f"no sandbox starts on this host ({'; '.join(dict.fromkeys(failures))})",
            hint=hint if task.packages else "see grader doctor",
        )
    )
