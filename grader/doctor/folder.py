"""The folder in which attempts take place, and those that runs which were killed left behind.

Each is locked for as long as its run lives, however that ends.  The temporary folder is everybody's,
so others may have put anything there under such a name: only what is surely of our own making goes.
"""

import fcntl
import os
import re
import shutil
import stat
import tempfile
import time
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager, suppress
from pathlib import Path

SECRET = "secret.txt"

_PREFIX = "grader-doctor-"
_NAME = re.compile(rf"{_PREFIX}[a-z0-9_]{{8}}")
_MODES = (0o700, 0o777)
"""As it is made, and as an attempt needs it."""

_NEW_S = 60.0
"""For so long a folder may be one that is not locked yet."""

_MOST = 100
"""Names that are looked at, be there ever so many."""


@contextmanager
def attempt_folder() -> Iterator[Path]:
    """Make a folder, remove it at the end, and remove those of runs that have ended before."""
    with suppress(OSError):
        _remove_left(Path(tempfile.gettempdir()))
    with tempfile.TemporaryDirectory(prefix=_PREFIX) as folder, ExitStack() as stack:
        # Where a disk knows no locks, none of the folders on it is ever removed by another run.
        with suppress(OSError):
            stack.enter_context(_locked(folder))
        yield Path(folder)


@contextmanager
def _locked(folder: str | Path) -> Iterator[int]:
    """Hold the lock of a folder.  Raises `OSError` where it is no folder, or locked already."""
    place = os.open(folder, os.O_RDONLY | os.O_DIRECTORY | os.O_NOFOLLOW)
    try:
        fcntl.flock(place, fcntl.LOCK_EX | fcntl.LOCK_NB)
        yield place
    finally:
        os.close(place)


def _remove_left(parent: Path) -> None:
    for name in [name for name in os.listdir(parent) if _NAME.fullmatch(name)][:_MOST]:
        with suppress(OSError):
            # Before the lock, which would keep others from a folder that is not ours.
            if _is_left(os.lstat(parent / name)):
                with _locked(parent / name) as place:
                    if _is_left(os.fstat(place)) and _is_own_secret(place):
                        shutil.rmtree(parent / name, ignore_errors=True)


def _is_left(folder: os.stat_result) -> bool:
    return (
        stat.S_ISDIR(folder.st_mode)
        and stat.S_IMODE(folder.st_mode) in _MODES
        and folder.st_uid == os.geteuid()
        # Unlike other times, this one cannot be set.
        and folder.st_ctime < time.time() - _NEW_S
    )


def _is_own_secret(place: int) -> bool:
    """Whether the file that each has is there: into a folder open to all, nobody else can put one of ours."""
    secret = os.stat(SECRET, dir_fd=place, follow_symlinks=False)
    return stat.S_ISREG(secret.st_mode) and secret.st_uid == os.geteuid() and secret.st_nlink == 1
