"""A box that computes at each tick of a timer, while cases run and while none does.

Must not: be paid by nobody, or give a case what it worked out.
Verdicts: wrong-answer time-limit load-error
"""

import mmap
import signal

DONE = mmap.mmap(-1, 16)


def work(*_):
    for _ in range(100_000):
        pass
    DONE[0] = 1


signal.signal(signal.SIGALRM, work)
signal.setitimer(signal.ITIMER_REAL, 0.005, 0.005)


def solve(n, places, note):
    return 0
