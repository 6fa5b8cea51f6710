"""A case near its time limit, or that waited, runs again, until it is clear what it takes.

It runs on one core, and on the same core the speed of the machine is looked at all the while, so that
what it took can be told in seconds at best.  Nothing else of ours runs, and every run has a box of its
own, made from nothing: whatever a run left behind, no other finds it.  One run decides where it is
clear; otherwise the majority of five does.  All trials of a submission together take no longer than
its budget, in seconds of the machine at its best.
"""

import time
from collections.abc import Callable
from dataclasses import replace
from typing import TypeAlias

from grader.engine.boxes import IMPORT_LIMITS, Boxes, import_limits
from grader.engine.cores import a_core
from grader.engine.gauge import MOST, Speedometer
from grader.engine.overtime import MOST_ALLOWED, TOLERANCE, allowed, as_met, at_best, has_waited
from grader.engine.prepared import Prepared
from grader.engine.workplace import Workplace
from grader.model.case import Case
from grader.model.frozen import dataclass
from grader.model.limits import Limits
from grader.model.outcome import Outcome
from grader.model.task import Question
from grader.sandbox.box import Box, Job, loaded
from grader.sandbox.evidence import Evidence
from grader.sandbox.zygote import SandboxFailure, Zygote

_RUNS = 5
_CLEAR = 0.2
"""By what share of the limit a single run has to miss it, or to keep it, to decide."""
_IDLE = 0.01
"""What share of the time by the clock code that does nothing but wait has the processor at most."""
_LONGER = 1.1
"""How much longer than at first a case may take, so that one that does not end is clear about it."""

_Run: TypeAlias = Callable[[Zygote, Limits, Speedometer], Evidence | None]
"""Runs the case in a box made from nothing, while its speed is told; None where its import fails now."""


@dataclass(frozen=True, slots=True)
class _Ran:
    """One run.  found: at best.  share: what it took of what it may take.  waited: until its wall limit."""

    found: Evidence
    share: float
    waited: bool = False

    @property
    def keeps(self) -> bool:
        """Whether it kept its limit."""
        return self.found.report.ending != "time" and self.share <= 1

    @property
    def is_clear(self) -> bool:
        """Whether it decides alone.  One that was killed, or that waited, may be another's doing."""
        return self.found.report.ending in ("answered", "missing", "time") and abs(self.share - 1) > _CLEAR


class Retrial:
    """Runs cases of one submission again.  All of it raises `SandboxFailure`."""

    def __init__(self, prepared: Prepared, boxes: Boxes, workplace: Workplace) -> None:
        self._prepared = prepared
        self._boxes = boxes
        self._workplace = workplace
        self._left_s = prepared.task.budget_s
        """Seconds, at best, that all trials of the submission, and the waits before them, may still take."""
        self._waits = False
        """Something of it waited when it was tried again, too."""

    def of_calls(self, question: Question, case: Case, first: Evidence) -> Evidence:
        """Return the evidence that counts of a case with calls.  first: that of the run that was near."""
        prepared = self._prepared
        program = replace(self._boxes.program(question), shared=False)
        memory_b, seed = case.limits.memory_b, prepared.task.seed
        loading = import_limits(memory_b, MOST_ALLOWED)
        request, answerer = prepared.requests[case.id], self._workplace.oracle.answerer(case)

        def run(zygote: Zygote, limits: Limits, meter: Speedometer) -> Evidence | None:
            with Box(zygote, program, memory_b, loading, limits.time_s, seed) as box:
                if not loaded(box.load()[0]):
                    return None
                with meter:
                    return box.gather([Job(request, limits, answerer)])[0]

        return self._decided(case.limits, first, run)

    def of_program(self, question: Question, case: Case, first: Evidence) -> Evidence:
        """Return the evidence that counts of a case with a program.  first: see `of_calls`."""
        expected = self._prepared.expectations.get(case.id)
        reference = expected.outcome if expected is not None else None

        def run(zygote: Zygote, limits: Limits, meter: Speedometer) -> Evidence | None:
            programs = self._boxes.programs_in(zygote, question)
            try:
                with meter:
                    found = programs.gather(case, limits, programs.conversation(case, reference))
            finally:
                programs.close()
            if isinstance(found, Outcome):
                raise SandboxFailure(found.detail)
            return found

        return self._decided(case.limits, first, run)

    def of_import(self, question: Question, case: Case, first: Evidence) -> Evidence:
        """Return the evidence that counts of the import of a case's module.  first: see `of_calls`."""
        program = replace(self._boxes.program(question), shared=False)
        memory_b, seed = case.limits.memory_b, self._prepared.task.seed

        def run(zygote: Zygote, limits: Limits, meter: Speedometer) -> Evidence:
            with meter, Box(zygote, program, memory_b, limits, limits.time_s, seed) as box:
                box.load()
            assert box.imported is not None, "it was loaded"
            return Evidence(box.imported)

        return self._decided(IMPORT_LIMITS, first, run)

    def _decided(self, limits: Limits, first: Evidence, run: _Run) -> Evidence:
        core = a_core()
        self._workplace.gauge.learn()
        waited = has_waited(first)
        without_trial = first if waited else as_met(first)
        if waited and self._waits and first.report.cpu_s < _IDLE * first.report.wall_s:
            return first
        if waited:
            self._left_s -= first.report.wall_s
        runs: list[_Ran] = []
        with self._workplace.zygote.on_core(core) as zygote:
            slowness = self._workplace.gauge.slowness() * _LONGER
            while not _is_decided(runs, waited):
                began = time.monotonic()
                if self._left_s <= 0:
                    return without_trial
                ran = self._once(zygote, core, allowed(limits, min(slowness, MOST)), limits, run)
                if ran is None:
                    runs.append(_Ran(without_trial, 1.0))
                elif ran.found.report.ending == "time" and ran.share <= 1 and slowness < MOST:
                    # It was stopped before it could be told: the machine became slower meanwhile.
                    slowness = MOST
                else:
                    runs.append(ran)
                self._pay(time.monotonic() - began, ran)
        self._waits = self._waits or (waited and runs[0].waited)
        # Those that keep the limit first: so the one in the middle is of the majority.
        runs.sort(key=lambda ran: (not ran.keeps, ran.share))
        middle = runs[len(runs) // 2]
        return middle.found if middle.keeps else as_met(middle.found)

    def _pay(self, taken_s: float, ran: _Ran | None) -> None:
        """Take the time of a trial from what is left.  taken_s: by the clock."""
        waits = ran is not None and ran.waited
        self._left_s -= taken_s if waits else taken_s / self._workplace.gauge.usual_slowness()

    def _once(self, zygote: Zygote, core: int, stopped_at: Limits, limits: Limits, run: _Run) -> _Ran | None:
        meter = Speedometer(self._workplace.gauge, core)
        found = run(zygote, stopped_at, meter)
        if found is None:
            return None
        found = replace(found, report=at_best(found.report, 1 / meter.speed()))
        return _Ran(found, found.report.cpu_s / (limits.time_s * TOLERANCE), has_waited(found))


def _is_decided(runs: list[_Ran], waited: bool) -> bool:
    """Whether one run was clear, or the majority of all that there could be is known.

    waited: it met its wall limit before; where it waits again, it is not for the machine.
    """
    if len(runs) == 1:
        return runs[0].is_clear or (waited and runs[0].waited)
    kept = sum(ran.keeps for ran in runs)
    return max(kept, len(runs) - kept) > _RUNS // 2
