"""The folder in which attempts take place, and those that killed runs left behind.

Each is locked while its run lives, however that ends.  Everybody may put names into the temporary folder, so
only what belongs to this user, is no link and is locked by no run is removed.
"""

import fcntl
import os
import shutil
import tempfile
import time
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from itertools import islice
from pathlib import Path

SECRET = "secret.txt"
_PREFIX = "grader-doctor-"
_RANDOM = "[a-z0-9_]" * 8
"""The part that `tempfile` adds to the prefix."""
_NEW_S = 60.0
"""A folder younger than this may be one that its run has not locked yet."""
_MOST = 100
"""How many names are looked at."""


@contextmanager
def attempt_folder() -> Iterator[Path]:
    """Make a folder and remove it at the end; remove those of killed runs first."""
    for left in islice(Path(tempfile.gettempdir()).glob(_PREFIX + _RANDOM), _MOST):
        with suppress(OSError):
            _remove_if_left(left)
    with tempfile.TemporaryDirectory(prefix=_PREFIX) as folder:
        place = os.open(folder, os.O_RDONLY)
        # Where a disk knows no locks, no run can lock a folder to remove it either.
        with suppress(OSError):
            fcntl.flock(place, fcntl.LOCK_EX | fcntl.LOCK_NB)
        try:
            yield Path(folder)
        finally:
            os.close(place)


def _remove_if_left(folder: Path) -> None:
    """Remove the folder of a run that has ended.  Raises `OSError` for anything else."""
    place = os.open(folder, os.O_RDONLY | os.O_DIRECTORY | os.O_NOFOLLOW)
    try:
        seen = os.fstat(place)
        # The time of the last change, unlike the others, cannot be set.
        if seen.st_uid == os.geteuid() and seen.st_ctime < time.time() - _NEW_S:
            fcntl.flock(place, fcntl.LOCK_EX | fcntl.LOCK_NB)
            shutil.rmtree(folder, ignore_errors=True)
    finally:
        os.close(place)
