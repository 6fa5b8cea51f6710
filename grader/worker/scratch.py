"""The scratch folder of a keeper's box: whether it was used, and a fresh one in place of one that was.

Trusted, and at work in a mount namespace that the box shares but cannot change: the box gave up every
capability, and its filter has no call for mounts.  So what is looked at is what the box sees.  No name and
no file of a student's is ever opened here; a folder that was used is not emptied but let go as a whole,
which no content can hinder or draw out: it holds as many files and bytes as the mount allows.
"""

import os
from contextlib import suppress

from grader.worker import jail
from grader.worker.settings import Settings


class Scratch:
    """The folder that `jail.enclose` has made, and those that take its place."""

    def __init__(self, settings: Settings) -> None:
        self._settings = settings
        self._unused = _traces()

    def is_unused(self) -> bool:
        """Whether the folder is as it was made: holds nothing, and held nothing that was removed.

        Its file system is asked how much is taken of it.  Modes hide nothing there, and a file without a
        name that somebody keeps open counts as well.
        """
        try:
            return _traces() == self._unused
        except OSError:
            return False

    def replace(self) -> None:
        """Put a fresh folder in its place.  Raises `OSError`.

        To be called when all processes of the box are dead; that they are is seen to.
        """
        _check_that_nobody_is_left()
        jail.discard_scratch()
        jail.make_scratch(self._settings)
        self._unused = _traces()


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


def _check_that_nobody_is_left() -> None:
    """Raise `OSError` if any process is left in our pid namespace: as its pid 1 we inherit each one."""
    with suppress(ChildProcessError):
        while os.waitpid(-1, os.WNOHANG)[0]:
            pass
        raise OSError("a process of an earlier case has not ended")
