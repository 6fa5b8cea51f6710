"""Compares the time of a right answer with the reference's, by running both again in turns.

Both sides run under the same conditions: the same sandbox, the same limits, the same calls, one fork per run.
Each run of either side has a new box, so no data that an earlier run left in memory, in a file or in a pipe
can serve a later one.  Work done at import counts, beyond a floor and the time of the reference's import.
Every answer is judged, so that a wrong one is never quick.  Times are the kernel's CPU times over all
threads, without the cost of a fork and of a process's end.  That cost is measured on a case that makes no
call.

`grader.marking.pace` decides the worth of the times.
"""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from fractions import Fraction
from statistics import fmean

from grader.kinds.calls.timing.track import Track, when_run_again
from grader.lab.requests import request_of
from grader.marking.pace import Round, Standing, score, standing, with_first
from grader.model.case import Case, Pace, Step
from grader.model.kinds import calls_of
from grader.model.outcome import Ending, Outcome, Returned
from grader.model.results import CaseResult, Timing
from grader.model.task import Task
from grader.model.verdict import Verdict
from grader.sandbox.box import Job, Program, loaded
from grader.sandbox.request import encode_request


class _ReferenceFailed(Exception):
    """The reference gives no time for the comparison; the message gives the reason."""


@dataclass(frozen=True, slots=True)
class _Contender:
    """One side of the comparison: its program, and the encoded calls of the case."""

    program: Program
    request: bytes


@dataclass(frozen=True, slots=True)
class _Measurement:
    """One run of one side: its import and its calls, or twice the import if that failed."""

    imported: Outcome
    outcome: Outcome


def compare_times(track: Track, result: CaseResult) -> CaseResult:
    """Return the result of an accepted case, with the score that its time earns.

    No process of the submission may be alive when this is called.  The case is accepted only if each answer
    is.  A reference that fails is an internal error.  Raises `SandboxFailure`.
    """
    case, program, inputs = track.case, track.program, track.lab.inputs
    pace = calls_of(case).pace
    assert pace is not None
    request = inputs.requests[case.id]
    try:
        reference = _reference(inputs.task, case, program.module, request)
        return _Rounds(track, pace).run(reference, _Contender(program, request), result)
    except _ReferenceFailed as failure:
        return not_timed(case, result, f"reference: {failure}")


def not_timed(case: Case, result: CaseResult, reason: str) -> CaseResult:
    """Return the result of a right answer whose time could not be measured: an internal error."""
    compared = "the time could not be compared with the reference's"
    what = compared if calls_of(case).growth is None else "the growth of its time could not be measured"
    message = f"{what} ({reason})"
    return replace(result, verdict=Verdict.INTERNAL_ERROR, score=Fraction(0), message=message)


def _reference(task: Task, case: Case, module: str, request: bytes) -> _Contender:
    what = calls_of(case)
    pace = what.pace
    assert pace is not None
    assert task.reference is not None
    if pace.function:
        calls = (replace(step.call, function=pace.function) for step in what.steps)
        steps = tuple(map(Step, calls))
        request = request_of(task, replace(case, what=replace(what, steps=steps)))
    program = Program(pace.module or module, dict(task.reference.texts)).beside(what)
    return _Contender(program, request)


class _Rounds:
    """Runs both sides of a case in turns."""

    def __init__(self, track: Track, pace: Pace) -> None:
        self._track = track
        self._pace = pace

    def _judged(self, outcome: Outcome) -> CaseResult:
        case = self._track.case
        return self._track.judged(case, outcome, self._track.lab.inputs.expectations.get(case.id))

    def run(self, reference: _Contender, submission: _Contender, result: CaseResult) -> CaseResult:
        """Run rounds until the score is decided.  Raises `_ReferenceFailed` and `SandboxFailure`."""
        pace = self._pace
        idle = replace(reference, request=encode_request((), self._track.limits))
        rounds: list[Round] = []
        now: Standing | None = None
        about_s = 0.0
        while True:
            # The reference runs before and after the submission, and as long in all.  So both sides meet
            # the same load of the machine.
            measurements = self._measure_reference(reference, about_s / 2)
            measurement = self._measure(submission)
            if measurement.outcome.ending is Ending.BUDGET:
                return (
                    _timed(result, _cut_short(now, pace), len(rounds), pace)
                    if now
                    else self._judged(measurement.outcome)
                )
            # An answer that was within the limit once is not wrong because it is late now.
            if measurement.outcome.ending is not Ending.TIME:
                again = self._judged(measurement.outcome)
                if again.verdict is not Verdict.ACCEPTED:
                    return when_run_again(again)
            # Every import includes the making of a box.
            free_s = pace.floor_s + fmean(each.imported.cpu_s for each in measurements)
            about_s = measurement.outcome.cpu_s + max(0.0, measurement.imported.cpu_s - free_s)
            measurements += self._measure_reference(reference, about_s - _total_s(measurements))
            fork_s = self._answered(idle).outcome.cpu_s
            reference_s = _total_s(measurements) / len(measurements)
            rounds.append(Round(max(0.0, reference_s - fork_s), max(0.0, about_s - fork_s)))
            now = standing(rounds, pace)
            if now.is_decided or self._track.budget.is_used_up:
                now = now if now.is_decided else _cut_short(now, pace)
                return _timed(result, with_first(now, result.cpu_s, pace), len(rounds), pace)

    def _measure_reference(self, reference: _Contender, about_s: float) -> list[_Measurement]:
        """Run the reference for `about_s` seconds, and at least once.

        It runs at most `pace.none` times: beyond that ratio the submission earns nothing anyway.
        """
        measurements: list[_Measurement] = []
        while not measurements or (_total_s(measurements) < about_s and len(measurements) < self._pace.none):
            measurements.append(self._answered(reference))
        return measurements

    def _answered(self, contender: _Contender) -> _Measurement:
        measurement = self._measure(contender)
        if measurement.outcome.ending is not Ending.ANSWERED:
            raise _ReferenceFailed(f"no answer within the case's limits ({measurement.outcome.ending})")
        if not all(isinstance(answer, Returned) for answer in measurement.outcome.answers):
            raise _ReferenceFailed("an exception instead of an answer")
        return measurement

    def _measure(self, contender: _Contender) -> _Measurement:
        with self._track.opened(contender.program) as box:
            imported, _ = box.load()
            if not loaded(imported):
                return _Measurement(imported, imported)
            return _Measurement(imported, box.run([Job(contender.request, self._track.limits)])[0])


def _cut_short(now: Standing, pace: Pace) -> Standing:
    """Return the standing where the budget ends the rounds: the middle ratio counts as it is.

    The program itself used the budget up, and must not gain by the doubt of few rounds.
    """
    return replace(now, score=score(now.middle.ratio, pace))


def _total_s(measurements: Sequence[_Measurement]) -> float:
    return sum(measurement.outcome.cpu_s for measurement in measurements)


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
    """Return the reason why a right answer does not earn the full score."""
    worth = f"it earns {now.score} of the case" if now.score else "it earns nothing"
    return (
        f"the answer is right, but took {now.middle.ratio:.2f} times as long as the reference: {worth} "
        f"(all up to {float(pace.full):g} times, nothing from {float(pace.none):g} times on)"
    )
