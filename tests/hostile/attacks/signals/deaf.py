"""Ignores and blocks every signal, and spins.

Must not: outlive its CPU limit.
Verdicts: time-limit
"""

import signal


def solve(n, places, note):
    for number in set(signal.Signals) - {signal.SIGKILL, signal.SIGSTOP}:
        signal.signal(number, signal.SIG_IGN)
    signal.pthread_sigmask(signal.SIG_BLOCK, set(signal.Signals))
    while True:
        pass
