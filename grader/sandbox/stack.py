"""The stack of what we start: the one that Linux gives by itself, whatever the shell says (`ulimit -s`).

With less, deep recursion crashes.  With more, threads do not fit into a box's memory, since the C library
gives each of them as much as the limit is.  So a mark would depend on who marks.
"""

import sys
from contextlib import suppress

STACK_B = 8 << 20


def even_stack() -> None:
    """Set this process's own soft limit, which those have that it starts; as far as the hard one allows."""
    if sys.platform != "linux":
        return
    try:
        import resource  # noqa: PLC0415  (Windows has none)
    except ImportError:
        return
    soft, hard = resource.getrlimit(resource.RLIMIT_STACK)
    if soft != STACK_B and (hard == resource.RLIM_INFINITY or hard >= STACK_B):
        with suppress(OSError, ValueError):
            resource.setrlimit(resource.RLIMIT_STACK, (STACK_B, hard))
