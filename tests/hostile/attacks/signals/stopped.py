"""Stops itself, and its parent.

Must not: hold up the batch.
Holds from: seccomp
Verdicts: wall-limit exception crashed
"""

import os
import signal


def solve(n, places, note):
    try:
        os.kill(os.getppid(), signal.SIGSTOP)
    except OSError:
        pass
    os.kill(os.getpid(), signal.SIGSTOP)
    while True:
        signal.pause()
