"""ptrace, process_vm_readv and kcmp on the grader, its parent and a bystander.

Must not: read or stop them.
Holds from: seccomp
Verdicts: forbidden wrong-answer
"""

import ctypes
import os
import platform

LIBC = ctypes.CDLL(None, use_errno=True)
CALLS = {"x86_64": (101, 310, 311, 312, 438), "aarch64": (117, 270, 271, 272, 438)}[platform.machine()]


def solve(n, places, note):
    number = CALLS[n % len(CALLS)]
    for pid in (os.getppid(), places["victim"], places["grader"]):
        if LIBC.syscall(number, 16 if number == CALLS[0] else pid, pid, 0, 0, 0, 0) >= 0:
            print(places["shout"])
    return 0
