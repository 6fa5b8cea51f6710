"""System V memory, semaphores, queues, anonymous files: memory that outlives its process.

Must not: be made.
Holds from: seccomp
Verdicts: wrong-answer
"""

import ctypes
import platform

LIBC = ctypes.CDLL(None, use_errno=True)


def call(x86_64, aarch64, *args):
    number = x86_64 if platform.machine() == "x86_64" else aarch64
    return LIBC.syscall(ctypes.c_long(number), *args)


def solve(n, places, note):
    for numbers, args in (
        ((29, 194), (4711, 1 << 20, 0o1666)),
        ((64, 190), (4711, 1, 0o1666)),
        ((68, 186), (4711, 0o1666)),
        ((240, 180), (b"vault", 0o102, 0o666, None)),
        ((319, 279), (b"vault", 0)),
        ((447, 447), (0,)),
    ):
        if call(*numbers, *args) >= 0:
            print(places["shout"], numbers)
    return 0
