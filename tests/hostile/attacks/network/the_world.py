"""Names, the web, raw packets, netlink, vsock, bluetooth.

Must not: be reached, or a socket for them be made.
Holds from: seccomp
Verdicts: wrong-answer forbidden
Succeeds under: posix
"""

import socket

KINDS = [(family, kind) for family in (2, 10, 16, 17, 31, 40, 44, 38, 15) for kind in (1, 2, 3, 5)]


def solve(n, places, note):
    for family, kind in KINDS:
        try:
            socket.socket(family, kind)
        except OSError:
            continue
        print(places["shout"], family, kind)
    try:
        print(places["shout"], socket.gethostbyname("example.com"))
    except OSError:
        pass
    return 0
