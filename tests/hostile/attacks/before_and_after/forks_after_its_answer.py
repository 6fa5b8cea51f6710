"""A case that makes processes and threads in the place of its end.

Must not: be told as nothing, or outlive its case.
Holds from: seccomp
Verdicts: wrong-answer time-limit wall-limit forbidden
"""

import os
import sys
import threading
import time


def for_everybody(name, function):
    """Whoever calls it by a name of its own calls ours."""
    frame = sys._getframe()
    while frame is not None:
        frame.f_globals[name] = function
        frame = frame.f_back


def spread(status):
    for _ in range(50):
        try:
            if os.fork() == 0:
                time.sleep(60)
        except OSError:
            pass
        try:
            threading.Thread(target=time.sleep, args=(60,), daemon=True).start()
        except RuntimeError:
            pass
    time.sleep(60)


os._exit = spread
for_everybody("_exit", os._exit)


def solve(n, places, note):
    return 0
