"""Time limits that mean the same at every moment.

How much CPU time the same work takes depends on what else the machine does.  A spec's seconds are
those of the machine at its best, so a case is stopped at its limit times the slowness of the moment,
and a quarter later.  What kept its limit as it is needs no more thought.  What took so long that it
can't have kept it, however slow the machine was, did not.  Anything in between is near its limit,
and `retrial` tells.
"""

from dataclasses import replace

from grader.engine.gauge import MOST
from grader.model.limits import Limits
from grader.sandbox.evidence import Evidence

GRACE = 1.25
"""At how much of its time limit a case is stopped, in seconds at best."""

TOLERANCE = 1.1
"""How much of its limit a case may take, in seconds at best: they can't be told more exactly."""

MOST_ALLOWED = GRACE * MOST
"""At how much of its time limit a case is stopped at the latest, in CPU seconds."""


def allowed(limits: Limits, slowness: float) -> Limits:
    """Return the limits under which a case runs at the moment."""
    return replace(limits, time_s=limits.time_s * GRACE * slowness)


def is_over(found: Evidence, limits: Limits) -> bool:
    """Whether a case took more CPU time than its limit.  limits: those of the spec."""
    return found.report.ending == "time" or found.report.cpu_s > limits.time_s


def is_near(found: Evidence, limits: Limits, slowness: float) -> bool:
    """Whether a case that is over its limit may have kept it, at best.

    slowness: the most that there was while it ran.
    """
    return found.report.cpu_s / slowness <= limits.time_s * TOLERANCE


def as_met(found: Evidence, cpu_s: float) -> Evidence:
    """Return the evidence of a case that was over its limit; where it ended by itself, as if it was stopped.

    cpu_s: what it took, in seconds at best.
    """
    report = found.report._replace(cpu_s=cpu_s)
    if report.ending != "time":
        report = report._replace(ending="time", answer=b"", detail="")
    return replace(found, report=report)
