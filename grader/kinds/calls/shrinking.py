"""Looks for the smallest input on which a generated case fails, for the student to read.

No mark depends on it.  It has seconds of its own, so that it takes nothing from cases that are still to run.
Each input that is tried runs alone in a new process, and its answer is judged as that of a `call` case is.
"""

from dataclasses import dataclass, replace

from grader.judge.judge import judge
from grader.kinds.calls.generated import not_again, with_smaller
from grader.kinds.calls.scenario import only_step
from grader.lab.boxes import Boxes
from grader.lab.evidence import EvidenceCache, case_digest
from grader.lab.requests import needs_reference, request_of
from grader.lab.tools import MarkingTools
from grader.lab.turn import CaseTurn
from grader.model.case import Case
from grader.model.kinds import calls_of
from grader.model.limits import allowed
from grader.model.outcome import Outcome, RaisedAnswer
from grader.model.results import CaseResult
from grader.model.task import Task
from grader.model.values import Value
from grader.model.verdict import Verdict
from grader.sandbox.box import Job
from grader.sandbox.budget import Budget
from grader.spec.decode.calling.inputs import Inputs, inputs_of, seed_of
from grader.spec.given.drawing import smallest
from grader.spec.given.generators import Generators
from grader.spec.given.strategies import DrawStopped
from grader.values.python_text import literal
from grader.yamlfile.unusable import if_usable

SHRINK_S = 3.0
"""The most CPU seconds for all cases of a submission, beside its budget; it may wait three times as long."""
_TRIES_AT_LIMIT = 5
MOST_TRIES = 100
"""The most inputs that are tried for one case."""

_UNCLEAR = (Verdict.ACCEPTED, Verdict.SKIPPED, Verdict.INTERNAL_ERROR)
"""Verdicts that show no fault of the student's."""

Row = tuple[Value, ...]


@dataclass(frozen=True, slots=True)
class FailingInputs:
    """A generated case that failed.  failing: the numbers of the inputs that did, the smallest first."""

    turn: CaseTurn
    result: CaseResult
    failing: tuple[int, ...]

    @property
    def met_a_limit(self) -> bool:
        """Tell whether it was stopped at its time limit, or at that for waiting."""
        return self.result.verdict in (Verdict.TIME_LIMIT, Verdict.WALL_LIMIT)


def is_cheap(found: FailingInputs) -> bool:
    """Tell whether many inputs of a case can be tried: each that never ends costs the whole limit."""
    limits = allowed(found.turn.case.limits)
    return not found.met_a_limit or max(limits.time_s, limits.wall_s / 3) * _TRIES_AT_LIMIT <= SHRINK_S


def budget_beside(budget: Budget) -> Budget:
    """Return the budget for shrinking: seconds of its own, no more than are left of the submission's."""
    cpu_s = min(SHRINK_S, max(0.0, budget.cpu_left_s))
    return Budget(cpu_s, 3 * cpu_s)


def with_smallest(
    task: Task, found: FailingInputs, boxes: Boxes, tools: MarkingTools, cache: EvidenceCache, budget: Budget
) -> CaseResult:
    """Return the result of a case with the smallest failing input that was found; its mark stays.

    boxes: of the submission, that draw from `budget`; no other box of it may be open.  budget: as
    `budget_beside` returns it.  Raises `SandboxFailure`.
    """
    case = found.turn.case
    what = calls_of(case)
    assert what.generated is not None
    inputs = if_usable(inputs_of, task, case)
    if inputs is None:
        return found.result
    search = _Search(task, inputs, found, boxes, tools, cache, budget)
    first = search.tried(what.generated.rows[found.failing[0]])
    if first is None:
        return found.result
    if first.verdict is Verdict.ACCEPTED:
        return not_again(found.result)
    if first.verdict in _UNCLEAR:
        return found.result
    search.look(first.verdict)
    if search.best is None:
        return found.result
    call, smaller = search.best
    return with_smaller(what, found.result, smaller, call, len(found.failing))


@dataclass
class _Search:
    task: Task
    inputs: Inputs
    found: FailingInputs
    boxes: Boxes
    tools: MarkingTools
    cache: EvidenceCache
    budget: Budget

    def __post_init__(self) -> None:
        self._turn, found = self.found.turn, self.found
        self._tries = 0
        self._known: dict[str, CaseResult | None] = {}
        generated = calls_of(found.turn.case).generated
        assert generated is not None
        self._generated = generated
        self._drawn = {literal(row): number in found.failing for number, row in enumerate(generated.rows)}
        self._smallest = _size(literal(generated.rows[found.failing[0]]))
        self.best: tuple[str, CaseResult] | None = None
        """The call of the smallest failing input that is smaller than all that were drawn, and its result."""

    def look(self, verdict: Verdict) -> None:
        """Try smaller inputs, until nothing smaller fails in the same way or the budget is used up."""

        def fails(row: Row) -> bool:
            text = literal(row)
            if self._drawn.get(text) is False:
                return False
            result = self.tried(row)
            if result is None:
                raise DrawStopped
            if result.verdict is not verdict:
                return False
            if _size(text) < self._smallest:
                self._smallest = _size(text)
                self.best = result.call, result
            return True

        task, checkers = self.task, self.task.checkers
        generators = None
        if checkers is not None:
            generators = Generators(
                lambda: self.tools.zygote,
                checkers,
                task.types,
                task.seed,
                purse=self.budget,
            )
        try:
            strategy = self.inputs.strategy(generators)
            count = len(self._generated.rows)
            with self.budget.spending():
                smallest(strategy, fails, count, seed_of(self._generated, task.seed))
        finally:
            if generators is not None:
                generators.close()

    def tried(self, row: Row) -> CaseResult | None:
        """Return the result of one input; None where the budget, or the number of tries, is used up."""
        text = literal(row)
        if text not in self._known:
            self._known[text] = self._try(row)
        return self._known[text]

    def _try(self, row: Row) -> CaseResult | None:
        if self.budget.is_used_up or self._tries >= MOST_TRIES:
            return None
        self._tries += 1
        case = self._case(row)
        if case is None:
            return None
        oracle = self.tools.oracle
        expected = None
        if needs_reference(case):
            expected = oracle.expected(case, self._turn.question.module)
            if expected.failure or any(isinstance(answer, RaisedAnswer) for answer in expected.answers):
                # The reference does not take this input, so students need not.
                return _skipped(case)
        outcome = self._outcome(case)
        if outcome is None:
            return None
        result = judge(case, outcome, expected, oracle)
        return None if oracle.lacked_budget else result

    def _case(self, row: Row) -> Case | None:
        """Return one input as a case with a single call."""
        step = if_usable(self.inputs.of_row, row)
        if step is None:
            return None
        case = self._turn.case
        alone = only_step(replace(calls_of(case), steps=(step,), generated=None), 0)
        return replace(case, text=step.call.text, what=alone)

    def _outcome(self, case: Case) -> Outcome | None:
        """Run a case; None where the budget cut it short.  Raises `SandboxFailure`."""
        box = self.boxes.box(self._turn)
        if isinstance(box, Outcome):
            return None
        request = request_of(self.task, case)
        program, key = self.boxes.digest(self._turn), case_digest(self.task, case, request, None)
        known = self.cache.find(program, key)
        if known is not None:
            self.budget.charge(known.report)
            return known.outcome()
        (found,) = box.gather([Job(request, allowed(case.limits))])
        if found.report.ending == "budget":
            return None
        if self.boxes.keeps_evidence:
            self.cache.add(program, key, found)
        return found.outcome()


def _size(text: str) -> tuple[int, str]:
    """Return what sorts inputs by their texts."""
    return len(text), text


def _skipped(case: Case) -> CaseResult:
    return CaseResult(id=case.id, call=case.text, verdict=Verdict.SKIPPED)
