"""A server, for who would come and talk to it.

Must not: listen.
Holds from: seccomp
Verdicts: wrong-answer forbidden
Succeeds under: posix
"""

import socket


def solve(n, places, note):
    for way in (
        lambda: socket.create_server(("127.0.0.1", 0)),
        lambda: socket.socketpair()[0].bind("\0vault"),
        lambda: socket.socketpair()[0].bind("server"),
        lambda: socket.socketpair()[0].listen(),
    ):
        try:
            way()
        except OSError:
            continue
        print(places["shout"])
    return 0
