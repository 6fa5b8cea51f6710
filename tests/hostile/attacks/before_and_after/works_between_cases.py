"""A box that computes in a hidden thread whenever nobody looks.

Must not: be paid by nobody, or outlive its submission.
Verdicts: wrong-answer wall-limit time-limit
"""

import sys
import threading


def work():
    while True:
        sum(range(1000))


threading.Thread(target=work, daemon=True).start()
sys._current_frames = lambda: {1: None}


def solve(n, places, note):
    return 0
