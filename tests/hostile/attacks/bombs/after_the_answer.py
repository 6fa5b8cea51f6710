"""Threads, handlers and destructors that work on when the answer is given.

Must not: work unpaid, or outlive their case.
Verdicts: wrong-answer time-limit
"""

import atexit
import os
import sys
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
frame = sys._getframe()
while frame is not None:
    frame.f_globals["_exit"] = os._exit
    frame = frame.f_back


def solve(n, places, note):
    threading.Thread(target=spin, daemon=True).start()
    return 0
