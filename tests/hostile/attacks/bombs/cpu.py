"""Loops in Python, in C, in a regular expression, in threads.

Must not: go on beyond the CPU limit.
Verdicts: time-limit
"""

import re
import threading


def spin():
    while True:
        pass


def solve(n, places, note):
    threading.Thread(target=spin, daemon=True).start()
    if n == 2:
        re.match("(a|a)+$", "a" * 60 + "b")
    while True:
        sum(range(10**12))
