"""Ends of every kind with status 0, in threads, destructors, handlers and C.

Must not: count as an answer, or take others along.
Verdicts: crashed
"""

import ctypes
import os
import signal
import threading
import time


class Going:
    def __del__(self):
        os._exit(0)


def solve(n, places, note):
    if n == 2:
        threading.Thread(target=os._exit, args=(0,)).start()
        time.sleep(9)
    if n == 3:
        Going()
    if n == 4:
        ctypes.CDLL(None).exit(0)
    signal.signal(signal.SIGALRM, lambda *_: os._exit(0))
    # Again and again: the first can come just before the sleep, which then goes on.
    signal.setitimer(signal.ITIMER_REAL, 0.001, 0.001)
    time.sleep(9)


def apply(f, places):
    ctypes.string_at(0)
