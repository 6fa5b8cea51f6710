"""Measures the time of a right answer over growing inputs, and names its growth.

Each call runs alone, in a process of its own that has nothing of an earlier call.  So nothing that a
program keeps can serve it.  A size whose call is quick is called some times over, with other inputs of
that size where the spec can make some.  Every answer is judged.  Each round has a new box, and each size
runs in each of several rounds.  The cost of a process and of its arguments is measured on a function that
does nothing, and taken off.

What a program does when it is imported serves all of its calls.  Where that takes more than half as long
as the longest call, beyond the import of the reference, the times of the calls tell nothing.

`grader.marking.growth` names the times.
"""

from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from math import ceil, sqrt
from statistics import median

from grader.kinds.calls.scenario import expected_of_step, only_step
from grader.kinds.calls.timing.track import Track, when_run_again
from grader.marking.growth import FLOOR_S, NamedGrowth, is_fit, middle_times, named
from grader.model.case import Case, Growth
from grader.model.kinds import calls_of
from grader.model.outcome import Ending, Outcome
from grader.model.results import CaseResult, GrowthPoint, GrowthResult
from grader.model.verdict import Verdict
from grader.sandbox.box import Box, Job, Program, loaded
from grader.sandbox.budget import Share
from grader.sandbox.request import encode_request
from grader.sandbox.zygote import SandboxFailure

_MORE_ROUNDS = 3
"""Near the edge between two names there are at most so many times the rounds."""
_MOST_TIMES = 8
_MOST_S = 1.0
"""About the most CPU seconds of all sizes in a round, unless calling each once takes more."""
_AIM_S = 4 * FLOOR_S
"""The time that all calls of a size are to take."""


@dataclass(slots=True)
class _Times:
    """The times of all rounds.

    rounds: seconds of one call, for each size.  imports_s: seconds of the import beyond the reference's.
    counts: how often each size is called in a round.
    """

    counts: Sequence[int]
    rounds: list[list[float]] = field(default_factory=list)
    imports_s: list[float] = field(default_factory=list)

    def named(self, growth: Growth) -> NamedGrowth:
        """Return the name of the growth."""
        floors = [FLOOR_S / sqrt(count) for count in self.counts]
        return named(growth.sizes, self.rounds, floors, median(self.imports_s))


def repeats(case: Case) -> "tuple[Case, ...]":
    """Return a case with the other inputs on which its growth is measured."""
    what = calls_of(case)
    assert what.growth is not None
    return tuple(
        replace(case, id=f"{case.id} again {number}", what=replace(what, steps=steps, growth=None))
        for number, steps in enumerate(what.growth.again, 1)
    )


def measure_growth(track: Track, result: CaseResult) -> CaseResult:
    """Return the result of an accepted case, with the growth of its time, and the score that this earns.

    No process of the submission may be alive when this is called.  It pays for its runs with all of its
    budget, or with half of what is left, where the growth decides nothing.  Raises `SandboxFailure`.
    """
    growth, budget = calls_of(track.case).growth, track.budget
    assert growth is not None
    if not growth.decides:
        budget = Share(budget, max(0.0, budget.cpu_left_s) / 2, max(0.0, budget.wall_left_s) / 2)
    sizes = _Sizes(replace(track, budget=budget))
    times = _Times([1] * len(growth.sizes))
    while True:
        found = sizes.run(times)
        if found is not None:
            if found.verdict is not Verdict.SKIPPED:
                return when_run_again(found)
            if not times.rounds:
                # Without budget there is no remark.
                return replace(found, call=result.call) if growth.decides else result
        name = times.named(growth)
        most = growth.rounds * (_MORE_ROUNDS if name.near_edge else 1)
        if found is not None or len(times.rounds) >= most or budget.is_used_up:
            return _graded(growth, result, name, times)


class _Sizes:
    """Runs the sizes of a case, each call by itself."""

    def __init__(self, track: Track) -> None:
        case, program = track.case, track.program
        self._track = track
        self._inputs = track.lab.inputs
        self._cases = (case, *repeats(case))
        """The case, and the same with other inputs."""
        text = f"def {calls_of(case).steps[0].call.function}(*args, **kwargs):\n    return None\n"
        self._idle = Program(program.module, {program.module: text})
        reference = self._inputs.task.reference
        self._beside = Program(program.module, dict(reference.texts)) if reference is not None else self._idle

    def run(self, times: _Times) -> CaseResult | None:
        """Run a round and add its times; return the result of an answer that is not right instead."""
        if not times.rounds:
            # The first calls tell how often each size is to be called.
            first: _Times = _Times(times.counts)
            wrong = self._round(first)
            if wrong is not None:
                return wrong
            times.counts = _counts(first.rounds[0])
        return self._round(times)

    def _round(self, times: _Times) -> CaseResult | None:
        spent_s: list[float] = []
        opened = self._track.opened
        with opened(self._track.program) as box, opened(self._idle) as idle:
            with opened(self._beside) as beside:
                beside.load()
            imported, _ = box.load()
            idle.load()
            assert box.imported is not None
            assert beside.imported is not None
            for number, count in enumerate(times.counts):
                taken_s, idle_s = 0.0, 0.0
                for again in range(count):
                    case = self._cases[(len(times.rounds) + again) % len(self._cases)]
                    outcome = self._call(box, case, number) if loaded(imported) else imported
                    wrong = self._wrong(case, outcome, number)
                    if wrong is not None:
                        return wrong
                    taken_s += outcome.cpu_s
                    idle_s += self._idle_s(idle, case, number)
                spent_s.append(max(0.0, taken_s - idle_s) / count)
            times.imports_s.append(box.imported.cpu_s - beside.imported.cpu_s)
        times.rounds.append(spent_s)
        return None

    def _call(self, box: Box, case: Case, number: int, *, invent: bool = False) -> Outcome:
        """Call one size in a process of its own.  Raises `SandboxFailure`."""
        types, what = self._inputs.task.types, calls_of(case)
        calls = [what.steps[number].call]
        request = encode_request(calls, case.limits, unchanged=what.unchanged, types=types, invent=invent)
        (outcome,) = box.run([Job(request, self._track.limits)])
        return outcome

    def _idle_s(self, box: Box, case: Case, number: int) -> float:
        outcome = self._call(box, case, number, invent=True)
        if outcome.ending is not Ending.ANSWERED:
            raise SandboxFailure("a function that does nothing gave no answer")
        return outcome.cpu_s

    def _wrong(self, case: Case, outcome: Outcome, number: int) -> CaseResult | None:
        if outcome.ending is Ending.TIME:
            # With all other sizes it was in time before, so the machine has slowed down; and no answer came.
            return None
        what = calls_of(case)
        one = replace(only_step(what, number), generated=None, growth=None)
        expected = expected_of_step(what, self._inputs.expectations.get(case.id))(number)
        text, own_id = what.steps[number].call.text, self._cases[0].id
        result = self._track.judged(replace(case, id=own_id, text=text, what=one), outcome, expected)
        return result if result.verdict is not Verdict.ACCEPTED else None


def _counts(once_s: Sequence[float]) -> list[int]:
    """Return how often each size is called in a round.  once_s: seconds of one call of each."""
    counts = [min(_MOST_TIMES, ceil(_AIM_S / max(each, 1e-6))) for each in once_s]
    while sum(count * each for count, each in zip(counts, once_s, strict=True)) > _MOST_S and max(counts) > 1:
        counts = [max(1, count // 2) for count in counts]
    return counts


def _graded(growth: Growth, result: CaseResult, name: NamedGrowth, times: _Times) -> CaseResult:
    points = tuple(map(GrowthPoint, growth.sizes, middle_times(times.rounds)))
    measured = GrowthResult(
        name=name.name,
        others=name.others,
        power=name.power,
        too_quick=not name.is_told,
        import_s=max(0.0, median(times.imports_s)) if name.at_import else 0.0,
        at_most=growth.at_most,
        remark=not growth.decides,
        points=points,
        rounds=len(times.rounds),
    )
    result = replace(result, growth=measured)
    if is_fit(name, growth.at_most) or not growth.decides:
        return result
    score = growth.worse
    worth = f"it earns {score} of the case" if score else "it earns nothing"
    reason = f"the time grows as {name.name}"
    if name.at_import:
        reason = f"the import takes {measured.import_s:.2g} s, so the times of the calls tell nothing"
    return replace(
        result,
        verdict=Verdict.PARTIAL if score else Verdict.TIME_LIMIT,
        score=score,
        message=f"the answers are right, but {reason}: {worth} (all up to {growth.at_most})",
    )
