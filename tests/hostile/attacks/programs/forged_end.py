"""A program that finds the channel and tells of its end itself: status 0, and all files as they should be.

Must not: be accepted; standard output and files are not told by the program.
Hands in: tool
Verdicts: wrong-answer crashed
"""

import os
import sys

ANSWER, CALLBACK, ABSENT, STEP, READ, IMPORTED = 24, 25, 27, 30, 29, 22


def channel():
    found = sys._getframe()
    while found is not None:
        for value in found.f_locals.values():
            if type(value).__name__ == "Channel":
                return value
        found = found.f_back


def number(n):
    return bytes([0x80 | n])


def text(tag, value):
    return tag + len(value).to_bytes(1, "little") + value


files = b"m\x01" + text(b"s", b"report.txt") + text(b"b", b"nothing\n")
result = b"m\x02" + text(b"s", b"exit_code") + number(0) + text(b"s", b"files") + files
channel().send(ANSWER, b"\x00" + b"l\x01t\x02" + text(b"s", b"returned") + result)
os._exit(0)
