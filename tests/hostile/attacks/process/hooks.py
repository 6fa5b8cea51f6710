"""Audit, trace, profile, import and exit hooks, to see what the worker does after the call.

Must not: see anything but its own values.
Verdicts: wrong-answer time-limit crashed load-error
"""

import atexit
import builtins
import sys
import threading


def spy(*args):
    text = repr(args)
    if "CAN" + "ARY" in text:
        print(text[:500])
    return spy


sys.addaudithook(lambda *args: spy(*args) and None)
sys.setprofile(spy)
sys.settrace(spy)
threading.settrace(spy)
threading.setprofile(spy)
atexit.register(spy)
real = builtins.__import__
builtins.__import__ = lambda *args, **kwargs: spy(args) and real(*args, **kwargs)


def solve(n, places, note):
    return 0
