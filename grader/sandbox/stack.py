"""The stack of what we start: the one that Linux gives by itself, whatever the shell says (`ulimit -s`).

With less, deep recursion crashes.  With more, threads do not fit into a box's memory, since the C library
gives each of them as much as the limit is.  So a mark would depend on who marks.  A program that was built
has no limit, and there the C library chooses a small stack for each thread.
"""

import sys
from contextlib import suppress

_MIB = 1 << 20
_STACK_B = 8 * _MIB


def even_stack() -> None:
    """Set this process's own soft limit, which those have that it starts; as far as the hard one allows."""
    if sys.platform != "linux":
        return
    try:
        import resource  # noqa: PLC0415  (Windows has none)
    except ImportError:
        return
    soft, hard = resource.getrlimit(resource.RLIMIT_STACK)
    if soft != _STACK_B and (hard == resource.RLIM_INFINITY or hard >= _STACK_B):
        with suppress(OSError, ValueError):
            resource.setrlimit(resource.RLIMIT_STACK, (_STACK_B, hard))


def lack_of_stack(*, builds: bool) -> str:
    """Return why the hard limit allows too small a stack here, "" if it does not.

    builds: programs are built too, which only Linux can do.  No finite limit serves them: what is enough for
    the first thread is too much for each of the others.
    """
    if sys.platform == "win32":
        return ""
    import resource  # noqa: PLC0415  (Windows has none)

    _, hard = resource.getrlimit(resource.RLIMIT_STACK)
    builds = builds and sys.platform == "linux"
    if hard == resource.RLIM_INFINITY or (hard >= _STACK_B and not builds):
        return ""
    needs = "programs in C or another language need it unlimited" if builds else "a case may need 8"
    return f"only {hard // _MIB} MiB of stack are allowed here (ulimit -s), and {needs}"
