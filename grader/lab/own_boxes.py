"""The boxes in which the spec's own code runs, and who pays for them."""

from collections.abc import Iterator
from contextlib import contextmanager
from typing import NoReturn

from grader.judge.finding import BudgetSpent, CheckFailed
from grader.judge.messages import stopped_at
from grader.model.limits import Limits, allowed
from grader.model.outcome import Ending, Outcome, RaisedAnswer
from grader.model.results import Raised
from grader.model.task import Task
from grader.sandbox.box import Box, Job, Program, loaded
from grader.sandbox.budget import UNBILLED, Budget, Purse
from grader.sandbox.zygote import SandboxFailure, Zygote

CHECK_LIMITS = Limits(time_s=5.0, wall_s=10.0)
_LOAD_LIMITS = Limits(time_s=20.0, wall_s=80.0)
_MEMORY_B = 2 << 30
_PASSING = (Ending.BUDGET, Ending.INTERNAL)
"""Endings of an import that say nothing of the next one."""


class _NotLoaded(CheckFailed):
    """A program cannot be loaded, and will not be the next time."""


class OwnBoxes:
    """Opens a box for each part of the spec's own code when it is first needed.  Call `close` in the end.

    purse: pays for it, but not for the first opening of a box: no submission has caused that.
    """

    def __init__(self, zygote: Zygote, task: Task, purse: Purse) -> None:
        self.zygote = zygote
        self.task = task
        self.purse = purse
        self._opened: set[str] = set()
        """The keys of boxes that were opened before."""
        self._boxes: dict[str, Box] = {}
        self._not_loaded: dict[str, str] = {}
        """By the keys of boxes whose program cannot be loaded, why; its import may have taken long."""
        self.hung: set[str] = set()
        """What did not end for the current submission."""
        self.lacked_budget = False
        """True if a question was not asked or not answered because the submission's budget was used up."""

    def draw_from(self, budget: Budget | None) -> None:
        """Charge a submission's budget for the spec's code from now on; None for no budget."""
        self.purse.now = UNBILLED if budget is None else budget
        self.hung, self.lacked_budget = set(), False

    @contextmanager
    def drawing_from(self, budget: Budget) -> Iterator[None]:
        """Charge another budget while the context is open."""
        before = self.hung, self.lacked_budget
        with self.purse.drawing_from(budget):
            self.draw_from(budget)
            try:
                yield
            finally:
                self.hung, self.lacked_budget = before

    def run_job(
        self, key: str, program: Program, job: Job, asked: str, seed: int | None = None, hung: str = ""
    ) -> Outcome:
        """Run one job in the box of that key; a box that fails is not used again.

        asked: the function or pattern, in words.  hung: what is not asked again once it did not end, if these
        words may mean several.  Raises `CheckFailed`, and `BudgetSpent` where nothing is left of the
        submission's budget.
        """
        hung = hung or asked
        if hung in self.hung:
            raise CheckFailed(f"{asked} did not end before, and is not asked again for this submission")
        if self.purse.is_used_up:
            self.lack_budget()
        try:
            box = self._boxes.get(key) or self._open(key, program, self.task.seed if seed is None else seed)
            (found,) = box.gather([job])
        except SandboxFailure as failure:
            broken = self._boxes.pop(key, None)
            if broken is not None:
                broken.close()
            raise CheckFailed(str(failure)) from failure
        ending = found.report.ending
        if ending == "budget":
            self.lack_budget()
        if ending in ("time", "wall"):
            self.hung.add(hung)
        return found.outcome()

    def lack_budget(self) -> NoReturn:
        """Note that a question was not answered for want of budget.  Raises `BudgetSpent`."""
        self.lacked_budget = True
        raise BudgetSpent(self.purse.reason())

    def _open(self, key: str, program: Program, seed: int) -> Box:
        if key in self._not_loaded:
            raise CheckFailed(self._not_loaded[key])
        payer = self.purse.now if key in self._opened else UNBILLED
        self._opened.add(key)
        try:
            self._boxes[key] = self.opened_box(program, seed, payer)
        except _NotLoaded as failure:
            self._not_loaded[key] = str(failure)
            raise
        return self._boxes[key]

    def opened_box(self, program: Program, seed: int, payer: Budget) -> Box:
        """Return a box that has loaded a program.  Raises `CheckFailed` and `SandboxFailure`."""
        limits_s = [allowed(case.limits).time_s for case in self.task.cases]
        longest_s = max([*limits_s, CHECK_LIMITS.time_s])
        with self.purse.drawing_from(payer):
            box = Box(self.zygote, program, _MEMORY_B, _LOAD_LIMITS, longest_s, seed, purse=self.purse)
            outcome, _ = box.load()
        if not loaded(outcome):
            box.close()
            failed = CheckFailed if outcome.ending in _PASSING else _NotLoaded
            raise failed(f"{program.module}.py cannot be imported: {what_happened(outcome)}")
        return box

    def close(self) -> None:
        """Close all boxes."""
        for box in self._boxes.values():
            box.close()
        self._boxes.clear()


def what_happened(outcome: Outcome) -> str:
    """Return words for the failure of the spec's own code."""
    if outcome.ending is Ending.INTERNAL:
        # What it raised then follows from that.
        return outcome.detail
    raised = outcome.raised
    if raised is None and outcome.answers and isinstance(outcome.answers[-1], RaisedAnswer):
        raised = outcome.answers[-1].raised
    if raised is not None:
        return f"raised {raised_text(raised)}"
    if outcome.ending is Ending.TIME:
        return f"was stopped after {outcome.cpu_s:.2g} s of computing{stopped_at(outcome)}"
    if outcome.ending is Ending.WALL:
        return f"was stopped after it waited for {outcome.waited_s:.2g} s{stopped_at(outcome)}"
    return f"{outcome.ending} {outcome.detail}".strip()


def raised_text(raised: Raised) -> str:
    """Return words for an exception, with its line in the spec's own code."""
    place = f" (line {raised.frames[-1].line} of {raised.frames[-1].file})" if raised.frames else ""
    return f"{raised.type_name}: {raised.message}{place}"
