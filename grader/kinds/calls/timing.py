"""The worth of the time of an accepted case: relative to the reference's, or by its growth."""

from grader.judge.finding import Expected
from grader.judge.judge import judge
from grader.kinds.calls.growing import measure_growth
from grader.kinds.calls.relative_time import compare_times
from grader.lab.lab import Lab
from grader.lab.turn import CaseTurn
from grader.model.case import Case
from grader.model.kinds import calls_of
from grader.model.outcome import Outcome
from grader.model.results import CaseResult


def timed(turn: CaseTurn, result: CaseResult, lab: Lab) -> CaseResult:
    """Return the result of an accepted case with the worth of its time.  Raises `SandboxFailure`."""
    case, inputs, oracle = turn.case, lab.inputs, lab.tools.oracle

    def judge_again(outcome: Outcome) -> CaseResult:
        return judge(case, outcome, inputs.expectations.get(case.id), oracle)

    def judge_size(size: Case, outcome: Outcome, expected: Expected | None) -> CaseResult:
        return judge(size, outcome, expected, oracle)

    # A process that is left of the submission could do the work, or use the core.
    lab.boxes.close()
    zygote, program = lab.tools.zygote, lab.boxes.program(turn)
    budget, on_wait = lab.budget, lab.boxes.wait
    # This thread decodes and judges the answers.
    with budget.spending():
        if calls_of(case).growth is not None:
            return measure_growth(zygote, inputs, case, program, result, judge_size, budget, on_wait)
        return compare_times(zygote, inputs, case, program, result, judge_again, budget, on_wait)
