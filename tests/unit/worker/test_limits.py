"""Limits are read and set as the module `resource` does."""

import os
import resource

from grader.worker.walls import limits


def test_limits_are_those_of_the_interpreter() -> None:
    for name in ("CPU", "FSIZE", "CORE", "NPROC", "NOFILE", "AS", "SIGPENDING", "MSGQUEUE"):
        known = resource.getrlimit(getattr(resource, f"RLIMIT_{name}"))
        assert limits.get_limit(getattr(limits, name)) == known, name


def test_a_limit_that_is_lowered_stays_and_is_never_raised() -> None:
    child = os.fork()
    if child == 0:
        limits.lower_limit(limits.NOFILE, 50)
        first = resource.getrlimit(resource.RLIMIT_NOFILE)
        limits.lower_limit(limits.NOFILE, 60)
        os._exit(first == (50, 50) == resource.getrlimit(resource.RLIMIT_NOFILE))
    assert os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]) == 1
