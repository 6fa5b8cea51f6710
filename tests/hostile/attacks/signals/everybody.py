"""Signals to everybody: all, its group, its parent, process 1, the grader, a bystander.

Must not: reach anybody.
Holds from: seccomp
Verdicts: wrong-answer crashed wall-limit
"""

import os
import signal
import time


def solve(n, places, note):
    for pid in (places["grader"], places["victim"], -places["victim"], os.getppid(), 1, -1, 0):
        for number in (signal.SIGSTOP, signal.SIGTERM, signal.SIGKILL):
            try:
                os.kill(pid, number)
            except (OSError, OverflowError):
                pass
    time.sleep(0.05)
    return 0
