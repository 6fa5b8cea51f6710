"""Keeps a second run of a course from beginning while one goes on."""

import os
import sys
from collections.abc import Iterator
from contextlib import contextmanager, suppress

from grader.course.course import Course
from grader.model.errors import Fault, UsageError

_FILE = ".course.lock"


@contextmanager
def only_run(course: Course) -> Iterator[None]:
    """Hold the course for the block.  Raises `UsageError` that names the process that holds it already."""
    path = course.path.parent / _FILE
    try:
        descriptor = os.open(path, os.O_RDWR | os.O_CREAT | getattr(os, "O_CLOEXEC", 0), 0o644)
    except OSError as error:
        raise UsageError(Fault(f"the course can't be held: {error.strerror}", str(path))) from error
    try:
        if not _lock(descriptor):
            holder = os.read(descriptor, 100).decode("ascii", "replace").strip() or "another process"
            what = f"{holder} marks this course"
            raise UsageError(Fault(what, str(course.path), hint="wait until it has ended"))
        os.ftruncate(descriptor, 0)
        os.write(descriptor, f"process {os.getpid()}\n".encode())
        yield
        os.ftruncate(descriptor, 0)
    finally:
        os.close(descriptor)


def _lock(descriptor: int) -> bool:
    """Lock a file until it is closed; tell whether that was possible."""
    if sys.platform == "win32":
        import msvcrt  # noqa: PLC0415  (there alone)

        os.lseek(descriptor, 1 << 20, os.SEEK_SET)
        with suppress(OSError):
            msvcrt.locking(descriptor, msvcrt.LK_NBLCK, 1)
            os.lseek(descriptor, 0, os.SEEK_SET)
            return True
        os.lseek(descriptor, 0, os.SEEK_SET)
        return False
    import fcntl  # noqa: PLC0415  (not on Windows)

    try:
        fcntl.flock(descriptor, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except OSError:
        return False
    return True
