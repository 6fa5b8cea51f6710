"""Calls the callback from many threads, and after the answer.

Must not: mix up the record, or answer for it.
Verdicts: wrong-answer crashed wall-limit exception time-limit output-limit
"""

import threading
import time


def solve(n, places, note):
    return 0


def apply(f, places):
    threads = [threading.Thread(target=f, args=(number,)) for number in range(20)]
    for thread in threads:
        thread.start()
    threading.Timer(0.01, lambda: [f(3) for _ in range(1000)]).start()
    time.sleep(0.02)
    return 5
