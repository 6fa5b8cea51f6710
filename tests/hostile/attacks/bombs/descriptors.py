"""Pipes, sockets and events without end, and descriptors sent on journeys.

Must not: use up the user's.
Verdicts: wrong-answer
"""

import array
import os
import socket


def solve(n, places, note):
    kept = []
    one, other = socket.socketpair()
    try:
        while True:
            rights = array.array("i", [one.fileno()] * 253)
            one.sendmsg([b"x"], [(socket.SOL_SOCKET, socket.SCM_RIGHTS, rights)])
    except OSError:
        pass
    try:
        while len(kept) < 5000:
            kept.append(os.pipe())
            kept.append(os.eventfd(0))
    except OSError:
        pass
    if len(kept) > 200:
        print(places["shout"], len(kept))
    return 0
