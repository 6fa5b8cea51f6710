"""The lateness of a submission, and its penalty."""

from datetime import UTC, datetime
from math import ceil

from grader.marking.penalties import DuePenalty
from grader.model.policy import Late

_UNITS = ((86400, "day"), (3600, "hour"), (60, "minute"), (1, "second"))


def late_s(deadline: datetime, submitted: datetime) -> int:
    """Return the seconds by which a submission is late, rounded up; 0 if it came in time."""
    return max(0, ceil((submitted - deadline).total_seconds()))


def late_due(late: Late, seconds: int) -> DuePenalty | None:
    """Return the penalty for so many seconds of lateness; None where there is none."""
    if seconds <= late.grace_s:
        return None
    reason = f"handed in {in_words(seconds)} after the deadline"
    for step in late.steps:
        if seconds <= step.within_s:
            return DuePenalty(reason, step.takes)
    return DuePenalty(reason, late.then)


def in_words(seconds: int) -> str:
    """Return a time to the second: `1 day 2 hours`, `1 hour 1 second`.

    All units are shown, since a policy counts 3,601 s as more than one hour.
    """
    parts = []
    for size, name in _UNITS:
        count, seconds = divmod(seconds, size)
        if count:
            parts.append(f"{count} {name}{'s' if count > 1 else ''}")
    return " ".join(parts) or "0 seconds"


def in_utc(moment: datetime) -> str:
    """Return a point in time, ISO 8601 in UTC, to the second."""
    return moment.astimezone(UTC).strftime("%Y-%m-%dT%H:%M:%SZ")
