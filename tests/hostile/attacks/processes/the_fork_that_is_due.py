"""Threads of the box that try to use the fork which the keeper orders for the next case.

Must not: get a process of their own.
Holds from: seccomp
Verdicts: wrong-answer forbidden time-limit wall-limit crashed
"""

import ctypes
import os
import platform
import sys
import threading
import time

LIBC = ctypes.CDLL(None, use_errno=True)
CLONE = {"x86_64": 56, "aarch64": 220}[platform.machine()]
real = os.read


def steal():
    for _ in range(2000):
        if LIBC.syscall(CLONE, 0x8000 | 17, 0, 0, 0, 0) == 0:
            time.sleep(100)


def read(*args):
    replace(real)
    threading.Thread(target=steal, daemon=True).start()
    return real(*args)


def replace(reading):
    """Whoever reads on behalf of the box, does so by this from here on."""
    os.read = reading
    frame = sys._getframe()
    while frame is not None:
        frame.f_globals["_read"] = reading
        frame = frame.f_back


replace(read)


def solve(n, places, note):
    return 0
