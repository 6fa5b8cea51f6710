"""Limits of the kernel on this process, as the module `resource` has them.

Linux does not use that module: each shared library of a box costs every fork of it some 20 microseconds.
"""

import sys

INFINITE = -1
"""No limit."""

if sys.platform == "linux":
    from grader.worker.walls.kernel import get_limit, set_limit

    CPU, FSIZE, STACK, CORE, NPROC, NOFILE, AS = 0, 1, 3, 4, 6, 7, 9
    SIGPENDING, MSGQUEUE = 11, 12
else:
    import resource
    from resource import getrlimit as get_limit

    CPU, FSIZE, CORE = resource.RLIMIT_CPU, resource.RLIMIT_FSIZE, resource.RLIMIT_CORE
    STACK = resource.RLIMIT_STACK
    NPROC, NOFILE, AS = resource.RLIMIT_NPROC, resource.RLIMIT_NOFILE, resource.RLIMIT_AS

    def set_limit(kind: int, soft: int, hard: int) -> None:
        resource.setrlimit(kind, (soft, hard))


__all__ = ["get_limit", "lower_limit", "set_limit"]


def lower_limit(kind: int, value: int) -> None:
    """Lower a limit permanently to `value`.  Raises `OSError`."""
    _, hard = get_limit(kind)
    if hard != INFINITE:
        value = min(value, hard)
    set_limit(kind, value, value)
