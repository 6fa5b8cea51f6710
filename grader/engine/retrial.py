"""A case near its time limit runs again, until it is clear what it takes.

It runs on one core, and on the same core the speed of the machine is looked at all the while, so that
what it took can be told in seconds at best.  Nothing else of ours runs, and every run has a box of its
own, made from nothing: whatever a run left behind, no other finds it.  One run decides where it is
clear; otherwise the majority of five does.
"""

import os
from collections.abc import Callable
from dataclasses import dataclass, replace
from typing import TypeAlias

from grader.engine.boxes import IMPORT_LIMITS, Boxes
from grader.engine.gauge import MOST, Speedometer
from grader.engine.overtime import TOLERANCE, allowed, as_met
from grader.engine.prepared import Prepared
from grader.engine.workplace import Workplace
from grader.model.limits import Limits
from grader.model.task import Case, Question
from grader.sandbox.box import Box, Job, loaded
from grader.sandbox.evidence import Evidence
from grader.sandbox.zygote import Zygote

_RUNS = 5
_CLEAR = 0.2
"""By what share of the limit a single run has to miss it, or to keep it, to decide."""
_LONGER = 1.1
"""How much longer than at first a case may take, so that one that does not end is clear about it."""

_Run: TypeAlias = Callable[[Zygote, Limits, Speedometer], Evidence | None]
"""Runs the case in a box made from nothing, while its speed is told; None where there is no box."""


@dataclass(frozen=True, slots=True)
class _Ran:
    """One run; at_best_s: what it took, in seconds at best."""

    at_best_s: float
    found: Evidence

    def share(self, limits: Limits) -> float:
        """Return how much it took of what it may take."""
        return self.at_best_s / (limits.time_s * TOLERANCE)

    def keeps(self, limits: Limits) -> bool:
        return self.found.report.ending != "time" and self.share(limits) <= 1

    def is_cut_short(self, limits: Limits) -> bool:
        """Whether it was stopped before it could be told, since the machine became slower meanwhile."""
        return self.found.report.ending == "time" and self.share(limits) <= 1


class Retrial:
    """Runs cases of one submission again.  All of it raises `SandboxFailure`."""

    def __init__(self, prepared: Prepared, boxes: Boxes, workplace: Workplace) -> None:
        self._prepared = prepared
        self._boxes = boxes
        self._workplace = workplace

    def of_calls(self, question: Question, case: Case, first: Evidence) -> Evidence:
        """Return the evidence that counts of a case with calls.  first: that of the run that was near."""
        prepared = self._prepared
        program = replace(self._boxes.program(question), shared=False)
        memory_b, seed = case.limits.memory_b, prepared.task.seed
        import_limits = replace(IMPORT_LIMITS, time_s=IMPORT_LIMITS.time_s * MOST, memory_b=memory_b)
        request, answerer = prepared.requests[case.id], self._workplace.oracle.answerer(case)

        def run(zygote: Zygote, limits: Limits, meter: Speedometer) -> Evidence | None:
            with Box(zygote, program, memory_b, import_limits, limits.time_s, seed) as box:
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
            return found if isinstance(found, Evidence) else None

        return self._decided(case.limits, first, run)

    def _decided(self, limits: Limits, first: Evidence, run: _Run) -> Evidence:
        gauge, core = self._workplace.gauge, _a_core()
        slowness = gauge.slowness()
        runs: list[_Ran] = []
        with self._workplace.zygote.on_core(core) as zygote:
            while not _is_decided(runs, limits):
                meter = Speedometer(gauge, core)
                found = run(zygote, allowed(limits, min(slowness * _LONGER, MOST)), meter)
                if found is None:
                    return as_met(first, first.report.cpu_s / slowness)
                ran = _Ran(found.report.cpu_s * meter.speed(), found)
                if ran.is_cut_short(limits) and slowness < MOST:
                    slowness = MOST
                else:
                    runs.append(ran)
        # Those that keep the limit first: so the one in the middle is of the majority.
        runs.sort(key=lambda ran: (not ran.keeps(limits), ran.at_best_s))
        middle = runs[len(runs) // 2]
        if not middle.keeps(limits):
            return as_met(middle.found, middle.at_best_s)
        return replace(middle.found, report=middle.found.report._replace(cpu_s=middle.at_best_s))


def _is_decided(runs: list[_Ran], limits: Limits) -> bool:
    """Whether one run was clear, or the majority of all that there could be is known."""
    if len(runs) == 1:
        return abs(runs[0].share(limits) - 1) > _CLEAR
    kept = sum(ran.keeps(limits) for ran in runs)
    return max(kept, len(runs) - kept) > _RUNS // 2


def _a_core() -> int:
    """Return the number of a core that we may use; -1 where processes can't be kept on one."""
    return min(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else -1
