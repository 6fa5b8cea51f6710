"""A program that has said all, and whose threads, handlers and destructors then go on for ever.

Must not: last longer than its limits.
Hands in: tool
Verdicts: time-limit wall-limit
"""

import atexit
import sys
import threading


def spin(*_):
    while True:
        pass


class Going:
    __del__ = spin


kept = Going()
if len(sys.argv) > 2:
    atexit.register(spin)
elif sys.argv[1:] == ["5"]:
    threading.Thread(target=spin).start()
elif len(sys.argv) == 1:
    threading.Thread(target=threading.Event().wait).start()
