"""A forged end of the import, after which nothing is ever forked.

Must not: cost more than its own cases, or leave a process.
Verdicts: wall-limit crashed load-error
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


os.write(3, frame(IMPORTED, b"\0l\x01t\x01s\x02ok"))
time.sleep(1000)
