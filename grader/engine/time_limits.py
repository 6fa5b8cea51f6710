"""The time limits under which cases run: those of the spec, with a grace.

CPU time is counted as the kernel counts it, and shown as measured.  The same work takes more of it where
other programs share the processor's core and its caches.  So a case is stopped a fifth later than its limit
says, and what answers before that is in time.  Nothing is run again, and no time is converted.

A case that needs at most half of its limit therefore passes unless the machine makes it more than twice as
slow, and one that needs twice its limit never does.  `docs/design/time-limits.md` has what was measured.
"""

from dataclasses import replace

from grader.model.limits import Limits

GRACE = 1.2
"""At how much of its time limit a case is stopped."""


def allowed(limits: Limits) -> Limits:
    """Return the limits under which a case, or an import, with these limits of the spec runs."""
    return replace(limits, time_s=limits.time_s * GRACE)
