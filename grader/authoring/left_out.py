"""Says in points or marks what of a task was left out while it was made."""

from collections.abc import Mapping
from fractions import Fraction

from grader.marking.rounding import format_mark

_MOST_NAMED = 12


def told_in_points(
    offered: Mapping[str, Fraction], left: Mapping[str, Fraction], noun: str, unit: str = "points"
) -> str:
    """Return a sentence about what was left out; empty for nothing.

    offered, left: the points of each part, and those that were left out.  noun: a part, or what it holds.
    """
    left = {name: points for name, points in left.items() if points > 0}
    if not left:
        return ""
    count = f"{len(left)} {noun}" + ("s" if len(left) != 1 else "")
    lost, total = (sum(each.values(), Fraction(0)) for each in (left, offered))
    names = [f"{name} ({format_mark(points)})" for name, points in left.items()]
    more = [f"{len(names) - _MOST_NAMED} more"] if len(names) > _MOST_NAMED else []
    named = ", ".join([*names[:_MOST_NAMED], *more])
    return f"{count} worth {format_mark(lost)} of {format_mark(total)} {unit} left out: {named}"
