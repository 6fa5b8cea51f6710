"""Crashes that would leave an image of the process.

Must not: leave a core file anywhere.
Verdicts: crashed
"""

import ctypes
import os
import resource


def solve(n, places, note):
    try:
        resource.setrlimit(resource.RLIMIT_CORE, (-1, -1))
    except (OSError, ValueError):
        pass
    ctypes.CDLL(None).prctl(4, 1, 0, 0, 0)
    try:
        os.chdir(places["drop"])
    except OSError:
        pass
    os.abort()
