"""Signals by queues, threads, owners of descriptors, timers and process descriptors.

Must not: reach anybody.
Holds from: seccomp
Verdicts: wrong-answer crashed
"""

import ctypes
import fcntl
import os
import signal
import socket

LIBC = ctypes.CDLL(None, use_errno=True)


def solve(n, places, note):
    for pid in (places["victim"], places["grader"]):
        for call in (
            lambda: LIBC.sigqueue(pid, 9, None) == 0,
            lambda: LIBC.tgkill(pid, pid, 9) == 0,
            lambda: LIBC.killpg(pid, 9) == 0,
            lambda: signal.pidfd_send_signal(os.pidfd_open(pid), 9) is None,
        ):
            try:
                if call():
                    print(places["shout"])
            except OSError:
                pass
        one, other = socket.socketpair()
        for command, value in ((8, pid), (10, 9), (4, fcntl.fcntl(one, 3) | os.O_ASYNC)):
            try:
                fcntl.fcntl(one, command, value)
            except OSError:
                pass
        other.send(b"x")
    return 0
