"""Marks the reference as if it were a submission, by the engine that marks submissions.

Every case runs, also one whose needs failed, so that all faults of a spec are found at once.  Times are not
compared with the reference's, which would be its own, and nothing is taken off.
"""

from collections import deque
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field, replace
from threading import Event, Thread

from grader.engine.submission.marker import SubmissionMarker
from grader.engine.submission.memo import JudgementMemo
from grader.lab.evidence import EvidenceCache
from grader.lab.requests import needs_reference
from grader.lab.run_inputs import Expectations, run_inputs
from grader.lab.tools import MarkingTools
from grader.model.case import Case, Check
from grader.model.events import TellPhase, ignore_phase
from grader.model.kinds import kind_of
from grader.model.results import CaseResult, RuleResult
from grader.model.submission import ImportPolicy, SourceFile, Submission, as_python
from grader.model.task import Award, OwnCode, Task
from grader.sandbox.budget import Budget
from grader.sandbox.zygote import Zygote

_ALONE_S = 1.0
"""Further threads begin after this time, since each starts a sandbox of its own."""
_UNLIMITED_S = 1e9


@dataclass(frozen=True, slots=True)
class ReferenceMarks:
    """The results of the reference.

    cases: by id.  rules: of the task.  expectations: its answers to the cases that ask for them.
    failed_at: see `Oracle`.
    """

    cases: Mapping[str, CaseResult] = field(default_factory=dict)
    rules: tuple[RuleResult, ...] = ()
    expectations: Expectations = field(default_factory=dict)
    failed_at: Mapping[str, tuple[str, int]] = field(default_factory=dict)


def reference_submission(task: Task, reference: OwnCode) -> Submission:
    """Return the reference as a submission, with the modules beside those of the task."""
    names = dict(task.modules)
    files = {
        name: SourceFile(as_python(names.get(name, name + ".py")), text)
        for name, text in reference.texts.items()
    }
    return Submission("reference", "reference", files)


def mark_reference(task: Task, tools: MarkingTools, tell: TellPhase = ignore_phase) -> ReferenceMarks:
    """Mark the reference of a task that has one, by every case.  Raises `SandboxFailure`."""
    assert task.reference is not None, "without a reference there is nothing to mark"
    submission = reference_submission(task, task.reference)
    task = _for_proof(task)
    expectations: Expectations = {}
    for question in task.questions:
        for case in filter(needs_reference, question.cases):
            tell(f"asking the reference: case {case.id}")
            # A case that does not end must not keep the others from being asked.
            tools.oracle.draw_from(None)
            for asked in (case, *kind_of(case).repeats(case)):
                expectations[asked.id] = tools.oracle.expected(asked, question.module)
    marker = SubmissionMarker(
        run_inputs(task, expectations),
        submission,
        tools,
        JudgementMemo(),
        EvidenceCache(),
        Budget(_UNLIMITED_S, _UNLIMITED_S),
        on_case=lambda case: tell(f"checking the reference: case {case}"),
    )
    result = marker.run()
    cases = {case.id: case for case in result.cases}
    return ReferenceMarks(cases, result.rules, expectations, dict(tools.oracle.failed_at))


def mark_reference_in_threads(
    task: Task, start: Callable[[], Zygote], threads: int, tell: TellPhase = ignore_phase
) -> ReferenceMarks:
    """Mark the reference as `mark_reference` does, its questions in several threads if that takes long.

    start: starts a zygote.  Raises `SandboxFailure`.
    """
    parts = deque(_parts(task) if threads > 1 else [task])
    marks: list[ReferenceMarks] = []
    failures: list[Exception] = []
    is_over = Event()

    def work() -> None:
        with MarkingTools(start, task) as tools:
            while parts:
                try:
                    part = parts.popleft()
                except IndexError:  # another thread took the last one
                    return
                marks.append(mark_reference(part, tools, tell))

    def help_out() -> None:
        if is_over.wait(_ALONE_S):
            return
        try:
            work()
        except Exception as failure:
            failures.append(failure)

    helpers = [Thread(target=help_out, daemon=True) for _ in range(min(threads, len(parts)) - 1)]
    for helper in helpers:
        helper.start()
    try:
        work()
    finally:
        is_over.set()
    for helper in helpers:
        helper.join()
    if failures:
        raise failures[0]
    return _joined(task, marks)


def unproven(task: Task) -> Task:
    """Return the task with checkers of which it is not known whether they take the reference's answers."""

    def without(check: Check) -> Check:
        return replace(check, proven=False)

    def case_without(case: Case) -> Case:
        return kind_of(case).with_checks(case, without)

    questions = tuple(
        replace(question, cases=tuple(map(case_without, question.cases))) for question in task.questions
    )
    return replace(task, questions=questions)


def _for_proof(task: Task) -> Task:
    """Return the task with cases that all run, and without consequences."""
    task = unproven(task)
    questions = tuple(
        replace(
            question,
            award=Award.EACH,
            cases=tuple(map(_for_its_verdict, question.cases)),
        )
        for question in task.questions
        if question.cases
    )
    rules = tuple(replace(rule, takes=None, rejects=False) for rule in task.rules)
    imports = ImportPolicy.WHOLE  # the reference is to load as a whole
    return replace(task, questions=questions, rules=rules, late=None, smoke=None, imports=imports)


def _for_its_verdict(case: Case) -> Case:
    return kind_of(case).untimed(replace(case, needs=()), growth=True)


def _parts(task: Task) -> list[Task]:
    """Return a task for each question with cases; the task itself if there is none.

    The first has all rules of the task.  The others have those that decide which modules cases can import,
    but for linters, which take long.
    """
    others = tuple(rule for rule in task.rules if rule.rule.kind.spreads and not rule.rule.needs_tools)
    questions = [question for question in task.questions if question.cases]
    return [
        replace(task, questions=(question,), rules=others if number else task.rules)
        for number, question in enumerate(questions)
    ] or [task]


def _joined(task: Task, marks: list[ReferenceMarks]) -> ReferenceMarks:
    cases = {name: result for one in marks for name, result in one.cases.items()}
    return ReferenceMarks(
        {case.id: cases[case.id] for case in task.cases},
        max((one.rules for one in marks), key=len),
        {name: expected for one in marks for name, expected in one.expectations.items()},
        {name: place for one in marks for name, place in one.failed_at.items()},
    )
