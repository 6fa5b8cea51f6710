"""Users, capabilities, limits, personality, a filter of its own.

Must not: be gained or changed.
Holds from: seccomp
Verdicts: wrong-answer forbidden
"""

import ctypes
import platform

LIBC = ctypes.CDLL(None, use_errno=True)


def call(x86_64, aarch64, *args):
    number = x86_64 if platform.machine() == "x86_64" else aarch64
    return LIBC.syscall(ctypes.c_long(number), *args)


import os
import resource


def solve(n, places, note):
    for change in (lambda: os.setgroups([]), lambda: os.setresuid(1, 1, 1), lambda: os.chroot("/")):
        try:
            change()
        except OSError:
            continue
        print(places["shout"], change)
    for kind in (resource.RLIMIT_AS, resource.RLIMIT_CPU, resource.RLIMIT_NOFILE, resource.RLIMIT_FSIZE):
        try:
            resource.setrlimit(kind, (1 << 50, 1 << 50))
        except (OSError, ValueError):
            continue
        print(places["shout"], kind)
    for numbers, args in (((157, 167), (4, 1)), ((317, 277), (1, 0, bytes(16))), ((135, 92), (0x0040000,))):
        if call(*numbers, *args) >= 0:
            print(places["shout"], numbers)
    return 0
