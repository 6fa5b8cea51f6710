"""Time relative to the reference: a right answer is given again, in turns with the reference.

Both sides run under the same conditions: the same sandbox, the same limits, the same calls, one fork
for each run.  Each run of either side has a box of its own, made from nothing, so that nothing that an
earlier one left behind, in memory, in a file or in a pipe, can serve a later one.  What is worked on at
import counts, beyond a floor and what the reference's import takes; and every answer is judged, so that
a wrong one is never quick.  Times are CPU times of the kernel's, over all threads, without what a fork
and the end of a process cost by themselves, measured on a case that makes no call.

What the times are worth is the business of `grader.marking.pace`.
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from fractions import Fraction
from statistics import fmean

from grader.engine.submission.boxes import import_limits
from grader.engine.submission.prepared import Prepared
from grader.marking.pace import Round, Standing, score, standing
from grader.model.case import Case, Pace
from grader.model.limits import allowed
from grader.model.outcome import Ending, Outcome, Returned
from grader.model.results import CaseResult, Timing
from grader.model.task import Task
from grader.model.verdict import Verdict
from grader.sandbox.box import Box, Job, Program, loaded
from grader.sandbox.budget import Budget
from grader.sandbox.request import encode_request
from grader.sandbox.zygote import Zygote

Judge = Callable[[Outcome], CaseResult]
"""Judges an answer to the case."""

_FAR = 3
"""A first run that takes so many times as long as the later ones did something that they did not."""


class _ReferenceFailed(Exception):
    """The reference gives no time to compare with; the text says why."""


@dataclass(frozen=True, slots=True)
class _Entrant:
    """One side: what is loaded, and the case's calls as it is asked them."""

    program: Program
    request: bytes


@dataclass(frozen=True, slots=True)
class _Lap:
    """One run of one side: its import and its calls.  Where the import failed it stands for both."""

    imported: Outcome
    outcome: Outcome


def race(
    zygote: Zygote,
    prepared: Prepared,
    case: Case,
    program: Program,
    result: CaseResult,
    judge: Judge,
    budget: Budget,
) -> CaseResult:
    """Return the result of a case that was accepted, with what its time is worth.

    Nothing of the submission may be alive when this is called.

    program: the submission's side.  judge: judges each answer; where one is not accepted,
    the case is not.  A reference that fails is an internal error.  Raises `SandboxFailure`.
    """
    assert case.pace is not None
    rounds = _Rounds(zygote, prepared, case)
    request = prepared.requests[case.id]
    try:
        reference = _reference(prepared.task, case, program.module, request)
        return rounds.run(case.pace, reference, _Entrant(program, request), result, judge, budget)
    except _ReferenceFailed as failure:
        return not_timed(result, f"reference: {failure}")


def not_timed(result: CaseResult, reason: str) -> CaseResult:
    """Return the result of a right answer whose time could not be compared, by our own fault."""
    message = f"the time could not be compared with the reference's ({reason})"
    return replace(result, verdict=Verdict.INTERNAL_ERROR, score=Fraction(0), message=message)


def _reference(task: Task, case: Case, module: str, request: bytes) -> _Entrant:
    """Return the reference's side of a case."""
    pace = case.pace
    assert pace is not None
    assert task.reference is not None
    if pace.function:
        calls = [replace(call, function=pace.function) for call in case.calls]
        request = encode_request(calls, case.limits, unchanged=case.unchanged, types=task.types)
    return _Entrant(Program(pace.module or module, dict(task.reference.texts)), request)


class _Rounds:
    """Runs both sides of a case by turns."""

    def __init__(self, zygote: Zygote, prepared: Prepared, case: Case) -> None:
        self._zygote = zygote
        self._limits = allowed(case.limits)
        self._seed = prepared.task.seed
        self._longest_s = prepared.longest_s

    def run(
        self,
        pace: Pace,
        reference: _Entrant,
        submission: _Entrant,
        result: CaseResult,
        judge: Judge,
        budget: Budget,
    ) -> CaseResult:
        """Run rounds until the score is decided.  Raises `_ReferenceFailed` and `SandboxFailure`."""
        idle = replace(reference, request=encode_request((), self._limits))
        rounds: list[Round] = []
        about_s = 0.0
        while True:
            # The reference before and after, and in all for as long as the submission: whatever else
            # the machine does, it does to both.
            laps = self._reference_laps(reference, pace, about_s / 2)
            lap = self._lap(submission)
            budget.spend(lap.imported.cpu_s + lap.outcome.cpu_s)
            # An answer that was given within the limit once is not wrong for being late now.
            if lap.outcome.ending is not Ending.TIME:
                again = judge(lap.outcome)
                if again.verdict is not Verdict.ACCEPTED:
                    return replace(again, message=f"when it was run again for its time: {again.message}")
            # What making a box takes is part of every import.
            free_s = pace.floor_s + fmean(each.imported.cpu_s for each in laps)
            about_s = lap.outcome.cpu_s + max(0.0, lap.imported.cpu_s - free_s)
            laps += self._reference_laps(reference, pace, about_s - _total_s(laps))
            fork_s = self._answered(idle).outcome.cpu_s
            reference_s = _total_s(laps) / len(laps)
            rounds.append(Round(max(0.0, reference_s - fork_s), max(0.0, about_s - fork_s)))
            now = standing(rounds, pace)
            if now.is_decided or budget.is_used_up:
                return _timed(result, _with_first(now, result.cpu_s, pace), len(rounds), pace)

    def _reference_laps(self, reference: _Entrant, pace: Pace, about_s: float) -> list[_Lap]:
        """Run the reference as often as takes `about_s`, once at least.

        A submission that needs more than `none` times as long earns nothing, however exact the ratio.
        """
        laps: list[_Lap] = []
        while not laps or (_total_s(laps) < about_s and len(laps) < pace.none):
            laps.append(self._answered(reference))
        return laps

    def _answered(self, entrant: _Entrant) -> _Lap:
        lap = self._lap(entrant)
        if lap.outcome.ending is not Ending.ANSWERED:
            raise _ReferenceFailed(f"no answer within the case's limits ({lap.outcome.ending})")
        if not all(isinstance(answer, Returned) for answer in lap.outcome.answers):
            raise _ReferenceFailed("an exception instead of an answer")
        return lap

    def _lap(self, entrant: _Entrant) -> _Lap:
        memory_b = self._limits.memory_b
        limits = import_limits(memory_b)
        with Box(self._zygote, entrant.program, memory_b, limits, self._longest_s, self._seed) as box:
            imported, _ = box.load()
            if not loaded(imported):
                return _Lap(imported, imported)
            return _Lap(imported, box.run([Job(entrant.request, self._limits)])[0])


def _with_first(now: Standing, first_s: float, pace: Pace) -> Standing:
    """Return what the rounds come to; what the first run took, if it took far longer than they.

    The first run had to find the answer.  A later one could have it from where no box can keep it from being
    left, such as which files of the interpreter lie in memory.  first_s: CPU seconds of the first run.
    """
    if first_s <= max(pace.floor_s, _FAR * now.middle.submission_s):
        return now
    first = Round(now.middle.reference_s, first_s)
    return replace(now, score=score(first.ratio, pace), middle=first)


def _total_s(laps: Sequence[_Lap]) -> float:
    return sum(lap.outcome.cpu_s for lap in laps)


def _timed(result: CaseResult, now: Standing, rounds: int, pace: Pace) -> CaseResult:
    timing = Timing(
        reference_s=now.middle.reference_s,
        submission_s=now.middle.submission_s,
        ratio=now.middle.ratio,
        spread=now.spread,
        rounds=rounds,
        full=pace.full,
        none=pace.none,
    )
    if now.score == 1:
        return replace(result, timing=timing)
    verdict = Verdict.PARTIAL if now.score else Verdict.TIME_LIMIT
    return replace(result, verdict=verdict, score=now.score, timing=timing, message=_message(now, pace))


def _message(now: Standing, pace: Pace) -> str:
    """Say why a right answer does not earn all."""
    worth = f"it earns {now.score} of the case" if now.score else "it earns nothing"
    return (
        f"the answer is right, but took {now.middle.ratio:.2f} times as long as the reference: {worth} "
        f"(all up to {float(pace.full):g} times, nothing from {float(pace.none):g} times on)"
    )
