"""Measures the time of a right answer over growing inputs, and names its growth.

Each size runs alone in a process, some times over: as often as the smallest size needs for a time that can be
measured.  All sizes are repeated equally often, so that answers kept from one call to the next shorten all of
them alike.  Each round has a new box, so that nothing is left of the round before.  The cost of the process
and of its arguments is measured on a function that does nothing, and taken off.  Each
size runs once in each of several rounds.

The last answer of each size is judged.  The others need not be: a right last answer has cost the time of one
answer at least, and that is what grows.
"""

from collections.abc import Callable, Sequence
from dataclasses import replace
from math import ceil

from grader.engine.submission.boxes import import_limits
from grader.engine.submission.run_inputs import RunInputs
from grader.judge.judge import Expected
from grader.judge.scenario import case_of_step, expected_of_step
from grader.marking.growth import FLOOR_S, Named, is_within, middle_times, named
from grader.model.case import Case, Growth
from grader.model.limits import allowed
from grader.model.outcome import Ending, Outcome
from grader.model.results import CaseResult, GrowthPoint, GrowthResult
from grader.model.verdict import Verdict
from grader.sandbox.box import Box, Job, Program, loaded
from grader.sandbox.budget import Budget
from grader.sandbox.request import encode_request
from grader.sandbox.zygote import SandboxFailure, Zygote

Judge = Callable[[Case, Outcome, Expected | None], CaseResult]
"""Judges the answer to one size."""

_MORE_ROUNDS = 3
"""Near the edge between two names there are at most so many times the rounds."""
_MOST_TIMES = 512
_MOST_S = 1.0
"""The most CPU seconds of all sizes in a round, unless calling each once takes more."""
_STEP = 8
_AIM_S = 4 * FLOOR_S
"""The time that the smallest size is to take."""


def measure_growth(
    zygote: Zygote,
    inputs: RunInputs,
    case: Case,
    program: Program,
    result: CaseResult,
    judge: Judge,
    budget: Budget,
) -> CaseResult:
    """Return the result of an accepted case, with the score that its growth earns.

    No process of the submission may be alive when this is called.  program: the submission's.
    Raises `SandboxFailure`.
    """
    assert case.growth is not None
    sizes = _Sizes(zygote, inputs, case, program, judge, budget)
    times = sizes.times_over(result.cpu_s)
    rounds: list[list[float]] = []
    while True:
        found = sizes.round(times)
        if isinstance(found, CaseResult):
            return replace(found, message=f"when it was run again for its time: {found.message}")
        rounds.append(found)
        # Whether a time can be measured depends on the whole run.
        name = named(case.growth.sizes, [[each * times for each in one] for one in rounds])
        most = case.growth.rounds * (_MORE_ROUNDS if name.near_edge else 1)
        if len(rounds) >= most or budget.is_used_up:
            return _graded(case.growth, result, name, rounds)


class _Sizes:
    """Runs the sizes of a case, each by itself."""

    def __init__(
        self,
        zygote: Zygote,
        inputs: RunInputs,
        case: Case,
        program: Program,
        judge: Judge,
        budget: Budget,
    ) -> None:
        self._zygote = zygote
        self._inputs = inputs
        self._case = case
        self._program = program
        self._judge = judge
        self._budget = budget
        self._limits = allowed(case.limits)
        text = f"def {case.calls[0].function}(*args, **kwargs):\n    return None\n"
        self._idle = Program(program.module, {program.module: text})

    def times_over(self, all_s: float) -> int:
        """Return how often each size is called.  all_s: CPU seconds of all sizes, once each."""
        # Half of the limit leaves room for load.
        most_s = min(_MOST_S, self._limits.time_s / 2)
        most = max(1, min(_MOST_TIMES, int(most_s / max(all_s, 1e-6))))
        times = 1
        while True:
            (outcome,), (idle,) = self._run(self._program, 1, times), self._run(self._idle, 1, times)
            taken_s = outcome.cpu_s - idle.cpu_s
            if times >= most or taken_s >= _AIM_S:
                return times
            # A single call may take less than the noise of its process, so its time is not scaled up at once.
            enough = ceil(times * _AIM_S / taken_s) if taken_s > _AIM_S / 4 else times * _STEP
            times = min(most, max(times + 1, enough))

    def round(self, times: int) -> list[float] | CaseResult:
        """Return the seconds of one call for each size, or the result of an answer that is not right."""
        count = len(self._case.calls)
        outcomes, idle = self._run(self._program, count, times), self._run(self._idle, count, times)
        for number, outcome in enumerate(outcomes):
            if outcome.ending is Ending.TIME and times > 1:
                # Called once it was in time before, so the machine may have slowed down.
                return self.round(1)
            wrong = self._wrong(outcome, number)
            if wrong is not None:
                return wrong
        return [max(0.0, a.cpu_s - b.cpu_s) / times for a, b in zip(outcomes, idle, strict=True)]

    def _wrong(self, outcome: Outcome, number: int) -> CaseResult | None:
        case = replace(case_of_step(self._case, number), generated=None, growth=None)
        expected = expected_of_step(self._case, self._inputs.expectations.get(case.id))(number)
        result = self._judge(case, outcome, expected)
        return result if result.verdict is not Verdict.ACCEPTED else None

    def _run(self, program: Program, count: int, times: int) -> list[Outcome]:
        """Run the first sizes, each in a process of its own, all in a new box.  Raises `SandboxFailure`."""
        memory_b, limits = self._limits.memory_b, import_limits(self._limits.memory_b)
        seed, longest_s = self._inputs.task.seed_of(self._case), self._inputs.longest_s
        outcomes: list[Outcome] = []
        with Box(self._zygote, program, memory_b, limits, longest_s, seed) as box:
            imported, _ = box.load()
            if not loaded(imported):
                outcomes = [imported] * count
            for number in range(len(outcomes), count):
                outcomes += box.run([Job(self._request(program, number, times), self._limits)])
        if program is not self._idle:
            self._budget.spend(imported.cpu_s + sum(outcome.cpu_s for outcome in outcomes))
        elif any(outcome.ending is not Ending.ANSWERED for outcome in outcomes):
            raise SandboxFailure("a function that does nothing gave no answer")
        return outcomes

    def _request(self, program: Program, number: int, times: int) -> bytes:
        case = self._case
        return encode_request(
            [case.calls[number]],
            case.limits,
            unchanged=case.unchanged,
            types=self._inputs.task.types,
            invent=program is self._idle,
            again=times,
        )


def _graded(growth: Growth, result: CaseResult, name: Named, rounds: Sequence[Sequence[float]]) -> CaseResult:
    points = tuple(map(GrowthPoint, growth.sizes, middle_times(rounds)))
    measured = GrowthResult(
        name=name.name,
        others=name.others,
        power=name.power,
        too_quick=not name.is_told,
        at_most=growth.at_most,
        points=points,
        rounds=len(rounds),
    )
    if is_within(name.name, growth.at_most):
        return replace(result, growth=measured)
    score = growth.worse
    worth = f"it earns {score} of the case" if score else "it earns nothing"
    return replace(
        result,
        verdict=Verdict.PARTIAL if score else Verdict.TIME_LIMIT,
        score=score,
        growth=measured,
        message=f"the answers are right, but the time grows as {name.name}: {worth} "
        f"(all up to {growth.at_most})",
    )
