"""Clocks that stand still while the processor burns.

Must not: hide the time from who measures it.
Verdicts: time-limit
"""

import time

time.time = time.monotonic = time.perf_counter = time.process_time = time.thread_time = lambda: 0.0
time.sleep = lambda seconds: None


def solve(n, places, note):
    while time.time() < 1:
        pass
