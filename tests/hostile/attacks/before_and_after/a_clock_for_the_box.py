"""Timers of every kind that hit the box while it waits and forks.

Must not: make a mark pending.
Verdicts: wrong-answer load-error crashed time-limit
"""

import signal

for number in (signal.SIGALRM, signal.SIGVTALRM, signal.SIGPROF):
    signal.signal(number, lambda *_: None)
    signal.siginterrupt(number, True)
for kind in (signal.ITIMER_REAL, signal.ITIMER_VIRTUAL, signal.ITIMER_PROF):
    signal.setitimer(kind, 0.0003, 0.0003)


def solve(n, places, note):
    return 0
