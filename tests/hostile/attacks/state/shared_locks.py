"""Locks on files that all submissions can read.

Must not: keep anybody from marking.
Verdicts: wrong-answer
"""

import fcntl
import os
import time


def solve(n, places, note):
    kept = []
    for path in (os.__file__, os.path.__file__, os.path.dirname(os.__file__)):
        try:
            kept.append(os.open(path, os.O_RDONLY))
            fcntl.flock(kept[-1], fcntl.LOCK_EX | fcntl.LOCK_NB)
            fcntl.lockf(kept[-1], fcntl.LOCK_SH | fcntl.LOCK_NB)
        except OSError:
            pass
    time.sleep(0.2)
    return 0
