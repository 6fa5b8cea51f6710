"""The scratch folder of a keeper's box: tells whether it was used, and replaces a used one.

The keeper is trusted and shares its mount namespace with the box.  The box cannot change that namespace: it
gave up every capability, and its filter allows no call for mounts.  So the keeper looks at the same folder as
the box.  It opens no file and reads no file name of a student.  A used folder is not emptied but unmounted
as a whole, so its content can neither prevent nor prolong that.
"""

import os
from contextlib import suppress

from grader.worker.settings import Settings
from grader.worker.walls import jail


class Scratch:
    def __init__(self, settings: Settings) -> None:
        self._settings = settings
        self._note()

    def _note(self) -> None:
        self._unused = _traces()
        self._last_number = _next_number()

    def is_unused(self) -> bool:
        """Tell whether the folder is as it was made: it holds no file, and never held one.

        Its file system reports how much space is taken.  File modes hide nothing there, and an open file
        without a name counts as well.  A file that was removed has used up an inode number: the next file's
        number shows it.
        """
        try:
            if _traces() != self._unused or _next_number() != self._last_number + 1:
                return False
        except OSError:
            return False
        self._last_number += 1
        return True

    def replace(self) -> None:
        """Put a fresh folder in place of a used one.  Raises `OSError`.

        All processes of the box must be dead; this is checked.
        """
        _check_that_nobody_is_left()
        jail.discard_scratch()
        jail.make_scratch(self._settings)
        self._note()


def _traces() -> tuple[int, ...]:
    """Return facts about the folder and its file system that change when it is used."""
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
    """Return the inode number of the next file there and use it up: a file system in memory counts them."""
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
