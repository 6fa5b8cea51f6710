"""Keeps two of our processes from changing one file at once: each would read, and the later one would win."""

import os
import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path

_LOOK_AGAIN_S = 0.01


@contextmanager
def one_writer(path: Path, wait_s: float = 5.0) -> Iterator[None]:
    """Be the only one of our processes that changes a file, for the block.

    The lock is on the folder, which has to be there, so that nothing is left behind.  Where the system has no
    such locks, the block runs all the same.  Raises `TimeoutError` where another process does not let go.
    """
    handle = None
    if sys.platform != "win32":
        with suppress(OSError):
            handle = os.open(path.parent, os.O_RDONLY | os.O_DIRECTORY | os.O_CLOEXEC)
    try:
        if handle is not None:
            _lock(handle, wait_s)
        yield
    finally:
        if handle is not None:
            os.close(handle)


def _lock(handle: int, wait_s: float) -> None:
    import fcntl  # noqa: PLC0415  (not on Windows)

    end = time.monotonic() + wait_s
    while True:
        try:
            fcntl.flock(handle, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            if time.monotonic() > end:
                raise TimeoutError(0, "another process changes it") from None
            time.sleep(_LOOK_AGAIN_S)
        except OSError:
            return  # a file system without locks
        else:
            return
