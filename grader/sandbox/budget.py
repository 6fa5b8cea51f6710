"""The budget of one submission: the CPU time and the waiting that may still be spent on it.

A submission has one budget, from reading its files to judging its answers.  All work for it draws from
this object: intake, boxes and their keepers, static rules, callbacks, checkers, compilers.  So a submission
costs no more than the spec allows, whatever it makes us do.

Who draws is decided in two places.  A `Box` and `run_tool` are given a budget, lower their limits to it
and charge it; their callers do neither.  What is not done for a submission names `UNBILLED`.
"""

import math
import time
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import replace

from grader.model.limits import Limits
from grader.wire.messages import Report

_LEAST_S = 0.001
"""The smallest limit; a case could not begin with a limit of 0."""


class Budget:
    """The CPU and waiting seconds that a submission may still use.

    cpu_s: CPU seconds, of all processes that work for it.
    wall_s: seconds in which something of it waited, neither computing nor in need of a core.
    """

    def __init__(self, cpu_s: float, wall_s: float) -> None:
        self.cpu_s = cpu_s
        self.wall_s = wall_s
        self._cpu_left_s = cpu_s
        self._wall_left_s = wall_s

    @property
    def cpu_left_s(self) -> float:
        """CPU seconds that are left; negative if more was used."""
        return self._cpu_left_s

    @property
    def wall_left_s(self) -> float:
        """Seconds of waiting that are left."""
        return self._wall_left_s

    @property
    def is_used_up(self) -> bool:
        """Tell whether no more work may be done for the submission."""
        return self._cpu_left_s <= 0 or self._wall_left_s <= 0

    def spend(self, cpu_s: float, wall_s: float = 0.0) -> None:
        """Subtract the cost of some work.  wall_s: seconds in which it waited."""
        self._cpu_left_s -= cpu_s
        self._wall_left_s -= wall_s

    def charge(self, report: Report) -> None:
        """Subtract the cost that a keeper reports, of a case, an import or static rules."""
        self.spend(report.cpu_s + report.overhead_s, report.waited_s)

    def within(self, limits: Limits) -> Limits:
        """Return the limits, lowered to the rest of the budget."""
        if _LEAST_S <= limits.time_s <= self._cpu_left_s and _LEAST_S <= limits.wall_s <= self._wall_left_s:
            return limits
        return replace(
            limits,
            time_s=max(_LEAST_S, min(limits.time_s, self._cpu_left_s)),
            wall_s=max(_LEAST_S, min(limits.wall_s, self._wall_left_s)),
        )

    @staticmethod
    def cut_short(ending: str, ran_under: Limits, full: Limits) -> bool:
        """Tell whether work ended at a limit that the budget had lowered.

        ending: as the keeper reported it.  ran_under: what `within(full)` returned.
        """
        lowered_cpu, lowered_wall = ran_under.time_s < full.time_s, ran_under.wall_s < full.wall_s
        return (ending == "time" and lowered_cpu) or (ending == "wall" and lowered_wall)

    def spending(self) -> "Spending":
        """Return a context that subtracts the CPU time that this thread uses while it is open."""
        return Spending(self)

    def reason(self) -> str:
        """Return why nothing more is done for the submission, for people."""
        if self._cpu_left_s <= 0:
            return f"the time for a whole submission ({self.cpu_s:g} s of computing) is used up"
        return f"the time for a whole submission ({self.wall_s:g} s of waiting) is used up"


class Spending:
    """See `Budget.spending`.  Each case opens some, so it is no generator, which would cost three times."""

    __slots__ = ("_began_s", "_budget")

    def __init__(self, budget: Budget) -> None:
        self._budget = budget

    def __enter__(self) -> None:
        self._began_s = time.thread_time()

    def __exit__(self, *_: object) -> None:
        self._budget.spend(time.thread_time() - self._began_s)


class Share(Budget):
    """A bounded part of a budget for one kind of work; spending from it spends from the whole.

    cpu_s, wall_s: the most that the work may cost, as in `Budget`.
    """

    def __init__(self, whole: Budget, cpu_s: float, wall_s: float) -> None:
        super().__init__(cpu_s, wall_s)
        self._whole = whole

    @property
    def cpu_left_s(self) -> float:
        """CPU seconds that are left, of the part and of the whole."""
        return min(super().cpu_left_s, self._whole.cpu_left_s)

    @property
    def is_used_up(self) -> bool:
        """Tell whether the part or the whole is used up."""
        return super().is_used_up or self._whole.is_used_up

    def spend(self, cpu_s: float, wall_s: float = 0.0) -> None:
        """Subtract the cost of some work from both."""
        super().spend(cpu_s, wall_s)
        self._whole.spend(cpu_s, wall_s)

    def within(self, limits: Limits) -> Limits:
        """Return the limits, lowered to the rest of both."""
        return self._whole.within(super().within(limits))

    @property
    def wall_left_s(self) -> float:
        """Seconds of waiting that are left, of the part and of the whole."""
        return min(super().wall_left_s, self._whole.wall_left_s)


UNBILLED = Budget(math.inf, math.inf)
"""For work that is done for no submission: asking the reference, testing a spec, trying the sandbox."""


class Purse(Budget):
    """The budget of the submission that is worked for at present; for boxes that serve several in turn.

    now: that budget.
    """

    def __init__(self) -> None:
        super().__init__(math.inf, math.inf)
        self.now: Budget = UNBILLED

    @contextmanager
    def drawing_from(self, budget: Budget) -> Iterator[None]:
        """Draw from another budget while the context is open."""
        before, self.now = self.now, budget
        try:
            yield
        finally:
            self.now = before

    @property
    def cpu_left_s(self) -> float:
        """CPU seconds that are left."""
        return self.now.cpu_left_s

    @property
    def wall_left_s(self) -> float:
        """Seconds of waiting that are left."""
        return self.now.wall_left_s

    @property
    def is_used_up(self) -> bool:
        """Tell whether no more work may be done for the submission."""
        return self.now.is_used_up

    def spend(self, cpu_s: float, wall_s: float = 0.0) -> None:
        """Subtract the cost of some work."""
        self.now.spend(cpu_s, wall_s)

    def within(self, limits: Limits) -> Limits:
        """Return the limits, lowered to the rest of the budget."""
        return self.now.within(limits)

    def reason(self) -> str:
        """Return why nothing more is done for the submission, for people."""
        return self.now.reason()
