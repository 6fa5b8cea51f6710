"""Forks for ever.

Must not: start a process.
Holds from: seccomp
Verdicts: forbidden
"""

import os


def solve(n, places, note):
    while True:
        try:
            os.fork()
        except OSError:
            pass
