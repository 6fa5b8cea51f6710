"""Terminals, kernel messages, disks, memory, sockets of services.

Must not: be opened.
Holds from: landlock
Verdicts: wrong-answer
"""

import glob
import os


def solve(n, places, note):
    paths = ["/dev/tty", "/dev/console", "/dev/kmsg", "/dev/mem", "/dev/kvm", "/dev/fuse", "/dev/ptmx", "/dev/vsock"]
    paths += glob.glob("/dev/sd*") + glob.glob("/dev/vd*") + glob.glob("/dev/pts/*") + glob.glob("/dev/loop*")
    for path in paths:
        for flags in (os.O_RDONLY, os.O_WRONLY, os.O_RDWR):
            try:
                print(places["shout"], path, os.open(path, flags | os.O_NONBLOCK | os.O_NOCTTY))
            except OSError:
                pass
    return 0
