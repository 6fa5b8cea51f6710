"""The budget of a submission: `budget: 2min`, or `budget: {time: 2min, wall: 5min}`."""

from dataclasses import dataclass
from fractions import Fraction

from grader.model.limits import BUDGET_WALLS, budget_for
from grader.spec.keys import BUDGET
from grader.yamlfile.nodes import Mapping
from grader.yamlfile.quantities import duration_s
from grader.yamlfile.reporter import Reporter
from grader.yamlfile.table import Fields, open_fields


@dataclass(frozen=True, slots=True)
class StatedBudget:
    """What a spec says of the budget, in seconds; None where it says nothing."""

    time_s: Fraction | None = None
    wall_s: Fraction | None = None

    def completed(self, longest_s: float) -> tuple[float, float]:
        """Return CPU seconds and seconds of waiting.  longest_s: the longest time limit of a case."""
        time_s = float(self.time_s) if self.time_s is not None else budget_for(longest_s)
        wall_s = float(self.wall_s) if self.wall_s is not None else BUDGET_WALLS * time_s
        return time_s, wall_s


def decode_budget(parent: Fields, reporter: Reporter) -> StatedBudget:
    """Return what a task says of its budget; what is wrong is reported."""
    node = parent.node("budget")
    if not isinstance(node, Mapping):
        return StatedBudget(parent.positive("budget", duration_s))
    fields = open_fields(node, BUDGET, reporter)
    if fields is None:
        return StatedBudget()
    return StatedBudget(fields.positive("time", duration_s), fields.positive("wall", duration_s))
