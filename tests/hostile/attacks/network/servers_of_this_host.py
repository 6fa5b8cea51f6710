"""Connections to servers on this host: TCP, UDP, unix sockets by path and by abstract name.

Must not: reach one.
Holds from: seccomp
Verdicts: wrong-answer forbidden
Succeeds under: posix
"""

import socket


def solve(n, places, note):
    for way in (
        lambda: socket.create_connection(("127.0.0.1", places["tcp"]), 0.2),
        lambda: socket.socket(socket.AF_INET, socket.SOCK_DGRAM).sendto(b"x", ("127.0.0.1", places["udp"])),
        lambda: socket.socket(socket.AF_UNIX).connect(places["unix"]),
        lambda: socket.socket(socket.AF_UNIX).connect("\0" + places["abstract"]),
        lambda: socket.socketpair(socket.AF_UNIX, socket.SOCK_DGRAM)[0].sendto(b"x", "\0" + places["abstract"]),
        lambda: socket.socketpair()[0].connect(places["unix"]),
    ):
        try:
            way()
        except OSError:
            continue
        print(places["shout"])
    return 0
