"""The limits of a task, a question or a case, and the budget of a whole submission."""

from dataclasses import dataclass, field, replace
from fractions import Fraction

from grader.model.limits import BUDGET_WALLS, Limits, budget_for, wall_for
from grader.yamlfile.table import Fields


@dataclass(frozen=True, slots=True)
class InheritedLimits:
    """Limits, and the wall limit that the spec states; None: it follows from the time limit."""

    limits: Limits = field(default_factory=Limits)
    wall_s: float | None = None


def decode_limits(parent: Fields, inherited: InheritedLimits) -> InheritedLimits:
    """Return the limits that hold below `parent`, a task, a question or a case."""
    fields: Fields | None = parent["limits"]
    if fields is None:
        return inherited
    time_s = float(fields["time"] or inherited.limits.time_s)
    wall: Fraction | float | None = fields["wall"] or inherited.wall_s
    stated_wall_s = float(wall) if wall is not None else None
    wall_s = stated_wall_s if stated_wall_s is not None else wall_for(time_s)
    if wall_s < time_s:
        key = fields.present("wall", "time")[:1]
        message = f"the wall limit of {wall_s:g} s is shorter than the CPU time limit of {time_s:g} s"
        fields.report(key[0] if key else "wall", message, "state `wall` beside `time`")
    sizes = {f"{name}_b": fields[name] for name in ("memory", "output", "answer")}
    stated = {name: size_b for name, size_b in sizes.items() if size_b is not None}
    return InheritedLimits(replace(inherited.limits, time_s=time_s, wall_s=wall_s, **stated), stated_wall_s)


@dataclass(frozen=True, slots=True)
class StatedBudget:
    """The budget that a spec states, in seconds; None for a part that it does not state."""

    time_s: Fraction | None = None
    wall_s: Fraction | None = None

    def completed(self, longest_s: float) -> tuple[float, float]:
        """Return CPU seconds and seconds of waiting.  longest_s: the longest time limit of a case."""
        time_s = float(self.time_s) if self.time_s is not None else budget_for(longest_s)
        wall_s = float(self.wall_s) if self.wall_s is not None else BUDGET_WALLS * time_s
        return time_s, wall_s


def decode_budget(parent: Fields) -> StatedBudget:
    """Return the budget that a task states: `budget: 2min`, or a mapping."""
    stated: Fields | Fraction | None = parent["budget"]
    if isinstance(stated, Fields):
        return StatedBudget(stated["time"], stated["wall"])
    return StatedBudget(stated)
