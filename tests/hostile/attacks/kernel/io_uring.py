"""Io uring: a door of the kernel that no coursework needs.

Must not: be open.
Holds from: seccomp
Verdicts: forbidden
"""

import ctypes
import platform

LIBC = ctypes.CDLL(None, use_errno=True)


def call(x86_64, aarch64, *args):
    number = x86_64 if platform.machine() == "x86_64" else aarch64
    return LIBC.syscall(ctypes.c_long(number), *args)


def solve(n, places, note):
    if call(425, 425, 8, bytes(120)) >= 0:
        print(places["shout"])
    return 0
