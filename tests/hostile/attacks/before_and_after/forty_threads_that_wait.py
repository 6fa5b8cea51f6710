"""Threads of the import that sleep, wait and wake up again.

Must not: outlive their submission, or keep others waiting.
Verdicts: wrong-answer wall-limit time-limit load-error exception
"""

import threading
import time


def nap():
    while True:
        time.sleep(0.001)


threading.stack_size(32768)
for _ in range(40):
    threading.Thread(target=nap, daemon=True).start()


def solve(n, places, note):
    return 0
