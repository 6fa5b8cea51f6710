"""A case that answers again in the place of its end, and prints for the next one.

Must not: be heard, or put words into the next case.
Verdicts: wrong-answer crashed wall-limit
"""

import os
import sys
import time


def for_everybody(name, function):
    """Whoever calls it by a name of its own calls ours."""
    frame = sys._getframe()
    while frame is not None:
        frame.f_globals[name] = function
        frame = frame.f_back


said = []


def again(status):
    os.write(1, b"printed for the next one")
    for _ in range(5):
        os.write(4, said[0])
    time.sleep(60)


def solve(n, places, note):
    found = sys._getframe()
    while found is not None:
        for value in found.f_locals.values():
            if type(value).__name__ == "Channel":
                body = value._nonce + b"\x01l\x01t\x02s\x08returned\x81"
                said.append(len(body).to_bytes(4, "little") + bytes([24]) + body)
                os._exit = again
                for_everybody("_exit", os._exit)
        found = found.f_back
    return 0
