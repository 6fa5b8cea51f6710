"""clone, clone3 and vfork with flags that a filter may have forgotten.

Must not: make a process.
Holds from: seccomp
Verdicts: wrong-answer
Succeeds under: posix
"""

import ctypes
import os
import platform
import time

LIBC = ctypes.CDLL(None, use_errno=True)
CLONE = {"x86_64": 56, "aarch64": 220}[platform.machine()]
FLAGS = (17, 0, 0x8000, 0x8000 | 17, 0x100 | 17, 0x800000 | 17, 0x1000 | 17, 0x10000000 | 17, 0x20000000 | 17)


def solve(n, places, note):
    for flags in (*FLAGS, 0x8000 | 17 | 1 << 40):
        pid = LIBC.syscall(CLONE, flags, 0, 0, 0, 0)
        if pid == 0:
            time.sleep(100)
            os._exit(0)
        if pid > 0:
            print(places["shout"], hex(flags))
    if LIBC.syscall(435, bytes(88), 88) > 0:
        print(places["shout"])
    return 0
