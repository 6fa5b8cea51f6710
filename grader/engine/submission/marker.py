"""Marks one submission, from its files to its result.

Rules on the source come first.  Then the cases run in the order of `case_queue`, in one box at a time, and
each is judged after its run.  A case is skipped in three situations, and its message gives the reason: a case
that it needs was not accepted, time limits have ended its question, or the submission's budget is used up.
"""

from collections.abc import Callable, Iterator, Sequence
from contextlib import suppress
from dataclasses import replace
from typing import Any, ParamSpec, TypeAlias, TypeVar

from grader.engine.submission.case_queue import CaseQueue
from grader.engine.submission.denied import HostDenials
from grader.engine.submission.memo import JudgementMemo
from grader.engine.submission.skipping import Skipping, failed
from grader.engine.submission.sources import (
    behind_own_files,
    commands,
    kept_sources,
    with_own_line,
    with_reason,
)
from grader.judge.absent import with_what_is_there
from grader.judge.finding import CheckFailed, OwnFault
from grader.judge.judge import judge
from grader.judge.messages import size_text
from grader.kinds.calls.generated import failing_inputs
from grader.kinds.calls.shrinking import FailingInputs, budget_beside, is_cheap, with_smallest
from grader.kinds.kind import Kind
from grader.lab.boxes import Boxes, OnWait
from grader.lab.evidence import EvidenceCache
from grader.lab.lab import Lab
from grader.lab.pictures import with_pictures
from grader.lab.rule_outcome import RuleOutcome
from grader.lab.run_inputs import RunInputs
from grader.lab.tools import MarkingTools
from grader.lab.turn import CaseTurn
from grader.marking.questions import question_result
from grader.marking.totals import submission_result
from grader.model.case import Case, Visibility
from grader.model.kinds import calls_of, kind_of
from grader.model.outcome import Ending, Outcome
from grader.model.results import CaseResult, Frame, SubmissionResult
from grader.model.submission import Submission
from grader.model.task import Task
from grader.model.verdict import Verdict
from grader.registry.blame import blamed, is_plugins
from grader.registry.groups import Group
from grader.registry.registry import registry
from grader.sandbox.budget import Budget
from grader.sandbox.evidence import Evidence
from grader.sandbox.zygote import HostKilled, SandboxFailure
from grader.values.pairing import Undecided

OnCase: TypeAlias = Callable[[str], None]
"""Called with the id of a case."""

OnResult: TypeAlias = Callable[[CaseResult], None]
"""Called with the result of a case."""

_NOT_FAILED = (Verdict.ACCEPTED, Verdict.SKIPPED, Verdict.INTERNAL_ERROR)

_P = ParamSpec("_P")
_T = TypeVar("_T")


class Postponed(Exception):
    """The system killed a process of a submission, which is to be marked when nothing else is at work.

    Its argument is the evidence so far, as the cache packs it.
    """


def budget_of(task: Task) -> Budget:
    """Return the budget of one submission, before anything is spent."""
    return Budget(task.budget_s, task.budget_wall_s)


class SubmissionMarker:
    """The marking of one submission.
    cache: has the evidence of earlier runs, and gets this run's.
    budget: the rest after reading the submission; None for all of it.
    on_wait: called when the submission waits, and when it goes on.
    on_case: called with each case before it runs.
    on_result: called with the result of each case, and again where it changes.
    shrinks: look for small inputs on which generated cases fail.
    postpones: raise `Postponed` where the system kills a process; else the step is tried once more at once.
    """

    def __init__(
        self,
        inputs: RunInputs,
        submission: Submission,
        tools: MarkingTools,
        memo: JudgementMemo,
        cache: EvidenceCache,
        budget: Budget | None = None,
        on_wait: OnWait | None = None,
        on_case: OnCase | None = None,
        on_result: OnResult | None = None,
        *,
        shrinks: bool = False,
        postpones: bool = False,
    ) -> None:
        self._task = inputs.task
        self._inputs = inputs
        self._submission = submission
        self._commands = commands(inputs.task, submission)
        self._tools = tools
        self._memo = memo
        self._results: dict[str, CaseResult] = {}
        self._outcome = RuleOutcome()
        self._budget = budget or budget_of(inputs.task)
        self._on_case = on_case
        self._on_result = on_result
        self._skipping = Skipping(inputs.task, self._results, self._budget)
        self._boxes = Boxes(inputs, submission, tools, cache, self._budget, on_wait)
        self._cache = cache
        self._shrinks = shrinks
        self._postpones = postpones
        self._failing: list[FailingInputs] = []
        """Generated cases that failed since the last ones were shrunk."""
        self._shrink_budget: Budget | None = None
        self._on_wait = on_wait
        self._lab = Lab(inputs, self._boxes, tools, cache, self._budget)
        self._denials = HostDenials()
        self.sandbox_failed = False
        """True if the sandbox failed and was restarted."""

    def run(self) -> SubmissionResult:
        """Run the cases, and return the submission's result.  Raises `SandboxFailure` and `Postponed`."""
        self.run_cases()
        return self.result_for(self._submission)

    def run_cases(self) -> None:
        """Run the cases; `result_for` has the result then.  Raises `SandboxFailure` and `Postponed`."""
        with self._tools.marking(self._budget):
            self._outcome = self._rule_outcome()
            try:
                for turns in self._due():
                    self._run(turns)
                self._shrink()
                self._skip_rules()
            finally:
                self._close_box()

    def result_for(self, submission: Submission) -> SubmissionResult:
        """Return the result of a submission of the same files, after `run_cases`: times may differ."""
        questions = tuple(
            question_result(question, tuple(self._results[case.id] for case in question.cases))
            for question in self._task.questions
        )
        notes = (*submission.notes, *self._boxes.stopped, *behind_own_files(self._task, submission))
        submission = replace(submission, notes=notes)
        result = submission_result(self._task, submission, questions, self._outcome.penalties_due)
        result = replace(result, sources=kept_sources(self._task, submission))
        return self._outcome.applied_to(result)

    def _rule_outcome(self) -> RuleOutcome:
        """Apply the rules on source; cases with a rule then need not run.  Raises `SandboxFailure`."""
        if not self._task.has_rules:
            return RuleOutcome()
        from grader.kinds.rule.looking import not_ruled, rule_on

        task, submission, budget = self._task, self._submission, self._budget
        try:
            outcome = self._tried(rule_on, task, submission, self._tools.rule_box, budget)
        except SandboxFailure as failure:
            # Without the task's rules no mark is certain; without a case's rule only that case is uncertain.
            if task.rules:
                raise
            outcome = not_ruled(task, str(failure))
        self._results.update(outcome.cases)
        self._boxes.keep_to(outcome)
        return outcome

    # -- order -------------------------------------------------------------------------------------

    def _due(self) -> Iterator[Sequence[CaseTurn]]:
        """Yield cases that share a box and run next; the first of them has a result when it goes on."""
        queue = CaseQueue(self._inputs.turns, self._results)
        visibility: Visibility | None = None
        while turns := queue.take(self._boxes.open_key):
            if turns[0].case.visibility is not visibility:
                # Not later: once a hidden case has run, nothing runs whose output the student sees.
                self._shrink()
                visibility = turns[0].case.visibility
            while turns:
                unrun = self._skipping.outcome_of(turns[0])
                if unrun is not None:
                    self._note(turns[0].case, unrun)
                else:
                    yield self._until_skipped(turns)
                turns = [turn for turn in turns if turn.case.id not in self._results]

    def _skip_rules(self) -> None:
        """Skip the cases with a rule that need one which was not accepted: rules look before cases run."""
        rules = [case for case in self._task.cases if case.needs and case.id in self._outcome.cases]
        for case in rules:
            # The needs of a rule have those of the rules that it needs, so their order is all the same.
            is_skipped = self._results[case.id].verdict is Verdict.SKIPPED
            without = None if is_skipped else self._skipping.unmet(case)
            if without is not None:
                self._note(case, without)

    def _until_skipped(self, turns: Sequence[CaseTurn]) -> Sequence[CaseTurn]:
        """Return the cases before the next one that is skipped; the first one is not."""
        first = turns[0]
        for place, turn in enumerate(turns[1:], 1):
            # Without needs of its own a case is skipped only where the others of its question are.
            if (turn.case.needs or turn.question is not first.question) and self._skipping.outcome_of(
                turn
            ) is not None:
                return turns[:place]
        return turns

    # -- running -----------------------------------------------------------------------------------

    def _run(self, turns: Sequence[CaseTurn]) -> None:
        """Run cases that share a box, at least the first."""
        if self._on_case is not None:
            self._on_case(turns[0].case.id)
        kind = kind_of(turns[0].case)
        found: Sequence[Outcome | Evidence]
        try:
            found = self._tried(self._ran, kind, turns)
        except SandboxFailure as failure:
            found = [failed(str(failure))]
        except BaseException as error:
            if not is_plugins(error):
                raise
            self._close_box()  # nobody knows what the plugin left in it
            found = [failed(blamed(error))]
        for turn, one in zip(turns, found, strict=False):
            try:
                self._use(turn, one)
            except BaseException as error:
                if not is_plugins(error):
                    raise
                # The other cases count.
                self._note(turn.case, failed(blamed(error)))

    def _use(self, turn: CaseTurn, found: Outcome | Evidence) -> None:
        """Judge a case that ran, and look at its inputs and its time."""
        self._note(turn.case, found)
        if self._shrinks and isinstance(found, Evidence):
            self._note_failing(turn, found)
        if calls_of(turn.case).is_timed and self._results[turn.case.id].verdict is Verdict.ACCEPTED:
            self._compare_times(turn)

    def _ran(self, kind: Kind[Any], turns: Sequence[CaseTurn]) -> Sequence[Outcome | Evidence]:
        """Run cases by their kind.  Raises `SandboxFailure`, also where the host denied what it must not."""
        found = kind.run(turns, self._lab)
        if not _is_evidence(found):
            plugin = registry().plugin_of(Group.KINDS, kind.name)
            return [failed(f"plugin {plugin}: its kind {kind.name} gave no outcome")]
        if self._denials.met(found):
            self._lab.forget(turns)
            raise HostKilled("the host denied the program a thread")
        return found

    def _tried(self, run: Callable[_P, _T], *args: _P.args, **named: _P.kwargs) -> _T:
        """Return the result of `run`; if the sandbox fails, restart it and call `run` once more.

        A student must not pay for another student's effect on the machine.  Only the failed step runs again:
        otherwise public cases would run after hidden ones.  This happens once per submission, because student
        code can make a box report a failure.  Raises `SandboxFailure`.
        """
        try:
            return run(*args, **named)
        except SandboxFailure as failure:
            self._close_box()
            if self._postpones and isinstance(failure, HostKilled):
                # Not now, and no later case first: those may be hidden, and this one's output be seen.
                raise Postponed(self._cache.packed()) from None
            if self.sandbox_failed:
                self._tools.renew()
                raise
            self.sandbox_failed = True
            self._tools.renew()
            return run(*args, **named)

    def _close_box(self) -> None:
        # A box that does not end now ends with its zygote.
        with suppress(SandboxFailure):
            self._boxes.close()

    def _compare_times(self, turn: CaseTurn) -> None:
        kind, result = kind_of(turn.case), self._results[turn.case.id]
        try:
            self._keep(self._tried(kind.timed, turn, result, self._lab))
        except SandboxFailure as failure:
            self._keep(kind.not_timed(turn.case, result, str(failure)))
        finally:
            self._boxes.go_on()

    # -- small inputs ------------------------------------------------------------------------------

    def _note_failing(self, turn: CaseTurn, found: Evidence) -> None:
        """Note a generated case to shrink, if it failed."""
        case, result = turn.case, self._results[turn.case.id]
        if kind_of(case).drawn_inputs(case) is None or result.verdict in _NOT_FAILED:
            return
        expected = self._inputs.expectations.get(case.id)
        budget, oracle = self._budget_beside, self._tools.oracle
        with budget.spending(), oracle.drawing_from(budget), suppress(CheckFailed, OwnFault, Undecided):
            failing = failing_inputs(case, found.outcome(), expected, oracle)
            if failing:
                self._failing.append(FailingInputs(turn, result, tuple(failing)))

    @property
    def _budget_beside(self) -> Budget:
        if self._shrink_budget is None:
            self._shrink_budget = budget_beside(self._budget)
        return self._shrink_budget

    def _shrink(self) -> None:
        """Look for smaller inputs on which generated cases fail.  Marks stay as they are."""
        failing, self._failing = self._failing, []
        if not failing or self._budget_beside.is_used_up:
            return
        self._close_box()
        budget = self._budget_beside
        boxes = Boxes(self._inputs, self._submission, self._tools, self._cache, budget, self._on_wait)
        boxes.keep_to(self._outcome)
        # Without a result of it, the smallest of the inputs that were drawn is shown.
        with suppress(SandboxFailure):
            try:
                with self._tools.oracle.drawing_from(budget):
                    # An input that met a time limit is tried again only where many tries are cheap.
                    for each in sorted(filter(is_cheap, failing), key=lambda one: one.met_a_limit):
                        self._keep(with_smallest(self._task, each, boxes, self._tools, self._cache, budget))
            finally:
                boxes.close()

    # -- judging -----------------------------------------------------------------------------------

    def _note(self, case: Case, found: Outcome | Evidence) -> None:
        """Judge a case, unless the same evidence was judged before, and keep its result."""
        evidence = found if isinstance(found, Evidence) else None
        result = self._memo.judgement(case, evidence) if evidence is not None else None
        if result is None:
            with self._budget.spending():
                result = self._judged(case, found.outcome() if isinstance(found, Evidence) else found)
            if evidence is not None:
                self._memo.remember(case, evidence, result)
        self._keep(with_reason(case, result, self._submission))

    def _judged(self, case: Case, outcome: Outcome) -> CaseResult:
        """Judge a case, and draw its answer if the spec asks for it."""
        expected = self._inputs.expectations.get(case.id)
        oracle = self._tools.oracle
        files, memory = self._files_of(case, outcome), size_text(case.limits.memory_b)
        outcome = with_what_is_there(outcome, self._task.packages, files, memory)
        result = judge(case, outcome, expected, oracle)
        return with_pictures(case, outcome, expected, result, oracle)

    def _files_of(self, case: Case, outcome: Outcome) -> list[str]:
        """Return the names of the files that lay in the folder of a case, or of its module's import."""
        folder = calls_of(case).folder if outcome.ending is not Ending.LOAD_FAILED else None
        of_case = [name for name, _ in folder.files] if folder is not None else []
        return list(dict.fromkeys([*of_case, *(file.name for file in self._task.data)]))

    def _keep(self, result: CaseResult) -> None:
        if result.id in self._commands:
            result = replace(result, call=self._commands[result.id])
        if result.raised is not None:
            frames = tuple(self._located(frame, result.id) for frame in result.raised.frames)
            result = replace(result, raised=replace(result.raised, frames=frames))
        if result.stopped_at is not None:
            result = replace(result, stopped_at=self._located(result.stopped_at, result.id))
        self._results[result.id] = result
        if self._on_result is not None:
            self._on_result(result)

    def _located(self, frame: Frame, case: str) -> Frame:
        return with_own_line(frame, self._submission, self._inputs.beside[case])


def _is_evidence(found: object) -> bool:
    """Tell whether a kind, which can be a plugin's, gave outcomes, at least one."""
    return (
        isinstance(found, Sequence)
        and len(found) > 0
        and all(isinstance(one, Outcome | Evidence) for one in found)
    )
