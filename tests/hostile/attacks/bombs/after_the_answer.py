"""Threads, handlers and destructors that work on when the answer is given.

Must not: work unpaid, or outlive their case.
Verdicts: wrong-answer time-limit
"""

import atexit
import os
import threading


def spin():
    while True:
        pass


class Last:
    def __del__(self):
        spin()


KEPT = [Last()]
atexit.register(spin)
os._exit = lambda status: spin()


def solve(n, places, note):
    threading.Thread(target=spin, daemon=True).start()
    return 0
