"""Output without end, in lines, in one line, by system calls, on both streams.

Must not: be kept.
Verdicts: output-limit
"""

import os
import sys


def solve(n, places, note):
    while True:
        if n == 2:
            print("x" * 1000)
        elif n == 3:
            print("x" * 100_000, end="", file=sys.stderr)
        else:
            os.write(1 + n % 2, b"\0" * 65536)
