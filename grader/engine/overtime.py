"""Time limits that mean the same at every moment.

How much CPU time the same work takes depends on what else the machine does.  A spec's seconds are
those of the machine at its best, so a case is stopped at its limit times the slowness of the moment,
and a quarter later.  What kept its limit as it is needs no more thought.  What ended by itself, or may
have kept its limit when one looks at how slow the machine was, is near it, and `retrial` tells.  What
had to be stopped otherwise did not keep it.  What waited until its wall limit is near as well, since
nothing tells what it waited for.
"""

from dataclasses import replace

from grader.engine.gauge import MOST
from grader.model.limits import Limits
from grader.sandbox.evidence import Evidence
from grader.wire.messages import Report
from grader.worker.watch import price_s

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

    slowness: the most that there was before and after it.
    """
    return found.report.ending != "time" or found.report.cpu_s / slowness <= limits.time_s * TOLERANCE


def has_waited(found: Evidence) -> bool:
    """Whether a case met its wall limit: what it waited for may have been the machine."""
    return found.report.ending == "wall"


def at_best(report: Report, slowness: float) -> Report:
    """Return a report whose times are those of the machine at its best, but for that by the clock.

    `cpu_s` and `besides_s` together are then what it costs of a submission's budget.
    """
    waited_s = price_s(report.cpu_s, report.wall_s) - report.cpu_s
    return report._replace(cpu_s=report.cpu_s / slowness, besides_s=report.besides_s / slowness + waited_s)


def cost_s(found: Evidence, limits: Limits) -> float:
    """Return what a case costs of the budget, given its evidence at best.

    One that met its time limit costs the same at every moment.
    """
    report = found.report
    return (limits.time_s * GRACE if report.ending == "time" else report.cpu_s) + report.besides_s


def as_met(found: Evidence) -> Evidence:
    """Return the evidence of a case that was over its limit, as if it had been stopped."""
    return replace(found, report=found.report._replace(ending="time", detail=""))
