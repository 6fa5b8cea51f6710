"""Handlers of exits, of signals, of forks and of the collector that work on.

Must not: be told as nothing, or outlive its case.
Verdicts: wrong-answer time-limit wall-limit crashed exception
"""

import atexit
import gc
import os
import signal
import sys
import weakref


def work(*_):
    end = 0
    while end < 300_000:
        end += 1


class Last:
    pass


KEPT = Last()
weakref.finalize(KEPT, work)
atexit.register(work)
os.register_at_fork(before=work, after_in_child=work, after_in_parent=work)
gc.callbacks.append(work)
for number in (signal.SIGTERM, signal.SIGCHLD, signal.SIGHUP, signal.SIGXCPU):
    signal.signal(number, work)
sys.excepthook = sys.unraisablehook = work


def solve(n, places, note):
    global KEPT
    KEPT = None
    return 0
