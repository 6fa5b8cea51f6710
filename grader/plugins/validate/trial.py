"""Runs programs against chosen cases of a task, as the engine marks submissions.

A trial asks about single cases, so it leaves out what makes a mark of them: rules on the whole task, the
worth of a time, the budget.  It can stop each question at its first failing case.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from fractions import Fraction
from functools import lru_cache, partial
from itertools import pairwise

from grader.engine.proof.marking import reference_submission
from grader.engine.run_config import RunConfig
from grader.engine.submission.marker import SubmissionMarker
from grader.engine.submission.memo import JudgementMemo
from grader.lab.evidence import EvidenceCache
from grader.lab.run_inputs import RunInputs, run_inputs
from grader.lab.tools import MarkingTools
from grader.model.case import Case, Visibility
from grader.model.closing import Closing
from grader.model.kinds import kind_of
from grader.model.results import CaseResult, SubmissionResult
from grader.model.submission import SourceFile, Submission
from grader.model.task import Award, Question, Task

_ENDLESS_S = 1e6
"""No budget: a trial has limits on each case alone."""


@dataclass(frozen=True, slots=True)
class TaskPart:
    """The part of a task that a trial runs.

    cases: ids in the order in which they run; cases of one question need not stand together.
    most_s: CPU seconds, by case, where less than the spec's limit is enough.
    stops: leave out the cases of a question after its first one that fails.
    patient: `most_s` holds also where the spec's limit is less.
    """

    cases: tuple[str, ...]
    most_s: tuple[tuple[str, float], ...] = ()
    stops: bool = False
    patient: bool = False


class ProgramTrials(Closing):
    """Runs programs.  Use it as a context manager, or call `close`.

    config: the task and the reference's answers.  hash_seed: the order of sets of texts in the programs.
    """

    def __init__(self, config: RunConfig, hash_seed: int = 0) -> None:
        self._config = config
        self._hash_seed = hash_seed
        self._tools: MarkingTools | None = None
        self._inputs = lru_cache(maxsize=32)(self._make_inputs)

    def run(
        self,
        sources: Mapping[str, str],
        cases: Sequence[str],
        most_s: Mapping[str, float] | None = None,
        *,
        stops: bool = False,
        patient: bool = False,
    ) -> dict[str, CaseResult]:
        """Run a program, given as texts by module, against cases; return their results by id.

        See `TaskPart`.  Raises `SandboxFailure`.
        """
        if not cases:
            return {}
        part = TaskPart(tuple(cases), tuple(sorted((most_s or {}).items())), stops, patient)
        result = self._mark(self._inputs(part), program(sources))
        return {case.id: case for question in result.questions for case in question.cases}

    def mark(self, submission: Submission, task: Task | None = None) -> SubmissionResult:
        """Mark a program by a whole task, as any submission.  Raises `SandboxFailure`.

        task: the trials' own, or it with other texts or limits.
        """
        config = self._config
        return self._mark(run_inputs(task or config.task, config.expectations), submission)

    def _mark(self, inputs: RunInputs, submission: Submission) -> SubmissionResult:
        # A judgement holds the texts and limits of its case, so it is remembered for the same cases alone.
        return SubmissionMarker(inputs, submission, self.tools, JudgementMemo(), EvidenceCache()).run()

    def _make_inputs(self, part: TaskPart) -> RunInputs:
        return run_inputs(part_of(self._config.task, part), self._config.expectations)

    @property
    def tools(self) -> MarkingTools:
        """The sandbox of the trials, with the spec's own code; started where it was not.

        Raises `SandboxFailure`.
        """
        if self._tools is None:
            start = partial(self._config.start, self._hash_seed)
            self._tools = MarkingTools(start, self._config.task)
        return self._tools

    def close(self) -> None:
        if self._tools is not None:
            self._tools.close()
            self._tools = None


def part_of(task: Task, part: TaskPart) -> Task:
    """Return the task with the cases of a trial alone, each by itself; a time limit ends its question.

    All cases are public, since a program of ours may know every case; so they share a box.
    """
    place = {case: number for number, case in enumerate(part.cases)}
    most_s = dict(part.most_s)
    questions = []
    for question in task.questions:
        chosen = sorted(
            (case for case in question.cases if case.id in place), key=lambda case: place[case.id]
        )
        if chosen:
            cases = tuple(_by_itself(case, most_s.get(case.id), part.patient) for case in chosen)
            if part.stops:
                cases = (cases[0], *(replace(b, needs=(a.id,)) for a, b in pairwise(cases)))
            # A time limit in a question of `award: all` ends it, so a program that hangs costs one limit.
            questions.append(replace(question, cases=cases, award=Award.ALL))
    return replace(
        task,
        questions=tuple(questions),
        marks=sum((question.marks for question in questions), Fraction(0)),
        rules=(),
        late=None,
        smoke=None,
        budget_s=_ENDLESS_S,
        budget_wall_s=_ENDLESS_S,
    )


def _by_itself(case: Case, most_s: float | None, patient: bool) -> Case:
    limits = case.limits
    if most_s is not None:
        limits = replace(limits, time_s=most_s if patient else min(limits.time_s, most_s))
    case = replace(case, needs=(), visibility=Visibility.PUBLIC, limits=limits)
    return kind_of(case).untimed(case, growth=False)


def program(sources: Mapping[str, str]) -> Submission:
    """Return a program of ours as a submission.  sources: texts by module."""
    files = {name: SourceFile(f"{name}.py", text) for name, text in sources.items()}
    return Submission("program", "program", files)


def reference_program(task: Task) -> dict[str, str]:
    """Return the sources of the reference as a submission, by module; empty without a reference."""
    if task.reference is None:
        return {}
    return {name: file.text for name, file in reference_submission(task, task.reference).files.items()}


def questions_with_cases(task: Task) -> list[Question]:
    return [question for question in task.questions if question.cases]
