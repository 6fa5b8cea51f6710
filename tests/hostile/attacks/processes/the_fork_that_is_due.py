"""Threads of the box that try to use the fork which the keeper orders for the next case.

Must not: get a process of their own.
Holds from: seccomp
Verdicts: wrong-answer forbidden time-limit wall-limit crashed
"""

import ctypes
import os
import platform
import socket
import threading
import time

LIBC = ctypes.CDLL(None, use_errno=True)
CLONE = {"x86_64": 56, "aarch64": 220}[platform.machine()]
real = socket.socket.recv


def steal():
    for _ in range(2000):
        if LIBC.syscall(CLONE, 0x8000 | 17, 0, 0, 0, 0) == 0:
            time.sleep(100)


def recv(self, *args):
    socket.socket.recv = real
    threading.Thread(target=steal, daemon=True).start()
    return real(self, *args)


socket.socket.recv = recv


def solve(n, places, note):
    return 0
