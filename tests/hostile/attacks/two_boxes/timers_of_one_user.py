"""Timers, of which a user may have so many: a box that stays awake makes all of them.

Must not: tell anything to a case that students see.
Verdicts: wrong-answer exception
"""

import ctypes
import os
import signal
import time

LIBC = ctypes.CDLL(None, use_errno=True)


def make():
    made = ctypes.c_void_p()
    return LIBC.timer_create(1, None, ctypes.byref(made)) == 0


def speak(word):
    while make():
        pass


R, W = os.pipe()
os.set_blocking(R, False)


def tick(*_):
    try:
        word = os.read(R, 100).decode()
    except OSError:
        return
    speak(word)


signal.signal(signal.SIGALRM, tick)
signal.setitimer(signal.ITIMER_REAL, 0.005, 0.005)


def post(word):
    os.write(W, word.encode())


FIRST = make()
"""Where no timer can be made at all, none is used up."""


def heard(word):
    if not FIRST:
        return False
    # In another run there may be none left for a moment as well.
    for _ in range(20):
        if make():
            return False
        time.sleep(0.01)
    return True


def solve(n, places, note):
    if note:
        post(places["shout"])
        return 0
    for _ in range(10):
        if heard(places["shout"]):
            print(places["shout"])
            break
        time.sleep(0.005)
    return 0
