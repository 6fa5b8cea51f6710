"""The limits of a task, a question or a case: what is not stated is inherited."""

from dataclasses import dataclass, field, replace
from fractions import Fraction

from grader.model.limits import GIB, KIB, MIB, Limits, wall_for
from grader.spec.keys import LIMITS
from grader.yamlfile.quantities import duration_s, size_b
from grader.yamlfile.reporter import Reporter
from grader.yamlfile.table import Fields, open_fields

_SHORTEST_S, _LONGEST_S = Fraction(1, 100), Fraction(24 * 3600)
_SIZES_B = {
    "memory": (16 * MIB, 1024 * GIB),
    "output": (1, GIB),
    "answer": (KIB, GIB),
}


@dataclass(frozen=True, slots=True)
class InheritedLimits:
    """Limits, and the wall limit that was stated; where none was it follows from the time."""

    limits: Limits = field(default_factory=Limits)
    wall_s: float | None = None


def decode_limits(parent: Fields, inherited: InheritedLimits, reporter: Reporter) -> InheritedLimits:
    """Return the limits that hold below `parent`, a task, a question or a case."""
    node = parent.mapping("limits")
    fields = open_fields(node, LIMITS, reporter) if node is not None else None
    if fields is None:
        return inherited
    time_s = _duration(fields, "time") or inherited.limits.time_s
    stated_wall_s = _duration(fields, "wall") or inherited.wall_s
    wall_s = stated_wall_s if stated_wall_s is not None else wall_for(time_s)
    if wall_s < time_s:
        key = fields.present("wall", "time")[:1]
        place = fields.span(key[0]) if key else fields.place
        message = f"the wall limit of {wall_s:g} s is shorter than the CPU time limit of {time_s:g} s"
        reporter.report(place, message, "state `wall` beside `time`")
    limits = replace(inherited.limits, time_s=time_s, wall_s=wall_s)
    for name in _SIZES_B:
        size = _size(fields, name)
        if size is not None:
            limits = replace(limits, **{f"{name}_b": size})
    return InheritedLimits(limits, stated_wall_s)


def _duration(fields: Fields, name: str) -> float | None:
    value = fields.quantity(name, duration_s)
    if value is None:
        return None
    if not _SHORTEST_S <= value <= _LONGEST_S:
        fields.report(name, f"`{name}` must lie between 10ms and 24h")
        return None
    return float(value)


def _size(fields: Fields, name: str) -> int | None:
    value = fields.quantity(name, size_b)
    if value is None:
        return None
    least, most = _SIZES_B[name]
    if not least <= value <= most:
        fields.report(name, f"`{name}` must lie between {_shown_size(least)} and {_shown_size(most)}")
        return None
    return value


def _shown_size(size_b: int) -> str:
    for unit, name in ((GIB, "GiB"), (MIB, "MiB"), (KIB, "KiB")):
        if size_b >= unit:
            return f"{size_b // unit}{name}"
    return f"{size_b}B"
