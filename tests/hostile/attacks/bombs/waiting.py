"""Sleeps, locks, input: nothing is used and nothing ever comes.

Must not: hold up the batch.
Verdicts: wall-limit
"""

import sys
import threading
import time


def solve(n, places, note):
    sys.stdin.read()
    lock = threading.Lock()
    with lock:
        lock.acquire(timeout=0.01)
    time.sleep(1000)
