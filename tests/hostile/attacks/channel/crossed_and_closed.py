"""The channels closed, crossed with standard output, and handed to each other.

Must not: be taken for an answer.
Verdicts: crashed
"""

import os
import sys
import time

ANSWER, CALLBACK, ABSENT, STEP, READ, IMPORTED = 24, 25, 27, 30, 29, 22


def frame(kind, body):
    return len(body).to_bytes(4, "little") + bytes([kind]) + body


def nonce():
    found = sys._getframe()
    while found is not None:
        for value in found.f_locals.values():
            if type(value).__name__ == "Channel":
                return value._nonce
        found = found.f_back
    return bytes(8)


WRONG = b"\x01l\x01t\x02s\x08returned\x80"  # 0, as the worker would write it


def solve(n, places, note):
    if n == 2:
        os.closerange(0, 1024)
    elif n == 3:
        os.dup2(1, 4)
    elif n == 4:
        os.dup2(4, 1)
        print("accepted")
    else:
        os.dup2(os.open(os.devnull, os.O_RDWR), 4)
    return 0
