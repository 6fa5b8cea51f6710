"""Characters put into the marker's terminal, and a terminal of one's own.

Must not: be possible.
Holds from: seccomp
Verdicts: wrong-answer
"""

import ctypes
import platform

LIBC = ctypes.CDLL(None, use_errno=True)


def call(x86_64, aarch64, *args):
    number = x86_64 if platform.machine() == "x86_64" else aarch64
    return LIBC.syscall(ctypes.c_long(number), *args)


import fcntl
import os


def solve(n, places, note):
    for descriptor in (0, 1, 2, 3, 4):
        for request, argument in ((0x5412, b"x"), (0x540E, 0), (0x5410, bytes(4)), (0x541C, b"\x03")):
            try:
                fcntl.ioctl(descriptor, request, argument)
            except OSError:
                continue
            print(places["shout"], descriptor, request)
    try:
        print(places["shout"], os.openpty())
    except OSError:
        pass
    return 0
