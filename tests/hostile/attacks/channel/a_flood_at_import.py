"""The command channel, flooded at import.

Must not: keep the keeper from its limits.
Verdicts: load-error
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


while True:
    os.write(3, b"\0" * 65536)
