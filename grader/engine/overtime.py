"""Cases that end a little over their time limit, and get a second chance alone.

How much CPU time the same work takes depends on what else the machine does: caches, memory and
the two threads of a core are shared.  So a case is not stopped at its limit but a quarter
later.  One that ends in between is near its limit, and runs again when nothing else of ours
does; if any of its runs keeps the limit, that is the one which counts.  One that does not end
at all costs a quarter more, and is not tried again.
"""

from dataclasses import replace

from grader.model.limits import Limits
from grader.sandbox.evidence import Evidence

GRACE = 1.25
"""At how much of its time limit a case is stopped."""

MORE_RUNS = 2
"""How often a case that was near its limit runs again, at most."""


def with_grace(limits: Limits) -> Limits:
    """Return the limits under which a case runs."""
    return replace(limits, time_s=limits.time_s * GRACE)


def is_near(found: Evidence, limits: Limits) -> bool:
    """Whether a case that ran `with_grace` ended by itself, over its limit.  limits: those of the spec."""
    return found.report.cpu_s > limits.time_s and found.report.ending != "time"


def as_met(found: Evidence) -> Evidence:
    """Return the evidence of a case that was over its limit, as if it had been stopped there."""
    return replace(found, report=found.report._replace(ending="time", answer=b"", detail=""))
