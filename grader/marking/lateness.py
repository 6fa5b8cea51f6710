"""How late a submission is, and what that costs."""

from datetime import UTC, datetime
from math import ceil
from typing import TYPE_CHECKING

from grader.marking.penalties import Due

if TYPE_CHECKING:
    from grader.model.policy import Late

_UNITS = ((86400, "day"), (3600, "hour"), (60, "minute"), (1, "second"))


def late_s(deadline: datetime, submitted: datetime) -> int:
    """Return by how many seconds a submission is late, begun ones counted; 0 in time."""
    return max(0, ceil((submitted - deadline).total_seconds()))


def late_due(late: "Late", seconds: int) -> Due | None:
    """Return what lateness of that many seconds costs; None where it costs nothing."""
    if seconds <= late.grace_s:
        return None
    reason = f"handed in {in_words(seconds)} after the deadline"
    for step in late.steps:
        if seconds <= step.within_s:
            return Due(reason, step.takes)
    return Due(reason, late.then)


def in_words(seconds: int) -> str:
    """Return a time in its two largest units: `1 day 2 hours`, `45 seconds`."""
    parts = []
    for size, name in _UNITS:
        count, seconds = divmod(seconds, size)
        if count:
            parts.append(f"{count} {name}{'s' if count > 1 else ''}")
        elif parts:
            break
    return " ".join(parts[:2]) or "0 seconds"


def in_utc(moment: datetime) -> str:
    """Return a point in time, ISO 8601 in UTC, to the second."""
    return moment.astimezone(UTC).strftime("%Y-%m-%dT%H:%M:%SZ")
