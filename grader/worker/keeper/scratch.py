"""The scratch folder of a keeper's box: whether it was used, and a fresh one in place of one that was.

Trusted, and at work in a mount namespace that the box shares but cannot change: the box gave up every
capability, and its filter has no call for mounts.  So what is looked at is what the box sees.  No name and
no file of a student's is ever opened here; a folder that was used is not emptied but let go as a whole,
which no content can hinder or draw out: it holds as many files and bytes as the mount allows.
"""

import os
from contextlib import suppress

from grader.worker.settings import Settings
from grader.worker.walls import jail


class Scratch:
    """The folder that `jail.enclose` has made, and those that take its place."""

    def __init__(self, settings: Settings) -> None:
        self._settings = settings
        self._note()

    def _note(self) -> None:
        self._unused = _traces()
        self._last_number = _next_number()

    def is_unused(self) -> bool:
        """Whether the folder is as it was made: holds nothing, and held nothing that was removed.

        Its file system is asked how much is taken of it.  Modes hide nothing there, and a file without a
        name that somebody keeps open counts as well, and one that is gone has used up a number, which the
        next file there would tell of.
        """
        try:
            if _traces() != self._unused or _next_number() != self._last_number + 1:
                return False
        except OSError:
            return False
        self._last_number += 1
        return True

    def replace(self) -> None:
        """Put a fresh folder in its place.  Raises `OSError`.

        To be called when all processes of the box are dead; that they are is seen to.
        """
        _check_that_nobody_is_left()
        jail.discard_scratch()
        jail.make_scratch(self._settings)
        self._note()


def _traces() -> tuple[int, ...]:
    """What tells a folder that was used from one that was not, by the folder itself and its file system."""
    folder, system = os.stat(jail.SCRATCH), os.statvfs(jail.SCRATCH)
    return (
        folder.st_dev,
        folder.st_ino,
        folder.st_mode,
        folder.st_nlink,
        folder.st_size,
        folder.st_mtime_ns,
        folder.st_ctime_ns,
        system.f_bfree,
        system.f_ffree,
    )


def _next_number() -> int:
    """Take the number that the next file there would have: a folder in memory counts them by itself."""
    descriptor = os.open(jail.SCRATCH, os.O_TMPFILE | os.O_RDWR | os.O_CLOEXEC, 0o600)
    try:
        return os.fstat(descriptor).st_ino
    finally:
        os.close(descriptor)


def _check_that_nobody_is_left() -> None:
    """Raise `OSError` if any process is left in our pid namespace: as its pid 1 we inherit each one."""
    with suppress(ChildProcessError):
        while os.waitpid(-1, os.WNOHANG)[0]:
            pass
        raise OSError("a process of an earlier case has not ended")
